"""The parts of a frame beside the results: the header, the tables, the news, and the keys."""

from __future__ import annotations

from typing import Literal

from rich.cells import cell_len

from arena.dashboard.cells import (
    BAD,
    EDGES,
    FRAME,
    GOOD,
    QUIET,
    STRONG,
    TITLE,
    WARNING,
    Block,
    Glyphs,
    between,
    centred,
    fit,
    padded_name,
    panel,
    width_of,
)
from arena.dashboard.content import KEYS, FrameContent
from arena.dashboard.hosts import hosts_line, short_host
from arena.dashboard.state import at_fault, cause
from arena.dashboard.table_view import LiveTable, Seat
from arena.show.board import COLOURS, Line, Run, Scale, board_size, scaled_board
from arena.show.numbers import clock, pace, span
from arena.show.table import cut, cut_name
from arena.standings.evidence import ends_of
from arena.standings.sprt import SequentialTest
from arena.table.game import Game
from arena.text import printable

News = Literal["games", "events", "both", "none"]

SHORT = 5.0  # seconds on a clock that are few
WHOLE_NAME = 20  # cells of a player's name for which there is always room, if all are that long
WITH_NAME = 3  # cells beside it at a table: the disc, a mark, and a space before the clock
USUAL_CLOCK = 5  # cells: 12.3s, 12:34; longer from an hour on
MIN_NEWS, SOME_NEWS = 4, 7  # rows of a panel with two lines, and with enough of them
MIN_CAUSE = 11  # columns: a space and "full board"
MIN_HOST = 4  # cells of a name
MAX_CAUSE = 32  # "rising diagonal, 42 plies, 12:34", beside which another column of games begins


def header(content: FrameContent, width: int, height: int) -> Block:
    """The tournament and its progress: a title, a bar, and the test if there is one."""
    snapshot, glyphs = content.snapshot, content.glyphs
    count = f"{snapshot.done:,}/{'~' if snapshot.is_estimate else ''}{snapshot.total:,}"
    share = f"{100 * snapshot.done // max(1, snapshot.total)}%"  # rounded down: 100 % is the end
    eta = f"ETA {glyphs.none}"
    if snapshot.eta is not None:
        eta = f"ETA {'<' if snapshot.may_end_early else ''}{span(snapshot.eta)}"
    if height == 1:
        return [fit([(f"{share} {count}", STRONG), (f" {eta}", "")], width, glyphs)]
    lines = [_title(content, width), _bar(content, width, count, share, eta)]
    if snapshot.test is not None and height > 2:
        lines.append(gauge(snapshot.test, snapshot.names, width, glyphs))
    if snapshot.hosts and len(lines) < height:
        lines.append(hosts_line(snapshot.hosts, width, glyphs))
    return [fit(line, width, glyphs) for line in lines]


def _title(content: FrameContent, width: int) -> Line:
    snapshot, glyphs, selection = content.snapshot, content.glyphs, content.selection
    name: Line = [(f" {printable(snapshot.name)} ", TITLE)]
    if selection.paused:
        words = f" display paused, games continue {glyphs.dot} p resumes"
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
    first, *others = filter(None, (snapshot.round, *snapshot.about))
    about = first  # and as many of the others as have room
    for part in others:
        if cell_len(longer := f"{about} {glyphs.dot} {part}") > room:
            break
        about = longer
    return between([*name, (f" {about}", QUIET)], speed, width, glyphs)


def _bar(content: FrameContent, width: int, count: str, share: str, eta: str) -> Line:
    """How much is done: as a bar, in games and in percent, and how long the rest takes."""
    snapshot, glyphs = content.snapshot, content.glyphs
    words: Line = [(f"  {count} ", STRONG), (f" {share} ", "")]
    if width >= 100:
        words.append((f" {span(snapshot.elapsed)} gone ", QUIET))
    words.append((f" {eta} ", STRONG))
    room = width - width_of(words) - 1
    if room < 4:
        return words
    done = round(room * snapshot.done / max(1, snapshot.total))
    done = min(room, max(done, 1 if snapshot.done else 0))
    colour = WARNING if snapshot.stopping else GOOD
    return [(" ", ""), (glyphs.full * done, colour), (glyphs.left * (room - done), FRAME), *words]


def gauge(test: SequentialTest, names: tuple[str, ...], width: int, glyphs: Glyphs) -> Line:
    """The log-likelihood ratio between its bounds, and the difference as far as it is known."""
    state, elo, difference = test.state, test.difference, f"Elo {glyphs.none}"
    least, most = ends_of(elo)
    if elo is not None and least is not None and most is not None:
        difference = f"Elo {elo.value:+z.0f} {glyphs.error} {(most - least) / 2:.0f}"
    verdict = f" {state.verdict} accepted" if state.verdict else ""
    words: Line = [
        (f" LLR {state.llr:+.2f}{verdict}", f"{STRONG} {GOOD}" if verdict else STRONG),
        (f"  {difference} ", ""),
    ]
    low: Line = [(" SPRT ", TITLE), (f"{state.lower:+.2f} ", QUIET)]
    high: Line = [(f" {state.upper:+.2f} ", QUIET)]
    if width >= 110:
        one, other = (cut_name(names[k], 20, glyphs.more) for k in (test.player, test.other))
        low.insert(1, (f"{one} > {other}? ", ""))
        words.append((f"H0 {test.sprt.elo0:g}, H1 {test.sprt.elo1:g} ", QUIET))
    room = width - sum(map(width_of, (low, high, words)))
    if room < 9:
        return [*low[:1], *words]
    left, middle, right = glyphs.gauge
    last = room - 3  # places of the needle before this one
    share = (state.llr - state.lower) / (state.upper - state.lower)
    at = min(last, max(0, round(share * last)))
    colour = GOOD if state.llr > 0 else BAD if state.llr < 0 else WARNING
    needle = (glyphs.needle, f"{STRONG} {colour}")
    before, after = (left + middle * at, FRAME), (middle * (last - at) + right, FRAME)
    return [*low, before, needle, after, *high, *words]


def help_over(lines: Block, width: int, glyphs: Glyphs) -> Block:
    """A frame with the keys and what they do in its middle."""
    label = max(map(len, KEYS)) + 2
    text: Block = [[(f"{keys:<{label}}", STRONG), (does, "")] for keys, does in KEYS.items()]
    wide = min(width, max(map(width_of, text)) + EDGES)
    high = min(len(lines), len(text) + 2)
    block = centred(panel(("keys", TITLE), text, wide, high, glyphs), width, glyphs)
    above_it = (len(lines) - high) // 2
    return [*lines[:above_it], *block, *lines[above_it + high :]]


def table_size(content: FrameContent, scale: Scale) -> tuple[int, int]:
    """Columns and rows that the panel of a table needs, whichever players it has."""
    wide, high = board_size(content.snapshot.rules, scale)
    name = min(content.longest_name, WHOLE_NAME)
    seats = (seat for table in content.snapshot.tables for seat in table.seats or ())
    longest = max([USUAL_CLOCK, *(len(_clock(seat)) for seat in seats)])
    return max(wide, name + WITH_NAME + longest) + EDGES, high + 4


def table_panel(
    table: LiveTable, width: int, height: int, scale: Scale, glyphs: Glyphs, more: str = ""
) -> Block:
    """A table: both names with their clocks, the board, and how it stands or ended.

    `more` at the foot counts the tables that do not fit.
    """
    inside = width - EDGES
    title = (_table_title(table, inside - 2, glyphs), STRONG)
    if table.seats is None or table.position is None:
        return panel(title, [[("waiting", QUIET)]], width, height, glyphs)
    winner = None if table.ended is None else {1: 0, 0: None, -1: 1}[table.ended.result]
    lines = [_seat(k, seat, k == winner, inside, glyphs) for k, seat in enumerate(table.seats)]
    board = centred(scaled_board(table.position, scale, glyphs.look), inside, glyphs)
    spare = height - 2 - len(lines) - len(board)
    lines += [[("", "")] for _ in range(spare // 2 + spare % 2)] + board
    foot = (more, WARNING) if more else _foot(table, table.position.ply)
    return panel(title, lines, width, height, glyphs, foot)


def _table_title(table: LiveTable, room: int, glyphs: Glyphs) -> str:
    """The number of a table and of its game, and its host: of hosts the ends tell them apart."""
    host = short_host(table.host)
    short = f"{table.number} {glyphs.dot} {table.game}" if table.game else f"{table.number}"
    whole = f"{table.number} {glyphs.dot} game {table.game}" if table.game else short
    for title in (whole, short) if host else ():
        if cell_len(f"{title} {glyphs.dot} {host}") <= room:
            return f"{title} {glyphs.dot} {host}"
    left = room - cell_len(f"{short} {glyphs.dot} {glyphs.more}")
    if host and left >= MIN_HOST:
        return f"{short} {glyphs.dot} {glyphs.more}{host[-left:]}"
    return whole


def _seat(number: int, seat: Seat, has_won: bool, width: int, glyphs: Glyphs) -> Line:
    """The disc, the name and the clock of a player; who thinks is marked, and who has won."""
    time = f" {_clock(seat)}"
    style = f"{STRONG} {GOOD}" if has_won else STRONG if seat.thinking else ""
    urgency = BAD if seat.left is not None and seat.left < SHORT else WARNING
    if seat.thinking:
        urgency = f"{STRONG} {urgency}"
    elif urgency == WARNING:
        urgency = QUIET
    return [
        (glyphs.discs[number], COLOURS[number]),
        (glyphs.thinking if seat.thinking else " ", WARNING),
        (padded_name(seat.name, max(0, width - 2 - len(time)), glyphs), style),
        (time, urgency),
    ]


def _clock(seat: Seat) -> str:
    """The time that is left, or where there is no clock the time used."""
    return clock(seat.used if seat.left is None else seat.left)


def _foot(table: LiveTable, ply: int) -> Run:
    """The words below the board."""
    if table.ended is not None:
        if at_fault(table.ended):
            return cause(table.ended), BAD
        return (cause(table.ended), GOOD) if table.ended.result else ("draw", WARNING)
    if table.thought is None:
        return "getting ready", FRAME
    limit = ""
    if table.allowed is not None:
        limit = f" {table.thought:.1f}/{float(f'{table.allowed:.3g}'):g}s"
    return f"ply {ply}{limit}", FRAME


def news_panel(content: FrameContent, news: News, width: int, height: int) -> Block:
    """The last games or events, the newest first; in one panel they share its rows."""
    room = height - 2
    notices = content.snapshot.notices[::-1][: room // 2 if news == "both" else room]
    lines: Block = []
    if news == "events" or (news == "both" and notices):
        lines = [
            [(f"{notice.when} ", QUIET), (printable(notice.text), BAD if notice.is_grave else "")]
            for notice in notices
        ] or [[("no events", QUIET)]]
    if news != "events":
        lines += _games(content, width - EDGES, room - len(lines))
    title = {"games": "last games", "events": "events"}.get(news, "last games and events")
    return panel((title, TITLE), lines, width, height, content.glyphs)


def _games(content: FrameContent, width: int, height: int) -> Block:
    """The last games, the newest first: who, how, and why; in columns where there is room."""
    games, players, glyphs = content.snapshot.games, content.snapshot.names, content.glyphs
    if not games:
        return [[("no game has ended yet", QUIET)]]
    digits = max(len(str(game.number)) for game in games)
    longest = max(cell_len(players[k]) for game in games for k in (game.first, game.second))
    columns = max(1, width // (digits + 2 * longest + 7 + MAX_CAUSE))
    each = width // columns
    bare = each - digits - 6
    names = max(4, min(longest, max((bare - MIN_CAUSE) // 2, min(WHOLE_NAME, bare // 2))))
    lines = []
    for game in games[::-1][: columns * max(0, height)]:
        first, second = (padded_name(players[k], names, glyphs) for k in (game.first, game.second))
        result = {1: "1-0", 0: glyphs.draw, -1: "0-1"}[game.result]
        line = [
            (f"{game.number:>{digits}} ", QUIET),
            (first, STRONG if game.result > 0 else ""),
            (f" {result} ", WARNING if game.result == 0 else ""),
            (second, STRONG if game.result < 0 else ""),
            *_cause(game, bare - 2 * names - 1, glyphs),
        ]
        lines.append(fit(line, each, glyphs))
    rows = range(min(height, len(lines)))
    return [[run for line in lines[row::height] for run in line] for row in rows]


def _cause(game: Game, room: int, glyphs: Glyphs) -> Line:
    """Why a game ended, and how long it was as far as there is room for that."""
    why = cause(game)
    if len(why) > room:
        why = why.removeprefix("rising ").removeprefix("falling ")
    plies = f", {len(game.moves)} plies"
    both = f"{plies}, {clock(game.seconds)}" if game.seconds else plies
    rest = room - len(why)
    return [
        (f" {cut(why, room, glyphs.more)}" if room > 3 else "", BAD if at_fault(game) else ""),
        (both if len(both) <= rest else plies if len(plies) <= rest else "", QUIET),
    ]


def width_of_games(content: FrameContent) -> int:
    """Columns that a panel of games needs to name all of them and those who played."""
    last = max([content.snapshot.total, *(game.number for game in content.snapshot.games)])
    return len(str(last)) + 2 * min(WHOLE_NAME, content.longest_name) + 6 + EDGES
