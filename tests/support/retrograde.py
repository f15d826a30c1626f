"""Every position of a small board with its exact score, found from the last disc backwards.

Words are laid out as the solver's: a column is its cells and one free bit above. Lines come from
the naive board, and a score is counted by hand: nothing here uses the code under test.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random

import numpy as np
from numpy.typing import NDArray

from arena.game.rules import Rules
from tests import naive

Pair = tuple[int, int]  # discs of the player to move, all discs


def lines_of(rules: Rules) -> list[int]:
    """Every line of a flat board as a word."""
    found = naive.all_lines(rules.width, 1, rules.height, rules.connect)
    return [sum(1 << x * (rules.height + 1) + z for x, _, z in cells) for _, cells in found]


def has_line(discs: int, lines: list[int]) -> bool:
    """Whether all cells of some line are among these."""
    return any(discs & line == line for line in lines)


def children(own: int, discs: int, rules: Rules) -> list[Pair]:
    """The position after each legal move, seen from the other player."""
    stride, found = rules.height + 1, []
    for column in range(rules.width):
        cells = (1 << rules.height) - 1 << column * stride
        move = (discs & cells) + (1 << column * stride) & cells
        if move:
            found.append((own ^ discs, discs | move))
    return found


def loss(rules: Rules, ply: int) -> int:
    """The score of a game that the other player has just won: their discs left, and one."""
    whole = (rules.cells + ply % 2) // 2  # discs that the winner, who moved last, has in all
    return -(whole - (ply + 1) // 2 + 1)


@dataclass(frozen=True)
class Solved:
    """The positions of a board that are not over, in shuffled order, and what each is worth."""

    rules: Rules
    own: NDArray[np.uint64]
    discs: NDArray[np.uint64]
    plies: NDArray[np.int64]
    scores: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.own)


@lru_cache(maxsize=32)
def solved(name: str) -> Solved:
    """All positions of a small board that a game can reach."""
    rules = Rules.named(name)
    lines = lines_of(rules)
    layers: list[dict[Pair, list[Pair]]] = []
    layer: set[Pair] = {(0, 0)}
    while layer:
        grown = {
            pair: [] if has_line(pair[0] ^ pair[1], lines) else children(*pair, rules)
            for pair in layer
        }
        layers.append(grown)
        layer = {child for after in grown.values() for child in after}
    scores: dict[Pair, int] = {}
    for ply in reversed(range(len(layers))):
        for pair, after in layers[ply].items():
            if after:
                scores[pair] = max(-scores[child] for child in after)
            else:
                scores[pair] = loss(rules, ply) if has_line(pair[0] ^ pair[1], lines) else 0
    live = [pair for grown in layers for pair, after in grown.items() if after]
    Random(1).shuffle(live)
    return Solved(
        rules,
        np.array([own for own, _ in live], np.uint64),
        np.array([discs for _, discs in live], np.uint64),
        np.array([discs.bit_count() for _, discs in live], np.int64),
        np.array([scores[pair] for pair in live], np.int64),
    )
