"""From the data of a file to its model: every part for itself, and words for what is wrong.

A part that is wrong is left out and the rest goes on, so that all mistakes are found in one go.
What is expected at a place is read from the schema of the model, where its bounds stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from arena.engine.registry import find
from arena.errors import suggestion
from arena.tournament.formats import FORMATS
from arena.tournament.spec.mistakes import (
    MOST_MISTAKES,
    BadSpec,
    Mistake,
    Trail,
    described,
    near,
    stop_if_many,
)
from arena.tournament.spec.model import TournamentFile
from arena.tournament.spec.parts import LimitsEntry
from arena.tournament.spec.values import FORMS
from arena.tournament.spec.yaml import Document

Schema = Mapping[str, Any]  # of a JSON Schema

UNKNOWN_KEY = ("extra_forbidden", "unexpected_keyword_argument", "invalid_key")
OUT_OF_BOUNDS = ("greater_than", "greater_than_equal", "less_than", "less_than_equal")
LARGE = 10**9  # a bound that only who exceeds it wants to read
FLAGS = {
    **dict.fromkeys(("yes", "on", "y", "true"), "true"),
    **dict.fromkeys(("no", "off", "n", "false"), "false"),
}


@dataclass
class Draft:
    """The parts of a file that are as they should be, and the names of those that are not."""

    document: Document
    file: TournamentFile
    numbers: list[int]  # the place in the file's list of each engine that is left
    mistakes: list[Mistake] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)

    def wrong(self, trail: Trail, sentence: str, key: bool = False) -> None:
        """Note a mistake, unless the file's text itself is wrong there."""
        around = len(trail) - 1 if key else len(trail)
        if not any(trail[: n + 1] in self.document.unread for n in range(around)):
            self.mistakes.append(self.document.mistake(trail, sentence, key))
            stop_if_many(self.mistakes)
        self.broken.add(str(trail[0]))

    def sound(self, *parts: str) -> bool:
        """Whether these parts of the file are free of mistakes."""
        return self.broken.isdisjoint(parts)


def validate(document: Document) -> Draft:
    """Check every part of a file for itself."""
    data = document.data
    draft = Draft(document, TournamentFile.model_construct(), [], list(document.mistakes))
    draft.broken = {str(trail[0]) for trail in document.unread}
    errors = _errors(data)
    for trail, error in errors.items():
        _translate(error, trail, errors, draft)
    broken = set(map(_part, errors))
    rest = {"engines": [], **_without(broken, data)}
    if errors and _errors(rest):
        raise BadSpec(draft.mistakes)
    draft.file = TournamentFile.model_validate(rest)
    engines = data["engines"] if rest["engines"] else []
    draft.numbers = [n for n in range(len(engines)) if ("engines", n) not in broken]
    return draft


def _errors(data: Mapping[Any, Any]) -> dict[Trail, ErrorDetails]:
    """What pydantic objects to, by its place in the file; the first objection to each counts."""
    errors: dict[Trail, ErrorDetails] = {}
    try:
        TournamentFile.model_validate(data)
    except ValidationError as error:
        for each in error.errors(include_url=False):
            errors.setdefault(_trail(each, data), each)
    return errors


def _trail(error: ErrorDetails, data: Mapping[Any, Any]) -> Trail:
    """Where in the file an error lies, without the names that pydantic gives to choices."""
    steps, kind = list(error["loc"]), error["type"]
    if steps[0] == "format":
        del steps[1:2]  # the kind of format
    if kind == "union_tag_invalid" and isinstance(data["format"], Mapping):
        steps.append("kind")
    keys = 1 if kind in (*UNKNOWN_KEY, "missing") else 0
    around = steps[: len(steps) - keys]
    return (*(step for step in around if step not in FORMS), *steps[len(around) :])


def _translate(
    error: ErrorDetails, trail: Trail, errors: Mapping[Trail, ErrorDetails], draft: Draft
) -> None:
    """Add the mistake that an error stands for."""
    data = draft.document.data
    node, value = _node(trail, data), _value(data, trail)
    start = f"found {described(value)}; expected"
    match error["type"]:
        case "objection":
            draft.wrong(trail, error["ctx"]["sentence"])
        case kind if kind in UNKNOWN_KEY:
            draft.wrong(trail, f"unknown key{_meant(trail, data)}", key=True)
        case "missing":
            if not _is_misspelt(trail, errors, data):
                draft.wrong(trail, f"is missing; expected {_word('missing', node)}", key=True)
        case "union_tag_not_found":
            example = "as in format: {kind: swiss, rounds: 5}"
            draft.wrong(trail, f"kind is missing; expected {_expected(node)}, {example}")
        case "union_tag_invalid":
            hint = near(value, FORMATS) if isinstance(value, str) else ""
            draft.wrong(trail, f"{start} one of {', '.join(FORMATS)}{hint}")
        case "string_too_long":
            most = error["ctx"]["max_length"]
            draft.wrong(trail, f"has {len(value.strip())} characters; expected at most {most}")
        case "too_short":
            draft.wrong(trail, f"{start} {_expected(node)}, or several")
        case "value_error" if str(error["ctx"]["error"]):
            draft.wrong(trail, f"{start} {error['ctx']['error']}")
        case kind if kind in OUT_OF_BOUNDS:
            most = error["ctx"].get("le", 0)
            at_most = _word("at_most", node) or (f"at most {most}" if most > LARGE else "")
            is_too_much = kind == "less_than_equal" and at_most
            draft.wrong(trail, f"{start} {at_most if is_too_much else _expected(node)}")
        case _:
            draft.wrong(trail, f"{start} {_expected(node)}{_hint(node, value)}")


def _is_misspelt(trail: Trail, errors: Mapping[Trail, ErrorDetails], data: Any) -> bool:
    """Whether an unknown key beside it is taken for this missing one."""
    unknown = [other for other, error in errors.items() if error["type"] in UNKNOWN_KEY]
    beside = [str(other[-1]) for other in unknown if other[:-1] == trail[:-1]]
    keys = _keys(trail[:-1], data)
    return any(f"{trail[-1]!r}" in near(key, keys) for key in beside[:MOST_MISTAKES])


def _meant(trail: Trail, data: Any) -> str:
    """What an unknown key was meant to be, as far as can be told."""
    key, around = str(trail[-1]), trail[:-1]
    keys = _keys(around, data)
    if tail := near(key, keys):
        return tail
    if len(around) == 2 and around[0] == "engines" and key in _options_of(_value(data, around)):
        return f"; did you mean options: {{{key}: ..}}?"
    if key in LimitsEntry.model_fields and "limits" in keys:
        return f"; did you mean limits: {{{key}: ..}}?"
    return suggestion(key, sorted(keys))


def _options_of(entry: Any) -> list[str]:
    """The options of the engine that an entry names, if there is one."""
    try:
        return list(find(entry["engine"]).engine.options)
    except Exception:  # this is only for a hint; what is wrong with the engine is told elsewhere
        return []


@cache
def _schema() -> Schema:
    return TournamentFile.model_json_schema()


def _choices(node: Schema) -> Iterator[Schema]:
    """A node of the schema and all that may stand for it."""
    yield node
    if "$ref" in node:
        yield from _choices(_schema()["$defs"][node["$ref"].rpartition("/")[2]])
    for choice in (*node.get("anyOf", ()), *node.get("oneOf", ())):
        yield from _choices(choice)


def _node(trail: Trail, data: Any) -> Schema:
    """What the schema says of a place in the file; nothing where no value is expected."""
    node = _schema()
    for step in trail:
        inside = [choice["items"] for choice in _choices(node) if "items" in choice]
        if not isinstance(step, int):
            inside = [keys[step] for keys in _properties(node, data) if step in keys]
        node = inside[0] if inside else {}
    return node


def _properties(node: Schema, data: Any) -> Iterator[Schema]:
    """The keys that may stand in a mapping; those of a format if its kind is known."""
    for choice in _choices(node):
        keys = choice.get("properties", {})
        if "kind" not in keys or keys["kind"]["const"] == _value(data, ("format", "kind")):
            yield keys


def _keys(trail: Trail, data: Any) -> list[str]:
    return [key for keys in _properties(_node(trail, data), data) for key in keys]


def _word(name: str, node: Schema) -> str:
    """Words that the model has for a place."""
    return next((str(choice[name]) for choice in _choices(node) if name in choice), "")


def _expected(node: Schema) -> str:
    """What is expected at a place: in the words of the model, or from its bounds."""
    if words := _word("expected", node):
        return words
    for choice in _choices(node):
        match choice.get("type"):
            case "integer" if choice["maximum"] > LARGE:
                return f"a whole number of at least {choice['minimum']}"
            case "integer":
                return f"a whole number from {choice['minimum']} to {choice['maximum']}"
            case "number":
                low, high = choice["exclusiveMinimum"], choice["exclusiveMaximum"]
                return f"a number above {low:g} and below {high:g}"
            case "boolean":
                return "true or false"
            case "string" if "enum" in choice:
                return f"one of {', '.join(choice['enum'])}"
    return "a mapping"


def _hint(node: Schema, value: Any) -> str:
    """What was perhaps meant by a value of another type."""
    types = {choice["type"] for choice in _choices(node) if "type" in choice} - {"null"}
    words = [word for choice in _choices(node) for word in choice.get("enum", ())]
    if types == {"boolean"}:
        meant = FLAGS.get(str(value).lower())
        return f"; did you mean {meant}?" if meant else ""
    is_text = types == {"string"} and not words
    if is_text and isinstance(value, int | float) and not isinstance(value, bool):
        return "; put it in quotes"
    if not isinstance(value, str):
        return ""
    bare = value.strip().replace("_", "").replace(",", "")
    is_number = re.fullmatch(r"[-+]?[0-9]+(\.[0-9]+)?", bare) is not None
    if is_number and types & {"integer", "number"} and not _word("expected", node):
        return f"; did you mean {bare}, without quotes or marks?"
    return near(value, words)


def _value(data: Any, trail: Trail) -> Any:
    """What stands at a place; what is around it where nothing does."""
    for step in trail:
        if isinstance(data, Mapping):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
    return data


def _part(trail: Trail) -> Trail:
    """What is left out for a mistake: a whole part, but of engines and stop rules a key alone."""
    if trail[0] == "engines" and trail[2:3] not in ((), ("engine",)):
        return trail[:3]
    return trail[:2] if trail[0] in ("engines", "stop") else trail[:1]


def _without(parts: Set[Trail], value: Any, at: Trail = ()) -> Any:
    """The data without these parts."""
    if isinstance(value, list):
        items = enumerate(value)
        return [_without(parts, item, (*at, n)) for n, item in items if (*at, n) not in parts]
    if not isinstance(value, Mapping):
        return value
    items_ = value.items()
    return {k: _without(parts, item, (*at, k)) for k, item in items_ if (*at, k) not in parts}
