"""What a position is worth: weights over lines, a bonus for the centre, a bonus for the move.

Every classic heuristic looks at windows of `connect` cells and counts mine and theirs, so an
evaluation is a handful of numbers. Weights are stated for connect 4; on a board with another
`connect` they go by how many discs are missing: "three of four" becomes "two of three". A learned
network may say more, or all: it looks at many cells together.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from arena.evaluation.rays import largest_promise, promise
from arena.game.position import Position
from arena.game.rules import Line, Rules
from arena.network.option import NetworkOption

Weights = tuple[tuple[int, float], ...]
Places = tuple[int, ...]  # along a line, from 0

DEFAULT_WIN = 1_000_000
STATED_FOR = 4


@dataclass(frozen=True)
class Evaluation:
    """The weights of one evaluation, from the point of view of "me".

    own, other    worth of a line with k of my (their) discs and none of the other's
    runs          worth of a line whose only discs are k of one player's side by side
    chains        worth of k discs of one player side by side in a line, whatever else lies in it
    rays          H1 instead of all this: the promise of the disc dropped last
    network       an n-tuple network, which says from -1 to 1 how well the player to move stands
    centre        bonus for each of my discs in the central columns; centre_other for theirs
    tempo         bonus for being the one to move
    win           worth of a finished game; None: what the lines say, and no more
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
    def weighs_wins(self) -> bool:
        """Whether the weights themselves say what a full line is worth."""
        return any(k == STATED_FOR for k, _ in self.own)

    def table(self, connect: int) -> dict[tuple[int, int], float]:
        """The worth of a line by how many of its cells are mine and theirs."""
        shift = connect - STATED_FOR
        mine = {(k + shift, 0): weight for k, weight in self.own}
        theirs = {(0, k + shift): weight for k, weight in self.other}
        weights = {**mine, **theirs}
        return {counts: weight for counts, weight in weights.items() if max(counts) > 0}

    def run_patterns(self, connect: int) -> dict[Places, float]:
        """The places along a line that a run fills, and its worth (S3.4).

        A run that touches no end of the line counts its weight cut to a whole number.
        """
        worths: dict[Places, float] = {}
        for k, weight in self.runs:
            length = k + connect - STATED_FOR
            for start in range(connect - length + 1) if length > 0 else ():
                inside = 0 < start < connect - length
                worths[tuple(range(start, start + length))] = int(weight) if inside else weight
        return worths

    def chain_patterns(self, connect: int) -> dict[tuple[Places, Places], float]:
        """The places along a line that a chain fills, those beside it, and its worth."""
        worths: dict[tuple[Places, Places], float] = {}
        for k, weight in self.chains:
            length = k + connect - STATED_FOR
            for start in range(connect - length + 1) if length > 0 else ():
                beside = [p for p in (start - 1, start + length) if 0 <= p < connect]
                worths[tuple(range(start, start + length)), tuple(beside)] = weight
        return worths

    def breakdown(self, position: Position, player: int) -> dict[str, float]:
        """What each direction, the centre and the move contribute to `value` (S1.7, S2.8)."""
        mine, theirs = position.first, position.second
        if player == 1:
            mine, theirs = theirs, mine
        rules = position.rules
        weighs = self.own or self.other or self.runs or self.chains
        weighs_lines = weighs or self.network is None
        parts = self._lines(rules, mine, theirs) if weighs_lines else {}
        centre = sum(rules.column_masks[column] for column in rules.centre_columns)
        parts["centre"] = (
            self.centre * (mine & centre).bit_count()
            + self.centre_other * (theirs & centre).bit_count()
        )
        parts["tempo"] = self.tempo if position.to_move == player else -self.tempo
        if self.rays:
            worth = float(promise(position, self.rays == "up", self.diagonals))
            parts["last disc"] = -worth if position.to_move == player else worth
        if self.network is not None and not position.is_over:
            worth = self.network.network_for(rules).value(position)
            parts["network"] = worth if position.to_move == player else -worth
        return parts

    def _lines(self, rules: Rules, mine: int, theirs: int) -> dict[str, float]:
        """What the lines of each direction are worth."""
        table, runs = self.table(rules.connect), self.run_patterns(rules.connect)
        chains = self.chain_patterns(rules.connect)
        parts = {direction.name_on(rules.is_flat): 0.0 for direction in rules.directions}
        for line in rules.lines:
            name = line.direction.name_on(rules.is_flat)
            own, other = (mine & line.mask).bit_count(), (theirs & line.mask).bit_count()
            parts[name] += table.get((own, other), 0.0)
            if runs and not other:
                parts[name] += runs.get(_places(line, mine), 0.0)
            elif runs and not own:
                parts[name] -= runs.get(_places(line, theirs), 0.0)
            for chain, worth in chains.items():
                parts[name] += worth * (_holds(line, mine, chain) - _holds(line, theirs, chain))
        return parts

    def value(self, position: Position, player: int) -> float:
        """What the position is worth to a player, as it stands on the board.

        A drawn game is worth nothing. A won one is worth `win`, unless the weights themselves
        say what a full line is worth.
        """
        if position.is_draw:
            return 0.0
        if position.winner is not None:
            if not self.weighs_wins:
                return (1 if position.winner == player else -1) * (self.win or 0.0)
            parts = self.breakdown(position, player)
            return sum(parts.values()) - parts["tempo"]
        return sum(self.breakdown(position, player).values())

    def check_board(self, rules: Rules) -> None:
        """Refuse a board that the network was not made for."""
        if self.network is not None:
            self.network.check_board(rules)

    def __str__(self) -> str:
        return self.name


def _places(line: Line, discs: int) -> Places:
    return tuple(place for place, cell in enumerate(line.cells) if discs >> cell & 1)


def _holds(line: Line, discs: int, chain: tuple[Places, Places]) -> bool:
    """Whether a chain lies in a line, and no more discs of its player beside it."""
    filled, (places, beside) = _places(line, discs), chain
    return {*places} <= {*filled} and not {*beside} & {*filled}


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
        rays = largest_promise(rules, evaluation.rays == "up", evaluation.diagonals)
    network = 0.0 if evaluation.network is None else 1.0
    return len(rules.lines) * open_lines + centre + abs(evaluation.tempo) + rays + network


def _largest(weights: Weights) -> float:
    """The largest weight of a line that is not full, be it for or against."""
    return max((abs(weight) for k, weight in weights if k < STATED_FOR), default=0.0)
