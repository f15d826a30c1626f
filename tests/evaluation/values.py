"""The value of a position by the kernels of a search; names to try it on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arena.evaluation import EVALUATIONS, Evaluation
from arena.evaluation.kernels import board_value, leaf_value, weights_of, win_value
from arena.game import Position
from arena.game.bits import record_of

# Evaluations whose weights were written by hand serve every board.
BY_HAND = sorted(name for name, weights in EVALUATIONS.items() if weights.network is None)


def value_of(evaluation: Evaluation, position: Position, player: int) -> float:
    """The value to the player at the root of a search, however soon the game was won."""
    if position.is_draw:
        return 0.0
    if not position.moves:
        evaluation = replace(evaluation, rays="")  # there is no last disc
    board = record_of(position.rules.board)
    weights = record_of(weights_of(evaluation, position.rules, prefer_quick=False))
    own, opp = map(np.uint64, (position.opponent, position.own))  # of the last disc's owner
    side = int(position.to_move == player)
    sign = 1 - 2 * side
    value = sign * board_value(board, weights, *((opp, own) if side else (own, opp)))
    if position.winner is not None:
        value = win_value(weights, value, position.ply)
    else:
        disc = np.uint64(1 << position.last_cell if position.moves else 0)
        value = leaf_value(board, weights, value, side, own, opp, disc)
    return float(sign * value / int(weights.scale))
