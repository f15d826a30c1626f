"""The kinds of values in a tournament file: what pydantic accepts, and what it says otherwise."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    Tag,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError, core_schema

from arena.engine.limits import DURATION, MAX_COUNT, MAX_SECONDS, read_duration
from arena.game.rules import MAX_CELLS
from arena.tournament.mistakes import described, near

MANY = 1_000_000
LARGE = 10**9  # a bound that only who exceeds it wants to read
LONGEST_NAME = 60
FLAGS = {
    **dict.fromkeys(("yes", "on", "y", "true"), "true"),
    **dict.fromkeys(("no", "off", "n", "false"), "false"),
}
VALUES = ("draw", "first", "second")  # of an opening with best play


def objection(sentence: str) -> PydanticCustomError:
    """An error with a sentence of its own."""
    return PydanticCustomError("objection", "{sentence}", {"sentence": sentence})


def misfit(value: Any, expected: str, hint: str = "") -> PydanticCustomError:
    """An error that says what was found and what was expected."""
    return objection(f"found {described(value)}; expected {expected}{hint}")


def _number_hint(value: Any) -> str:
    """A number in quotes, or with marks between its digits, was perhaps meant as one."""
    bare = value.strip().replace("_", "").replace(",", "") if isinstance(value, str) else ""
    is_number = re.fullmatch(r"[-+]?[0-9]+(\.[0-9]+)?", bare)
    return f"; did you mean {bare}, without quotes or marks?" if is_number else ""


def integral(value: Any) -> Any:
    """A number such as 1e4, which YAML reads as a float, as the whole number it is."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def is_number(value: Any) -> bool:
    """Check for a finite number; true and false are none."""
    return type(value) is int or (type(value) is float and math.isfinite(value))


@dataclass(frozen=True)
class Whole:
    """Annotates a whole number from one bound to another; 1e4 is one too."""

    least: int
    most: int

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        number = core_schema.int_schema(strict=True, ge=self.least, le=self.most)
        return core_schema.no_info_before_validator_function(self._read, number)

    def _read(self, value: Any) -> int:
        number = integral(value)
        if type(number) is int and self.least <= number <= self.most:
            return number
        if type(number) is int and number > self.most > LARGE:
            raise misfit(value, f"at most {self.most}")
        bounds = f"from {self.least} to {self.most}"
        bounds = f"of at least {self.least}" if self.most > LARGE else bounds
        raise misfit(value, f"a whole number {bounds}", _number_hint(value))


@dataclass(frozen=True)
class Real:
    """Annotates a number between two bounds; `is_open` leaves these out."""

    least: float
    most: float
    is_open: bool = False

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        number = (
            core_schema.float_schema(gt=self.least, lt=self.most)
            if self.is_open
            else core_schema.float_schema(ge=self.least, le=self.most)
        )
        return core_schema.no_info_before_validator_function(self._read, number)

    def _read(self, value: Any) -> float:
        is_inside = is_number(value) and self.least <= value <= self.most
        if is_inside and not (self.is_open and value in (self.least, self.most)):
            return float(value)
        words = f"from {self.least:g} to {self.most:g}"
        words = f"above {self.least:g} and below {self.most:g}" if self.is_open else words
        raise misfit(value, f"a number {words}", _number_hint(value))


def _read_flag(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    meant = FLAGS.get(str(value).lower()) if isinstance(value, str) else None
    raise misfit(value, "true or false", f"; did you mean {meant}?" if meant else "")


Flag = Annotated[bool, BeforeValidator(_read_flag)]
Count = Annotated[int, Whole(1, MAX_COUNT)]


@dataclass(frozen=True)
class Text:
    """Annotates some text that is not empty; spaces around it do not count."""

    expected: str
    longest: int = 1000
    is_title: bool = False  # whether it is the name of a directory as well

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        text = core_schema.str_schema(min_length=1, max_length=self.longest)
        return core_schema.no_info_before_validator_function(self._read, text)

    def _read(self, value: Any) -> str:
        text = value.strip() if isinstance(value, str) else ""
        if not text:
            raise misfit(value, self.expected, "; put it in quotes" if is_number(value) else "")
        if len(text) > self.longest:
            raise objection(f"has {len(text)} characters; expected at most {self.longest}")
        forbidden = '/\\:*?"<>|' if self.is_title else ""
        for character in text:
            if character in forbidden or not character.isprintable():
                raise objection(f"{character!r} is not allowed; expected {self.expected}")
        if self.is_title and text.startswith("."):
            raise objection(f"begins with a dot; expected {self.expected}")
        return text


Name = Annotated[str, Text("a name", LONGEST_NAME)]
TITLE = Text('a name without any of / \\ : * ? " < > |', LONGEST_NAME, is_title=True)


@dataclass(frozen=True)
class Names:
    """Annotates the names of players: one, or a list of several."""

    expected: str = "the name of an engine of this file"

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        name = handler.generate_schema(Annotated[str, Text(self.expected)])
        names = core_schema.tuple_variable_schema(name)
        return core_schema.no_info_before_validator_function(self._read, names)

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        names = handler(schema)
        return {"anyOf": [names["items"], {**names, "minItems": 1}]}

    def _read(self, value: Any) -> Any:
        names = [value] if isinstance(value, str) else value
        if not isinstance(names, list | tuple) or not names:
            raise misfit(value, f"{self.expected}, or several")
        return names


@dataclass(frozen=True)
class Seconds:
    """Annotates a time: a number of seconds, or a text with units."""

    may_be_zero: bool = False

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.no_info_before_validator_function(self._read, core_schema.float_schema())

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        lower = "minimum" if self.may_be_zero else "exclusiveMinimum"
        number = {"type": "number", lower: 0, "maximum": int(MAX_SECONDS)}
        return {"anyOf": [number, {"type": "string", "pattern": rf"^\s*{DURATION.pattern}$"}]}

    def _read(self, value: Any) -> float:
        seconds: Any = read_duration(value) if isinstance(value, str) else value
        if is_number(seconds) and (seconds > 0 or (seconds == 0 and self.may_be_zero)):
            if seconds > MAX_SECONDS:
                raise misfit(value, f"at most {MAX_SECONDS:.0f} seconds")
            return float(seconds)
        least = "not below 0" if self.may_be_zero else "above 0"
        examples = '"500ms", "10m" or "1h 30m"'
        raise misfit(value, f"a number of seconds {least}, or a time such as {examples}")


Time = Annotated[float, Seconds()]
TimeOrNone = Annotated[float, Seconds(may_be_zero=True)]

FORMS = ONE, SEVERAL = "one", "several"


def _form(value: Any) -> str:
    return SEVERAL if isinstance(value, list) else ONE


def _some(values: list[Any]) -> list[Any]:
    if not values:
        raise misfit(values, "one value, or several")
    return values


T = TypeVar("T")
Several = Annotated[
    Annotated[T, Tag(ONE)] | Annotated[list[T], AfterValidator(_some), Tag(SEVERAL)],
    Discriminator(_form),
]


def _read_value(value: Any) -> Any:
    if isinstance(value, str) and value in VALUES:
        return value
    scores = value if isinstance(value, list) and len(value) == 2 else [value]
    if any(type(score) is not int or abs(score) > MAX_CELLS for score in scores):
        words = "draw, first, second, a score such as 2, or a range of scores such as [-2, 2]"
        raise misfit(value, words, near(value, VALUES) if isinstance(value, str) else "")
    if scores[0] > scores[-1]:
        raise objection(f"found [{scores[0]}, {scores[1]}]; expected the lower score first")
    return value


_SCORE = {"type": "integer", "minimum": -MAX_CELLS, "maximum": MAX_CELLS}
_VALUE = {
    "anyOf": [
        {"type": "string", "enum": list(VALUES)},
        _SCORE,
        {"type": "array", "items": _SCORE, "minItems": 2, "maxItems": 2},
    ]
}
Value = Annotated[str | int | list[int], BeforeValidator(_read_value), WithJsonSchema(_VALUE)]


def optional(description: str, *examples: Any) -> Any:
    """A key of a part that may be left out."""
    return Field(default=None, description=description, examples=list(examples) or None)


def in_words(expected: str, short: dict[str, Any] | None = None) -> ConfigDict:
    """What is expected in place of a part, and its short form in terms of JSON Schema, if any."""
    words = {"expected": expected, "short": short or {}}
    return ConfigDict(json_schema_extra=words)  # type: ignore[typeddict-item]


class Part(BaseModel):
    """A part of a tournament: it never changes, and knows no keys but its own."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _is_mapping(cls, value: Any) -> Any:
        """Refuse anything else, in the words of the part."""
        if isinstance(value, dict | cls):
            return value
        words = cls.model_config.get("json_schema_extra")
        raise misfit(value, str(words["expected"]) if isinstance(words, dict) else "a mapping")
