"""Evaluations as users write them: a classic one by name, a file, or the weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from arena.errors import BadOption, UnknownName, suggestion
from arena.evaluation.evaluation import DEFAULT_WIN, STATED_FOR, Evaluation, Weights
from arena.network.option import SHIPPED, SUFFIX, NetworkOption


def _counts(one: float, two: float, three: float) -> Weights:
    return ((1, one), (2, two), (3, three))


def _even(name: str, weights: Weights, source: str, **more: Any) -> Evaluation:
    """An evaluation that gives the opponent's lines the opposite weight."""
    opposite = tuple((k, -weight) for k, weight in weights)
    return Evaluation(name, weights, opposite, source=source, **more)


RIVEST = _counts(1, 10, 50)
NETWORK_WIN = 100  # far more than the 1 of a network, for nothing is surer

_ALL = (
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
        win=DEFAULT_WIN,
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
    Evaluation(
        "fourplay-td",
        runs=((2, 4554.46), (3, 6986.67)),
        source="FourPlay, weights learned by TD",
    ),
    _even("counts", _counts(1, 4, 16), "all open lines, 1/4/16"),
    _even("counts-123", _counts(1, 2, 3), "all open lines, 1/2/3"),
    _even("threes", ((3, 1),), "open threes only"),
    Evaluation(
        "ntuple",
        network=NetworkOption(SHIPPED),
        win=NETWORK_WIN,
        source="Thill, Koch and Konen 2012: the n-tuple shipped network",
    ),
)

EVALUATIONS: dict[str, Evaluation] = {evaluation.name: evaluation for evaluation in _ALL}


def read_evaluation(value: Any) -> Evaluation:
    """An evaluation from what a user wrote: a name, a YAML file, a network, or weights."""
    if isinstance(value, Evaluation):
        return value
    if isinstance(value, Mapping):
        return read_weights(value)
    if not isinstance(value, str):
        raise BadOption(f"evaluation is {value!r}; expected {Evaluation.in_words}")
    if value.endswith((".yaml", ".yml")):
        return _read_file(Path(value))
    if value.endswith(SUFFIX):
        network = NetworkOption.from_option(value)
        return Evaluation(Path(value).stem, network=network, win=NETWORK_WIN)
    if value not in EVALUATIONS:
        raise UnknownName("evaluation", value, EVALUATIONS)
    return EVALUATIONS[value]


def read_weights(given: Mapping[Any, Any], where: str = "evaluation") -> Evaluation:
    """An evaluation from a mapping, as it stands in a YAML file.

    `evaluation: rivest` takes a named one as the start; `other` is the opposite of `own` where it
    is not given.
    """
    start = Evaluation()
    names = {f.name for f in fields(Evaluation)} - {"source"} | {"evaluation"}
    for key in given:
        if key not in names:
            raise BadOption(f"{where}: unknown weight {key!r}{suggestion(str(key), sorted(names))}")
    if "evaluation" in given:
        start = read_evaluation(given["evaluation"])
    changes: dict[str, Any] = {"name": str(given.get("name", start.name))}
    for key, value in given.items():
        if key in ("own", "other", "runs", "chains"):
            changes[key] = _read_counts(value, f"{where}.{key}")
        elif key == "rays":
            if value not in ("", "down", "up"):
                raise BadOption(f"{where}.rays is {value!r}; expected down or up")
            changes[key] = value
        elif key == "diagonals":
            if not isinstance(value, bool):
                raise BadOption(f"{where}.diagonals is {value!r}; expected true or false")
            changes[key] = value
        elif key == "network":
            changes[key] = NetworkOption.from_option(value)
        elif key not in ("name", "evaluation"):
            changes[key] = (
                None if key == "win" and value is None else _number(value, f"{where}.{key}")
            )
    if "own" in changes and "other" not in changes:
        changes["other"] = tuple((k, -weight) for k, weight in changes["own"])
    evaluation = replace(start, source="", **changes)
    is_usual = start.win == NETWORK_WIN if "evaluation" in given else "network" in given
    if "win" not in given and is_usual:
        evaluation = replace(evaluation, win=_usual_win(evaluation))
    _check(evaluation, given, where)
    return evaluation


def _usual_win(evaluation: Evaluation) -> float:
    """The value of a win beside a network: more than all that is added up with it."""
    alone = replace(evaluation, name="", network=None, tempo=0.0, win=DEFAULT_WIN)
    return NETWORK_WIN if alone == Evaluation("") else DEFAULT_WIN


def _check(weights: Evaluation, given: Mapping[Any, Any], where: str) -> None:
    """Refuse weights that say nothing, or give a win no value."""
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


def _read_counts(value: Any, where: str) -> Weights:
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
