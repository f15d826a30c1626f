"""Linear TD at full speed: what a board shows, the choice of a move, and the learning from a game.

The value of a position to a player is the sum of weights times features. Features stand in two
rows, the second for runs that touch no end of their line: FourPlay's code treats those apart.
"""

from __future__ import annotations

import numpy as np

from arena.evaluation.kernels import count_lines
from arena.game.bits import NONE, Bits, Board, Ints, completes, landing
from arena.game.playouts import below, next_random
from arena.jit import kernel, popcount
from arena.learning.features import NO_PARAMETER, Features, Floats

Rule = np.record
Node = tuple[np.uint64, np.uint64, int]  # discs of the player to move, of the other; plies to look

WON = 1e300  # no sum of weights is as much
DRAW = -1

RULE = np.dtype(
    [
        ("step", np.float64),  # eta
        ("gamma", np.float64),
        ("decay", np.float64),  # lambda
        ("as_coded", np.bool_),
    ],
    align=True,
)


@kernel
def observe(
    board: Board, features: Features, me: np.uint64, them: np.uint64, my_turn: bool, seen: Floats
) -> None:
    """Write down what each weight is multiplied by, as one player sees the board."""
    seen[:] = 0.0
    # Open lines, by how many discs there are.
    for k in range(features.lines):
        mine, theirs = me & features.line[k], them & features.line[k]
        if theirs == NONE:
            at, sign = features.mine[popcount(mine)], 1.0
        elif mine == NONE:
            at, sign = features.theirs[popcount(theirs)], features.line_sign
        else:
            continue
        if at != NO_PARAMETER:
            seen[0, at] += sign
    # Runs with nothing else in their line.
    full = (1 << board.connect) - 1
    for k in range(features.patterns):
        places = features.pattern[k], full ^ features.pattern[k], 0
        mine_less_theirs = count_lines(board, places, me, them)
        mine_less_theirs -= count_lines(board, places, them, me)
        seen[features.inside[k], features.run[k]] += mine_less_theirs
    # Discs in the centre, and the move.
    if features.centre_mine != NO_PARAMETER:
        seen[0, features.centre_mine] += popcount(me & features.centre)
    if features.centre_theirs != NO_PARAMETER:
        discs = popcount(them & features.centre)
        seen[0, features.centre_theirs] += features.centre_sign * discs
    if features.tempo != NO_PARAMETER:
        seen[0, features.tempo] += 1.0 if my_turn else -1.0


@kernel
def evaluate(weights: Floats, seen: Floats, as_coded: bool) -> float:
    """V(s; w); FourPlay's code cuts the weight of a run inside a line to a whole number."""
    total = 0.0
    for k in range(weights.size):
        inside = np.trunc(weights[k]) if as_coded else weights[k]
        total += weights[k] * seen[0, k] + inside * seen[1, k]
    return total


# ---- the choice of a move


@kernel
def leaf(
    board: Board, features: Features, weights: Floats, own: np.uint64, opp: np.uint64, mine: bool
) -> float:
    """The value of a position to the player at the root, whose turn it is if `mine`."""
    seen = np.empty((2, weights.size))
    if mine:
        observe(board, features, own, opp, True, seen)
    else:
        observe(board, features, opp, own, False, seen)
    return evaluate(weights, seen, False)


@kernel
def best_column(board: Board, features: Features, weights: Floats, node: Node, state: Bits) -> int:
    """The column that leads to the highest value some plies on; one of the best by chance.

    Alpha-beta with the bound of the parent alone, cut only by what is truly better (S3.3), so that
    equal columns stay equal. By level: the discs of the player to move and of the other, the
    column to try next, the best value so far to that player.
    """
    first_own, first_opp, depth = node
    own, opp = np.empty(depth, dtype=np.uint64), np.empty(depth, dtype=np.uint64)
    coming, best = np.zeros(depth, dtype=np.int64), np.full(depth, -2 * WON)
    own[0], opp[0] = first_own, first_opp
    level, chosen, equal = 0, 0, np.uint64(0)
    while level > 0 or coming[0] < board.width:
        if coming[level] == board.width or (level > 0 and best[level] > -best[level - 1]):
            # All that matters here was tried: back to the parent.
            level -= 1
            value = -best[level + 1]
        else:
            # The next column: a result, a leaf, or one level deeper.
            disc = landing(board, own[level] | opp[level], coming[level])
            coming[level] += 1
            after = own[level] | disc
            if disc == NONE:
                continue
            if completes(board, after, disc):
                value = WON
            elif after | opp[level] == board.full:
                value = 0.0
            elif level + 1 == depth:
                mine = depth % 2 == 0
                value = leaf(board, features, weights, opp[level], after, mine)
                value = -value if mine else value
            else:
                level += 1
                own[level], opp[level] = opp[level - 1], after
                coming[level], best[level] = 0, -2 * WON
                continue
        if value > best[level]:
            best[level] = value
            if level == 0:
                chosen, equal = coming[0] - 1, np.uint64(1)
        elif level == 0 and value == best[0]:
            equal += np.uint64(1)
            state[0] = next_random(state[0])
            if below(state[0], equal) == NONE:
                chosen = coming[0] - 1
    return chosen


@kernel
def pick(
    board: Board, features: Features, weights: Floats, node: Node, epsilon: float, state: Bits
) -> int:
    """The best column, or with the chance epsilon any open one."""
    own, opp, _ = node
    state[0] = next_random(state[0])
    if (state[0] >> np.uint64(11)) * 2.0**-53 >= epsilon:
        return best_column(board, features, weights, node, state)
    while True:
        state[0] = next_random(state[0])
        column = np.int64(below(state[0], np.uint64(board.width)))
        if landing(board, own | opp, column) != NONE:
            return int(column)


@kernel
def self_play(
    board: Board, features: Features, weights: Floats, depth: int, epsilon: float,
    state: Bits, moves: Ints,
) -> tuple[int, int]:  # fmt: skip
    """One game of the weights against themselves: how many moves it has, and who won."""
    own, opp = NONE, NONE
    for ply in range(board.cells):
        column = pick(board, features, weights, (own, opp, depth), epsilon, state)
        disc = landing(board, own | opp, column)
        moves[ply] = column
        if completes(board, own | disc, disc):
            return ply + 1, ply & 1
        own, opp = opp, own | disc
    return board.cells, DRAW


# ---- the learning from a game


@kernel
def learn_from(
    board: Board, features: Features, weights: Floats, rule: Rule,
    moves: Ints, view: int, reward: float, rows: Floats,
) -> float:  # fmt: skip
    """Move the weights at each step of a game as one player sees it; the sum of absolute errors.

    w <- w - eta [V(s) - (r + gamma V(s'))] e, with e <- gamma lambda e + grad V(s); a finished game
    is worth its reward and nothing more. As FourPlay's code has it (S3.8): the gradient is that of
    s', runs inside a line count twice in it, V(s) is remembered from the step before, and the
    last position is valued too. The weights after each step are written into the rows.
    """
    discs = np.zeros(2, dtype=np.uint64)
    before, behind = np.zeros((2, weights.size)), np.zeros((2, weights.size))
    trace = np.zeros(weights.size)
    observe(board, features, NONE, NONE, view == 0, before)
    value = evaluate(weights, before, rule.as_coded)
    errors = 0.0
    for ply in range(moves.size):
        # The step from s to s', as the player sees it.
        discs[ply & 1] |= landing(board, discs[0] | discs[1], moves[ply])
        observe(board, features, discs[view], discs[1 - view], (ply + 1) & 1 == view, behind)
        ends = ply == moves.size - 1
        coming = evaluate(weights, behind, rule.as_coded)
        if not rule.as_coded:
            value = evaluate(weights, before, False)
        target = 0.0 if ends and not rule.as_coded else rule.gamma * coming
        if ends:
            target += reward
        error = value - target
        # The weights follow the trace of what was seen.
        for k in range(weights.size):
            gradient = before[0, k] + before[1, k]
            if rule.as_coded:
                gradient = behind[0, k] + 2.0 * behind[1, k]
            trace[k] = rule.gamma * rule.decay * trace[k] + gradient
            weights[k] -= rule.step * error * trace[k]
            rows[ply, k] = weights[k]
        errors += abs(error)
        value = coming
        before, behind = behind, before
    return errors
