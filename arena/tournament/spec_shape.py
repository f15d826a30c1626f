"""From the data of a file to its `Sheet`: the shape of every part, and words for what is wrong.

A part that is wrong is left out and the rest goes on, so that all mistakes are found in one go.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from arena.errors import suggestion
from arena.tournament.source import Source
from arena.tournament.spec_mistakes import (
    MOST_TOLD,
    BadSpec,
    Mistake,
    Trail,
    found,
    near,
    stop_if_many,
)
from arena.tournament.spec_parts import (
    ENGINE,
    ENGINES,
    BalancedSheet,
    EngineSheet,
    GameSheet,
    LimitsSheet,
    OpeningsSheet,
    SprtSheet,
    StopSheet,
)
from arena.tournament.spec_settings import FORMATS, Adjudication, Part
from arena.tournament.spec_sheet import Sheet

MAPPINGS = {
    LimitsSheet: "a mapping such as {depth: 4} or {seconds: 0.5}",
    Adjudication: "a mapping such as {max_plies: 30}",
    BalancedSheet: "a number of plies, or a mapping such as {plies: 8, value: draw}",
    StopSheet: "a mapping such as {seconds: 10m}",
    SprtSheet: "a mapping such as {elo0: 0, elo1: 20}",
}

MISSING = {
    "engines": ENGINES,
    "engine": ENGINE.expected,
    "rounds": "how many rounds to play, as in format: {kind: swiss, rounds: 5}",
    "plies": "how many plies, as in balanced: {plies: 8, value: draw}",
    "elo0": "the Elo to reject, often 0",
    "elo1": "the Elo to accept, above elo0",
}


@dataclass
class Shape:
    """The parts of a file that are as they should be, and the names of those that are not."""

    source: Source
    sheet: Sheet
    numbers: list[int]  # the place in the file's list of each engine in the sheet
    mistakes: list[Mistake] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)

    def wrong(self, trail: Trail, sentence: str, key: bool = False) -> None:
        """Note a mistake, unless the file's text itself is wrong there."""
        around = len(trail) - 1 if key else len(trail)
        if not any(trail[: n + 1] in self.source.unread for n in range(around)):
            self.mistakes.append(self.source.mistake(trail, sentence, key))
            stop_if_many(self.mistakes)
        self.broken.add(str(trail[0]))

    def sound(self, *parts: str) -> bool:
        """Whether these parts of the file are free of mistakes."""
        return self.broken.isdisjoint(parts)


def shape(source: Source) -> Shape:
    """Check every part of a file for itself."""
    data = source.data
    count = len(data["engines"]) if isinstance(data.get("engines"), list) else 0
    made = Shape(source, Sheet.model_construct(), list(range(count)), list(source.mistakes))
    made.broken = {str(trail[0]) for trail in source.unread}
    errors = _errors(data)
    for error in errors:
        _translate(error, errors, made)
    pruned, made.numbers = _without({_trail(error) for error in errors}, data)
    if _errors(pruned):
        raise BadSpec(made.mistakes)
    made.sheet = Sheet.model_validate(pruned)
    return made


def _errors(data: Mapping[Any, Any]) -> list[ErrorDetails]:
    try:
        Sheet.model_validate(data)
    except ValidationError as error:
        return error.errors(include_url=False)
    return []


def _trail(error: ErrorDetails) -> Trail:
    """Where in the file an error lies; pydantic adds the kind of a format to the way there."""
    steps = error["loc"]
    if steps[:1] == ("format",):
        steps = (*steps[:1], *steps[2:])
    return (*steps, *error.get("ctx", {}).get("at", ()))


def _translate(error: ErrorDetails, errors: list[ErrorDetails], made: Shape) -> None:
    """Add the mistake that an error stands for."""
    trail, kind = _trail(error), error["type"]
    if kind in ("expected", "sentence"):
        told = error["ctx"]["text"]
        value = _value(made.source.data, trail)
        made.wrong(trail, f"found {found(value)}; {told}" if kind == "expected" else told)
    elif kind in ("extra_forbidden", "invalid_key"):
        made.wrong(trail, f"unknown key{_meant(trail, made.source.data)}", key=True)
    elif kind == "missing":
        if not _is_misspelt(trail, errors, made.source.data):
            made.wrong(trail, f"is missing; expected {MISSING[str(trail[-1])]}", key=True)
    else:
        made.wrong(trail, f"found {found(error['input'])}; expected {_mapping_at(trail)}")


def _is_misspelt(trail: Trail, errors: list[ErrorDetails], data: Any) -> bool:
    """Whether an unknown key beside it is told to be this missing one."""
    unknown = [_trail(error) for error in errors if error["type"] == "extra_forbidden"]
    beside = [str(other[-1]) for other in unknown if other[:-1] == trail[:-1]]
    known = _keys(trail[:-1], data)
    return any(f"{trail[-1]!r}" in near(key, known) for key in beside[:MOST_TOLD])


def _meant(trail: Trail, data: Any) -> str:
    """What an unknown key was meant to be, as far as can be told."""
    key, around = str(trail[-1]), trail[:-1]
    known = _keys(around, data)
    if tail := near(key, known):
        return tail
    if len(around) == 2 and around[0] == "engines" and key in _options_of(_value(data, around)):
        return f"; did you mean options: {{{key}: ..}}?"
    if key in LimitsSheet.model_fields and "limits" in known:
        return f"; did you mean limits: {{{key}: ..}}?"
    return suggestion(key, sorted(known))


def _options_of(entry: Any) -> list[str]:
    """The options of the engine that an entry names, if there is one."""
    from arena.engine.registry import find

    try:
        return list(find(entry["engine"]).engine.options)
    except Exception:  # this is only for a hint; what is wrong with the engine is told elsewhere
        return []


def _keys(trail: Trail, data: Any) -> list[str]:
    model = _model_at(trail, data)
    return list(model.model_fields) if model else []


def _model_at(trail: Trail, data: Any) -> type[Part] | None:
    """What is expected at a place of the file, if it is a mapping with keys of its own."""
    match trail:
        case ():
            return Sheet
        case ("game",):
            return GameSheet
        case ("openings",):
            return OpeningsSheet
        case ("openings", "balanced"):
            return BalancedSheet
        case ("limits",) | ("engines", _, "limits"):
            return LimitsSheet
        case ("engines", _):
            return EngineSheet
        case ("adjudication",):
            return Adjudication
        case ("stop",):
            return StopSheet
        case ("stop", "sprt"):
            return SprtSheet
        case ("format",):
            kind = _value(data, ("format", "kind"))
            return FORMATS.get(kind) if isinstance(kind, str) else None
    return None


def _mapping_at(trail: Trail) -> str:
    model = _model_at(trail, {})
    return MAPPINGS.get(model, "a mapping") if model else "a mapping"


def _value(data: Any, trail: Trail) -> Any:
    """What stands at a place; nothing where there is nothing."""
    for step in trail:
        if isinstance(data, Mapping):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
    return data


def _without(trails: set[Trail], data: Mapping[Any, Any]) -> tuple[dict[Any, Any], list[int]]:
    """The data without the parts in which something is wrong, and which engines are left."""
    wrong = {trail[0] for trail in trails}
    left = {key: value for key, value in data.items() if key not in wrong}
    if isinstance(data.get("stop"), Mapping) and ("stop",) not in trails:
        gone = {trail[1] for trail in trails if trail[0] == "stop"}
        left["stop"] = {key: value for key, value in data["stop"].items() if key not in gone}
    engines = data.get("engines")
    if not isinstance(engines, list):
        return {**left, "engines": []}, []
    kept = {n: _entry_without(n, entry, trails) for n, entry in enumerate(engines)}
    kept = {n: entry for n, entry in kept.items() if entry is not None}
    return {**left, "engines": list(kept.values())}, list(kept)


def _entry_without(number: int, entry: Any, trails: set[Trail]) -> Any:
    """An engine's entry without its wrong keys; None if not even the engine is known."""
    at = ("engines", number)
    if at in trails or (*at, "engine") in trails:
        return None
    if not isinstance(entry, Mapping):
        return entry
    gone = {trail[2] for trail in trails if trail[:2] == at and len(trail) > 2}
    return {key: value for key, value in entry.items() if key not in gone}
