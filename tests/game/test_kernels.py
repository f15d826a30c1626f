"""The kernels of boards and meters against the naive board, on many sizes."""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from arena.bench.kernels import perft
from arena.game import SECOND, Position, Rules
from arena.game.bits import (
    BOARD,
    METER,
    Meter,
    OneRecord,
    board_of,
    completes,
    has_line,
    is_spent,
    landing,
    meter_fields,
    new_record,
    record_of,
    winning_disc,
)
from arena.game.playouts import below, next_random, playout
from arena.jit import kernel
from tests import naive
from tests.game.strategies import Game, games, sizes

HOUR = 3600 * 10**9
NEVER = (0, 0)


@kernel
def cell_of(board: OneRecord, own: np.uint64, opp: np.uint64, column: int) -> np.uint64:
    """Where a disc lands, by a kernel that Python calls."""
    return landing(board[0], own | opp, column)


def test_the_last_cell_of_64_is_no_overflow() -> None:
    position = Position.parse("16 16 16 16 1 1 1 1", Rules.space(4, 4, 4)).play(1)
    own, opp = position.words
    assert (int(own), int(opp)) == (position.own, position.opponent)
    assert (int(own) | int(opp)) >> 63 == 1
    assert cell_of(board_of(position.rules), own, opp, 1) == 1 << 5


def test_all_boards_share_one_type_and_a_rule_has_one_board() -> None:
    flat, space = Rules.flat(7, 6), Rules.space(4, 4, 4)
    assert board_of(flat).dtype is board_of(space).dtype is BOARD
    assert board_of(flat) is flat.board


# ---- meters


def meter_with(nodes: int | None, deadline: tuple[int, int], every: int) -> Meter:
    meter = new_record(METER)
    for name, value in zip(METER.names or (), meter_fields(nodes, deadline, every), strict=True):
        meter[name] = value
    return meter


def nodes_until_spent(meter: Meter, most: int = 10_000) -> int:
    """How many nodes a search gets that would like to have more."""
    while meter.nodes < most and not is_spent(meter):
        meter.nodes += 1
    return int(meter.nodes)


@pytest.mark.parametrize("nodes", [1, 7, 16, 17, 1000])
def test_no_node_more_than_allowed_and_none_less(nodes: int) -> None:
    meter = meter_with(nodes, NEVER, 16)
    assert nodes_until_spent(meter) == nodes
    assert meter.stopped


def test_without_limits_nothing_stops_it() -> None:
    meter = meter_with(None, NEVER, 16)
    assert nodes_until_spent(meter) == 10_000
    assert not meter.stopped


@pytest.mark.parametrize("clock", ["wall", "cpu"])
def test_a_clock_is_looked_at_once_in_so_many_nodes(clock: str) -> None:
    past = (1, 0) if clock == "wall" else (0, 1)
    assert nodes_until_spent(meter_with(None, past, 16)) == 16
    assert nodes_until_spent(meter_with(5, past, 16)) == 5
    later = (time.monotonic_ns() + HOUR, time.thread_time_ns() + HOUR)
    assert nodes_until_spent(meter_with(None, later, 16)) == 10_000


def test_what_is_stopped_stays_stopped() -> None:
    meter = meter_with(3, NEVER, 16)
    nodes_until_spent(meter)
    assert is_spent(meter)
    assert nodes_until_spent(meter) == 3


# ---- boards

NONE = np.uint64(0)


@given(games())
def test_boards_are_as_the_naive_rules_say(game: Game) -> None:
    board, position, tables = game.board, game.position, record_of(game.rules.board)
    own, opp = position.words
    for column in range(game.rules.columns):
        assert int(landing(tables, own | opp, column)) == position.landing(column)
    owners = {owner for owner, _, _ in board.full_lines()}
    assert has_line(tables, np.uint64(position.first)) == (naive.FIRST in owners)
    assert has_line(tables, np.uint64(position.second)) == (naive.SECOND in owners)
    on_lines = {cell for _, _, cells in board.full_lines() for cell in cells}
    for cell in board.cells():
        if (owner := board.at(*cell)) != naive.EMPTY:
            discs = np.uint64((position.first, position.second)[owner])
            disc = np.uint64(1 << game.rules.cell(*cell))
            assert completes(tables, discs, disc) == (cell in on_lines)
    if not board.is_over():
        winning = [c for c in board.legal() if board.drop(c).winner() is not None]
        found = int(winning_disc(tables, own, opp))
        assert found in map(position.landing, winning) if winning else found == 0


@given(games(), st.integers(1, 3))
def test_perft_counts_what_the_naive_rules_count(game: Game, depth: int) -> None:
    assume(not game.board.is_over())
    assume(len(game.board.legal()) ** depth < 300)
    expected = naive.perft(game.board, depth)
    assert perft(record_of(game.rules.board), *game.position.words, depth) == expected


def naive_playout(board: naive.Board, word: int) -> tuple[int, int]:
    """Random moves from the generator that the kernels state; the result and the last word."""
    me = board.to_move()
    columns = len(board.columns)
    while not board.is_over():
        word = (word * 6364136223846793005 + 1442695040888963407) % 2**64
        column = ((word >> 32) * columns) >> 32
        if naive.EMPTY in board.columns[column]:
            board = board.drop(column)
    winner = board.winner()
    return (0 if winner is None else 1 if winner == me else -1), word


@given(games(), st.integers(0, 2**64 - 1))
def test_a_playout_ends_as_the_same_moves_end_by_the_naive_rules(game: Game, word: int) -> None:
    assume(not game.board.is_over())
    state = np.array([word], dtype=np.uint64)
    result = playout(record_of(game.rules.board), *game.position.words, state)
    assert (result, int(state[0])) == naive_playout(game.board, word)


@given(sizes(), st.integers(0, 2**64 - 1))
def test_a_whole_random_game_ends_in_one_of_three_ways(rules: Rules, word: int) -> None:
    state = np.array([word], dtype=np.uint64)
    assert playout(record_of(rules.board), NONE, NONE, state) in (-1, 0, 1)
    assert int(state[0]) != word


def test_a_playout_on_the_tallest_board_ends() -> None:
    """64 cells in one column: a shift by 64 bits would never find room (own process: may hang)."""
    script = (
        "import numpy as np; from arena.game import Rules; from arena.game.bits import record_of;"
        "from arena.game.playouts import playout; z = np.uint64(0);"
        "print(playout(record_of(Rules.flat(1, 64).board), z, z, np.array([1], dtype=np.uint64)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=15, check=True
    )
    assert done.stdout.strip() == "0"  # discs alternate in a single column: nobody has a line


def test_the_player_to_move_is_the_one_who_wins_a_decided_playout() -> None:
    # Two columns, connect 2 on 2x2: any third disc makes a line for the one who drops it.
    rules = Rules.flat(2, 2, 2)
    position = Position.parse("12", rules)
    state = np.array([7], dtype=np.uint64)
    assert playout(record_of(rules.board), *position.words, state) == 1
    third = Position.parse("1", rules)
    assert third.to_move == SECOND
    assert playout(record_of(rules.board), *third.words, state) == -1


@given(st.integers(0, 2**64 - 1), st.integers(1, 64))
def test_random_numbers_stay_below_their_bound(word: int, bound: int) -> None:
    drawn = below(np.uint64(next_random(np.uint64(word))), np.uint64(bound))
    assert 0 <= drawn < bound


@pytest.mark.parametrize("bound", [2, 7, 16])
def test_random_numbers_are_equally_likely(bound: int) -> None:
    counts, word, draws = [0] * bound, np.uint64(1), 7000
    for _ in range(draws):
        word = np.uint64(next_random(word))
        counts[int(below(word, np.uint64(bound)))] += 1
    expected = draws / bound
    chi_square = sum((count - expected) ** 2 / expected for count in counts)
    assert chi_square < bound - 1 + 5 * (2 * bound) ** 0.5  # five standard deviations
