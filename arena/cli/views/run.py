"""What the user sees of a run: the dashboard on a terminal, plain lines elsewhere, and the end."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from typing import TYPE_CHECKING

from arena.printable import printable
from arena.show.terminal import console, dash, is_live, symbol

if TYPE_CHECKING:
    from rich.table import Table

    from arena.dashboard.scene import Scene
    from arena.play.mistakes import Mistakes
    from arena.run import RunProgress, Watcher
    from arena.standings.ranking import Standing

EDGES, PADDING = 2, 2  # columns of a screen around the standings and in each of theirs
CELL_WIDTH = 6  # of the crosstable
OUTCOMES = ("+", "=", "-")
LESS_WANTED = (OUTCOMES, ("games",), ("points",))  # what is left out first where room is short
RECALLED = 5  # grave events that are told again when the dashboard is gone


@contextmanager
def watching(plain: bool, quiet: bool, events: str | None) -> Iterator[Watcher]:
    """Whoever watches a run: nobody, lines or the dashboard on stderr, and a stream of events."""
    from arena.dashboard.watchers import Watchers

    with ExitStack() as stack:
        watchers: list[Watcher] = []
        if events is not None:
            from arena.dashboard.stream import EventStream

            watchers.append(stack.enter_context(EventStream(events)))
        if not quiet:
            watchers += _views(stack, plain)
        yield Watchers(*watchers)


def _views(stack: ExitStack, plain: bool) -> list[Watcher]:
    from arena.dashboard.plain import PlainView
    from arena.dashboard.scene import Scene

    scene = Scene()
    lines = PlainView(scene, say)
    if plain or not _has_a_screen():
        stack.callback(_sum_up, lines.mistakes)
        return [scene, lines]
    from arena.dashboard.live import LiveView

    stack.callback(_recall, scene)
    return [scene, stack.enter_context(LiveView(scene, console(stderr=True), lines))]


def _has_a_screen() -> bool:
    """Whether stderr is a terminal that can be drawn on, and ours to draw on now."""
    if not is_live(sys.stderr):
        return False
    from arena.dashboard.screen import is_in_front

    return is_in_front(sys.stderr.fileno())


def say(sentence: str) -> None:
    """A line on stderr."""
    print(printable(sentence), file=sys.stderr, flush=True)


def _recall(scene: Scene) -> None:
    """What went wrong, for those who only see the end: the dashboard has left no trace."""
    grave = [event for event in scene.happenings if event.grave]
    for event in grave[-RECALLED:]:
        say(f"{event.when} {event.text}")
    if scene.faults > RECALLED:
        say(f"{scene.faults} games were lost by a fault; arena games --bad lists them")
    _sum_up(scene.mistakes)


def _sum_up(mistakes: Mistakes) -> None:
    """Mistakes that were made several times, each with how often that was."""
    from arena.cli.views.match import repeated_lines

    for line in islice(repeated_lines(mistakes), RECALLED):
        say(line)


def standings_table(progress: RunProgress, title: str, width: int = 100) -> Table:
    """The standings as a table, with how each did against each where there is room for that."""
    from rich import box
    from rich.table import Table

    ranking, lines = progress.standings()
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", padding=(0, 1, 0, 0))
    rows = [_cells(place, line) for place, line in enumerate(lines, start=1)]
    widths = {name: PADDING + max(len(name), *(len(row[name]) for row in rows)) for name in rows[0]}
    names, room = list(widths), width - EDGES - sum(widths.values())
    for part in LESS_WANTED:
        if room < 0:
            names = [name for name in names if name not in part]
            room += sum(widths[name] for name in part)
    shown = ranking.order if room // CELL_WIDTH >= len(rows) else ()
    for name in names:
        words = name in ("engine", "reached")
        table.add_column(name, justify="left" if words else "right", no_wrap=True)
    for place in range(1, len(shown) + 1):
        table.add_column(str(place), justify="right")
    for player, row in zip(ranking.order, rows, strict=True):
        cells = [_against(progress, player, other) for other in shown]
        table.add_row(*(row[name] for name in names), *cells)
    return table


def _cells(place: int, line: Standing) -> dict[str, str]:
    """A line of the standings by heading; what the format ranks by stands first."""
    own = {
        name: value if isinstance(value, str) else f"{value:g}" for name, value in line.own.items()
    }
    return {
        "": str(place),
        "engine": line.name,
        **own,
        "Elo": dash() if line.elo is None else f"{line.elo:+z.0f}",
        symbol("±", "+-"): dash() if line.error is None else f"{line.error:.0f}",
        "points": f"{line.points:g}",
        "games": str(line.games),
        **dict(zip(OUTCOMES, map(str, (line.won, line.drawn, line.lost)), strict=True)),
        "score": f"{line.share:.1%}",
    }


def _against(progress: RunProgress, player: int, other: int) -> str:
    if player == other:
        return dash()
    score = progress.scoreboard.versus(player, other)
    return f"{score.points:g}" if score.games else ""
