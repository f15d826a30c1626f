"""An evaluation as a vector of weights, and what each of them is multiplied by on a board.

Every weight that an evaluation has for unfinished games is one parameter. Where the other's lines
count the opposite of one's own, both share it: what is learned from one player's lines holds for
the other's. What a finished game is worth is no parameter: it is the reward.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor, log10
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.errors import BadOption
from arena.evaluation.evaluation import STATED_FOR, ByDiscs, Evaluation
from arena.evaluation.kernels import MAX_PATTERNS, largest_open_sum, weights_of
from arena.game.bits import MAX_PLACES, new_record
from arena.game.rules import MAX_CELLS, Rules

Floats = NDArray[np.float64]
Features = np.record

NO_PARAMETER = -1
BY_DISCS = ("own", "other", "runs")
DECIMALS = (3, 2, 1, 0)  # that a weight is written with: as many as the kernels have room for

FEATURES = np.dtype(
    [
        ("lines", np.int64),
        ("line", np.uint64, MAX_PLACES // 2),  # every line once
        ("mine", np.int64, MAX_CELLS + 1),  # by discs in an open line of mine: its parameter
        ("theirs", np.int64, MAX_CELLS + 1),
        ("line_sign", np.float64),  # of theirs: -1 where both share their parameters
        ("patterns", np.int64),
        ("pattern", np.int64, MAX_PATTERNS),  # bits: the places along a line that a run fills
        ("run", np.int64, MAX_PATTERNS),  # its parameter
        ("inside", np.int64, MAX_PATTERNS),  # 1 if it touches no end of the line
        ("centre", np.uint64),  # the central cells
        ("centre_mine", np.int64),
        ("centre_theirs", np.int64),
        ("centre_sign", np.float64),
        ("tempo", np.int64),
    ],
    align=True,
)


class Parameter(NamedTuple):
    """A weight of an evaluation: its part, the discs that it counts (0: none), its first value."""

    part: str
    discs: int
    start: float
    shared: bool = False  # whether the other's lines have it too, with the opposite sign

    @property
    def name(self) -> str:
        """How tables and plots call it: `run 3`, `line 2`, `own 2`, `tempo`."""
        part = {"runs": "run", "own": "line" if self.shared else "own"}.get(self.part, self.part)
        return f"{part} {self.discs}" if self.discs else part


@dataclass(frozen=True)
class Parameters:
    """The parameters of an evaluation on a board."""

    evaluation: Evaluation
    rules: Rules
    each: tuple[Parameter, ...]

    @classmethod
    def of(cls, evaluation: Evaluation, rules: Rules) -> Parameters:
        """Every weight that counts something on this board."""
        if evaluation.rays:
            raise BadOption(f"{evaluation.name} looks along rays, which have no weights")
        if evaluation.chains:
            raise BadOption(f"{evaluation.name} counts chains, which are not learned")
        if evaluation.network is not None:
            raise BadOption(f"{evaluation.name} is a network; the method ntuple trains those")
        each = (
            *_line_parameters(evaluation, rules),
            *_of_part("runs", evaluation.runs, rules),
            *_cell_parameters(evaluation),
        )
        if not each:
            raise BadOption(
                f"{evaluation.name} has no weights to learn on {rules}; "
                "expected own, other, runs, centre or tempo"
            )
        return cls(evaluation, rules, each)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters, in the order of the vector."""
        return tuple(parameter.name for parameter in self.each)

    @property
    def start(self) -> Floats:
        """The weights of the evaluation as it is."""
        return np.array([parameter.start for parameter in self.each], dtype=np.float64)

    def index(self, part: str, discs: int = 0) -> int:
        """Where a parameter is in the vector; NO_PARAMETER if it is not there."""
        places = {(each.part, each.discs): k for k, each in enumerate(self.each)}
        return places.get((part, discs), NO_PARAMETER)

    def features(self) -> Features:
        """The record by which kernels count what each weight is multiplied by."""
        rules, features = self.rules, new_record(FEATURES)
        features.lines = len(rules.lines)
        features.line[: len(rules.lines)] = np.array([line.mask for line in rules.lines], np.uint64)
        shared = any(each.part == "own" and each.shared for each in self.each)
        features.line_sign = -1.0 if shared else 1.0
        other = "own" if shared else "other"
        for count in range(MAX_CELLS + 1):
            discs = count - rules.connect + STATED_FOR
            known = 0 < count < rules.connect
            features.mine[count] = self.index("own", discs) if known else NO_PARAMETER
            features.theirs[count] = self.index(other, discs) if known else NO_PARAMETER
        self._fill_runs(features)
        self._fill_cells(features)
        return features

    def _fill_runs(self, features: Features) -> None:
        connect = self.rules.connect
        patterns = [*self.evaluation.patterns(connect)]
        if len(patterns) > MAX_PATTERNS:
            raise BadOption(f"{self.evaluation.name} has too many runs for connect {connect}")
        features.patterns = len(patterns)
        for k, pattern in enumerate(patterns):
            own = pattern.own
            features.pattern[k] = own
            features.run[k] = self.index("runs", own.bit_count() - connect + STATED_FOR)
            features.inside[k] = not own & 1 and own.bit_length() < connect

    def _fill_cells(self, features: Features) -> None:
        rules = self.rules
        features.centre = sum(rules.column_masks[column] for column in rules.centre_columns)
        mine = self.index("centre")
        shared = mine != NO_PARAMETER and self.each[mine].shared
        features.centre_mine = mine
        features.centre_theirs = mine if shared else self.index("centre_other")
        features.centre_sign = -1.0 if shared else 1.0
        features.tempo = self.index("tempo")

    def evaluation_with(self, weights: Floats) -> tuple[Evaluation, float]:
        """An evaluation that engines take and that plays as these weights do; their factor in it.

        Weights too small to be written with three decimals, and those that an open position could
        add up to more than a win, are multiplied by a power of ten, all of them.
        """
        ceiling = self._least_win()
        largest = largest_open_sum(self._with(weights), self.rules)
        factor = 1.0
        if largest >= ceiling or any(0 < abs(weight) < 1 for weight in weights):
            factor = 10.0 ** floor(log10(ceiling / 2 / largest)) if largest else 1.0
        for decimals in DECIMALS:
            rounded = np.round(weights * factor, decimals)
            evaluation = self._with(rounded)
            try:
                weights_of(evaluation, self.rules)
            except BadOption:
                continue
            return evaluation, factor
        raise BadOption(f"the weights of {self.evaluation.name} are too large for an engine")

    def _least_win(self) -> float:
        """What an unfinished position must stay below."""
        if self.evaluation.win is not None:
            return self.evaluation.win
        full = (*self.evaluation.own, *self.evaluation.other)
        return min(abs(weight) for discs, weight in full if discs == STATED_FOR)

    def _with(self, weights: Sequence[float] | Floats) -> Evaluation:
        """The evaluation with other weights."""
        changes: dict[str, Any] = {}
        by_discs = {part: dict(getattr(self.evaluation, part)) for part in BY_DISCS}
        for parameter, weight in zip(self.each, map(float, weights), strict=True):
            if parameter.discs:
                by_discs[parameter.part][parameter.discs] = weight
            else:
                changes[parameter.part] = weight
            if parameter.shared and parameter.discs:
                by_discs["other"][parameter.discs] = -weight
            elif parameter.shared:
                changes["centre_other"] = -weight
        changes |= {part: tuple(sorted(rows.items())) for part, rows in by_discs.items()}
        return replace(self.evaluation, source="", **changes)


def _line_parameters(evaluation: Evaluation, rules: Rules) -> tuple[Parameter, ...]:
    """The weights of open lines, once where the other's are the opposite of one's own."""
    own, other = _open(evaluation.own), _open(evaluation.other)
    if other == {discs: -weight for discs, weight in own.items()}:
        return _of_part("own", evaluation.own, rules, shared=True)
    return (*_of_part("own", evaluation.own, rules), *_of_part("other", evaluation.other, rules))


def _of_part(
    part: str, weights: ByDiscs, rules: Rules, shared: bool = False
) -> tuple[Parameter, ...]:
    """The weights of a part that count lines of this board, unfinished ones."""
    fewest = STATED_FOR - rules.connect  # discs that are none on this board
    return tuple(
        Parameter(part, discs, weight, shared)
        for discs, weight in _open(weights).items()
        if discs > fewest
    )


def _cell_parameters(evaluation: Evaluation) -> tuple[Parameter, ...]:
    """The bonuses that are there: of the centre and of the move."""
    shared = evaluation.centre_other == -evaluation.centre
    singles: Mapping[str, float] = {
        "centre": evaluation.centre,
        "centre_other": 0.0 if shared else evaluation.centre_other,
        "tempo": evaluation.tempo,
    }
    return tuple(
        Parameter(part, 0, weight, shared and part == "centre")
        for part, weight in singles.items()
        if weight
    )


def _open(weights: ByDiscs) -> dict[int, float]:
    """The weights of lines that are not full."""
    return {discs: weight for discs, weight in weights if discs < STATED_FOR}
