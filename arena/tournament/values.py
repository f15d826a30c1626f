"""The kinds of values in a tournament file, and the base of all its parts."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from annotated_types import Ge, GroupedMetadata, Gt, Le, Lt
from pydantic import (
    AfterValidator,
    AllowInfNan,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    GetCoreSchemaHandler,
    Strict,
    StringConstraints,
    Tag,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError, core_schema

from arena.engine.limits import DURATION, MAX_COUNT, MAX_SECONDS, read_duration
from arena.tournament.mistakes import described

MANY = 1_000_000
MAX_NAME = 60


def invalid(sentence: str) -> PydanticCustomError:
    """An error with a sentence of its own."""
    return PydanticCustomError("invalid", "{sentence}", {"sentence": sentence})


def misfit(value: Any, expected: str, hint: str = "") -> PydanticCustomError:
    """An error that says what was found and what was expected."""
    return invalid(f"found {described(value)}; expected {expected}{hint}")


def number_hint(value: Any) -> str:
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
class Whole(GroupedMetadata):
    """Annotates a whole number from one bound to another; 1e4 is one too."""

    least: int
    most: int

    def __iter__(self) -> Iterator[object]:
        return iter((Strict(), Ge(self.least), Le(self.most), BeforeValidator(integral)))


@dataclass(frozen=True)
class Real(GroupedMetadata):
    """Annotates a number between two bounds; `is_open` leaves these out."""

    least: float
    most: float
    is_open: bool = False

    def __iter__(self) -> Iterator[object]:
        yield from (Strict(), AllowInfNan(False))
        yield Gt(self.least) if self.is_open else Ge(self.least)
        yield Lt(self.most) if self.is_open else Le(self.most)


@dataclass(frozen=True)
class Text(GroupedMetadata):
    """Annotates some text in one line that is not empty; spaces around it do not count."""

    longest: int = 1000
    forbidden: str = ""  # characters

    def __iter__(self) -> Iterator[object]:
        yield Strict()
        yield StringConstraints(strip_whitespace=True, min_length=1, max_length=self.longest)
        yield AfterValidator(self._check)

    def _check(self, text: str) -> str:
        for character in text:
            if character in self.forbidden or not character.isprintable():
                others = (
                    f" in a name, nor any of {' '.join(self.forbidden)}" if self.forbidden else ""
                )
                raise invalid(f"{character!r} is not allowed{others}")
        if self.forbidden and text.startswith("."):
            raise invalid("must not begin with a dot")
        return text


@dataclass(frozen=True)
class Written:
    """Annotates a value that a file has as another type, from which a validator makes it."""

    written: Any

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return handler.generate_schema(self.written)


Flag = Annotated[bool, Strict()]
Count = Annotated[int, Whole(1, MAX_COUNT)]
Name = Annotated[str, Text(MAX_NAME)]
TITLE = Text(MAX_NAME, forbidden='/\\:*?"<>|')  # of a tournament: the name of a folder too

_NAME = {"type": "string", "minLength": 1}
Names = Annotated[
    tuple[Annotated[str, Text()], ...],
    Field(min_length=1),
    BeforeValidator(lambda names: (names,) if isinstance(names, str) else names),
    WithJsonSchema({"anyOf": [_NAME, {"type": "array", "items": _NAME, "minItems": 1}]}),
]


def _read_time(value: Any) -> Any:
    seconds = read_duration(value) if isinstance(value, str) else value
    if not is_number(seconds):
        raise misfit(value, 'a number of seconds, or a time such as "500ms", "10m" or "1h 30m"')
    return seconds


def _time_schema(lower: str) -> WithJsonSchema:
    number = {"type": "number", lower: 0, "maximum": int(MAX_SECONDS)}
    return WithJsonSchema(
        {"anyOf": [number, {"type": "string", "pattern": rf"^\s*{DURATION.pattern}$"}]}
    )


_SECONDS = BeforeValidator(_read_time)
Time = Annotated[float, Gt(0), Le(int(MAX_SECONDS)), _SECONDS, _time_schema("exclusiveMinimum")]
TimeOrNone = Annotated[float, Ge(0), Le(int(MAX_SECONDS)), _SECONDS, _time_schema("minimum")]

FORMS = ONE, SEVERAL = "one", "several"
T = TypeVar("T")
Several = Annotated[
    Annotated[T, Tag(ONE)] | Annotated[list[T], Field(min_length=1), Tag(SEVERAL)],
    Discriminator(lambda value: SEVERAL if isinstance(value, list) else ONE),
]


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
