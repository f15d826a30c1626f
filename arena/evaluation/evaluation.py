"""Evaluations: weights over lines, a bonus for the centre, a bonus for the move.

Every classic heuristic looks at windows of `connect` cells and counts mine and theirs, so an
evaluation is a handful of numbers. Weights are stated for connect 4; on a board with another
`connect` they go by how many discs are missing: "three of four" becomes "two of three". A learned
network may say more, or all: it looks at many cells together. H1, "probabilities at low depth"
(Blair 2011), looks at the rays of the disc dropped last instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import Any, ClassVar, Literal, NamedTuple

from arena.game.position import Position
from arena.game.rules import Line, Rules
from arena.network.option import NetworkOption

Weights = tuple[tuple[int, float], ...]

DEFAULT_WIN = 1_000_000
EMPTY_CELL, OWN_DISC = 1, 3  # what H1 counts for cells of a ray
STATED_FOR = 4


class Pattern(NamedTuple):
    """Places along a line, a bit for each, that are mine, empty and not mine; its value."""

    own: int
    empty: int
    not_own: int
    value: float

    def fits(self, line: Line, own: int, other: int) -> bool:
        """Whether a line looks like this, seen by the owner of `own`."""
        mine, taken = _places(line, own), _places(line, own | other)
        return mine & self.own == self.own and not (taken & self.empty or mine & self.not_own)


def _places(line: Line, discs: int) -> int:
    return sum(1 << place for place, cell in enumerate(line.cells) if discs >> cell & 1)


@dataclass(frozen=True)
class Evaluation:
    """The weights of one evaluation, from the point of view of "me".

    own, other    value of a line with k of my (their) discs and none of the other's
    runs          value of a line whose only discs are k of one player's side by side
    chains        value of k discs of one player side by side in a line, whatever else lies in it
    rays          H1 instead of all this: the rays of the disc dropped last
    network       an n-tuple network, which says from -1 to 1 how well the player to move stands
    centre        bonus for each of my discs in the central columns; centre_other for theirs
    tempo         bonus for being the one to move
    win           value of a won game; None: what the lines say, and no more
    """

    name: str = "own"
    own: Weights = ()
    other: Weights = ()
    runs: Weights = ()
    chains: Weights = ()
    rays: Literal["", "down", "up"] = ""
    network: NetworkOption | None = None
    diagonals: bool = False
    centre: float = 0.0
    centre_other: float = 0.0
    tempo: float = 0.0
    win: float | None = DEFAULT_WIN
    source: str = field(default="", compare=False)

    in_words: ClassVar[str] = "the name of an evaluation, a file of weights, or the weights"

    @classmethod
    def from_option(cls, value: Any) -> Evaluation:
        """An evaluation from what a user wrote: a name, a file, or weights."""
        from arena.evaluation.named import read_evaluation

        return read_evaluation(value)

    @property
    def has_win_weights(self) -> bool:
        """Whether the weights themselves give a value to full lines."""
        return any(k == STATED_FOR for k, _ in self.own)

    @property
    def is_antisymmetric(self) -> bool:
        """Whether the value to one player is always the negative of that to the other."""
        opposite = tuple((k, -weight) for k, weight in self.own)
        return self.other == opposite and self.centre_other == -self.centre

    def table(self, connect: int) -> dict[tuple[int, int], float]:
        """The value of a line by how many of its cells are mine and theirs."""
        shift = connect - STATED_FOR
        mine = {(k + shift, 0): weight for k, weight in self.own}
        theirs = {(0, k + shift): weight for k, weight in self.other}
        weights = {**mine, **theirs}
        return {counts: weight for counts, weight in weights.items() if max(counts) > 0}

    def patterns(self, connect: int) -> Iterator[Pattern]:
        """What runs and chains look like along a line, wherever they lie in it.

        A run that touches no end of the line counts its weight cut to a whole number, as FourPlay
        has it.
        """
        full = (1 << connect) - 1
        for weights, is_run in ((self.runs, True), (self.chains, False)):
            for k, weight in weights:
                length = k + connect - STATED_FOR
                for start in range(connect - length + 1) if length > 0 else ():
                    own = ((1 << length) - 1) << start
                    if is_run:
                        inside = 0 < start < connect - length
                        yield Pattern(own, full ^ own, 0, int(weight) if inside else weight)
                    else:
                        yield Pattern(own, 0, (own << 1 | own >> 1) & full & ~own, weight)

    def breakdown(self, position: Position, player: int) -> dict[str, float]:
        """What each direction, the centre and the move contribute to the value for a player."""
        mine, theirs = position.first, position.second
        if player == 1:
            mine, theirs = theirs, mine
        rules = position.rules
        uses_lines = self.own or self.other or self.runs or self.chains or self.network is None
        parts = self._lines(rules, mine, theirs) if uses_lines else {}
        centre = sum(rules.column_masks[column] for column in rules.centre_columns)
        parts["centre"] = (
            self.centre * (mine & centre).bit_count()
            + self.centre_other * (theirs & centre).bit_count()
        )
        parts["tempo"] = self.tempo if position.to_move == player else -self.tempo
        if self.rays:
            value = float(h1(position, self.rays == "up", self.diagonals))
            parts["last disc"] = -value if position.to_move == player else value
        if self.network is not None and not position.is_over:
            value = self.network.network_for(rules).value(position)
            parts["network"] = value if position.to_move == player else -value
        return parts

    def _lines(self, rules: Rules, mine: int, theirs: int) -> dict[str, float]:
        """The value of the lines of each direction."""
        table, patterns = self.table(rules.connect), [*self.patterns(rules.connect)]
        parts = {direction.name_on(rules.is_flat): 0.0 for direction in rules.directions}
        for line in rules.lines:
            name = line.direction.name_on(rules.is_flat)
            own, other = (mine & line.mask).bit_count(), (theirs & line.mask).bit_count()
            parts[name] += table.get((own, other), 0.0)
            for pattern in patterns:
                count = pattern.fits(line, mine, theirs) - pattern.fits(line, theirs, mine)
                parts[name] += pattern.value * count
        return parts

    def check_board(self, rules: Rules) -> None:
        """Refuse a board that the network was not made for."""
        if self.network is not None:
            self.network.check_board(rules)

    def __str__(self) -> str:
        return self.name


def largest_sum(evaluation: Evaluation, rules: Rules) -> float:
    """A bound on the value of any position: open lines, and those that one disc can complete."""
    weights = (*evaluation.own, *evaluation.other, *evaluation.runs)
    full_lines = max((abs(weight) for k, weight in weights if k == STATED_FOR), default=0.0)
    completed = max(len(lines) for lines in rules.lines_through)
    return largest_open_sum(evaluation, rules) + completed * full_lines


def largest_open_sum(evaluation: Evaluation, rules: Rules) -> float:
    """A bound on the value of any position in which nobody has won."""
    counts = (*evaluation.own, *evaluation.other)
    chains = (rules.connect + 1) // 2 * _largest(evaluation.chains)  # so many in one line
    open_lines = _largest(counts) + _largest(evaluation.runs) + chains
    centre = max(abs(evaluation.centre), abs(evaluation.centre_other)) * rules.cells
    rays = 0.0
    if evaluation.rays:
        rays = largest_h1(rules, evaluation.rays == "up", evaluation.diagonals)
    network = 0.0 if evaluation.network is None else 1.0
    return len(rules.lines) * open_lines + centre + abs(evaluation.tempo) + rays + network


def _largest(weights: Weights) -> float:
    """The largest weight of a line that is not full, be it for or against."""
    return max((abs(weight) for k, weight in weights if k < STATED_FOR), default=0.0)


# ---- H1


@lru_cache(maxsize=64)
def rays_of(rules: Rules, up: bool = False, diagonals: bool = False) -> tuple[tuple[int, ...], ...]:
    """For each cell, the masks of its rays that stay on the board.

    A ray is the cell and the next connect - 1 cells in one direction: down the column and both
    ways along each level axis. `up` looks above instead of below, `diagonals` adds every other
    direction.
    """
    vertical = (0, 0, 1) if up else (0, 0, -1)
    straight = {(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), vertical}
    slanted = {s for s in product((-1, 0, 1), repeat=3) if sum(map(abs, s)) > 1}
    directions = sorted(straight | slanted if diagonals else straight)
    return tuple(
        tuple(mask for step in directions if (mask := _ray(rules, cell, step)))
        for cell in range(rules.cells)
    )


def h1(position: Position, up: bool = False, diagonals: bool = False) -> int:
    """The value of the disc dropped last, to its owner; nothing if no move is known.

    A ray counts 1 for an empty cell and 3 for a disc of the owner, and nothing at all if it leaves
    the board or meets a disc of the other.
    """
    if not position.moves:
        return 0
    mine, theirs = position.opponent, position.own
    total = 0
    for ray in rays_of(position.rules, up, diagonals)[position.last_cell]:
        if not ray & theirs:
            own = (ray & mine).bit_count()
            total += OWN_DISC * own + EMPTY_CELL * (position.rules.connect - own)
    return total


def largest_h1(rules: Rules, up: bool = False, diagonals: bool = False) -> int:
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
