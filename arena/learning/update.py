"""One step of learning for an n-tuple network: TD(lambda) with temporal coherence.

A game leaves a trace of positions. From its end backwards each of them gets a target, the lambda
return (Sutton 1988): `1 - lambda` of what its best move promised and `lambda` of the target of the
position that followed. What follows a move that was made to explore says nothing about the
position, so the promise of its best move stands in for it.

Temporal coherence (Beal and Smith 1999; exponential form of Bagheri, Thill, Koch and Konen 2016)
gives every weight a step of its own: N adds up the changes that were asked of it, A their sizes.
Where they agree, N is as large as A and the step is full; where they go to and fro it is small.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from arena.game.bits import Board, free_cells
from arena.game.rules import MAX_CELLS
from arena.jit import gather, kernel, popcount, read_float, write_float
from arena.network.tuples import MAX_TUPLES
from arena.network.value import MAX_SYMMETRIES, Net, transform

Table = NDArray[np.float32]
Trace = np.record
Step = np.record

RATES = 1024  # steps of coherence for which the size of a step is kept

TRACE = np.dtype(
    [
        ("spread", np.float64),  # by how much a defence may promise less than the best
        ("plies", np.int64),  # positions of the game, but for the finished one
        ("own", np.uint64, MAX_CELLS),
        ("opp", np.uint64, MAX_CELLS),
        ("promise", np.float64, MAX_CELLS),  # of the best move, to the player to move
        ("follows", np.uint8, MAX_CELLS),  # 1: the best move was made
        ("weight", np.int64, MAX_TUPLES * MAX_SYMMETRIES),  # those of one position
        ("error", np.float64),  # squared, added up over all steps
        ("steps", np.int64),
    ],
    align=True,
)

STEP = np.dtype(
    [
        ("alpha", np.float64),  # for all weights of a position together
        ("decay", np.float64),  # lambda
        ("gamma", np.float64),
        ("coherence", np.int64),  # the address of N and A by weight; 0: all steps are alike
        ("rate", np.float32, RATES + 1),  # by coherence, |N| / A
    ],
    align=True,
)


@kernel
def active_weights(board: Board, net: Net, trace: Trace, own: np.uint64, opp: np.uint64) -> float:
    """Write down which weights speak for a position; their sum."""
    base = net.span * (popcount(own | opp) & 1)
    at, total = 0, 0.0
    for symmetry in range(net.symmetries):
        low, high = transform(board, net, symmetry, own), transform(board, net, symmetry, opp)
        free = free_cells(board, low | high)
        low |= free
        high |= free
        for k in range(net.tuples):
            mask = net.mask[k]
            number = gather(low, mask) | (gather(high, mask) << net.length[k])
            weight = base + net.start[k] + np.int64(number)
            trace.weight[at] = weight
            total += read_float(net.weights, weight)
            at += 1
    return total


@kernel
def learn_position(
    board: Board, net: Net, step: Step, trace: Trace, ply: int, target: float
) -> None:
    """Move the value of a position of the trace towards its target."""
    value = math.tanh(active_weights(board, net, trace, trace.own[ply], trace.opp[ply]))
    error = target - value
    trace.error += error * error
    trace.steps += 1
    active = net.tuples * net.symmetries
    change = np.float32(step.alpha * error * (1.0 - value * value) / active)
    if step.coherence == 0:
        for k in range(active):
            weight = trace.weight[k]
            write_float(net.weights, weight, read_float(net.weights, weight) + change)
        return
    for k in range(active):
        weight = trace.weight[k]
        n, a = (
            read_float(step.coherence, 2 * weight),
            read_float(step.coherence, 2 * weight + 1),
        )
        rate = step.rate[np.int64(abs(n) / a * RATES)] if a > 0 else step.rate[RATES]
        write_float(net.weights, weight, read_float(net.weights, weight) + rate * change)
        write_float(step.coherence, 2 * weight, n + change)
        write_float(step.coherence, 2 * weight + 1, a + abs(change))


@kernel
def learn_game(board: Board, net: Net, step: Step, trace: Trace) -> None:
    """Learn from a finished game, from its last position back to its first."""
    target = 0.0
    for ply in range(trace.plies - 1, -1, -1):
        promise = step.gamma * trace.promise[ply]
        if ply == trace.plies - 1:
            target = trace.promise[ply]
        elif trace.follows[ply] == 1:
            target = (1.0 - step.decay) * promise - step.decay * step.gamma * target
        else:
            target = promise
        learn_position(board, net, step, trace, ply, target)


@kernel
def blend(average: Table, weights: Table, share: float) -> None:
    """Move a running average of the weights a share of the way to where they are now."""
    for side in range(weights.shape[0]):
        for k in range(weights.shape[1]):
            average[side, k] += np.float32(share) * (weights[side, k] - average[side, k])
