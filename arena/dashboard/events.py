"""The events of a run as JSON lines, one object each, flushed, for other programs to follow.

Every line has `event` and `at`, the time in ISO 8601. By event:

- `run began`: name, game, format, engines, seed, games in all, done before, tables, journal
- `player checked`: engine, wrong (null, or a sentence), compiled (seconds, of its own kernels)
- `game over`: number, round, table, host, first, second, result for the first (1, 0, -1), winner,
  plies, reason, detail, opening and moves in notation, seed, started, seconds of the whole game,
  first_seconds and second_seconds (the thinking of each, null where a table was lost)
- `table lost`: table, why, game (the number of the game that was lost by it, or null), unplayed
  (the number of a game that is given up for this run, or null), host (of a worker of a cluster that
  is gone with all its tables, or null)
- `warning`: text, before the first game: limits by the clock on a crowded machine
- `stopping`: why
- `run ended`: ending (finished, decided, incomplete, interrupted), why, games, of, champion (of a
  knockout, or null), standings (with elo and its 95 % error), time_losses by engine, wall_over_cpu
  (null where moves were too short to tell)

Tables count from 1. Lines are appended, so a resumed run has one stream.
"""

from __future__ import annotations

import json
import socket
import sys
import time
from pathlib import Path
from typing import Any, TextIO

from arena.dashboard.table_view import times_of
from arena.files import disk_errors
from arena.journal.export import date, summary
from arena.session import Outcome, Run, RunProgress, Watcher
from arena.table.runner import GameOver, TableLost

STDOUT = "-"


class EventStream(Watcher):
    """Writes everything that happens to a file, or to stdout."""

    def __init__(self, where: str) -> None:
        self.out: TextIO = sys.stdout
        self.here = socket.gethostname()
        if where != STDOUT:
            path = Path(where)
            with disk_errors(path):
                self.out = path.open("a", encoding="ascii")

    def __enter__(self) -> EventStream:
        return self

    def __exit__(self, *error: object) -> None:
        if self.out is not sys.stdout:
            self.out.close()

    def began(self, run: Run) -> None:
        """A run begins, or resumes."""
        tournament, progress = run.tournament, run.progress
        self.header = run.journal.header
        self._write(
            "run began",
            name=tournament.name,
            game=tournament.rules.name,
            format=tournament.format.kind,
            engines=progress.names,
            seed=tournament.seed,
            games=progress.total,
            done=progress.done,
            tables=run.workers,
            journal=str(run.journal.path),
        )

    def checked(self, name: str, wrong: str | None, compiled: float = 0.0) -> None:
        """A player was checked."""
        self._write("player checked", engine=name, wrong=wrong, compiled=round(compiled, 3))

    def game_over(self, event: GameOver, progress: RunProgress) -> None:
        """A game has been recorded."""
        row, table = event.game, event.table + 1
        measured = row.seconds > 0  # by its table, which is gone otherwise
        first, second = times_of(row) if measured else (None, None)
        seconds = {"first_seconds": first, "second_seconds": second}
        place = {"table": table, "host": event.host or self.here}
        self._write("game over", **place, **summary(row, self.header), **seconds)

    def table_lost(self, event: TableLost, progress: RunProgress) -> None:
        """A table was replaced."""
        table, games = event.table + 1, {"game": event.game, "unplayed": event.unplayed}
        self._write("table lost", table=table, why=event.why, **games, host=event.host)

    def warned(self, words: str) -> None:
        """A warning before the first game."""
        self._write("warning", text=words)

    def stopping(self, why: str) -> None:
        """No further game begins."""
        self._write("stopping", why=why)

    def ended(self, outcome: Outcome) -> None:
        """The run is over."""
        progress = outcome.progress
        self._write(
            "run ended",
            ending=outcome.ending,
            why=outcome.why,
            games=progress.done,
            of=progress.total,
            **results_data(progress),
        )

    def _write(self, event: str, **fields: Any) -> None:
        line = json.dumps({"event": event, "at": date(time.time()), **fields}, allow_nan=False)
        self.out.write(f"{line}\n")
        self.out.flush()


def results_data(progress: RunProgress) -> dict[str, Any]:
    """The champion of a knockout, once there is one, the standings, and how time was kept."""
    ranking, lines = progress.standings()
    names, time = progress.names, progress.time
    rows = [
        {
            "place": place,
            "engine": line.name,
            **{heading.lower().replace(" ", "_"): value for heading, value in line.own.items()},
            "games": line.score.games,
            "points": line.score.points,
            **line.score._asdict(),
            "score": round(line.score.share, 6),
            "elo": None if line.elo is None else round(line.elo, 2),
            "error": None if line.error is None else round(line.error, 2),
        }
        for place, line in enumerate(lines, start=1)
    ]
    return {
        "champion": None if ranking.champion is None else names[ranking.champion],
        "standings": rows,
        "time_losses": {names[player]: count for player, count in time.losses.most_common()},
        "wall_over_cpu": None if time.ratio is None else round(time.ratio, 4),
    }
