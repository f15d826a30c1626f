"""The kinds of values in a tournament file, each with the words that describe it.

They stand in annotations, `games: Annotated[int, Whole(1)]`, and serve twice: they check a value
for pydantic and describe it in the JSON Schema.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import PydanticCustomError, core_schema

from arena.engine.contract import MOST_SECONDS
from arena.game.rules import MAX_CELLS
from arena.tournament.spec_mistakes import near

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
DURATION = re.compile(r"(?:[0-9]+(?:\.[0-9]+)?\s*(?:ms|min|s|m|h)\s*)+")
LONGEST_NAME = 60
LONG = 10**9  # a bound that only who exceeds it wants to read


def refuse(expected: str, hint: str = "", at: tuple[str, ...] = ()) -> NoReturn:
    """Say that something else is expected, of this value or of one inside it."""
    raise PydanticCustomError(
        "expected", "{text}", {"text": f"expected {expected}{hint}", "at": at}
    )


def object_to(sentence: str, at: tuple[str, ...] = ()) -> NoReturn:
    """Say what is wrong in a sentence of its own."""
    raise PydanticCustomError("sentence", "{text}", {"text": sentence, "at": at})


class Kind(ABC):
    """A kind of value: `read` takes what it accepts and refuses the rest."""

    expected: str

    @abstractmethod
    def read(self, value: Any) -> Any:
        """The value in its type."""

    @abstractmethod
    def schema(self) -> dict[str, Any]:
        """The value in terms of JSON Schema."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return self.schema()


@dataclass(frozen=True)
class Whole(Kind):
    """A whole number; 1e4 is one too."""

    least: int
    most: int | None = None

    @property
    def expected(self) -> str:  # type: ignore[override]
        """The range in words."""
        if self.most is None or self.most > LONG:
            return f"a whole number of at least {self.least}"
        return f"a whole number from {self.least} to {self.most}"

    def read(self, value: Any) -> int:
        """The number, if it is in the range."""
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            refuse(self.expected, _unquoted(value))
        if self.most is not None and value > self.most > LONG:
            refuse(f"at most {self.most}")
        if value < self.least or (self.most is not None and value > self.most):
            refuse(self.expected)
        return int(value)

    def schema(self) -> dict[str, Any]:
        """An integer with bounds."""
        most = {} if self.most is None else {"maximum": self.most}
        return {"type": "integer", "minimum": self.least, **most}


@dataclass(frozen=True)
class Number(Kind):
    """A finite number, perhaps above or below some other."""

    above: float | None = None
    below: float | None = None

    @property
    def expected(self) -> str:  # type: ignore[override]
        """The range in words."""
        if self.above is None:
            return "a number"
        above = f"a number above {self.above:g}"
        return above if self.below is None else f"{above} and below {self.below:g}"

    def read(self, value: Any) -> float:
        """The number, if it is in the range."""
        if not _is_number(value):
            refuse(self.expected, _unquoted(value))
        if (self.above is not None and value <= self.above) or (
            self.below is not None and value >= self.below
        ):
            refuse(self.expected)
        return float(value)

    def schema(self) -> dict[str, Any]:
        """A number with bounds."""
        bounds = {"exclusiveMinimum": self.above, "exclusiveMaximum": self.below}
        given = {key: bound for key, bound in bounds.items() if bound is not None}
        return {"type": "number", **given}


@dataclass(frozen=True)
class Seconds(Kind):
    """A time: a number of seconds, or text with units."""

    zero: bool = False  # whether no time at all is a time

    @property
    def expected(self) -> str:  # type: ignore[override]
        """The range in words."""
        least = "not below 0" if self.zero else "above 0"
        return f'a number of seconds {least}, or a time such as "500ms", "10m" or "1h 30m"'

    def read(self, value: Any) -> float:
        """The time in seconds."""
        if isinstance(value, str) and DURATION.fullmatch(value.strip()):
            parts = re.findall(r"([0-9.]+)\s*(ms|min|s|m|h)", value)
            value = sum(float(number) * UNITS[unit] for number, unit in parts)
        if not _is_number(value) or value < 0 or (value == 0 and not self.zero):
            refuse(self.expected)
        if value > MOST_SECONDS:
            refuse(f"at most {MOST_SECONDS:.0f} seconds")
        return float(value)

    def schema(self) -> dict[str, Any]:
        """A number or a text."""
        bounds = {"minimum" if self.zero else "exclusiveMinimum": 0, "maximum": int(MOST_SECONDS)}
        text = {"type": "string", "pattern": rf"^\s*{DURATION.pattern}$"}
        return {"anyOf": [{"type": "number", **bounds}, text]}


@dataclass(frozen=True)
class Several(Kind):
    """A value of some kind, or a list of them."""

    kind: Kind

    @property
    def expected(self) -> str:  # type: ignore[override]
        """One of them in words; that there may be several is said where a list is empty."""
        return self.kind.expected

    def read(self, value: Any) -> Any:
        """The value, or the list of values."""
        if not isinstance(value, list):
            return self.kind.read(value)
        if not value:
            refuse(f"{self.kind.expected}, or several")
        return [self._read_item(place, item) for place, item in enumerate(value)]

    def _read_item(self, place: int, item: Any) -> Any:
        try:
            return self.kind.read(item)
        except PydanticCustomError as error:
            context = error.context or {}
            at = (place, *context.get("at", ()))
            raise PydanticCustomError(error.type, "{text}", {**context, "at": at}) from None

    def schema(self) -> dict[str, Any]:
        """Either of the two."""
        one = self.kind.schema()
        many = {"type": "array", "items": one, "minItems": 1}
        return {"anyOf": [*one.get("anyOf", [one]), many]}


@dataclass(frozen=True)
class Flag(Kind):
    """True or false, and nothing that merely looks like it."""

    expected: str = "true or false"
    others: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("yes", "on", "y", "true"), "true"),
        **dict.fromkeys(("no", "off", "n", "false"), "false"),
    }

    def read(self, value: Any) -> bool:
        """The value itself."""
        if not isinstance(value, bool):
            meant = self.others.get(str(value).lower())
            refuse(self.expected, f"; did you mean {meant}?" if meant else "")
        return value

    def schema(self) -> dict[str, Any]:
        """A boolean."""
        return {"type": "boolean"}


class OneOf(Kind):
    """One of some words."""

    def __init__(self, *words: str) -> None:
        self.words = words
        self.expected = f"one of {', '.join(words)}"

    def read(self, value: Any) -> str:
        """The word, if it is one of them."""
        if not isinstance(value, str) or value not in self.words:
            refuse(self.expected, near(value, self.words))
        return value

    def schema(self) -> dict[str, Any]:
        """An enumeration."""
        return {"type": "string", "enum": list(self.words)}


class Value(Kind):
    """What a position is worth: a word, an exact score, or a range of scores."""

    words = ("draw", "first", "second")
    expected = "draw, first, second, a score such as 2, or a range of scores such as [-2, 2]"

    def read(self, value: Any) -> str | int | list[int]:
        """The value itself; a range is two whole numbers, the lower one first."""
        if isinstance(value, str):
            if value not in self.words:
                refuse(self.expected, near(value, self.words))
            return value
        if _is_score(value):
            return int(value)
        if not isinstance(value, list) or len(value) != 2 or not all(map(_is_score, value)):
            refuse(self.expected)
        if value[0] > value[1]:
            object_to(f"found [{value[0]}, {value[1]}]; expected the lower score first")
        return [int(score) for score in value]

    def schema(self) -> dict[str, Any]:
        """A word, a number, or two of them."""
        score = {"type": "integer", "minimum": -MAX_CELLS, "maximum": MAX_CELLS}
        pair = {"type": "array", "items": score, "minItems": 2, "maxItems": 2}
        words = {"type": "string", "enum": list(self.words)}
        return {"anyOf": [words, score, pair]}


@dataclass(frozen=True)
class Text(Kind):
    """Some text that is not empty."""

    expected: str
    longest: int = 1000
    without: str = ""  # characters that must not be in it

    def read(self, value: Any) -> str:
        """The text without spaces around it."""
        if not isinstance(value, str):
            number = isinstance(value, int | float) and not isinstance(value, bool)
            refuse(self.expected, "; put it in quotes" if number else "")
        text = value.strip()
        if not text:
            refuse(self.expected)
        if len(text) > self.longest:
            object_to(f"has {len(text)} characters; expected at most {self.longest}")
        wrong = [c for c in text if c in self.without or not c.isprintable()]
        if wrong:
            object_to(f"the character {wrong[0]!r} cannot stand in it; expected {self.expected}")
        return text

    def schema(self) -> dict[str, Any]:
        """A string."""
        return {"type": "string", "minLength": 1, "maxLength": self.longest}


class Title(Text):
    """A name that can also be the name of a directory."""

    def read(self, value: Any) -> str:
        """The name, which must not hide the directory or leave it."""
        text = super().read(value)
        if text.startswith("."):
            object_to(f"begins with a dot; expected {self.expected}")
        return text


@dataclass(frozen=True, eq=False)
class Shorthand:
    """A short form of a larger value: `read` writes it out in full before it is checked."""

    read: Callable[[Any], Any]
    text: dict[str, Any] | None = None  # the short form in terms of JSON Schema

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.no_info_before_validator_function(self.read, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        full = handler(schema)
        return {"anyOf": [{"type": "string", **self.text}, full]} if self.text else full


def _is_number(value: Any) -> bool:
    """Whether it is a number that a float can hold."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) < 1e300 and math.isfinite(value)


def _is_score(value: Any) -> bool:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return whole and abs(value) <= MAX_CELLS


def _unquoted(value: Any) -> str:
    """A hint for a number in quotes or with underscores."""
    if not isinstance(value, str):
        return ""
    bare = value.strip().replace("_", "").replace(",", "")
    is_number = re.fullmatch(r"[-+]?[0-9]+(\.[0-9]+)?", bare) is not None
    return f"; did you mean {bare}, without quotes or marks?" if is_number else ""
