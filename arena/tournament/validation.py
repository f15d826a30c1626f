"""From the data of a file to its model: every part for itself, and words for what is wrong.

A part that is wrong is left out and the rest goes on, so that all mistakes are found in one go.
What is expected at a place is read from the schema of the model, where its bounds stand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from arena.bots.find import find, is_ours
from arena.errors import suggestion
from arena.tournament.expectations import LARGE, Expectations, value_at
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

UNKNOWN_KEY = ("extra_forbidden", "unexpected_keyword_argument", "invalid_key")
PARTS_OF_MANY = ("engines", "stop", "measure", "figures", "expect", "published")
OUT_OF_BOUNDS = ("greater_than", "greater_than_equal", "less_than", "less_than_equal")


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
    translation = _Translation(Expectations(model, foreign or {}), errors, draft)
    for trail in errors:
        translation.add(trail)
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


@dataclass(frozen=True)
class _Translation:
    """Turns what pydantic objects to into mistakes of a draft."""

    expectations: Expectations
    errors: Mapping[Trail, ErrorDetails]
    draft: Draft[Any]

    @property
    def data(self) -> Any:
        """What stands in the file."""
        return self.draft.document.data

    def add(self, trail: Trail) -> None:
        """Add the mistake that an error stands for."""
        error, wrong = self.errors[trail], self.draft.wrong
        node, value = self.expectations.node(trail, self.data), value_at(self.data, trail)
        start, expected = f"found {described(value)}; expected", self.expectations.expected(node)
        match error["type"]:
            case "objection":
                wrong(trail, error["ctx"]["sentence"])
            case kind if kind in UNKNOWN_KEY:
                foreign = self.expectations.foreign.get(str(trail[-1])) if len(trail) == 1 else ""
                wrong(trail, foreign or f"unknown key{self._meant(trail)}", key=True)
            case "missing":
                if not self._is_misspelt(trail):
                    missing = self.expectations.word("missing", node)
                    wrong(trail, f"is missing; expected {missing}", key=True)
                else:
                    self.draft.broken.add(str(trail[0]))
            case "union_tag_not_found":
                example = "as in format: {kind: swiss, rounds: 5}"
                wrong(trail, f"kind is missing; expected {expected}, {example}")
            case "union_tag_invalid":
                hint = near(value, FORMATS) if isinstance(value, str) else ""
                wrong(trail, f"{start} one of {', '.join(FORMATS)}{hint}")
            case "string_too_long":
                most = error["ctx"]["max_length"]
                wrong(trail, f"has {len(value.strip())} characters; expected at most {most}")
            case "too_short":
                wrong(trail, f"{start} {expected}, or several")
            case "value_error" if str(error["ctx"]["error"]):
                wrong(trail, f"{start} {error['ctx']['error']}")
            case kind if kind in OUT_OF_BOUNDS:
                most = error["ctx"].get("le", 0)
                at_most = self.expectations.word("at_most", node)
                at_most = at_most or (f"at most {most}" if most > LARGE else "")
                is_too_much = kind == "less_than_equal" and at_most
                wrong(trail, f"{start} {at_most if is_too_much else expected}")
            case _:
                wrong(trail, f"{start} {expected}{self.expectations.hint(node, value)}")

    def _is_misspelt(self, trail: Trail) -> bool:
        """Whether an unknown key beside it is taken for this missing one."""
        unknown = [other for other, error in self.errors.items() if error["type"] in UNKNOWN_KEY]
        beside = [str(other[-1]) for other in unknown if other[:-1] == trail[:-1]]
        keys = self.expectations.keys(trail[:-1], self.data)
        return any(f"{trail[-1]!r}" in near(key, keys) for key in beside[:MOST_MISTAKES])

    def _meant(self, trail: Trail) -> str:
        """What an unknown key was meant to be, as far as can be told."""
        key, around = str(trail[-1]), trail[:-1]
        keys = self.expectations.keys(around, self.data)
        if "options" in keys and key in _options_of(value_at(self.data, around)):
            return f"; did you mean options: {{{key}: ..}}?"
        if key in LimitsEntry.model_fields and "limits" in keys:
            return f"; did you mean limits: {{{key}: ..}}?"
        return suggestion(key, sorted(keys))


def _options_of(entry: Any) -> list[str]:
    """The options of the bundled engine that an entry names: a hint loads no foreign code."""
    try:
        name = entry["engine"]
        return list(find(name).engine.options) if is_ours(name) else []
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
