"""What happens in a run as JSON lines, one object each, flushed, for other programs to follow.

Every line has `event` and `at`, the time in ISO 8601. By event:

- `run began`: name, game, format, engines, seed, games in all, done before, tables, journal
- `player checked`: engine, wrong (null, or a sentence)
- `game over`: number, round, table, first, second, result for the first (1, 0, -1), winner, plies,
  reason, detail, opening and moves in notation, seed, started, seconds of the whole game,
  first_seconds and second_seconds (the thinking of each, null where a table was lost)
- `table lost`: table, why, game (the number of the game that was lost by it, or null), unplayed
  (the number of a game that is given up for this run, or null)
- `warning`: text, before the first game: limits by the clock on a crowded machine
- `stopping`: why
- `run ended`: ending (finished, decided, incomplete, interrupted), why, games, of, champion (of a
  knockout, or null), standings (with elo and its 95 % error), time_losses by engine, wall_over_cpu
  (null where moves were too short to tell)

Tables count from 1. Lines are added to what a file holds, so a run that goes on has one stream.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from arena.dashboard.watched import times_of
from arena.errors import ArenaError
from arena.journal.forms import date, summary
from arena.run import Watcher

if TYPE_CHECKING:
    from arena.run import Outcome, Run, RunProgress
    from arena.runners.local import GameOver, TableLost

STDOUT = "-"


class EventStream(Watcher):
    """Writes everything that happens to a file, or to stdout."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.out: TextIO = sys.stdout if where == STDOUT else _opened(Path(where))

    def __enter__(self) -> EventStream:
        return self

    def __exit__(self, *error: object) -> None:
        if self.out is not sys.stdout:
            self.out.close()

    def began(self, session: Run) -> None:
        """A run begins, or goes on."""
        tournament, progress = session.tournament, session.progress
        self.header = session.journal.header
        self._write(
            "run began",
            name=tournament.name,
            game=tournament.rules.name,
            format=tournament.format.kind,
            engines=progress.names,
            seed=tournament.seed,
            games=progress.total,
            done=progress.done,
            tables=session.workers,
            journal=str(session.journal.path),
        )

    def checked(self, name: str, wrong: str | None) -> None:
        """A player may take part, or not."""
        self._write("player checked", engine=name, wrong=wrong)

    def game_over(self, event: GameOver, progress: RunProgress) -> None:
        """A game has been recorded."""
        row = event.row
        measured = row.seconds > 0  # by its table, which is gone otherwise
        first, second = times_of(row) if measured else (None, None)
        self._write(
            "game over",
            table=event.table + 1,
            **summary(row, self.header),
            first_seconds=first,
            second_seconds=second,
        )

    def table_lost(self, event: TableLost, progress: RunProgress) -> None:
        """A table was set anew."""
        self._write(
            "table lost",
            table=event.table + 1,
            why=event.why,
            game=event.game,
            unplayed=event.unplayed,
        )

    def warned(self, words: str) -> None:
        """Something to know before the first game."""
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
            **standings_data(progress),
            **time_data(progress),
        )

    def _write(self, event: str, **fields: Any) -> None:
        line = json.dumps({"event": event, "at": date(time.time()), **fields}, allow_nan=False)
        self.out.write(f"{line}\n")
        self.out.flush()


def _opened(path: Path) -> TextIO:
    try:
        return path.open("a", encoding="ascii")
    except OSError as error:
        raise ArenaError(f"{path} cannot be written: {error.strerror}") from None


def standings_data(progress: RunProgress) -> dict[str, Any]:
    """The standings, best first, and the champion of a knockout, once there is one."""
    ranking, lines = progress.standings()
    rows = [
        {
            "place": place,
            "engine": line.name,
            **{heading.lower().replace(" ", "_"): value for heading, value in line.own.items()},
            "games": line.games,
            "points": line.points,
            "won": line.won,
            "drawn": line.drawn,
            "lost": line.lost,
            "score": round(line.share, 6),
            "elo": None if line.elo is None else round(line.elo, 2),
            "error": None if line.error is None else round(line.error, 2),
        }
        for place, line in enumerate(lines, start=1)
    ]
    champion = None if ranking.champion is None else progress.names[ranking.champion]
    return {"champion": champion, "standings": rows}


def time_data(progress: RunProgress) -> dict[str, Any]:
    """Games lost on time by engine, and how busy the machine was, all parts of the run together."""
    time, names = progress.time, progress.names
    ratio = None if time.ratio is None else round(time.ratio, 4)
    losses = {names[player]: count for player, count in time.losses.most_common()}
    return {"time_losses": losses, "wall_over_cpu": ratio}
