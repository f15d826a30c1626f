"""Evaluations at full speed: a search carries the value along, move by move.

Values are whole numbers, the weights times a power of ten, so that the sum a search carries is
exactly the sum over the board. They are seen from "me", the player at the root of the search
(side 0); the other is side 1. What is not a sum over line counts is added at the leaves; of a small
network alone, its sums are what is carried.

A node of a search is a tuple (own, opp, value, discs, side): the discs of the player to move and of
the other, the running value to the player to move, how many discs are on the board, whose turn it
is. It is passed by value, so that nothing is ever undone.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from arena.errors import BadEvaluation
from arena.evaluation.evaluation import STATED_FOR, Evaluation, Places, largest_sum
from arena.evaluation.rays import EMPTY_CELL, OWN_DISC, rays_of
from arena.game.bits import Board, OneRecord, record_of
from arena.game.rules import MAX_CELLS, Rules
from arena.jit import kernel, lowest, popcount
from arena.network.incremental import INCREMENTAL, position_sums, sum_to_move, sums_change
from arena.network.value import NETWORK, network_value

Weights = np.record
Node = tuple[np.uint64, np.uint64, int, int, int]

MAX_PATTERNS, MAX_RAYS = 64, 26
RUNS, RAYS, LEARNED, LEARNED_SMALL = 1, 2, 4, 8  # what is weighed at a leaf, beside lines
LARGEST = 2_000_000_000  # values fit 32 bits, so that a table entry holds one
FINEST = 10_000  # steps from 0 to 1 in which a network's value is told

WEIGHTS = np.dtype(
    [
        ("scale", np.int64),  # value = number / scale
        ("win", np.int64),  # 0: the lines say what a won game is worth
        ("quick", np.int64),  # taken from a win for each disc on the board
        ("tempo", np.int64),
        ("gain", np.int64, (2, MAX_CELLS * MAX_CELLS)),  # by side, own and other discs in a line
        ("centre", np.uint64),  # the cells that earn a bonus
        ("centre_gain", np.int64, 2),  # by side
        ("leaf", np.int64),  # bits: RUNS, RAYS, LEARNED; or LEARNED_SMALL alone
        ("patterns", np.int64),
        ("pattern", np.int64, MAX_PATTERNS),  # bits: the places along a line that are filled
        ("pattern_worth", np.int64, MAX_PATTERNS),
        ("chains", np.int64),
        ("chain", np.int64, MAX_PATTERNS),  # bits: the places along a line that it fills
        ("chain_beside", np.int64, MAX_PATTERNS),  # bits: the places next to it
        ("chain_worth", np.int64, MAX_PATTERNS),
        ("rays", np.uint64, (MAX_CELLS, MAX_RAYS)),
        ("network", NETWORK),
        ("incremental", INCREMENTAL),
    ],
    align=True,
)


def weights_of(evaluation: Evaluation, rules: Rules, prefer_quick: bool = True) -> OneRecord:
    """The numbers of an evaluation on a board; `prefer_quick` gives sooner wins more value.

    Where there is a network, it must live as long as these: who needs the one keeps the other.
    """
    if evaluation.network is None:
        return _lasting(evaluation, rules, prefer_quick)
    array = _written_down(evaluation, rules, prefer_quick)
    weights = record_of(array)
    network = evaluation.network.network_for(rules)
    weights.leaf, weights.network = weights.leaf | LEARNED, network.unfolded.record
    if network.incremental is not None and not _sums_lines(evaluation):
        weights.leaf, weights.incremental = LEARNED_SMALL, network.incremental.record
    return array


def _sums_lines(evaluation: Evaluation) -> bool:
    """Whether lines or cells have weights too, whose sum a search carries along."""
    return bool(
        evaluation.own
        or evaluation.other
        or evaluation.runs
        or evaluation.chains
        or evaluation.rays
        or evaluation.centre
        or evaluation.centre_other
    )


@lru_cache(maxsize=128)
def _lasting(evaluation: Evaluation, rules: Rules, prefer_quick: bool) -> OneRecord:
    """Of weights that need nothing but the record."""
    return _written_down(evaluation, rules, prefer_quick)


def _written_down(evaluation: Evaluation, rules: Rules, prefer_quick: bool) -> OneRecord:
    """All numbers of an evaluation, as kernels read them."""
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
    if max(abs(int(weights.win)), round(largest_sum(evaluation, rules) * scale)) > LARGEST:
        raise BadEvaluation(
            f"the weights of {evaluation.name} are too large, or have too many decimals"
        )
    _fill_gains(weights, evaluation, rules)
    weights.centre = sum(rules.column_masks[column] for column in rules.centre_columns)
    weights.centre_gain[:] = (
        round(evaluation.centre * scale),
        round(-evaluation.centre_other * scale),
    )
    if evaluation.runs or evaluation.chains:
        weights.leaf |= RUNS
        _fill_runs(weights, evaluation, rules)
        _fill_chains(weights, evaluation, rules)
    if evaluation.rays:
        weights.leaf |= RAYS
        rays = rays_of(rules, evaluation.rays == "up", evaluation.diagonals)
        for cell, masks in enumerate(rays):
            weights.rays[cell, : len(masks)] = np.array(masks, dtype=np.uint64)
    return array


def _scale(evaluation: Evaluation) -> int:
    """The power of ten that makes all weights whole, and a win large enough to count plies off."""
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
    raise BadEvaluation(f"the weights of {evaluation.name} have more than three decimals")


def _fill_gains(weights: Weights, evaluation: Evaluation, rules: Rules) -> None:
    """What a disc adds to a line, for the player who drops it, from each side of the root."""
    scale = int(weights.scale)
    worth = {k: round(w * scale) for k, w in evaluation.table(rules.connect).items()}
    for own in range(rules.connect):
        for other in range(rules.connect - own):
            at = own * MAX_CELLS + other
            weights.gain[0, at] = worth.get((own + 1, other), 0) - worth.get((own, other), 0)
            weights.gain[1, at] = worth.get((other, own), 0) - worth.get((other, own + 1), 0)


def _fill_runs(weights: Weights, evaluation: Evaluation, rules: Rules) -> None:
    patterns = evaluation.run_patterns(rules.connect)
    if len(patterns) > MAX_PATTERNS:
        raise BadEvaluation(f"{evaluation.name} has too many runs for connect {rules.connect}")
    weights.patterns = len(patterns)
    for k, (places, worth) in enumerate(patterns.items()):
        weights.pattern[k] = _bits(places)
        weights.pattern_worth[k] = round(worth * int(weights.scale))


def _fill_chains(weights: Weights, evaluation: Evaluation, rules: Rules) -> None:
    chains = evaluation.chain_patterns(rules.connect)
    if len(chains) > MAX_PATTERNS:
        raise BadEvaluation(f"{evaluation.name} has too many chains for connect {rules.connect}")
    weights.chains = len(chains)
    for k, ((places, beside), worth) in enumerate(chains.items()):
        weights.chain[k], weights.chain_beside[k] = _bits(places), _bits(beside)
        weights.chain_worth[k] = round(worth * int(weights.scale))


def _bits(places: Places) -> int:
    return sum(1 << place for place in places)


@kernel
def place(
    board: Board, weights: Weights, side: int, own: np.uint64, opp: np.uint64, disc: np.uint64
) -> tuple[int, bool]:
    """What a disc adds to the mover's value, and whether it completes a line."""
    cell = lowest(disc)
    after = own | disc
    won = False
    if weights.leaf == LEARNED_SMALL:
        for k in range(board.start[cell], board.start[cell + 1]):
            won |= after & board.through[k] == board.through[k]
        return _change(board, weights, side, own, opp, disc), won
    gain = weights.centre_gain[side] if disc & weights.centre else 0
    for k in range(board.start[cell], board.start[cell + 1]):
        line = board.through[k]
        won |= after & line == line
        gain += weights.gain[side, (popcount(own & line) << 6) | popcount(opp & line)]
    return gain, won


@kernel
def _change(
    board: Board, weights: Weights, side: int, own: np.uint64, opp: np.uint64, disc: np.uint64
) -> int:
    """What a disc adds to the sums of a network, which are carried as the value of side 0."""
    ply = popcount(own | opp)
    first, second = (own, opp) if ply & 1 == 0 else (opp, own)
    change = sums_change(board, weights.incremental, first, second, disc, ply)
    return change if side == 0 else -change


@kernel
def win_value(weights: Weights, value: int, discs: int) -> int:
    """What winning is worth to the winner: `value` is what the lines say, `discs` are on board."""
    return weights.win - weights.quick * discs if weights.win != 0 else value


@kernel
def leaf_value(
    board: Board, weights: Weights, value: int, side: int,
    own: np.uint64, opp: np.uint64, disc: np.uint64,
) -> int:  # fmt: skip
    """The worth of an unfinished position to `own`, of this side, who has just dropped the disc."""
    leaf = weights.leaf
    if leaf == LEARNED_SMALL:
        total = sum_to_move(value if side == 0 else -value, popcount(own | opp))
        return -round(math.tanh(total) * weights.scale) - weights.tempo
    if leaf & RUNS:
        value += _runs(board, weights, own, opp) - _runs(board, weights, opp, own)
    if leaf & RAYS:
        value += _rays(board, weights, own, opp, disc) * weights.scale
    if leaf & LEARNED:
        value -= round(network_value(board, weights.network, opp, own) * weights.scale)
    return value - weights.tempo


@kernel
def drop(
    board: Board, weights: Weights, node: Node, disc: np.uint64, is_leaf: bool
) -> tuple[bool, int]:
    """Drop a disc: whether the search ends here, and what that is worth to the mover.

    If it goes on, the second number is the mover's running value after the move.
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
def _runs(board: Board, weights: Weights, own: np.uint64, opp: np.uint64) -> int:
    """The worth of all lines whose only discs are a run of `own`, and of all its chains."""
    empty = board.full & ~(own | opp)
    total = 0
    for k in range(weights.patterns):
        total += weights.pattern_worth[k] * lines_reading(board, weights.pattern[k], own, empty)
    for k in range(weights.chains):
        lines = _lines_holding(board, weights.chain[k], weights.chain_beside[k], own)
        total += weights.chain_worth[k] * lines
    return total


@kernel
def lines_reading(board: Board, pattern: int, own: np.uint64, empty: np.uint64) -> int:
    """How many lines hold `own` at the places of a pattern and are empty elsewhere."""
    count = 0
    for d in range(board.directions):
        lines = board.starts[d]
        for place in range(board.connect):
            cells = own if pattern >> place & 1 else empty
            lines &= cells >> (np.uint64(place) * board.steps[d])
        count += popcount(lines)
    return count


@kernel
def _lines_holding(board: Board, chain: int, beside: int, own: np.uint64) -> int:
    """How many lines hold `own` at the places of a chain and not at those beside it."""
    others = board.full & ~own
    count = 0
    for d in range(board.directions):
        lines = board.starts[d]
        for place in range(board.connect):
            if (chain | beside) >> place & 1:
                cells = own if chain >> place & 1 else others
                lines &= cells >> (np.uint64(place) * board.steps[d])
        count += popcount(lines)
    return count


@kernel
def _rays(board: Board, weights: Weights, own: np.uint64, opp: np.uint64, disc: np.uint64) -> int:
    """H1 of the disc just dropped (see rays.py)."""
    total = 0
    rays = weights.rays[lowest(disc)]
    for ray in rays:
        if ray != np.uint64(0) and ray & opp == np.uint64(0):
            discs = popcount(ray & own)
            total += OWN_DISC * discs + EMPTY_CELL * (board.connect - discs)
    return total


@kernel
def board_value(board: Board, weights: Weights, me: np.uint64, them: np.uint64) -> int:
    """What the lines and the centre are worth to "me", disc by disc: where a search starts."""
    if weights.leaf == LEARNED_SMALL:
        is_first = popcount(me | them) & 1 == 0
        first, second = (me, them) if is_first else (them, me)
        return position_sums(board, weights.incremental, first, second)
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
    """The node at which a search starts."""
    return own, opp, board_value(board, weights, own, opp), popcount(own | opp), 0
