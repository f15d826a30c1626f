"""What the user sees of a run: a bar on a terminal, a line every few seconds elsewhere."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from arena.cli.show import console, dash
from arena.cli.warming import reporting

if TYPE_CHECKING:
    from rich.table import Table

    from arena.runners.events import GameOver, TableLost
    from arena.session import Progress, Session
    from arena.tournament.spec import Tournament
    from arena.warmup import Report

LINE_EVERY = 3.0  # seconds
FIGURES_WIDTH, CELL_WIDTH = 46, 6  # of the standings: all but names, and one of the crosstable


class RunView:
    """Shows a run as it goes on stderr; stdout is for the standings."""

    def __init__(self, tournament: Tournament, quiet: bool) -> None:
        self.tournament = tournament
        self.quiet = quiet
        self.warming = ExitStack()
        self.report: Report | None = None
        self.bar: Any = None
        self.task: Any = None
        self.spoke = time.monotonic()
        self.drawn = 0.0

    def __enter__(self) -> RunView:
        return self

    def __exit__(self, *error: object) -> None:
        self.warming.close()
        if self.bar is not None:
            self.bar.stop()

    def began(self, session: Session) -> None:
        """Say what is about to happen."""
        progress = session.progress
        total = f"{'about ' if session.agenda.is_estimate else ''}{progress.total}"
        tables = f"{session.workers} table{'s' * (session.workers > 1)}"
        left = f", {progress.done} of them played already" if progress.done else ""
        players = len(progress.names)
        self.say(f"{self.tournament.name}: {players} engines, {total} games{left}, {tables}")

    def checking(self, name: str, number: int, count: int) -> None:
        """An engine is built, warmed up and asked for a move."""
        if self.quiet:
            return
        if self.report is None:
            self.report = self.warming.enter_context(reporting("checking"))
        self.report(name, number, count)

    def game_over(self, event: GameOver, progress: Progress) -> None:
        """A game has been recorded."""
        from arena.play.record import GOOD_ENDS

        self.warming.close()
        if event.row.reason not in GOOD_ENDS:
            self.say(f"game {event.row.number}: {event.row.reason}: {event.row.detail}")
        now = time.monotonic()
        if self.quiet:
            return
        if sys.stderr.isatty():
            self._draw(progress, now)
        elif now - self.spoke >= LINE_EVERY:
            self.spoke = now
            self.say(progress_line(progress))

    def table_lost(self, event: TableLost, progress: Progress) -> None:
        """A table was set anew; if a game was lost by it, that is told as a game."""
        if event.game is None:
            self.say(f"table {event.table + 1} {event.why}: set anew, its game is played again")

    def stopping(self, why: str) -> None:
        """No further game begins."""
        self.say(f"stopping: {why}")

    def say(self, sentence: str) -> None:
        """A line on stderr, above the bar if there is one."""
        if self.quiet:
            return
        if self.bar is not None:
            self.bar.console.print(sentence)
        else:
            print(sentence, file=sys.stderr, flush=True)

    def _draw(self, progress: Progress, now: float) -> None:
        if self.bar is None:
            self._make_bar(progress)
        if now - self.drawn >= 0.1 or progress.done == progress.total:
            self.drawn = now
            words = f"{progress.rate:.1f} games/s"
            self.bar.update(
                self.task,
                completed=progress.done,
                total=progress.total,
                words=words,
                refresh=True,
            )

    def _make_bar(self, progress: Progress) -> None:
        """A bar without a thread of its own, drawn when something has changed."""
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[words]}"))
        self.bar = Bar(
            *columns,
            TextColumn("ETA"),
            TimeRemainingColumn(),
            console=console(stderr=True),
            auto_refresh=False,
            transient=True,
        )
        self.bar.start()
        self.task = self.bar.add_task("", total=progress.total, completed=progress.done, words="")


def progress_line(progress: Progress) -> str:
    """Where a run stands, in one line."""
    parts = [f"{progress.done}/{progress.total} games", f"{progress.rate:.1f} games/s"]
    if progress.eta is not None:
        minutes, seconds = divmod(round(progress.eta), 60)
        parts.append(f"ETA {minutes}:{seconds:02d}")
    if progress.sprt is not None:
        parts.append(f"LLR {progress.sprt.llr:.2f}")
    best = progress.tally.ranking()[0]
    parts.append(f"{progress.names[best]} leads with {progress.tally.scores[best].share:.1%}")
    return ", ".join(parts)


def standings_data(progress: Progress) -> list[dict[str, Any]]:
    """The standings, best first."""
    rows = []
    for place, player in enumerate(progress.tally.ranking(), start=1):
        score = progress.tally.scores[player]
        rows.append(
            {
                "place": place,
                "engine": progress.names[player],
                "games": score.games,
                "points": score.points,
                "won": score.won,
                "drawn": score.drawn,
                "lost": score.lost,
                "score": round(score.share, 6),
            }
        )
    return rows


def standings_table(progress: Progress, title: str, width: int = 100) -> Table:
    """The standings as a table, with how each did against each where there is room for that."""
    from rich import box
    from rich.table import Table

    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", padding=(0, 1, 0, 0))
    for name in ("", "engine", "points", "games", "+", "=", "-", "score"):
        table.add_column(name, justify="left" if name == "engine" else "right", no_wrap=True)
    ranking = progress.tally.ranking()
    fits = (width - FIGURES_WIDTH - max(map(len, progress.names))) // CELL_WIDTH >= len(ranking)
    shown = ranking if fits else []
    for place in range(1, len(shown) + 1):
        table.add_column(str(place), justify="right")
    for place, player in enumerate(ranking, start=1):
        score = progress.tally.scores[player]
        cells = [_against(progress, player, other) for other in shown]
        table.add_row(
            str(place), progress.names[player], f"{score.points:g}", str(score.games),
            str(score.won), str(score.drawn), str(score.lost), f"{score.share:.1%}", *cells,
        )  # fmt: skip
    return table


def _against(progress: Progress, player: int, other: int) -> str:
    if player == other:
        return dash()
    score = progress.tally.head_to_head(player, other)
    return f"{score.points:g}" if score.games else ""
