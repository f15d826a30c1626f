"""Moments of imaginary runs, from which layouts are drawn; nothing here is measured or random."""

from __future__ import annotations

from dataclasses import replace

from arena.dashboard.hosts import HostState
from arena.dashboard.state import Checking, Notice, Snapshot
from arena.dashboard.table_view import LiveTable, Seat
from arena.game.notation import play_moves, read_moves
from arena.game.position import Position
from arena.game.rules import CONNECT4, SCORE4, Rules
from arena.standings.games import WDL
from arena.standings.ranking import Standing
from arena.standings.sprt import SequentialTest, SprtState, sprt_state
from arena.tournament.sprt import Sprt
from tests.dashboard.rows import row

NAMES = ("alphabeta", "mcts", "alphabeta-time", "minimax", "reflex", "random")
FLAT = ("44444412", "1223343445", "435261", "44", "5553", "7777771", "", "4455")
IN_SPACE = ("1,2,3,6,11,16", "16,1,16,1", "1", "4,4,4,4,8", "5,6", "", "2,3", "9")


def line_up(count: int) -> tuple[str, ...]:
    """So many names."""
    return (*NAMES, *(f"engine number {k + 1}" for k in range(len(NAMES), count)))[:count]


def standings(count: int = 6) -> tuple[Standing, ...]:
    """Players from the best to the worst, evenly spaced; the last one has no rating."""
    lines = []
    for place, name in enumerate(line_up(count)):
        share = 1.0 if place == 0 else 0.9 * (1 - place / count)
        won = round(120 * share)
        rated = place < count - 1
        elo, error = (612.3 - 1400 * place / count, 41.7 + place) if rated else (None, None)
        lines.append(Standing(name, WDL(won, 0, 120 - won), elo, error))
    return tuple(lines)


def crosstable(count: int) -> tuple[tuple[float | None, ...], ...]:
    """Who stands higher has won more; two have not met."""

    def share(row: int, column: int) -> float | None:
        if row == column or {row, column} == {0, 1}:
            return None
        return min(1.0, max(0.0, 0.5 + (column - row) * 0.12))

    return tuple(tuple(share(row, column) for column in range(count)) for row in range(count))


def tables(count: int = 2, rules: Rules = CONNECT4) -> tuple[LiveTable, ...]:
    """Games in progress, one of them won, one drawn, one lost by a crash, one table empty."""
    lines = FLAT if rules.is_flat else IN_SPACE
    return tuple(table(number, lines[number % len(lines)], rules) for number in range(count))


def table(number: int, moves: str, rules: Rules) -> LiveTable:
    position: Position = play_moves(read_moves(moves, rules), rules)
    first, second = NAMES[number % 6], NAMES[(number + 1) % 6]
    seat = position.to_move
    clock = 60.0 if number == 3 else None
    seats = (
        Seat(first, 12.34 + number, clock and clock - 57.0, seat == 0),
        Seat(second, 75.0, clock and clock + 3.0, seat == 1),
    )
    live = LiveTable(number + 1, 124 + number, seats, position, 1.26, None)
    ended = replace(
        live, seats=(replace(seats[0], thinking=False), replace(seats[1], thinking=False))
    )
    return {
        1: replace(ended, ended=row(1, result=-1)),
        2: replace(live, allowed=5.0),
        4: replace(ended, ended=row(1, result=0, reason="full board")),
        5: replace(ended, ended=row(1, result=1, reason="crash")),
        6: LiveTable(number + 1),
    }.get(number, live)


REASONS = (
    ("line", "x made a row (1,1)"), ("full board", ""), ("line", "x made a rising diagonal (1,1)"),
    ("crash", ""),
)  # fmt: skip
GAMES = tuple(
    row(number, number % 6, (number + 2) % 6, result=(1, 0, -1)[number % 3],
        reason=REASONS[number % 4][0], detail=REASONS[number % 4][1],
        moves=bytes(20 + number % 9), seconds=0.7 * number)
    for number in range(90, 124)
)  # fmt: skip
NOTICES = (
    Notice("12:03:04", "resumed after 100 games"),
    Notice("12:03:31", "game 99: crash: random: its process was killed by SIGSEGV", is_grave=True),
    Notice("12:03:31", "worker 2 is replaced"),
)


class Tested(SequentialTest):
    """A test whose ratio and difference are of other outcomes, as the frames were recorded."""

    @property
    def counts(self) -> list[float]:
        return [2, 28, 20, 30, 7]

    @property
    def state(self) -> SprtState:
        return sprt_state(self.sprt, [3, 8, 20, 14, 7])


RUNNING = Snapshot(
    name="quickstart",
    names=NAMES,
    rules=CONNECT4,
    about=("connect4", "round-robin of 6", "2 workers"),
    round="round 4 of 10",
    done=123,
    total=300,
    is_estimate=False,
    rate=12.34,
    elapsed=10.2,
    eta=14.9,
    may_end_early=False,
    standings=standings(),
    crosstable=crosstable(6),
    tables=tables(),
    games=GAMES,
    notices=NOTICES,
)
BEGINNING = replace(
    RUNNING, round="", done=0, rate=0.0, eta=None, games=(), notices=(),
    standings=tuple(Standing(name, WDL()) for name in NAMES),
    crosstable=((None,) * 6,) * 6, tables=(LiveTable(1), LiveTable(2)),
    checking=Checking("alphabeta-time", 3, 6, 12.3),
)  # fmt: skip
STOPPING = replace(RUNNING, stopping="interrupted, Ctrl-C again stops at once")
MANY = replace(
    RUNNING, name="many", names=line_up(50), about=("connect4", "swiss of 50", "16 tables"),
    standings=standings(50), crosstable=crosstable(40), tables=tables(16), rate=0.0042,
    eta=300_000.0, done=12_345, total=1_000_000,
)  # fmt: skip
SPACE = replace(
    RUNNING, name="space", rules=SCORE4, about=("score4", "gauntlet of 3", "4 tables"),
    standings=standings(3), crosstable=crosstable(3), tables=tables(4, SCORE4),
)  # fmt: skip
SPRT = replace(
    RUNNING, name="is-it-better", about=("connect4", "round-robin of 2", "2 workers"),
    standings=standings(2), crosstable=crosstable(2), may_end_early=True,
    test=Tested(0, 1, Sprt(elo0=0, elo1=20)),
)  # fmt: skip
EIGHT = replace(RUNNING, tables=tables(8), about=("connect4", "knockout of 6", "8 tables"),
                round="semi-finals, tiebreaks", is_estimate=True)  # fmt: skip
FOUR = replace(RUNNING, tables=tables(4))
NODES = ("node-17.cluster.example", "node-18.cluster.example", "gpu", "gpu")
FAR = replace(
    FOUR,
    tables=tuple(replace(each, host=host) for each, host in zip(FOUR.tables, NODES, strict=True)),
    hosts=(
        HostState("gpu", 1, 2, 61, 12_345_678.0), HostState("node-17.cluster.example", 1, 1, 40),
        HostState("node-18.cluster.example", 1, 1, 20), HostState("old", 0, 0, 2),
    ),
)  # fmt: skip

SAMPLES = {
    "running": RUNNING,
    "beginning": BEGINNING,
    "stopping": STOPPING,
    "many": MANY,
    "space": SPACE,
    "sprt": SPRT,
    "eight": EIGHT,
    "four": FOUR,
    "far": FAR,
}
