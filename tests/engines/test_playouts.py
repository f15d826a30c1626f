"""Threats and the moves of playouts are those of the plain rules."""

from __future__ import annotations

import random

import numpy as np
import pytest

from arena import CONNECT4, SCORE4, Position, Rules
from arena.game.bits import Board, free_cells, record_of, safe_cells
from arena.game.playouts import State, next_state, state_of, win_block_playout
from tests.engines.positions import holes, random_positions, wins_at_once

BOARDS = [
    CONNECT4, SCORE4, Rules.flat(5, 4, 3), Rules.space(3, 3, 3, 3), Rules.flat(8, 8),
    Rules.flat(9, 7), Rules.flat(1, 2, 2), Rules.flat(64, 1), Rules.flat(1, 64),
    Rules.space(2, 2, 16, 5), Rules.flat(4, 4, 2), Rules.space(4, 4, 4, 2), Rules.flat(32, 2, 6),
]  # fmt: skip


def completing(position: Position, discs: int) -> set[int]:
    """The columns where one more disc would complete a line of these discs."""
    masks = [line.mask for line in position.rules.lines]
    return {
        column
        for column in position.legal
        if any((discs | position.landing(column)) & mask == mask for mask in masks)
    }


def seen(position: Position) -> tuple[Board, State]:
    """A position as the kernels see it."""
    board = record_of(position.rules.board)
    own, opp, mine, theirs = map(np.uint64, state_of(board, *position.words))
    return board, (own, opp, mine, theirs)


def columns_of(position: Position, cells: int) -> set[int]:
    return {column for column in position.legal if cells & position.landing(column)}


@pytest.mark.parametrize("rules", BOARDS, ids=str)
def test_threats_are_the_wins_of_either_side(rules: Rules) -> None:
    for position in random_positions(rules, 10, seed=7):
        board, state = seen(position)
        own, opp, mine, theirs = state
        free = int(free_cells(board, own | opp))
        assert free == sum(position.landing(column) for column in position.legal)
        assert columns_of(position, int(mine)) == wins_at_once(position)
        assert columns_of(position, int(theirs)) == completing(position, position.opponent)
        if not wins_at_once(position):
            safe = int(safe_cells(board, np.uint64(free), theirs))
            assert columns_of(position, safe) == set(position.legal) - holes(position)
        for column in set(position.legal) - wins_at_once(position):
            after = next_state(board, state, np.uint64(position.landing(column)))
            anew = seen(position.play(column))[1]
            empty = ~(position.first | position.second | position.landing(column))
            assert after[:2] == anew[:2]
            assert [int(cells) & empty for cells in after] == [int(cells) & empty for cells in anew]


def win_or_block_game(position: Position, chance: random.Random) -> int:
    """One game by the rule of `winblock`: 1, 0 or -1 for the player to move."""
    mover = position.to_move
    while not position.is_over:
        urgent = completing(position, position.own) or completing(position, position.opponent)
        position = position.play(chance.choice(sorted(urgent) or position.legal))
    return 0 if position.is_draw else 1 if position.winner == mover else -1


@pytest.mark.parametrize("rules", [Rules.flat(5, 4), Rules.space(3, 3, 3, 3)], ids=str)
def test_win_block_playouts_are_those_of_the_plain_rule(rules: Rules) -> None:
    chance, word = random.Random(1), np.array([1], np.uint64)
    for position in random_positions(rules, 2, seed=15, most=8):
        board, state = seen(position)
        plain = [win_or_block_game(position, chance) for _ in range(200)]
        fast = [win_block_playout(board, state, word) for _ in range(2000)]
        for result in (-1, 0, 1):
            share = fast.count(result) / len(fast)
            assert plain.count(result) / len(plain) == pytest.approx(share, abs=0.1)
