"""Exact values as targets: the solver says what positions of a game are worth.

From a number of discs on, its word takes the place of what the network promised, and nothing that
followed in the game speaks for the position any more. Positions before that feel it through the
lambda return.
"""

from __future__ import annotations

import numpy as np

from arena.game.bits import NONE, Board
from arena.jit import kernel, popcount
from arena.learning.self_play import Plan, play_game, scheduled
from arena.learning.update import Step, Trace, learn_game
from arena.network.value import Moves, Net
from arena.solver.flat.search import window

Field = np.record


@kernel
def with_gaps(board: Board, discs: np.uint64) -> np.uint64:
    """Discs in the solver's layout, which keeps a free bit above each column."""
    height, low, spread = np.uint64(board.height), board.columns[0], NONE
    for column in range(board.width):
        stack = (discs >> (np.uint64(column) * height)) & low
        spread |= stack << (np.uint64(column) * (height + np.uint64(1)))
    return spread


@kernel
def who_wins(board: Board, field: Field, own: np.uint64, opp: np.uint64) -> int:
    """1 if the player to move wins with best play, -1 if the other does, 0 if nobody."""
    ply = popcount(own | opp)
    mine, discs = with_gaps(board, own), with_gaps(board, own | opp)
    if window(mine, discs, ply, 0, field) > 0:
        return 1
    return 0 if window(mine, discs, ply, -1, field) > -1 else -1


@kernel
def teach(board: Board, field: Field, trace: Trace, discs: int) -> None:
    """Correct the trace of a game, from so many discs on."""
    for ply in range(trace.plies):
        own, opp = trace.own[ply], trace.opp[ply]
        if popcount(own | opp) >= discs:
            trace.promise[ply] = who_wins(board, field, own, opp)
            trace.follows[ply] = 0


@kernel
def train_with_teacher(
    board: Board, net: Net, step: Step, plan: Plan, trace: Trace, moves: Moves,
    numbers: tuple[int, int, int], field: Field,
) -> None:  # fmt: skip
    """Play the games of these numbers, let the teacher correct them, and learn."""
    first, stop, stride = numbers
    for game in range(first, stop, stride):
        step.alpha = scheduled(plan.alpha, game)
        play_game(board, net, plan, trace, moves, game)
        teach(board, field, trace, plan.teacher_from)
        learn_game(board, net, step, trace)
