"""H1, "probabilities at low depth" (Blair 2011, S1.4): the rays of a dropped disc.

A ray is the disc and the next connect - 1 cells in one direction. It counts 1 for an empty cell
and 3 for a disc of mine, and nothing at all if it leaves the board or meets a disc of theirs.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from arena.game.position import Position
from arena.game.rules import Rules

EMPTY_CELL, OWN_DISC = 1, 3


@lru_cache(maxsize=64)
def rays_of(rules: Rules, up: bool = False, diagonals: bool = False) -> tuple[tuple[int, ...], ...]:
    """For each cell, the masks of its rays that stay on the board.

    Down the column and both ways along each level axis; `up` looks above instead of below,
    `diagonals` adds every other direction.
    """
    vertical = (0, 0, 1) if up else (0, 0, -1)
    straight = {(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), vertical}
    slanted = {s for s in product((-1, 0, 1), repeat=3) if sum(map(abs, s)) > 1}
    directions = sorted(straight | slanted if diagonals else straight)
    return tuple(
        tuple(mask for step in directions if (mask := _ray(rules, cell, step)))
        for cell in range(rules.cells)
    )


def promise(position: Position, up: bool = False, diagonals: bool = False) -> int:
    """H1 of the disc dropped last, for who dropped it; nothing if no move is known."""
    if not position.moves:
        return 0
    mine, theirs = position.opponent, position.own
    total = 0
    for ray in rays_of(position.rules, up, diagonals)[position.last_cell]:
        if not ray & theirs:
            own = (ray & mine).bit_count()
            total += OWN_DISC * own + EMPTY_CELL * (position.rules.connect - own)
    return total


def largest_promise(rules: Rules, up: bool = False, diagonals: bool = False) -> int:
    """A bound on H1 of any disc on this board."""
    rays = max(map(len, rays_of(rules, up, diagonals)))
    return rays * rules.connect * OWN_DISC


def _ray(rules: Rules, cell: int, step: tuple[int, ...]) -> int:
    mask = 0
    start = rules.coordinates(cell)
    sides = (rules.width, rules.depth, rules.height)
    for k in range(rules.connect):
        place = [s + k * d for s, d in zip(start, step, strict=True)]
        if any(not 0 <= p < side for p, side in zip(place, sides, strict=True)):
            return 0
        mask |= 1 << rules.cell(*place)
    return mask
