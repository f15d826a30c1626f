"""Tuples of cells: random walks, the winning lines, or given ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from random import Random

from arena.errors import BadOption
from arena.game.rules import Rules

Cells = tuple[int, ...]  # of one tuple, in the order of their numbers

MAX_LENGTH = 10  # cells: a table of a million weights for each side to move
MAX_TUPLES = 1024
MAX_WEIGHTS = 1 << 29  # of both sides to move: two gigabytes
MAX_TRIES = 1000  # walks in a row that only repeat earlier tuples


def random_walks(rules: Rules, count: int, length: int, seed: int) -> list[Cells]:
    """Different tuples of cells, each from a random walk; images count as the same tuple."""
    if length > rules.cells:
        raise BadOption(f"tuples of {length} cells do not fit on {rules}, which has {rules.cells}")
    random = Random(seed)
    walks: dict[Cells, Cells] = {}
    missed = 0
    while len(walks) < count:
        cells = _walk(rules, length, random)
        key = min(images(rules, cells))
        missed = missed + 1 if key in walks else 0
        if missed > MAX_TRIES:
            raise BadOption(f"{rules} has only {len(walks)} different walks of {length} cells")
        walks.setdefault(key, cells)
    return list(walks.values())


def _walk(rules: Rules, length: int, random: Random) -> Cells:
    cell = int(random.random() * rules.cells)
    walk = {cell}
    while len(walk) < length:
        near = _neighbours(rules, cell)
        cell = near[int(random.random() * len(near))]
        walk.add(cell)
    return tuple(sorted(walk))


def _neighbours(rules: Rules, cell: int) -> list[int]:
    """The neighbours of a cell, also diagonal ones."""
    x, y, z = rules.coordinates(cell)
    spans = ((x, rules.width), (y, rules.depth), (z, rules.height))
    near = product(*(range(max(0, at - 1), min(most, at + 2)) for at, most in spans))
    return [rules.cell(*place) for place in near if place != (x, y, z)]


def line_orbits(rules: Rules) -> list[Cells]:
    """One winning line for each set of lines that are images of each other."""
    orbits = {min(images(rules, line.cells)): None for line in rules.lines}
    return list(orbits)


def check_tuples(rules: Rules, tuples: Iterable[Sequence[int]]) -> list[Cells]:
    """Sort the cells of each tuple; refuse cells off the board or twice in a tuple."""
    checked: list[Cells] = []
    for cells in tuples:
        wrong = next((cell for cell in cells if not 0 <= cell < rules.cells), None)
        if wrong is not None:
            raise BadOption(f"cell {wrong} of a tuple is not on {rules}: 0 to {rules.cells - 1}")
        if len(set(cells)) != len(cells) or not 1 <= len(cells) <= MAX_LENGTH:
            raise BadOption(
                f"tuple {list(cells)} is not 1 to {MAX_LENGTH} different cells of the board"
            )
        checked.append(tuple(sorted(cells)))
    if not 1 <= len(checked) <= MAX_TUPLES:
        raise BadOption(f"{len(checked)} tuples; expected 1 to {MAX_TUPLES}")
    return checked


def table_sizes(tuples: Sequence[Cells]) -> list[int]:
    """The number of weights of each tuple for a side to move; refuse too many."""
    sizes = [4 ** len(cells) for cells in tuples]
    weights = 2 * sum(sizes)
    if weights > MAX_WEIGHTS:
        raise BadOption(f"these tuples have {weights:,} weights; expected at most {MAX_WEIGHTS:,}")
    return sizes


def images(rules: Rules, cells: Iterable[int]) -> list[Cells]:
    """The cells as each symmetry of the board moves them."""
    places = [divmod(cell, rules.height) for cell in cells]
    return [
        tuple(sorted(symmetry[column] * rules.height + level for column, level in places))
        for symmetry in rules.symmetries
    ]
