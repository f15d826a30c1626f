from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.game.bits import new_record, record_of
from arena.game.rules import CONNECT4, SCORE4, Rules
from arena.jit import _collect, gather, kernel
from arena.network.network import Network
from arena.network.tuples import line_orbits
from arena.network.value import (
    MOVES,
    SURE,
    evaluate_moves,
    list_moves,
    network_sum,
    network_value,
)
from tests.network.naive import naive_sum, random_network, random_position

BOARDS = (CONNECT4, SCORE4, Rules.flat(5, 4), Rules.space(3, 2, 3, 3), Rules.flat(8, 8))


@kernel
def both_ways(bits: np.uint64, mask: np.uint64) -> tuple[np.uint64, np.uint64]:
    return gather(bits, mask), _collect(bits, mask)


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
@settings(deadline=None)
def test_bits_are_gathered_the_same_with_and_without_the_instruction(bits: int, mask: int) -> None:
    expected = sum(
        (bits >> cell & 1) << place
        for place, cell in enumerate(cell for cell in range(64) if mask >> cell & 1)
    )
    first, second = both_ways(np.uint64(bits), np.uint64(mask))
    assert int(first) == int(second) == expected


@pytest.mark.parametrize("rules", BOARDS, ids=str)
@settings(max_examples=25, deadline=None)
@given(plies=st.integers(0, 40), seed=st.integers(0, 10**6))
def test_the_sum_is_that_of_looking_cell_by_cell(rules: Rules, plies: int, seed: int) -> None:
    network = random_network(rules, 5, 4, seed % 7)
    position = random_position(rules, plies, seed)
    words = np.uint64(position.own), np.uint64(position.opponent)
    total = network_sum(record_of(rules.board), network.record, *words)
    assert total == pytest.approx(naive_sum(network, position), abs=1e-5)
    value = network_value(record_of(rules.board), network.record, *words)
    assert value == pytest.approx(math.tanh(total))


@pytest.mark.parametrize("rules", BOARDS, ids=str)
@settings(max_examples=15, deadline=None)
@given(plies=st.integers(0, 40), seed=st.integers(0, 10**6))
def test_moves_have_the_values_of_their_positions(rules: Rules, plies: int, seed: int) -> None:
    network = random_network(rules, 6, 5, seed % 5)
    position = random_position(rules, plies, seed)
    moves, board = new_record(MOVES), record_of(rules.board)
    words = np.uint64(position.own), np.uint64(position.opponent)
    wins = [c for c in position.legal if position.play(c).winner is not None]
    assert list_moves(board, moves, *words) == bool(wins)
    columns = [(int(moves.disc[k]).bit_length() - 1) // rules.height for k in range(moves.count)]
    if wins:
        assert columns[0] in wins
        return
    assert sorted(columns) == sorted(position.legal)
    evaluate_moves(board, network.record, moves, *words)
    for column, total in zip(columns, moves.total, strict=False):
        assert total == pytest.approx(naive_sum(network, position.play(column)), abs=1e-5)


@pytest.mark.parametrize("rules", BOARDS, ids=str)
def test_moves_that_let_the_other_win_at_once_are_sure(rules: Rules) -> None:
    network, board = random_network(rules, 3, 4, 1), record_of(rules.board)
    sure = 0
    for seed in range(60):
        position = random_position(rules, 6 + seed % 30, seed)
        moves = new_record(MOVES)
        moves.threats = 1
        words = np.uint64(position.own), np.uint64(position.opponent)
        if list_moves(board, moves, *words):
            continue
        evaluate_moves(board, network.record, moves, *words)
        for k in range(moves.count):
            after = position.play((int(moves.disc[k]).bit_length() - 1) // rules.height)
            loses = any(after.play(column).winner is not None for column in after.legal)
            assert (moves.total[k] == SURE) == loses
            sure += loses
    assert sure > 3


@pytest.mark.parametrize("rules", [CONNECT4, SCORE4, Rules.space(3, 2, 4, 3)], ids=str)
def test_an_unfolded_network_has_the_same_values(rules: Rules) -> None:
    network = Network(rules, line_orbits(rules))
    network.weights[:] = np.random.default_rng(3).normal(0, 0.1, network.weights.shape)
    wide = network.unfolded
    assert wide.record.symmetries == 1
    assert len(wide.tuples) == len(rules.lines)
    for seed in range(40):
        position = random_position(rules, seed, seed)
        assert naive_sum(wide, position) == pytest.approx(naive_sum(network, position), abs=1e-5)


def test_the_lines_of_4x4x4_fall_into_18_orbits() -> None:
    orbits = line_orbits(SCORE4)
    assert len(SCORE4.lines) == 76
    assert len(orbits) == 18
    assert Network(SCORE4, orbits).weights.size == 9216
