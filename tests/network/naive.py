"""An n-tuple network in plain words, cell by cell, to compare the kernels with."""

from __future__ import annotations

from random import Random

import numpy as np

from arena.game.position import Position
from arena.game.rules import Rules
from arena.network.network import Network
from arena.network.tuples import random_walks


def naive_sum(network: Network, position: Position) -> float:
    """Look at every cell of every tuple in every image of the position."""
    rules, side = position.rules, position.ply % 2
    total = 0.0
    for symmetry in rules.symmetries if network.shared else rules.symmetries[:1]:
        image = position.image(symmetry)
        for cells, start in zip(network.tuples, network.starts, strict=True):
            number = 0
            for place, cell in enumerate(cells):
                low, high = _look(image, cell)
                number |= low << place | high << (len(cells) + place)
            total += float(network.weights[side, start + number])
    return total


def _look(position: Position, cell: int) -> tuple[int, int]:
    if position.own >> cell & 1:
        return 1, 0
    if position.opponent >> cell & 1:
        return 0, 1
    column, level = divmod(cell, position.rules.height)
    discs = (position.first | position.second) & position.rules.column_masks[column]
    return (1, 1) if discs.bit_count() == level else (0, 0)


def random_network(rules: Rules, count: int, length: int, seed: int) -> Network:
    """A network with weights drawn at random."""
    network = Network(rules, random_walks(rules, count, length, seed))
    network.weights[:] = np.random.default_rng(seed).normal(0, 0.1, network.weights.shape)
    return network


def random_position(rules: Rules, plies: int, seed: int) -> Position:
    """A position that is not over, of at most so many plies."""
    random = Random(seed)
    position = Position(rules)
    for _ in range(plies):
        after = position.play(random.choice(position.legal))
        if after.is_over:
            break
        position = after
    return position
