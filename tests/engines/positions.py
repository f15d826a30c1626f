"""Positions for the engines' tests: made by a seed, never over, of any stage."""

from __future__ import annotations

import random
from collections.abc import Iterator

from arena import CONNECT4, SCORE4, Position, Rules

SMALL = Rules.flat(4, 4, 3)
BOARDS = (CONNECT4, SCORE4, Rules.flat(5, 4), SMALL, Rules.space(3, 3, 3, 3))


def random_positions(
    rules: Rules, count: int, seed: int = 1, least: int = 0, most: int | None = None
) -> Iterator[Position]:
    """Unfinished positions after random moves."""
    chance = random.Random(seed)
    most = rules.cells - 1 if most is None else most
    while count:
        position = Position(rules)
        for _ in range(chance.randint(least, most)):
            if position.is_over:
                break
            position = position.play(chance.choice(position.legal))
        if not position.is_over:
            count -= 1
            yield position


def declines(name: str, rules: Rules) -> bool:
    """Whether an engine, as it is unless set, says that it does not play on a board.

    The solver's are asked about flat boards of moderate size or boards in space here.
    """
    if name.startswith("perfect"):
        return not rules.is_flat
    return name in ("ntuple", "puct") and rules not in (CONNECT4, SCORE4)


def wins_at_once(position: Position) -> set[int]:
    """The columns that win at once."""
    return {column for column in position.legal if position.wins_with(column)}


def holes(position: Position) -> set[int]:
    """The columns after which the opponent can win at once."""
    return {
        c for c in position.legal if not position.wins_with(c) and wins_at_once(position.play(c))
    }
