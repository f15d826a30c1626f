"""The kinds of values in a tournament file, as pydantic checks and describes them.

Where its bounds do not tell what is expected of a value, the words for that stand in its schema:
`expected`, `at_most` for what is too much, and `missing` for a key that is not there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import (
    AllowInfNan,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    Strict,
    Tag,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError, core_schema

from arena.engine.limits import MAX_COUNT, MAX_SECONDS
from arena.game.rules import MAX_CELLS

MANY = 1_000_000
LONGEST_NAME = 60
UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
DURATION = re.compile(r"(?:[0-9]+(?:\.[0-9]+)?\s*(?:ms|min|s|m|h)\s*)+")
VALUES = ("draw", "first", "second")  # of an opening with best play


def objection(sentence: str) -> PydanticCustomError:
    """An error with a sentence of its own; a bare `ValueError` says that more is expected."""
    return PydanticCustomError("objection", "{sentence}", {"sentence": sentence})


def integral(value: Any) -> Any:
    """A number such as 1e4, which YAML reads as a float, as the whole number it is."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Flag = Annotated[bool, Strict()]
Number = Annotated[float, Strict(), AllowInfNan(False)]


@dataclass(frozen=True)
class Whole:
    """Annotates a whole number from one bound to another; 1e4 is one too."""

    least: int
    most: int

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        number = core_schema.int_schema(strict=True, ge=self.least, le=self.most)
        return core_schema.no_info_before_validator_function(integral, number)


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
        text = core_schema.str_schema(
            strict=True, strip_whitespace=True, min_length=1, max_length=self.longest
        )
        return core_schema.no_info_after_validator_function(self._check, text)

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {**handler(schema), "expected": self.expected}

    def _check(self, text: str) -> str:
        forbidden = '/\\:*?"<>|' if self.is_title else ""
        for character in text:
            if character in forbidden or not character.isprintable():
                sentence = f"the character {character!r} cannot stand in it"
                raise objection(f"{sentence}; expected {self.expected}")
        if self.is_title and text.startswith("."):
            raise objection(f"begins with a dot; expected {self.expected}")
        return text


Name = Annotated[str, Text("a name", LONGEST_NAME)]


def read_duration(value: Any) -> Any:
    """A text with units as seconds; anything else as it is."""
    if not isinstance(value, str) or not DURATION.fullmatch(value.strip()):
        return value
    parts = re.findall(r"([0-9.]+)\s*(ms|min|s|m|h)", value)
    return sum(float(number) * UNITS[unit] for number, unit in parts)


def _duration_schema(lower: str, least: str) -> dict[str, Any]:
    number = {"type": "number", lower: 0, "maximum": int(MAX_SECONDS)}
    text = {"type": "string", "pattern": rf"^\s*{DURATION.pattern}$"}
    examples = '"500ms", "10m" or "1h 30m"'
    return {
        "anyOf": [number, text],
        "expected": f"a number of seconds {least}, or a time such as {examples}",
        "at_most": f"at most {MAX_SECONDS:.0f} seconds",
    }


_Seconds = Annotated[Number, Field(le=MAX_SECONDS), BeforeValidator(read_duration)]
Time = Annotated[
    _Seconds, Field(gt=0), WithJsonSchema(_duration_schema("exclusiveMinimum", "above 0"))
]
TimeOrNone = Annotated[
    _Seconds, Field(ge=0), WithJsonSchema(_duration_schema("minimum", "not below 0"))
]


FORMS = ONE, SEVERAL = "one", "several"


def _form(value: Any) -> str:
    return SEVERAL if isinstance(value, list) else ONE


T = TypeVar("T")
Several = Annotated[
    Annotated[T, Tag(ONE)] | Annotated[list[T], Field(min_length=1), Tag(SEVERAL)],
    Discriminator(_form),
]


def _read_value(value: Any) -> Any:
    if isinstance(value, str) and value in VALUES:
        return value
    scores = value if isinstance(value, list) and len(value) == 2 else [value]
    if any(type(score) is not int or abs(score) > MAX_CELLS for score in scores):
        raise ValueError
    if scores[0] > scores[-1]:
        raise objection(f"found [{scores[0]}, {scores[1]}]; expected the lower score first")
    return value


_SCORE = {"type": "integer", "minimum": -MAX_CELLS, "maximum": MAX_CELLS}
_VALUE = {
    "anyOf": [
        {"type": "string", "enum": list(VALUES)},
        _SCORE,
        {"type": "array", "items": _SCORE, "minItems": 2, "maxItems": 2},
    ],
    "expected": "draw, first, second, a score such as 2, or a range of scores such as [-2, 2]",
}
Value = Annotated[str | int | list[int], BeforeValidator(_read_value), WithJsonSchema(_VALUE)]


def optional(description: str, *examples: Any) -> Any:
    """A key of a part that may be left out."""
    return Field(default=None, description=description, examples=list(examples) or None)


def in_words(expected: str, short: dict[str, Any] | None = None) -> ConfigDict:
    """What is expected in place of a part, and its short form in terms of JSON Schema, if any."""
    words = {"expected": expected, "short": short or {}}
    return ConfigDict(extra="forbid", json_schema_extra=words)  # type: ignore[typeddict-item]


class Part(BaseModel):
    """A part of a tournament: it never changes, and knows no keys but its own."""

    model_config = ConfigDict(frozen=True, extra="forbid")
