"""What happened last: games that ended, and everything else worth telling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from rich.cells import cell_len

from arena.dashboard.blocks import EDGES, Block, Line, column, panel
from arena.dashboard.endings import result
from arena.dashboard.glyphs import BAD, QUIET, STRONG, WARNING, Glyphs
from arena.dashboard.words import clock
from arena.printable import printable

if TYPE_CHECKING:
    from arena.dashboard.snapshot import Ended, Happening, Snapshot

News = Literal["games", "events", "both", "none"]

LEAST_NEWS, SOME_NEWS = 4, 7  # rows of a panel with two lines, and with enough of them
LEAST_CAUSE = 11  # columns: a space and "full board"


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
    shown = games[::-1][:height]
    if not shown:
        return [[("no game has ended yet", QUIET)]]
    digits = max(len(str(game.number)) for game in shown)
    longest = max(cell_len(name) for game in shown for name in (game.first, game.second))
    names = max(4, min(longest, (width - digits - 6 - LEAST_CAUSE) // 2))
    room = width - digits - 2 * names - 7
    return [_ended(game, digits, names, room, glyphs) for game in shown]


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
        (f" {cause}", BAD if game.at_fault else ""),
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
