"""What an engine says of itself, in a form that travels: its options, and what it can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from arena.engine.contract import Engine
from arena.engine.options import Option
from arena.engine.registry import Entry
from arena.evaluation import Evaluation
from arena.network.option import NetworkOption
from arena.text import printable

# Types of options that both sides know; of any other only its words travel.
KINDS: Mapping[str, Any] = {
    "whole": int,
    "number": float,
    "flag": bool,
    "text": str,
    "none": NoneType,
    "evaluation": Evaluation,
    "weights": NetworkOption,
}


@dataclass(frozen=True)
class ForeignKind:
    """The type of an option that only its engine knows: it takes anything, the engine decides."""

    in_words: str

    def from_option(self, value: Any) -> Any:
        """The value as it is written."""
        return value


@dataclass(frozen=True)
class Description:
    """An engine class as others see it."""

    title: str  # of its class
    summary: str
    has_docstring: bool
    options: Mapping[str, Option]
    prunes: bool
    learns: bool
    has_learn: bool

    @classmethod
    def of(cls, entry: Entry) -> Description:
        """What an entry of the registry says of itself."""
        engine = entry.engine
        return cls(
            engine.__name__,
            entry.summary,
            bool(engine.__doc__),
            engine.options,
            engine.prunes,
            engine.learns,
            engine.learn is not Engine.learn,
        )

    def write(self) -> dict[str, Any]:
        """The description as JSON has it."""
        return {
            "title": self.title,
            "summary": self.summary,
            "has_docstring": self.has_docstring,
            "options": [_write_option(option) for option in self.options.values()],
            "prunes": bool(self.prunes),
            "learns": bool(self.learns),
            "has_learn": self.has_learn,
        }

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Description:
        """What `write` wrote."""
        options = [_read_option(option) for option in data["options"]]
        return cls(
            printable(str(data["title"])),
            printable(str(data["summary"])),
            bool(data["has_docstring"]),
            {option.name: option for option in options},
            bool(data["prunes"]),
            bool(data["learns"]),
            bool(data["has_learn"]),
        )


def _plain(value: Any) -> Any:
    """A value as it is, or how it looks."""
    plain = isinstance(value, bool | int | float | str | None)
    return value if plain else printable(str(value))


def _write_option(option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "kinds": [_write_kind(kind) for kind in option.kinds],
        "default": _plain(option.default),
        "help": option.help,
        "least": option.least,
        "most": option.most,
    }


def _write_kind(kind: Any) -> Any:
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    for word, known in KINDS.items():
        if kind is known:
            return word
    return {"words": Option("", kind, None).expected}


def _read_option(data: Mapping[str, Any]) -> Option:
    kinds = [_read_kind(kind) for kind in data["kinds"]]
    least, most = data["least"], data["most"]
    name, meaning = printable(str(data["name"])), printable(str(data["help"]))
    return Option(name, _union(kinds), data["default"], meaning, least, most)


def _read_kind(data: Any) -> Any:
    if isinstance(data, list):
        return Literal[tuple(data)]
    if isinstance(data, dict):
        return ForeignKind(printable(str(data.get("words"))))
    return KINDS.get(data, str)


def _union(kinds: list[Any]) -> Any:
    """One type of several; a kind that is no type of Python's stands alone."""
    if len(kinds) == 1:
        return kinds[0]
    if any(isinstance(kind, ForeignKind) for kind in kinds):
        words = [Option("", kind, None).expected for kind in kinds]
        return ForeignKind(" or ".join(words))
    union: UnionType | Any = Union[tuple(kinds)]  # noqa: UP007  # the types are known only now
    return union
