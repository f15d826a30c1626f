"""From the data of a file to its model: every part for itself, and words for what is wrong.

A part that is wrong is left out and the rest goes on, so that all mistakes are found in one go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from arena.bots.find import find, is_ours
from arena.errors import suggestion
from arena.tournament.formats import FORMATS
from arena.tournament.mistakes import (
    MOST_MISTAKES,
    BadSpec,
    Mistake,
    Trail,
    described,
    near,
    stop_if_many,
)
from arena.tournament.parts import LimitsEntry
from arena.tournament.values import FORMS
from arena.tournament.yaml import Document

File = TypeVar("File", bound=BaseModel)
T = TypeVar("T")

UNKNOWN_KEY = ("extra_forbidden", "invalid_key")
PARTS_OF_MANY = ("engines", "stop", "measure", "figures", "expect", "published")


@dataclass
class Draft(Generic[File]):
    """The parts of a file that are as they should be, and the names of those that are not."""

    document: Document
    file: File
    mistakes: list[Mistake] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    left_out: set[Trail] = field(default_factory=set)  # what was wrong, and is not in the file
    skip_missing: bool = False  # whether engines that are not installed are left out

    def wrong(self, trail: Trail, sentence: str, key: bool = False) -> None:
        """Note a mistake, unless the file's text itself is wrong there."""
        values = self.document.values
        while isinstance(trail[-1], int) and trail not in values and trail[:-1] in values:
            trail = trail[:-1]  # of several where one needs no list
        around = len(trail) - 1 if key else len(trail)
        if not any(trail[: n + 1] in self.document.unread for n in range(around)):
            self.mistakes.append(self.document.mistake(trail, sentence, key))
            stop_if_many(self.mistakes)
        self.broken.add(str(trail[0]))

    def numbered(self, key: str, items: Sequence[T]) -> list[tuple[int, T]]:
        """The items of a list that are as they should be, each with its place in the file."""
        listed = self.document.data.get(key)
        places = range(len(listed)) if isinstance(listed, list) and items else ()
        sound = [place for place in places if (key, place) not in self.left_out]
        return list(zip(sound, items, strict=True))

    def sound(self, *parts: str) -> bool:
        """Whether these parts of the file are free of mistakes."""
        return self.broken.isdisjoint(parts)


def validate(
    document: Document,
    model: type[File],
    instead: Mapping[str, Any],
    foreign: Mapping[str, str] | None = None,
) -> Draft[File]:
    """Check every part of a file for itself.

    Keys that have to be there are read as `instead` where they are not; `foreign` keys belong to
    other files of the kind, and have a sentence each.
    """
    data = document.data
    draft = Draft(document, model.model_construct(), list(document.mistakes))
    draft.broken = {str(trail[0]) for trail in document.unread}
    errors = _errors(data, model)
    for trail, error in errors.items():
        if error["type"] == "missing" and _is_misspelt(trail, errors, model):
            draft.broken.add(str(trail[0]))
            continue
        is_key = error["type"] in (*UNKNOWN_KEY, "missing")
        is_foreign = len(trail) == 1 and trail[0] in (foreign or {}) and is_key
        sentence = (foreign or {})[str(trail[0])] if is_foreign else _explain(error, model, data)
        draft.wrong(trail, sentence, key=is_key)
    draft.left_out = set(map(_part, errors))
    rest = {**instead, **_without(draft.left_out, data)}
    if errors and _errors(rest, model):
        raise BadSpec(draft.mistakes)
    draft.file = model.model_validate(rest)
    return draft


def _errors(data: Mapping[Any, Any], model: type[BaseModel]) -> dict[Trail, ErrorDetails]:
    """What pydantic objects to, by its place in the file; the first objection to each counts."""
    errors: dict[Trail, ErrorDetails] = {}
    try:
        model.model_validate(data)
    except ValidationError as error:
        for each in error.errors(include_url=False):
            errors.setdefault(_trail(each, data), each)
    return errors


def _trail(error: ErrorDetails, data: Mapping[Any, Any]) -> Trail:
    """Where in the file an error lies, without the names that pydantic gives to choices."""
    steps, kind = list(error["loc"]), error["type"]
    if steps[:1] == ["format"]:
        del steps[1:2]  # the kind of format
    if kind == "union_tag_invalid" and isinstance(data["format"], Mapping):
        steps.append("kind")
    keys = 1 if kind in (*UNKNOWN_KEY, "missing") else 0
    around = steps[: len(steps) - keys]
    return (*(step for step in around if step not in FORMS), *steps[len(around) :])


def _explain(error: ErrorDetails, model: type[BaseModel], data: Any) -> str:
    """What pydantic objects to, in the words of the file."""
    loc, value, context = error["loc"], error["input"], error.get("ctx", {})
    start = f"found {described(value)}; expected"
    match error["type"]:
        case "objection":
            return str(context["sentence"])
        case kind if kind in UNKNOWN_KEY:
            return f"unknown key{_meant(error, model, data)}"
        case "missing":
            return f"is missing; expected {_words(loc, model)['missing']}"
        case "union_tag_not_found" if isinstance(value, Mapping):
            kinds = f"one of {', '.join(FORMATS)}"
            return f"kind is missing; expected {kinds}, as in format: {{kind: swiss, rounds: 5}}"
        case "union_tag_invalid" | "union_tag_not_found" | "model_attributes_type":
            found = value.get("kind") if isinstance(value, Mapping) else value
            hint = near(found, FORMATS) if isinstance(found, str) else ""
            return f"found {described(found)}; expected one of {', '.join(FORMATS)}{hint}"
        case "literal_error":
            choices = context["expected"].replace("'", "").replace(" or ", ", ")
            words = f"one of {choices}" if "," in choices else choices
            return f"{start} {words}{near(value, choices.split(', ')) if value else ''}"
    return f"{start} {_words(loc, model)['expected']}"


def _fields(loc: Trail, model: type[BaseModel]) -> dict[str, FieldInfo]:
    """The keys that may stand at a place, which pydantic names."""
    models = [model]
    for number, step in enumerate(loc):
        if number == 1 and loc[0] == "format" and step in FORMATS:
            models = [FORMATS[str(step)]]
            continue
        inside = [key.annotation for each in models for name, key in _keys(each) if name == step]
        if inside:
            models = [part for annotation in inside for part in _parts(annotation)]
    return {name: key for each in models for name, key in _keys(each)}


def _keys(model: type[BaseModel]) -> Iterator[tuple[str, FieldInfo]]:
    for name, key in model.model_fields.items():
        yield key.alias or name, key


def _parts(annotation: Any) -> Iterator[type[BaseModel]]:
    """The parts that a type is made of."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _parts(inner)


def _words(loc: Trail, model: type[BaseModel]) -> Any:
    """What a model says of one of its keys."""
    return _fields(loc[:-1], model)[str(loc[-1])].json_schema_extra


def _is_misspelt(
    trail: Trail, errors: Mapping[Trail, ErrorDetails], model: type[BaseModel]
) -> bool:
    """Whether an unknown key beside it is taken for this missing one."""
    beside = [
        str(other[-1])
        for other, error in errors.items()
        if error["type"] in UNKNOWN_KEY and other[:-1] == trail[:-1]
    ]
    keys = _fields(errors[trail]["loc"][:-1], model)
    return any(f"{trail[-1]!r}" in near(key, keys) for key in beside[:MOST_MISTAKES])


def _meant(error: ErrorDetails, model: type[BaseModel], data: Any) -> str:
    """What an unknown key was meant to be, as far as can be told."""
    loc = error["loc"]
    key, keys = str(loc[-1]), _fields(loc[:-1], model)
    if "options" in keys and key in _options_of(data, loc[:-1]):
        return f"; did you mean options: {{{key}: ..}}?"
    if key in LimitsEntry.model_fields and "limits" in keys:
        return f"; did you mean limits: {{{key}: ..}}?"
    return suggestion(key, sorted(keys))


def _options_of(data: Any, loc: Trail) -> list[str]:
    """The options of the bundled engine that an entry names: a hint loads no foreign code."""
    try:
        for step in loc:
            data = data[step]
        return list(find(data["engine"]).engine.options) if is_ours(data["engine"]) else []
    except Exception:  # what is wrong with the engine is told elsewhere
        return []


def _part(trail: Trail) -> Trail:
    """What is left out for a mistake: a whole part, but a key alone of parts that have many."""
    if trail[0] == "engines" and trail[2:3] not in ((), ("engine",)):
        return trail[:3]
    return trail[:2] if trail[0] in PARTS_OF_MANY else trail[:1]


def _without(parts: Set[Trail], value: Any, at: Trail = ()) -> Any:
    """The data without these parts."""
    if isinstance(value, list):
        items = enumerate(value)
        return [_without(parts, item, (*at, n)) for n, item in items if (*at, n) not in parts]
    if not isinstance(value, Mapping):
        return value
    items_ = value.items()
    return {k: _without(parts, item, (*at, k)) for k, item in items_ if (*at, k) not in parts}
