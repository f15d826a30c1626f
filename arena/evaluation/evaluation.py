"""What a position is worth: weights over lines, a bonus for the centre, a bonus for the move.

Every classic heuristic looks at windows of `connect` cells and counts mine and theirs, so an
evaluation is a handful of numbers. Weights are stated for connect 4; on a board with another
`connect` they go by how many discs are missing: "three of four" becomes "two of three".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

from arena.errors import BadEvaluation, UnknownName, suggestion
from arena.game.position import Position
from arena.game.rules import Line, Rules

Weights = tuple[tuple[int, float], ...]

DEFAULT_WIN = 1_000_000
STATED_FOR = 4


@dataclass(frozen=True)
class Evaluation:
    """The weights of one evaluation, from the point of view of "me".

    own, other    worth of a line with k of my (their) discs and none of the other's
    runs          worth of a line whose only discs are k of one player's side by side
    rays          H1 instead of all this: the promise of the disc dropped last
    centre        bonus for each of my discs in the central columns; centre_other for theirs
    tempo         bonus for being the one to move
    win           worth of a finished game; None: what the lines say, and no more
    """

    name: str = "own"
    own: Weights = ()
    other: Weights = ()
    runs: Weights = ()
    rays: Literal["", "down", "up"] = ""
    diagonals: bool = False
    centre: float = 0.0
    centre_other: float = 0.0
    tempo: float = 0.0
    win: float | None = DEFAULT_WIN
    source: str = field(default="", compare=False)

    in_words: ClassVar[str] = "the name of an evaluation, a file of weights, or the weights"

    @classmethod
    def from_option(cls, value: Any) -> Evaluation:
        """An evaluation from what a user wrote: a name, a YAML file, or weights."""
        if isinstance(value, Evaluation):
            return value
        if isinstance(value, Mapping):
            return read_weights(value)
        if not isinstance(value, str):
            raise BadEvaluation(f"evaluation is {value!r}; expected {cls.in_words}")
        if value.endswith((".yaml", ".yml")):
            return _read_file(Path(value))
        from arena.evaluation.named import EVALUATIONS

        if value not in EVALUATIONS:
            raise UnknownName("evaluation", value, EVALUATIONS)
        return EVALUATIONS[value]

    @property
    def weighs_wins(self) -> bool:
        """Whether the weights themselves say what a full line is worth."""
        return any(k == STATED_FOR for k, _ in self.own)

    def table(self, connect: int) -> dict[tuple[int, int], float]:
        """The worth of a line by how many of its cells are mine and theirs."""
        shift = connect - STATED_FOR
        mine = {(k + shift, 0): weight for k, weight in self.own}
        theirs = {(0, k + shift): weight for k, weight in self.other}
        found = {**mine, **theirs}
        return {counts: weight for counts, weight in found.items() if max(counts) > 0}

    def run_patterns(self, connect: int) -> dict[tuple[int, ...], float]:
        """The places along a line that a run fills, and its worth (SEEDS S3.4).

        A run that touches no end of the line counts its weight cut to a whole number.
        """
        found: dict[tuple[int, ...], float] = {}
        for k, weight in self.runs:
            length = k + connect - STATED_FOR
            for start in range(connect - length + 1) if length > 0 else ():
                inside = 0 < start < connect - length
                found[tuple(range(start, start + length))] = int(weight) if inside else weight
        return found

    def breakdown(self, position: Position, player: int) -> dict[str, float]:
        """What each direction, the centre and the move contribute to `value` (SEEDS S1.7, S2.8)."""
        mine, theirs = position.first, position.second
        if player == 1:
            mine, theirs = theirs, mine
        rules = position.rules
        table, runs = self.table(rules.connect), self.run_patterns(rules.connect)
        parts = {direction.name_on(rules.is_flat): 0.0 for direction in rules.directions}
        for line in rules.lines:
            name = line.direction.name_on(rules.is_flat)
            own, other = (mine & line.mask).bit_count(), (theirs & line.mask).bit_count()
            parts[name] += table.get((own, other), 0.0)
            if runs and not other:
                parts[name] += runs.get(_places(line, mine), 0.0)
            elif runs and not own:
                parts[name] -= runs.get(_places(line, theirs), 0.0)
        centre = sum(rules.column_masks[column] for column in rules.centre_columns)
        parts["centre"] = (
            self.centre * (mine & centre).bit_count()
            + self.centre_other * (theirs & centre).bit_count()
        )
        parts["tempo"] = self.tempo if position.to_move == player else -self.tempo
        if self.rays:
            parts["last disc"] = self._promise(position, player)
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
            return sum(self.breakdown(position, player).values()) - self._tempo(position, player)
        return sum(self.breakdown(position, player).values())

    def _tempo(self, position: Position, player: int) -> float:
        return self.tempo if position.to_move == player else -self.tempo

    def _promise(self, position: Position, player: int) -> float:
        """H1 of the last disc, positive for who dropped it; nothing if no move is known."""
        if not position.moves:
            return 0.0
        from arena.evaluation.rays import promise

        column = position.moves[-1]
        cell = (position.landing(column) or 1 << (column + 1) * position.rules.height) >> 1
        worth = promise(position, cell.bit_length() - 1, self.rays == "up", self.diagonals)
        return float(worth if position.to_move != player else -worth)

    def __str__(self) -> str:
        return self.name


def _places(line: Line, discs: int) -> tuple[int, ...]:
    return tuple(place for place, cell in enumerate(line.cells) if discs >> cell & 1)


def read_weights(given: Mapping[Any, Any], where: str = "evaluation") -> Evaluation:
    """An evaluation from a mapping, as it stands in a YAML file.

    `evaluation: rivest` takes a named one as the start; `other` is the opposite of `own` where it
    is not given.
    """
    start = Evaluation()
    known = {f.name for f in fields(Evaluation)} - {"source"} | {"evaluation"}
    for key in given:
        if key not in known:
            raise BadEvaluation(
                f"{where}: unknown weight {key!r}{suggestion(str(key), sorted(known))}"
            )
    if "evaluation" in given:
        start = Evaluation.from_option(given["evaluation"])
    changes: dict[str, Any] = {"name": str(given.get("name", start.name))}
    for key, value in given.items():
        if key in ("own", "other", "runs"):
            changes[key] = _read_counts(value, f"{where}.{key}")
        elif key == "rays":
            if value not in ("", "down", "up"):
                raise BadEvaluation(f"{where}.rays is {value!r}; expected down or up")
            changes[key] = value
        elif key == "diagonals":
            if not isinstance(value, bool):
                raise BadEvaluation(f"{where}.diagonals is {value!r}; expected true or false")
            changes[key] = value
        elif key not in ("name", "evaluation"):
            changes[key] = (
                None if key == "win" and value is None else _number(value, f"{where}.{key}")
            )
    if "own" in changes and "other" not in changes:
        changes["other"] = tuple((k, -weight) for k, weight in changes["own"])
    made = replace(start, source="", **changes)
    if made.win is not None and made.win <= 0:
        raise BadEvaluation(f"{where}.win is {made.win:g}; expected a number above 0")
    said = made.own or made.other or made.runs or made.rays or made.centre or made.centre_other
    if not (said or made.tempo or given.get("win") or "evaluation" in given):
        raise BadEvaluation(
            f"{where} gives no weights; expected own: {{1: .., 2: .., 3: ..}} or runs"
        )
    if made.win is None and not all(dict(side).get(STATED_FOR) for side in (made.own, made.other)):
        raise BadEvaluation(
            f"{where} has no win; expected win, or own and other weights for 4 discs"
        )
    return made


def _read_counts(value: Any, where: str) -> Weights:
    if not isinstance(value, Mapping):
        raise BadEvaluation(
            f"{where} is {value!r}; expected a mapping such as {{1: 1, 2: 4, 3: 16}}"
        )
    for k in value:
        if isinstance(k, bool) or not isinstance(k, int) or not 1 <= k <= STATED_FOR:
            raise BadEvaluation(f"{where} counts {k!r} discs; expected 1 to {STATED_FOR}")
    return tuple(sorted((k, _number(weight, f"{where}.{k}")) for k, weight in value.items()))


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e9:
        raise BadEvaluation(f"{where} is {value!r}; expected a number below a thousand million")
    return float(value)


def _read_file(path: Path) -> Evaluation:
    import yaml

    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadEvaluation(f"{path}: {error.strerror or error}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BadEvaluation(f"{path}: not YAML: {str(error).splitlines()[0]}") from None
    if not isinstance(content, Mapping):
        raise BadEvaluation(f"{path}: expected weights such as own: {{1: 1, 2: 4, 3: 16}}")
    content = {"name": path.stem, **content}
    return read_weights(content, where=str(path))


def largest_sum(evaluation: Evaluation, rules: Rules) -> float:
    """A bound on the value of any position: open lines, and those that one disc can complete."""
    weights = (*evaluation.own, *evaluation.other, *evaluation.runs)
    full_lines = max((abs(weight) for k, weight in weights if k == STATED_FOR), default=0.0)
    completed = max(len(lines) for lines in rules.lines_through)
    return largest_open_sum(evaluation, rules) + completed * full_lines


def largest_open_sum(evaluation: Evaluation, rules: Rules) -> float:
    """A bound on the value of any position in which nobody has won."""
    weights = (*evaluation.own, *evaluation.other, *evaluation.runs)
    open_lines = max((abs(weight) for k, weight in weights if k < STATED_FOR), default=0.0)
    centre = max(abs(evaluation.centre), abs(evaluation.centre_other)) * rules.cells
    promise = 0.0
    if evaluation.rays:
        from arena.evaluation.rays import largest_promise

        promise = largest_promise(rules, evaluation.rays == "up", evaluation.diagonals)
    return len(rules.lines) * open_lines + centre + abs(evaluation.tempo) + promise
