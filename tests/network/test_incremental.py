"""Carried sums: after any move they are what a new sum is, and what looking cell by cell says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.game.bits import record_of
from arena.game.rules import CONNECT4, SCORE4, Rules
from arena.network.incremental import MAX_PLACES, position_sums, sum_to_move, sums_change
from arena.network.network import Network
from arena.network.tuples import line_orbits
from tests.network.naive import naive_sum, random_network, random_position

BOARDS = (CONNECT4, SCORE4, Rules.flat(5, 4), Rules.space(3, 2, 3, 3), Rules.flat(8, 8))
NETWORKS = {rules: random_network(rules, 4, 3, seed=6) for rules in BOARDS}


@pytest.mark.parametrize("rules", BOARDS, ids=str)
@settings(max_examples=25, deadline=None)
@given(plies=st.integers(0, 60), seed=st.integers(0, 10**6))
def test_a_move_changes_the_sums_to_those_of_the_next_position(
    rules: Rules, plies: int, seed: int
) -> None:
    network, board = NETWORKS[rules], record_of(rules.board)
    assert network.incremental is not None
    incremental = network.incremental.record
    position = random_position(rules, plies, seed)
    first, second = np.uint64(position.first), np.uint64(position.second)
    sums = position_sums(board, incremental, first, second)
    assert sum_to_move(sums, position.ply) == pytest.approx(naive_sum(network, position), abs=1e-4)
    for column in position.legal:
        after = position.play(column)
        disc = np.uint64(position.landing(column))
        change = sums_change(board, incremental, first, second, disc, position.ply)
        anew = position_sums(board, incremental, np.uint64(after.first), np.uint64(after.second))
        assert sums + change == anew
        assert sum_to_move(anew, after.ply) == pytest.approx(naive_sum(network, after), abs=1e-4)


def test_sums_are_carried_where_few_tuples_change() -> None:
    assert Network(SCORE4, line_orbits(SCORE4)).incremental is not None
    assert random_network(CONNECT4, 40, 7, seed=1).incremental is None  # many weights, left folded
    many = random_network(CONNECT4, 200, 4, seed=1)
    assert sum(len(cells) for cells in many.unfolded.tuples) > MAX_PLACES
    assert many.incremental is None
    wild = random_network(CONNECT4, 4, 3, seed=1)
    wild.weights[0, 0] = 1e6  # a sum of such weights does not fit its half of a word
    assert wild.incremental is None
