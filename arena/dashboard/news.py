"""What happened last: games that ended, and everything else worth telling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from rich.cells import cell_len

from arena.dashboard.blocks import EDGES, Block, column, fit, panel
from arena.dashboard.endings import result
from arena.dashboard.glyphs import BAD, QUIET, STRONG, WARNING, Glyphs
from arena.printable import printable
from arena.show.board import Line
from arena.show.numbers import clock
from arena.show.table import cut

if TYPE_CHECKING:
    from arena.dashboard.snapshot import Ended, Happening, Snapshot

News = Literal["games", "events", "both", "none"]

LEAST_NEWS, SOME_NEWS = 4, 7  # rows of a panel with two lines, and with enough of them
LEAST_CAUSE = 11  # columns: a space and "full board"
MOST_CAUSE = 32  # "rising diagonal, 42 plies, 12:34", beside which another column of games begins
WHOLE_NAME = 20  # names that long are whole, even where the cause is cut for it


def news_panel(snapshot: Snapshot, news: News, width: int, height: int, glyphs: Glyphs) -> Block:
    """What happened last; games and events in one panel share it."""
    room = height - 2
    events = snapshot.happenings
    lines: Block = []
    if news == "both":
        events = events[-(room // 2) :] if room > 1 else ()
    if news == "events" or (news == "both" and events):
        lines = happening_lines(events, room)
    if news != "events":
        lines += ended_lines(snapshot.ended, width - EDGES, room - len(lines), glyphs)
    title = {"games": "last games", "events": "events"}.get(news, "last games and events")
    return panel(title, lines, width, height, glyphs)


def ended_lines(games: tuple[Ended, ...], width: int, height: int, glyphs: Glyphs) -> Block:
    """The last games, the newest first: who, how, and why."""
    if not games:
        return [[("no game has ended yet", QUIET)]]
    digits, longest = _lengths(games)
    columns = max(1, width // (digits + 2 * longest + 7 + MOST_CAUSE))
    each = width // columns
    bare = each - digits - 6
    names = max(4, min(longest, max((bare - LEAST_CAUSE) // 2, min(WHOLE_NAME, bare // 2))))
    room = bare - 2 * names - 1
    lines = [
        fit(_ended(game, digits, names, room, glyphs), each, glyphs)
        for game in games[::-1][: columns * max(0, height)]
    ]
    return [
        [run for line in lines[row::height] for run in line]
        for row in range(min(height, len(lines)))
    ]


def _lengths(games: tuple[Ended, ...]) -> tuple[int, int]:
    """The digits of the longest number, and the cells of the longest name."""
    longest = max(cell_len(name) for game in games for name in (game.first, game.second))
    return max(len(str(game.number)) for game in games), longest


def width_of_games(snapshot: Snapshot) -> int:
    """Columns that a panel of games needs to name all of them and those who played."""
    numbers = [snapshot.total, *(game.number for game in snapshot.ended)]
    longest = min(WHOLE_NAME, snapshot.longest_name)
    return len(str(max(numbers))) + 2 * longest + 6 + EDGES


def _ended(game: Ended, digits: int, names: int, room: int, glyphs: Glyphs) -> Line:
    first, second = (column(name, names, glyphs) for name in (game.first, game.second))
    cause = game.cause
    if len(cause) > room:
        cause = cause.removeprefix("rising ").removeprefix("falling ")
    return [
        (f"{game.number:>{digits}} ", QUIET),
        (first, STRONG if game.result > 0 else ""),
        (f" {result(game.result, glyphs)} ", WARNING if game.result == 0 else ""),
        (second, STRONG if game.result < 0 else ""),
        (f" {cut(cause, room, glyphs.more)}" if room > 3 else "", BAD if game.at_fault else ""),
        (_more(game, room - len(cause)), QUIET),
    ]


def _more(game: Ended, room: int) -> str:
    """How long it was, as far as there is room for that."""
    plies = f", {game.plies} plies"
    both = f"{plies}, {clock(game.seconds)}" if game.seconds else plies
    return both if len(both) <= room else plies if len(plies) <= room else ""


def happening_lines(happenings: tuple[Happening, ...], height: int) -> Block:
    """What else happened, the newest first."""
    if not happenings:
        return [[("nothing out of the ordinary", QUIET)]]
    return [
        [
            (f"{event.when} ", QUIET),
            (printable(event.text), BAD if event.grave else ""),
        ]
        for event in happenings[::-1][:height]
    ]
