"""From the data of a file to its model: every mistake at once, in the words of the file.

A model names its fields in the order in which they depend on each other. A validator that compares
a field with earlier ones finds those that are correct in `info.data`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeVar, get_args

import yaml
from pydantic import (
    BaseModel,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

from arena.bots.find import find, is_ours
from arena.engine.limits import LIMITS
from arena.errors import suggestion
from arena.tournament.mistakes import (
    MAX_MISTAKES,
    Mistake,
    Trail,
    described,
    excerpt,
    in_order,
    near,
)
from arena.tournament.values import FORMS, integral, number_hint
from arena.tournament.yaml import Document

File = TypeVar("File", bound=BaseModel)

UNKNOWN_KEY = ("extra_forbidden", "invalid_key")
EXPECTED = {  # by the type of pydantic's error
    "int_type": "a whole number",
    "float_type": "a number",
    "finite_number": "a number",
    "greater_than": "more than {gt}",
    "greater_than_equal": "at least {ge}",
    "less_than": "less than {lt}",
    "less_than_equal": "at most {le}",
    "bool_type": "true or false",
    "string_type": "text",
    "string_too_short": "some text",
    "list_type": "a list",
    "tuple_type": "a list",
    "too_short": "a list of {min_length} or more",
    "too_long": "a list of {max_length} at most",
    "dict_type": "a mapping",
}
WITH_EXAMPLE = ("string_type", "string_too_short", "list_type", "tuple_type", "dict_type")
FLAGS = {
    **dict.fromkeys(("yes", "on", "y", "true"), "true"),
    **dict.fromkeys(("no", "off", "n", "false"), "false"),
}


@dataclass
class Reading:
    """What validators know of the file around them; pydantic hands it on as `info.context`."""

    document: Document
    skip_missing: bool = False  # whether engines that are not installed are left out
    at_end: Comparison | None = None
    mistakes: list[Mistake] = field(default_factory=list)  # in other files


class Faults:
    """Mistakes that are found one after the other and raised together."""

    def __init__(self) -> None:
        self._errors: list[InitErrorDetails] = []

    def add(self, at: Trail, sentence: str, is_key: bool = False) -> None:
        """Note a mistake at a place of the file, or at the key there."""
        context = {"sentence": sentence, "at": at, "is_key": is_key}
        error = PydanticCustomError("invalid", "{sentence}", context)
        self._append({"type": error, "input": None})

    def include(self, error: ValidationError, *at: str | int, skip: int = 0) -> None:
        """Note all mistakes of a part, which stands at this place of the field."""
        for each in error.errors(include_url=False):
            kind, context = each["type"], each.get("ctx", {})
            own = PydanticCustomError("invalid", "{sentence}", context)
            self._append({
                "type": own if kind == "invalid" else kind,
                "loc": (*at, *each["loc"][skip:]), "input": each["input"], "ctx": context,
            })  # fmt: skip

    def _append(self, error: InitErrorDetails) -> None:
        self._errors.append(error)
        if len(self._errors) >= MAX_MISTAKES:
            self.check()

    def error(self) -> ValidationError:
        """All of them."""
        return ValidationError.from_exception_data("file", self._errors)

    def check(self) -> None:
        """Raise all of them, if there are any."""
        if self._errors:
            raise self.error()


def refuse_at(at: Trail, sentence: str, is_key: bool = False) -> NoReturn:
    """Raise a single mistake at a place of the file."""
    faults = Faults()
    faults.add(at, sentence, is_key)
    raise faults.error()


Comparison = Callable[[Mapping[str, Any], Faults], None]


def _compare_at_end(value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
    """Validate the last key of a file, then compare all keys that are correct."""
    if info.context is None:
        return handler(value)
    data, faults = dict(info.data), Faults()
    try:
        value = data[str(info.field_name)] = handler(value)
    except ValidationError as error:
        faults.include(error)
    info.context.at_end(data, faults)
    faults.check()
    return value


AT_END = WrapValidator(_compare_at_end)


def check(
    document: Document,
    model: type[File],
    skip_missing: bool = False,
    foreign: Mapping[str, str] | None = None,
    at_end: Comparison | None = None,
) -> File:
    """Read a file as a model; `BadSpec` holds all its mistakes.

    `foreign` keys belong to other files of the kind, and have a sentence each. A key that is
    annotated with `AT_END` calls `at_end`.
    """
    reading = Reading(document, skip_missing, at_end)
    mistakes = list(document.mistakes)
    try:
        file = model.model_validate(document.data, context=reading)
    except ValidationError as error:
        errors = error.errors(include_url=False)
        mistakes += _Explained(document, model, errors, foreign or {}).mistakes()
    mistakes += reading.mistakes
    if mistakes:
        raise in_order(mistakes, document.path)
    return file


@dataclass
class _Explained:
    """The errors of pydantic in a file, in the words of the file."""

    document: Document
    model: type[BaseModel]
    errors: list[ErrorDetails]
    foreign: Mapping[str, str]

    def mistakes(self) -> Iterator[Mistake]:
        """The first mistake at each place, and all that validators note; at most a hundred."""
        places: set[Trail] = set()
        for error in self.errors[:MAX_MISTAKES]:
            context, trail = error.get("ctx", {}), self._trail(error)
            is_key = self._is_about_key(error)
            is_told = "at" not in context and trail in places
            if error["type"] == "too_short" and len(error["input"]) >= context["min_length"]:
                is_told = True  # by the mistakes inside the list
            places.add(trail)
            if is_told or self._is_unread(trail, is_key) or self._is_misspelt(error):
                continue
            sentence = self.foreign.get(str(error["loc"][0])) if error["loc"] else None
            if not sentence or len(trail) > 1 or not is_key:
                sentence = self._sentence(error)
            yield self.document.mistake(trail, sentence, is_key)

    def _trail(self, error: ErrorDetails) -> Trail:
        """Where in the file an error lies, without the names that pydantic gives to choices."""
        context, kind = error.get("ctx", {}), error["type"]
        is_key, values = self._is_about_key(error), self.document.values
        steps = list(context.get("at", error["loc"]))
        if "at" not in context:
            if steps[0] == "format":
                del steps[1:2]  # the kind of format
            if kind == "union_tag_invalid" and ("format", "kind") in values:
                steps.append("kind")
            key = steps.pop() if is_key else None
            steps = [step for step in steps if step not in FORMS] + ([key] if is_key else [])
        while tuple(steps) not in values and tuple(steps[:-1]) in values and not is_key:
            if "at" in context and isinstance(steps[-1], str):
                break
            steps.pop()  # a single value in place of a list, or of a mapping
        return tuple(steps)

    def _is_about_key(self, error: ErrorDetails) -> bool:
        own = error.get("ctx", {}).get("is_key", False)
        return bool(own) or error["type"] in (*UNKNOWN_KEY, "missing")

    def _is_unread(self, trail: Trail, is_key: bool) -> bool:
        """Whether the text of the file itself is wrong there."""
        around = range(1, len(trail) + (0 if is_key else 1))
        return any(trail[:size] in self.document.unread for size in around)

    def _is_misspelt(self, error: ErrorDetails) -> bool:
        """Whether an unknown key beside it is taken for this missing one."""
        *around, key = error["loc"] or ("",)
        return error["type"] == "missing" and any(
            near(other["loc"][-1], [str(key)])
            for other in self.errors[:MAX_MISTAKES]
            if other["type"] in UNKNOWN_KEY and [*other["loc"][:-1]] == around
        )

    def _sentence(self, error: ErrorDetails) -> str:
        """What pydantic objects to."""
        loc, value, context = error["loc"], error["input"], error.get("ctx", {})
        match error["type"]:
            case "invalid":
                return str(context["sentence"])
            case kind if kind in UNKNOWN_KEY:
                return f"unknown key{self._meant(loc)}"
            case "missing":
                return f"is missing{self._example(loc)}"
            case "string_too_long":
                return f"has {len(value)} characters; expected at most {context['max_length']}"
            case "union_tag_not_found" | "union_tag_invalid" | "model_attributes_type":
                kinds = [str(each.model_fields["kind"].default) for each in self._models(loc)]
                found = value.get("kind") if isinstance(value, Mapping) else value
                hint = near(found, kinds) if isinstance(found, str) else ""
                what = "kind is missing" if found is None else f"found {described(found)}"
                return f"{what}; expected one of {', '.join(kinds)}{hint}"
            case "literal_error":
                choices = context["expected"].replace("'", "").replace(" or ", ", ")
                expected = f"one of {choices}" if "," in choices else choices
                hint = near(value, choices.split(", ")) if value else ""
                return f"found {described(value)}; expected {expected}{hint}"
        bounds = {key: integral(bound) for key, bound in context.items()}
        expected = EXPECTED.get(error["type"], error["msg"]).format(**bounds)
        return f"found {described(value)}; expected {expected}{self._hint(error)}"

    def _hint(self, error: ErrorDetails) -> str:
        """What a value was meant to be, as far as can be told."""
        kind, value = error["type"], error["input"]
        if kind in ("int_type", "float_type"):
            return number_hint(value)
        if kind == "bool_type" and isinstance(value, str) and value.lower() in FLAGS:
            return f"; did you mean {FLAGS[value.lower()]}?"
        if kind == "string_type" and type(value) in (int, float):
            return "; put it in quotes"
        if kind == "list_type" and isinstance(value, str) and value.startswith("-"):
            return "; put a space after each -"
        return self._example(error["loc"]) if kind in WITH_EXAMPLE else ""

    def _models(self, loc: Trail) -> list[type[BaseModel]]:
        """The parts that may stand at a place, which pydantic names."""
        models = [self.model]
        for step in loc:
            fields = [key for each in models for name, key in _keys(each) if name == step]
            kinds = [each for each in models if _kind(each) == step]
            if kinds:
                models = kinds
            elif fields:
                models = [part for key in fields for part in _parts(key)]
        return models

    def _example(self, loc: Trail) -> str:
        """How a key is written."""
        names = [step for step in loc if isinstance(step, str)]
        for model in self._models(loc[:-1]):
            for name, key in _keys(model):
                if name == names[-1] and key.examples:
                    text = yaml.safe_dump(
                        {name: key.examples[0]}, default_flow_style=True, width=1000
                    )
                    return f"; example: {text.strip()[1:-1]}"
        return ""

    def _meant(self, loc: Trail) -> str:
        """What an unknown key was meant to be, as far as can be told."""
        key = str(loc[-1])
        keys = [name for model in self._models(loc[:-1]) for name, _ in _keys(model)]
        if "options" in keys and key in self._options(loc[:-1]):
            return f"; did you mean options: {{{key}: ..}}?"
        if key in LIMITS and "limits" in keys:
            return f"; did you mean limits: {{{key}: ..}}?"
        return suggestion(excerpt(key), sorted({*keys}))

    def _options(self, loc: Trail) -> list[str]:
        """The options of the bundled engine that an entry names: a hint loads no foreign code."""
        data: Any = self.document.data
        try:
            for step in loc:
                data = data[step]
            return list(find(data["engine"]).engine.options) if is_ours(data["engine"]) else []
        except Exception:  # the engine itself may be wrong, which is another mistake
            return []


def _keys(model: type[BaseModel]) -> Iterator[tuple[str, FieldInfo]]:
    for name, key in model.model_fields.items():
        yield key.alias or name, key


def _kind(model: type[BaseModel]) -> Any:
    kind = model.model_fields.get("kind")
    return None if kind is None else kind.default


def _parts(key: Any) -> Iterator[type[BaseModel]]:
    """The parts that a key, or a type, is made of."""
    if isinstance(key, type) and issubclass(key, BaseModel):
        yield key
    inside = (key.annotation, *key.metadata) if isinstance(key, FieldInfo) else get_args(key)
    for inner in inside:
        yield from _parts(getattr(inner, "written", inner))
