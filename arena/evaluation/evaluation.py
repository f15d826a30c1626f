"""Evaluations: weights of lines, a bonus for the centre, a bonus for the move.

Every classic heuristic counts my and their discs in windows of `connect` cells, so an evaluation is
a handful of numbers. ByDiscs are stated for connect 4; with another `connect`, the number of
missing discs counts: "three of four" becomes "two of three". A learned network can be added, or
replace the weights. H1, "probabilities at low depth" (Blair 2011), evaluates the rays of the last
disc.

Users write the name of an evaluation, a YAML file, a network, or the weights.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

from arena.errors import BadOption, UnknownName, suggestion
from arena.game.position import Position
from arena.game.rules import Direction, Line, Rules
from arena.network.option import SHIPPED, SUFFIX, NetworkOption

ByDiscs = tuple[tuple[int, float], ...]  # weights by the number of discs

BY_DISCS = ("own", "other", "runs", "chains")
DEFAULT_WIN = 1_000_000
NETWORK_WIN = 100  # far more than the largest value of a network, 1
EMPTY_CELL, OWN_DISC = 1, 3  # the values of cells on a ray of H1
STATED_FOR = 4


class Pattern(NamedTuple):
    """The places along a line, as bits, that must be mine, empty and not mine; its value."""

    own: int
    empty: int
    not_own: int
    value: float

    def fits(self, line: Line, own: int, other: int) -> bool:
        """Check whether a line fits, for the owner of `own`."""
        mine, taken = _places(line, own), _places(line, own | other)
        return mine & self.own == self.own and not (taken & self.empty or mine & self.not_own)


def _places(line: Line, discs: int) -> int:
    return sum(1 << place for place, cell in enumerate(line.cells) if discs >> cell & 1)


@dataclass(frozen=True)
class Evaluation:
    """The weights of one evaluation, from the point of view of "me".

    own, other    value of a line with k of my (their) discs and none of the other's
    runs          value of a line whose only discs are k of one player's side by side
    chains        value of k discs of one player side by side in a line with any other discs
    rays          H1 instead of all this: the rays of the disc dropped last
    network       an n-tuple network: its value to the player to move is from -1 to 1
    centre        bonus for each of my discs in the central columns; centre_other for theirs
    tempo         bonus for being the one to move
    win           value of a won game; None: only the lines count
    """

    name: str = "own"
    own: ByDiscs = ()
    other: ByDiscs = ()
    runs: ByDiscs = ()
    chains: ByDiscs = ()
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
        """Read an option; an evaluation is returned as it is."""
        if isinstance(value, Evaluation):
            return value
        if isinstance(value, Mapping):
            return read_weights(value)
        if not isinstance(value, str):
            raise BadOption(f"evaluation is {value!r}; expected {cls.in_words}")
        if value.endswith((".yaml", ".yml")):
            return _read_file(Path(value))
        if value.endswith(SUFFIX):
            network = NetworkOption.from_option(value)
            return cls(Path(value).stem, network=network, win=NETWORK_WIN)
        if value not in EVALUATIONS:
            raise UnknownName("evaluation", value, EVALUATIONS)
        return EVALUATIONS[value]

    @property
    def has_win_weights(self) -> bool:
        """Check whether full lines have weights."""
        return any(k == STATED_FOR for k, _ in self.own)

    @property
    def is_antisymmetric(self) -> bool:
        """Check whether the values of both players always add up to 0."""
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
        """List runs and chains at all places of a line.

        The weight of a run that touches no end of the line is cut to a whole number, as in
        FourPlay.
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
        """The parts of a value to a player: directions, centre, move."""
        rules, mine, theirs = position.rules, position.first, position.second
        if player == 1:
            mine, theirs = theirs, mine
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
        """Refuse a board that does not fit the network."""
        if self.network is not None:
            self.network.check_board(rules)

    def __str__(self) -> str:
        return self.name


def largest_sum(evaluation: Evaluation, rules: Rules) -> float:
    """A bound on the value of any position: open lines, and lines that one disc completes."""
    weights = (*evaluation.own, *evaluation.other, *evaluation.runs)
    full_lines = max((abs(weight) for k, weight in weights if k == STATED_FOR), default=0.0)
    completed = max(len(lines) for lines in rules.lines_through)
    return largest_open_sum(evaluation, rules) + completed * full_lines


def largest_open_sum(evaluation: Evaluation, rules: Rules) -> float:
    """A bound on the value of any position without a full line."""
    counts = (*evaluation.own, *evaluation.other)
    chains = (rules.connect + 1) // 2 * _largest(evaluation.chains)  # in a line
    open_lines = _largest(counts) + _largest(evaluation.runs) + chains
    centre = max(abs(evaluation.centre), abs(evaluation.centre_other)) * rules.cells
    rays = 0.0
    if evaluation.rays:
        each = rays_of(rules, evaluation.rays == "up", evaluation.diagonals)
        rays = float(max(map(len, each)) * rules.connect * OWN_DISC)
    network = 0.0 if evaluation.network is None else 1.0
    return len(rules.lines) * open_lines + centre + abs(evaluation.tempo) + rays + network


def _largest(weights: ByDiscs) -> float:
    """The largest absolute weight of a line that is not full."""
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
    steps = {(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), vertical}
    if diagonals:
        changes = (-1, 0, 1)
        steps |= {s for s in product(changes, changes, changes) if sum(map(abs, s)) > 1}
    directions = [Direction(*step) for step in sorted(steps)]
    starts = map(rules.coordinates, range(rules.cells))
    rays = ((each.cells(start, rules.connect) for each in directions) for start in starts)
    return tuple(
        tuple(sum(1 << rules.cell(*c) for c in ray) for ray in through if rules.holds(*ray[-1]))
        for through in rays
    )


def h1(position: Position, up: bool = False, diagonals: bool = False) -> int:
    """The value of the last disc to its owner; 0 if the last move is unknown.

    A ray counts 1 for an empty cell and 3 for a disc of the owner, and 0 if it leaves the board or
    has a disc of the opponent.
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


# ---- named evaluations


def _even(name: str, weights: ByDiscs, source: str, **more: Any) -> Evaluation:
    """An evaluation that gives the opponent's lines the opposite weight."""
    opposite = tuple((k, -weight) for k, weight in weights)
    return Evaluation(name, weights, opposite, source=source, **more)


RIVEST = ((1, 1), (2, 10), (3, 50))

_NAMED = (
    Evaluation("h2", win=1, source="Blair 2011: who has won, and nothing else"),
    Evaluation("h1", rays="down", source="Blair 2011: rays from the last disc"),
    _even("rivest", RIVEST, "Rivest 1987, a win counts a million", tempo=16),
    _even("rivest-512", RIVEST, "Rivest 1987, a win counts 512 as printed", tempo=16, win=512),
    Evaluation(
        "gaiceanu",
        own=((2, 500), (3, 5000), (4, 5000001)),
        other=((2, -501), (3, -5001), (4, -5000000)),
        centre=1,
        win=None,
        source="Gaiceanu 2022",
    ),
    Evaluation(
        "window",
        own=((2, 4), (3, 10), (4, 100)),
        other=((3, -20), (4, -100)),
        centre=3,
        source="score_position, a win counts a million in a search",
    ),
    Evaluation(
        "window-100",
        own=((2, 4), (3, 10)),
        other=((3, -20),),
        centre=3,
        win=100,
        source="score_position, a win counts 100 as printed",
    ),
    Evaluation("fourplay", runs=((2, 2), (3, 2)), source="FourPlay, untrained weights 2, 2"),
    Evaluation("fourplay-td", runs=((2, 4554.46), (3, 6986.67)), source="FourPlay, learned by TD"),
    _even("counts", ((1, 1), (2, 4), (3, 16)), "all open lines, 1/4/16"),
    _even("counts-123", ((1, 1), (2, 2), (3, 3)), "all open lines, 1/2/3"),
    _even("threes", ((3, 1),), "open threes only"),
    Evaluation(
        "ntuple",
        network=NetworkOption(SHIPPED),
        win=NETWORK_WIN,
        source="Thill, Koch and Konen 2012: the shipped n-tuple network",
    ),
)

EVALUATIONS: dict[str, Evaluation] = {evaluation.name: evaluation for evaluation in _NAMED}


# ---- reading weights


def read_weights(given: Mapping[Any, Any], where: str = "evaluation") -> Evaluation:
    """Read an evaluation from a mapping, as in a YAML file.

    `evaluation: rivest` starts from a named one; `other` is the opposite of `own` by default.
    """
    start = Evaluation.from_option(given["evaluation"]) if "evaluation" in given else Evaluation()
    names = {each.name for each in fields(Evaluation)} - {"source"} | {"evaluation"}
    for key in given:
        if key not in names:
            raise BadOption(f"{where}: unknown weight {key!r}{suggestion(str(key), sorted(names))}")
    changes: dict[str, Any] = {
        key: _read_weight(key, value, f"{where}.{key}")
        for key, value in given.items()
        if key != "evaluation"
    }
    if "own" in changes and "other" not in changes:
        changes["other"] = tuple((k, -weight) for k, weight in changes["own"])
    evaluation = replace(start, source="", **changes)
    is_usual = start.win == NETWORK_WIN if "evaluation" in given else "network" in given
    if "win" not in given and is_usual:
        evaluation = replace(evaluation, win=_usual_win(evaluation))
    _check(evaluation, given, where)
    return evaluation


def _read_weight(key: str, value: Any, where: str) -> Any:
    if key == "name":
        return str(value)
    if key in BY_DISCS:
        return _read_counts(value, where)
    if key == "network":
        return NetworkOption.from_option(value)
    if key == "rays" and value not in ("", "down", "up"):
        raise BadOption(f"{where} is {value!r}; expected down or up")
    if key == "diagonals" and not isinstance(value, bool):
        raise BadOption(f"{where} is {value!r}; expected true or false")
    if key in ("rays", "diagonals") or (key == "win" and value is None):
        return value
    return _number(value, where)


def _usual_win(evaluation: Evaluation) -> float:
    """The value of a win with a network: more than the sum of everything else."""
    alone = replace(evaluation, name="", network=None, tempo=0.0, win=DEFAULT_WIN)
    return NETWORK_WIN if alone == Evaluation("") else DEFAULT_WIN


def _check(weights: Evaluation, given: Mapping[Any, Any], where: str) -> None:
    """Refuse an evaluation without weights or without a value for a win."""
    if weights.win is not None and weights.win <= 0:
        raise BadOption(f"{where}.win is {weights.win:g}; expected a number above 0")
    lines = weights.own or weights.other or weights.runs or weights.chains or weights.rays
    cells = weights.centre or weights.centre_other or weights.tempo
    if not (lines or weights.network or cells or given.get("win") or "evaluation" in given):
        raise BadOption(
            f"{where} gives no weights; expected own: {{1: .., 2: .., 3: ..}}, runs or chains"
        )
    sides = weights.own, weights.other
    if weights.win is None and not all(dict(side).get(STATED_FOR) for side in sides):
        raise BadOption(f"{where} has no win; expected win, or own and other weights for 4 discs")


def _read_counts(value: Any, where: str) -> ByDiscs:
    if not isinstance(value, Mapping):
        raise BadOption(f"{where} is {value!r}; expected a mapping such as {{1: 1, 2: 4, 3: 16}}")
    for k in value:
        if isinstance(k, bool) or not isinstance(k, int) or not 1 <= k <= STATED_FOR:
            raise BadOption(f"{where} counts {k!r} discs; expected 1 to {STATED_FOR}")
    return tuple(sorted((k, _number(weight, f"{where}.{k}")) for k, weight in value.items()))


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e9:
        raise BadOption(f"{where} is {value!r}; expected a number below a thousand million")
    return float(value)


def _read_file(path: Path) -> Evaluation:
    import yaml

    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadOption(f"{path}: {error.strerror or error}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BadOption(f"{path}: not YAML: {str(error).splitlines()[0]}") from None
    if not isinstance(content, Mapping):
        raise BadOption(f"{path}: expected weights such as own: {{1: 1, 2: 4, 3: 16}}")
    content = {"name": path.stem, **content}
    return read_weights(content, where=str(path))
