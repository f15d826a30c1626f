"""The parts of a frame, each as lines for the inside of a panel or as a whole panel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len

from arena.dashboard.blocks import EDGES, Block, between, centred, column, fit, panel, width_of
from arena.dashboard.board import Scale, board_size, draw_board
from arena.dashboard.glyphs import (
    BAD,
    DISC_STYLES,
    FRAME,
    GOOD,
    QUIET,
    STRONG,
    TITLE,
    WARNING,
    Glyphs,
)
from arena.dashboard.keys import HELP
from arena.printable import printable
from arena.show.board import Line
from arena.show.numbers import clock, pace, span
from arena.show.table import cut_name

if TYPE_CHECKING:
    from arena.dashboard.selection import Selection
    from arena.dashboard.snapshot import LiveTable, Seat, Snapshot, Test
    from arena.game.rules import Rules

SHORT = 5.0  # seconds on a clock that are few
MOST_NAME = 20  # cells of a player's name at a table, where all of them are that long
WITH_NAME = 3  # cells beside it: the disc, a mark, and a space before the clock
USUAL_CLOCK = 5  # cells: 12.3s, 12:34; longer from an hour on


def header(
    snapshot: Snapshot, width: int, height: int, glyphs: Glyphs, selection: Selection
) -> Block:
    """What is being played and how far it is: a title, a bar, and the test if there is one."""
    if height == 1:
        return [fit(_short(snapshot, glyphs), width, glyphs)]
    lines = [_title(snapshot, width, glyphs, selection), _bar(snapshot, width, glyphs)]
    if snapshot.test is not None and height > 2:
        lines.append(gauge(snapshot.test, width, glyphs))
    return [fit(line, width, glyphs) for line in lines]


def _short(snapshot: Snapshot, glyphs: Glyphs) -> Line:
    """All of the header in one line."""
    return [(f"{_share(snapshot)} {_count(snapshot)}", STRONG), (f" {_eta(snapshot, glyphs)}", "")]


def _title(snapshot: Snapshot, width: int, glyphs: Glyphs, selection: Selection) -> Line:
    name: Line = [(f" {printable(snapshot.name)} ", TITLE)]
    if selection.paused:
        words = f" drawing is paused, the games go on {glyphs.dot} p draws again"
        return [*name, (words, f"{STRONG} {WARNING}")]
    if snapshot.stopping is not None:
        words = f" finishing games: {printable(snapshot.stopping)}"
        return [*name, (words, f"{STRONG} {WARNING}")]
    if snapshot.checking is not None:
        at = snapshot.checking
        words = f" checking {printable(at.name)}, {at.number} of {at.count}"
        return between([*name, (words, WARNING)], [(f"{at.seconds:.0f} s ", QUIET)], width, glyphs)
    speed: Line = [(f" {pace(snapshot.rate)} ", STRONG)] if snapshot.done else []
    if selection.keys:
        speed.append((f"{glyphs.dot} ? keys ", QUIET))
    room = width - width_of(name) - width_of(speed) - 1
    about = _that_fit((snapshot.round, *snapshot.about), room, glyphs)
    return between([*name, (f" {about}", QUIET)], speed, width, glyphs)


def _that_fit(parts: Sequence[str], room: int, glyphs: Glyphs) -> str:
    """As many of the first of these words as have room, none of them cut but the very first."""
    found = ""
    for part in filter(None, parts):
        longer = f"{found} {glyphs.dot} {part}" if found else part
        if found and cell_len(longer) > room:
            break
        found = longer
    return found


def _bar(snapshot: Snapshot, width: int, glyphs: Glyphs) -> Line:
    """How much is done: as a bar, in games and in percent, and how long the rest takes."""
    words: Line = [(f"  {_count(snapshot)} ", STRONG), (f" {_share(snapshot)} ", "")]
    if width >= 100:
        words.append((f" {span(snapshot.elapsed)} gone ", QUIET))
    words.append((f" {_eta(snapshot, glyphs)} ", STRONG))
    room = width - width_of(words) - 1
    if room < 4:
        return words
    done = round(room * snapshot.done / max(1, snapshot.total))
    done = min(room, max(done, 1 if snapshot.done else 0))
    colour = WARNING if snapshot.stopping else GOOD
    return [(" ", ""), (glyphs.full * done, colour), (glyphs.left * (room - done), FRAME), *words]


def _count(snapshot: Snapshot) -> str:
    about = "~" if snapshot.is_estimate else ""
    return f"{snapshot.done:,}/{about}{snapshot.total:,}"


def _share(snapshot: Snapshot) -> str:
    """Percent, rounded down: 100 % is said at the end and not before."""
    return f"{100 * snapshot.done // max(1, snapshot.total)}%"


def _eta(snapshot: Snapshot, glyphs: Glyphs) -> str:
    if snapshot.eta is None:
        return f"ETA {glyphs.none}"
    return f"ETA {'<' if snapshot.may_end_early else ''}{span(snapshot.eta)}"


def help_over(lines: Block, width: int, glyphs: Glyphs) -> Block:
    """A frame with the keys and what they do in its middle."""
    label = max(len(entry.keys) for entry in HELP) + 2
    text: Block = [[(f"{entry.keys:<{label}}", STRONG), (entry.does, "")] for entry in HELP]
    wide = min(width, max(map(width_of, text)) + EDGES)
    high = min(len(lines), len(text) + 2)
    block = centred(panel("keys", text, wide, high, glyphs), width, glyphs)
    above_it = (len(lines) - high) // 2
    return [*lines[:above_it], *block, *lines[above_it + high :]]


def gauge(test: Test, width: int, glyphs: Glyphs) -> Line:
    """The log-likelihood ratio between its bounds, and the difference as far as it is known."""
    state = test.state
    verdict = f" {state.verdict} accepted" if state.verdict else ""
    words: Line = [
        (f" LLR {state.llr:+.2f}{verdict}", f"{STRONG} {GOOD}" if verdict else STRONG),
        (f"  {_difference(test, glyphs)} ", ""),
    ]
    low: Line = [(" SPRT ", TITLE), (f"{state.lower:+.2f} ", QUIET)]
    high: Line = [(f" {state.upper:+.2f} ", QUIET)]
    if width >= 110:
        names = [cut_name(name, 20, glyphs.more) for name in (test.one, test.other)]
        low.insert(1, (f"{names[0]} > {names[1]}? ", ""))
        words.append((f"H0 {test.elo0:g}, H1 {test.elo1:g} ", QUIET))
    room = width - sum(map(width_of, (low, high, words)))
    if room < 9:
        return [*low[:1], *words]
    return [*low, *_needle(test, room, glyphs), *high, *words]


def _needle(test: Test, room: int, glyphs: Glyphs) -> Line:
    state = test.state
    left, middle, right = glyphs.gauge
    inside = room - 2
    share = (state.llr - state.lower) / (state.upper - state.lower)
    at = min(inside - 1, max(0, round(share * (inside - 1))))
    colour = GOOD if state.llr > 0 else BAD if state.llr < 0 else WARNING
    before, after = left + middle * at, middle * (inside - 1 - at) + right
    return [(before, FRAME), (glyphs.needle, f"{STRONG} {colour}"), (after, FRAME)]


def _difference(test: Test, glyphs: Glyphs) -> str:
    if test.elo is None or test.error is None:
        return f"Elo {glyphs.none}"
    return f"Elo {test.elo:+z.0f} {glyphs.error} {test.error:.0f}"


def table_size(snapshot: Snapshot, rules: Rules, scale: Scale) -> tuple[int, int]:
    """Columns and rows that the panel of a table needs, whoever sits down there."""
    wide, high = board_size(rules, scale)
    name = min(snapshot.longest_name, MOST_NAME)
    seats = (seat for table in snapshot.tables for seat in table.seats or ())
    longest = max([USUAL_CLOCK, *(len(_clock(seat)) for seat in seats)])
    return max(wide, name + WITH_NAME + longest) + EDGES, high + 4


def table_panel(
    table: LiveTable, width: int, height: int, scale: Scale, glyphs: Glyphs, more: str = ""
) -> Block:
    """A table: both names with their clocks, the board, and how it stands or ended.

    `more` is said at the foot instead, about the tables that have no room.
    """
    inside = width - EDGES
    title = f"{table.number} {glyphs.dot} game {table.game}" if table.game else f"{table.number}"
    if table.seats is None or table.position is None:
        waiting: Block = [[("waiting", QUIET)]]
        return panel(title, waiting, width, height, glyphs, style=STRONG)
    lines: Block = [
        _seat(table, number, seat, inside, glyphs) for number, seat in enumerate(table.seats)
    ]
    board = centred(draw_board(table.position, scale, glyphs), inside, glyphs)
    spare = height - 2 - len(lines) - len(board)
    lines += [[("", "")] for _ in range(spare // 2 + spare % 2)] + board
    foot, style = (more, WARNING) if more else _foot(table)
    return panel(title, lines, width, height, glyphs, foot, STRONG, style)


def _seat(table: LiveTable, number: int, seat: Seat, width: int, glyphs: Glyphs) -> Line:
    """The disc, the name and the clock of a player; who thinks is marked, and who has won."""
    shown = f" {_clock(seat)}"
    room = max(0, width - 2 - len(shown))
    won = number == table.winner
    style = f"{STRONG} {GOOD}" if won else STRONG if seat.thinking else ""
    return [
        (glyphs.discs[number], DISC_STYLES[number]),
        (glyphs.thinking if seat.thinking else " ", WARNING),
        (column(seat.name, room, glyphs), style),
        (shown, _urgency(seat)),
    ]


def _clock(seat: Seat) -> str:
    """The time that is left, or where there is no clock the time used."""
    return clock(seat.used if seat.left is None else seat.left)


def _urgency(seat: Seat) -> str:
    """The style of a clock: quiet, running, or nearly run out."""
    colour = BAD if seat.left is not None and seat.left < SHORT else WARNING
    if seat.thinking:
        return f"{STRONG} {colour}"
    return BAD if colour == BAD else QUIET


def _foot(table: LiveTable) -> tuple[str, str]:
    """What is said below the board, and its style."""
    if table.ending is not None:
        if table.at_fault:
            return table.ending, BAD
        return (table.ending, GOOD) if table.winner is not None else ("draw", WARNING)
    if not table.ready:
        return "getting ready", FRAME
    ply = table.position.ply if table.position is not None else 0
    words = f"ply {ply}"
    if table.thought is not None and table.allowed is not None:
        words += f" {table.thought:.1f}/{table.allowed:g}s"
    return words, FRAME
