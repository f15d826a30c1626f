"""Evaluations as kernels: a search updates the value move by move.

Values are integers, the weights times a power of ten, so that the running sum is exactly the sum
over the board. The player at the root of the search is "me" (side 0), the other is side 1.
Patterns, rays and networks are added at the leaves.

A node of a search is a tuple (own, opp, value, discs, side): the discs of the player to move and of
the opponent, the running value to the player to move, the number of discs, and the side to move. It
is passed by value, so no move is undone.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np

from arena.errors import BadOption
from arena.evaluation.evaluation import STATED_FOR, ByDiscs, Evaluation
from arena.game.bits import NONE, U1, Bits, Board, OneRecord, completes, new_board, record_of
from arena.game.position import Position
from arena.game.rules import MAX_CELLS, Direction, Line, Rules
from arena.jit import kernel, lowest, popcount
from arena.network.value import NETWORK, network_value

Weights = np.record
Node = tuple[np.uint64, np.uint64, int, int, int]

MAX_PATTERNS, MAX_RAYS = 128, 26
PATTERNS, RAYS, LEARNED = 1, 2, 4  # evaluated at a leaf
EMPTY_CELL, OWN_DISC = 1, 3  # the values of cells on a ray of H1
MAX_VALUE = 2_000_000_000  # fits 32 bits, as in an entry of a table
FINEST = 10_000  # steps from 0 to 1 in the value of a network

WEIGHTS = np.dtype(
    [
        ("scale", np.int64),  # value = number / scale
        ("win", np.int64),  # 0: the lines give a won game its value
        ("quick", np.int64),  # taken from a win for each disc on the board
        ("tempo", np.int64),
        ("sums_lines", np.bool_),  # true if any of the next three is not 0
        ("gain", np.int64, (2, MAX_CELLS * MAX_CELLS)),  # by side, own and other discs in a line
        ("centre", np.uint64),  # the cells that earn a bonus
        ("centre_gain", np.int64, 2),  # by side
        ("leaf", np.int64),  # bits: PATTERNS, RAYS, LEARNED
        ("patterns", np.int64),
        ("own", np.int64, MAX_PATTERNS),  # bits: the places along a line that are own,
        ("empty", np.int64, MAX_PATTERNS),  # empty
        ("not_own", np.int64, MAX_PATTERNS),  # and not own
        ("pattern_value", np.int64, MAX_PATTERNS),
        ("rays", np.uint64, (MAX_CELLS, MAX_RAYS)),
        ("network", NETWORK),
    ],
    align=True,
)


def weights_of(evaluation: Evaluation, rules: Rules, prefer_quick: bool = True) -> OneRecord:
    """The tables of an evaluation on a board; with `prefer_quick`, sooner wins have more value.

    They point to the weights of a network, which the evaluation must keep alive.
    """
    make = _new_weights if evaluation.network is not None else _cached_weights
    return make(evaluation, rules, prefer_quick)


def _new_weights(evaluation: Evaluation, rules: Rules, prefer_quick: bool) -> OneRecord:
    scale = _scale(evaluation)
    array = np.zeros(1, WEIGHTS)
    weights = record_of(array)
    weights.scale = scale
    weights.quick = int(prefer_quick)
    weights.win = round((evaluation.win or 0.0) * scale)
    if evaluation.win is None and prefer_quick:
        full = [abs(w) for k, w in (*evaluation.own, *evaluation.other) if k == STATED_FOR]
        weights.win = round(min(full) * scale)
    weights.tempo = round(evaluation.tempo * scale)
    if max(abs(int(weights.win)), round(largest_sum(evaluation, rules) * scale)) > MAX_VALUE:
        raise BadOption(
            f"the weights of {evaluation.name} are too large, or have too many decimals"
        )
    _fill_gains(weights, evaluation, rules)
    weights.centre = sum(rules.column_masks[column] for column in rules.centre_columns)
    weights.centre_gain[:] = (
        round(evaluation.centre * scale),
        round(-evaluation.centre_other * scale),
    )
    weights.sums_lines = weights.gain.any() or weights.centre_gain.any()
    if evaluation.runs or evaluation.chains:
        weights.leaf |= PATTERNS
        _fill_patterns(weights, evaluation, rules)
    if evaluation.rays:
        weights.leaf |= RAYS
        rays = ray_table(rules, evaluation.rays == "up", evaluation.diagonals)
        weights.rays[: rules.cells, : rays.shape[1]] = rays
    if evaluation.network is not None:
        weights.leaf |= LEARNED
        weights.network = evaluation.network.network_for(rules).unfolded.record
    return array


_cached_weights = lru_cache(maxsize=128)(_new_weights)


def _scale(evaluation: Evaluation) -> int:
    """The power of ten that makes all weights integers, and a win larger than the plies."""
    by_discs = evaluation.own, evaluation.other, evaluation.runs, evaluation.chains
    numbers = [weight for part in by_discs for _, weight in part]
    numbers += [evaluation.centre, evaluation.centre_other, evaluation.tempo, evaluation.win or 0.0]
    small_win = evaluation.win is not None and evaluation.win < 100_000
    scales: tuple[int, ...] = (100, 1000) if small_win else (1, 10, 100, 1000)
    if evaluation.network is not None:
        scales = (FINEST,) if small_win else (1000,)
    for scale in scales:
        if all(abs(number * scale - round(number * scale)) < 1e-6 for number in numbers):
            return scale
    raise BadOption(f"the weights of {evaluation.name} have more than three decimals")


def _fill_gains(weights: Weights, evaluation: Evaluation, rules: Rules) -> None:
    """Fill in the gain of a disc in a line to its player, for each side of the root."""
    scale = int(weights.scale)
    value = {k: round(w * scale) for k, w in evaluation.table(rules.connect).items()}
    for own in range(rules.connect):
        for other in range(rules.connect - own):
            at = own * MAX_CELLS + other
            weights.gain[0, at] = value.get((own + 1, other), 0) - value.get((own, other), 0)
            weights.gain[1, at] = value.get((other, own), 0) - value.get((other, own + 1), 0)


def _fill_patterns(weights: Weights, evaluation: Evaluation, rules: Rules) -> None:
    patterns = [*evaluation.patterns(rules.connect)]
    if len(patterns) > MAX_PATTERNS:
        words = f"has too many runs and chains for connect {rules.connect}"
        raise BadOption(f"{evaluation.name} {words}")
    weights.patterns = len(patterns)
    for k, (own, empty, not_own, value) in enumerate(patterns):
        weights.own[k], weights.empty[k], weights.not_own[k] = own, empty, not_own
        weights.pattern_value[k] = round(value * int(weights.scale))


@lru_cache(maxsize=128)
def ray_table(rules: Rules, up: bool, diagonals: bool) -> Bits:
    """The rays of each cell that stay on the board, a row for each; 0 where there are no more.

    A ray is the cell and the next connect - 1 cells in one direction: down the column and both
    ways along each level axis. `up` looks above instead of below, `diagonals` adds every other
    direction.
    """
    vertical = (0, 0, 1) if up else (0, 0, -1)
    steps = {(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), vertical}
    if diagonals:
        changes = (-1, 0, 1)
        steps |= {s for s in product(changes, changes, changes) if sum(map(abs, s)) > 1}
    rays: list[list[int]] = [[] for _ in range(rules.cells)]
    for cell, step in product(range(rules.cells), sorted(steps)):
        cells = Direction(*step).cells(rules.coordinates(cell), rules.connect)
        if rules.holds(*cells[-1]):
            rays[cell].append(sum(1 << rules.cell(*each) for each in cells))
    table = np.zeros((rules.cells, max(map(len, rays))), np.uint64)
    for cell, masks in enumerate(rays):
        table[cell, : len(masks)] = masks
    return table


def largest_sum(evaluation: Evaluation, rules: Rules) -> float:
    """A bound on the value of any position: open lines, and lines that one disc completes."""
    weights = (*evaluation.own, *evaluation.other, *evaluation.runs)
    full_lines = max((abs(weight) for k, weight in weights if k == STATED_FOR), default=0.0)
    completed = max(len(lines) for lines in rules.lines_through)
    return largest_open_sum(evaluation, rules) + completed * full_lines


def largest_open_sum(evaluation: Evaluation, rules: Rules) -> float:
    """A bound on the value of any position without a full line."""
    counts = (*evaluation.own, *evaluation.other)
    chains = (rules.connect + 1) // 2 * _largest(evaluation.chains)  # in a line
    open_lines = _largest(counts) + _largest(evaluation.runs) + chains
    centre = max(abs(evaluation.centre), abs(evaluation.centre_other)) * rules.cells
    rays = 0.0
    if evaluation.rays:
        table = ray_table(rules, evaluation.rays == "up", evaluation.diagonals)
        rays = float(table.shape[1] * rules.connect * OWN_DISC)
    network = 0.0 if evaluation.network is None else 1.0
    return len(rules.lines) * open_lines + centre + abs(evaluation.tempo) + rays + network


def _largest(weights: ByDiscs) -> float:
    """The largest absolute weight of a line that is not full."""
    return max((abs(weight) for k, weight in weights if k < STATED_FOR), default=0.0)


def breakdown(evaluation: Evaluation, position: Position) -> dict[str, float]:
    """The parts of an unfinished position's value to the player to move."""
    rules, (own, opp) = position.rules, position.words
    weights = record_of(weights_of(evaluation, rules))
    scale = int(weights.scale)

    def value(lines: list[Line]) -> int:
        board = record_of(new_board(rules, lines))
        runs = patterns_value(board, weights, own, opp) - patterns_value(board, weights, opp, own)
        return int(board_value(board, weights, own, opp) + runs)

    parts, centre = {}, value([])
    if evaluation.counts_lines or evaluation.network is None:
        for direction in rules.directions:
            lines = [line for line in rules.lines if line.direction == direction]
            parts[direction.name_on(rules.is_flat)] = (value(lines) - centre) / scale
    parts |= {"centre": centre / scale, "tempo": evaluation.tempo}
    if evaluation.rays:
        parts["last disc"] = 0.0
        if position.moves:
            disc = np.uint64(1 << position.last_cell)
            table = record_of(rules.board)
            parts["last disc"] = float(-rays_value(table, weights.rays, opp, own, disc))
    if evaluation.network is not None:
        parts["network"] = evaluation.network.network_for(rules).value(position)
    return parts


@kernel
def place(
    board: Board, weights: Weights, side: int, own: np.uint64, opp: np.uint64, disc: np.uint64
) -> tuple[int, bool]:
    """The gain of a disc to the mover, and whether it completes a line."""
    after = own | disc
    if not weights.sums_lines:
        return 0, completes(board, after, disc)
    cell = lowest(disc)
    won = False
    gain = weights.centre_gain[side] if disc & weights.centre else 0
    for k in range(board.start[cell], board.start[cell + 1]):
        line = board.through[k]
        won |= after & line == line
        gain += weights.gain[side, (popcount(own & line) << 6) | popcount(opp & line)]
    return gain, won


@kernel
def win_value(weights: Weights, value: int, discs: int) -> int:
    """The value of a win with these discs on the board; `value` is the sum of the lines."""
    return weights.win - weights.quick * discs if weights.win != 0 else value


@kernel
def leaf_value(
    board: Board, weights: Weights, value: int, side: int,
    own: np.uint64, opp: np.uint64, disc: np.uint64,
) -> int:  # fmt: skip
    """The value of an unfinished position to `own`, of this side, after dropping the disc."""
    leaf = weights.leaf
    if leaf & PATTERNS:
        value += patterns_value(board, weights, own, opp) - patterns_value(board, weights, opp, own)
    if leaf & RAYS:
        value += rays_value(board, weights.rays, own, opp, disc) * weights.scale
    if leaf & LEARNED:
        value -= round(network_value(board, weights.network, opp, own) * weights.scale)
    return value - weights.tempo


@kernel
def drop(
    board: Board, weights: Weights, node: Node, disc: np.uint64, is_leaf: bool
) -> tuple[bool, int]:
    """Drop a disc; return whether the search ends here, and the value to the mover.

    If it continues, that is the running value.
    """
    own, opp, value, discs, side = node
    gain, won = place(board, weights, side, own, opp, disc)
    value += gain
    if won:
        return True, win_value(weights, value, discs + 1)
    if discs + 1 == board.cells:
        return True, 0
    if is_leaf:
        return True, leaf_value(board, weights, value, side, own | disc, opp, disc)
    return False, value


@kernel
def child(node: Node, disc: np.uint64, value: int) -> Node:
    """The node that a move leads to, of this running value to the mover."""
    own, opp, _, discs, side = node
    return opp, own | disc, -value, discs + 1, 1 - side


@kernel
def patterns_value(board: Board, weights: Weights, own: np.uint64, opp: np.uint64) -> int:
    """The value of all runs and chains of `own`."""
    total = 0
    for k in range(weights.patterns):
        places = weights.own[k], weights.empty[k], weights.not_own[k]
        total += weights.pattern_value[k] * count_lines(board, places, own, opp)
    return total


@kernel
def count_lines(board: Board, places: tuple[int, int, int], own: np.uint64, opp: np.uint64) -> int:
    """Count the lines that are `own`, empty and not `own` at these places, a bit for each."""
    own_places, empty_places, other_places = places
    beside = board.full & ~(own | opp) if empty_places else board.full & ~own  # never both
    stated = np.uint64(own_places | empty_places | other_places)
    count = 0
    for d in range(board.directions):
        lines, rest = board.starts[d], stated
        while rest != NONE:
            place = lowest(rest)
            rest &= rest - U1
            cells = own if own_places >> place & 1 else beside
            lines &= cells >> (np.uint64(place) * board.steps[d])
        count += popcount(lines)
    return count


@kernel
def rays_value(board: Board, rays: Bits, own: np.uint64, opp: np.uint64, disc: np.uint64) -> int:
    """H1 of the disc just dropped, which is among `own`."""
    total = 0
    for ray in rays[lowest(disc)]:
        if ray != np.uint64(0) and ray & opp == np.uint64(0):
            discs = popcount(ray & own)
            total += OWN_DISC * discs + EMPTY_CELL * (board.connect - discs)
    return total


@kernel
def board_value(board: Board, weights: Weights, me: np.uint64, them: np.uint64) -> int:
    """The value of lines and centre to "me", disc by disc, at the start of a search."""
    value = 0
    own, opp = np.uint64(0), np.uint64(0)
    rest = me | them
    while rest != np.uint64(0):
        disc = rest & (~rest + np.uint64(1))
        rest ^= disc
        if disc & me:
            value += place(board, weights, 0, own, opp, disc)[0]
            own |= disc
        else:
            value -= place(board, weights, 1, opp, own, disc)[0]
            opp |= disc
    return value


@kernel
def root(board: Board, weights: Weights, own: np.uint64, opp: np.uint64) -> Node:
    """The first node of a search."""
    return own, opp, board_value(board, weights, own, opp), popcount(own | opp), 0
