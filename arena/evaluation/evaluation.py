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
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

from arena.errors import BadOption, UnknownName, suggestion
from arena.game.rules import Rules
from arena.network.option import SHIPPED, SUFFIX, NetworkOption

ByDiscs = tuple[tuple[int, float], ...]  # weights by the number of discs

BY_DISCS = ("own", "other", "runs", "chains")
DEFAULT_WIN = 1_000_000
NETWORK_WIN = 100  # far more than the largest value of a network, 1
STATED_FOR = 4


class Pattern(NamedTuple):
    """The places along a line, as bits, that must be mine, empty and not mine; its value."""

    own: int
    empty: int
    not_own: int
    value: float


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
    def counts_lines(self) -> bool:
        """Check whether lines have weights."""
        return bool(self.own or self.other or self.runs or self.chains)

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

    def check_board(self, rules: Rules) -> None:
        """Refuse a board that does not fit the network."""
        if self.network is not None:
            self.network.check_board(rules)

    def __str__(self) -> str:
        return self.name


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
    lines = weights.counts_lines or weights.rays or weights.network
    cells = weights.centre or weights.centre_other or weights.tempo
    if not (lines or cells or given.get("win") or "evaluation" in given):
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
