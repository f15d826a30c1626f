"""Mistakes in a tournament file: where each one stands, and one sentence about it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from arena.errors import ArenaError, suggestion
from arena.text import printable

Trail = tuple[str | int, ...]  # the keys and numbers that lead to a value: ("engines", 1, "name")

MAX_EXCERPT = 60  # characters of a value that a sentence repeats
MAX_MISTAKES = 100  # mistakes of one file


class Mark(NamedTuple):
    """Where something stands in a text; lines and columns count from 1."""

    line: int
    column: int


@dataclass(frozen=True)
class Mistake:
    """One thing that is wrong: in which file, where in it, at which key, and what."""

    path: Path
    place: Mark | None
    where: str
    sentence: str

    def __str__(self) -> str:
        at = f":{self.place.line}:{self.place.column}" if self.place else ""
        where = f"{self.where}: " if self.where else ""
        return f"{printable(str(self.path))}{at}: {where}{self.sentence}"


class BadSpec(ArenaError):
    """A tournament file that cannot be used, with all its mistakes in the order of its lines."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes: tuple[Mistake, ...] = tuple(mistakes)
        lines = "\n".join(map(str, self.mistakes))
        if len(self.mistakes) > 1:
            path = printable(str(self.mistakes[0].path))
            lines = f"{path} has {len(self.mistakes)} mistakes\n{lines}"
        super().__init__(lines)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.mistakes,)


def in_order(mistakes: Sequence[Mistake], path: Path) -> BadSpec:
    """The error of a file: its own mistakes line by line, then those in the files it names."""
    listed = sorted(
        mistakes[:MAX_MISTAKES],
        key=lambda each: (each.path != path, str(each.path), each.place or (0, 0)),
    )
    if len(mistakes) >= MAX_MISTAKES:  # nobody reads thousands of sentences
        sentence = "too many mistakes; the rest of the file was not checked"
        listed.append(replace(listed[-1], where="", sentence=sentence))
    return BadSpec(listed)


def refusal(path: Path, sentence: str, place: Mark | None = None) -> BadSpec:
    """The error of a file in which nothing else can be checked."""
    return BadSpec([Mistake(path, place, "", sentence)])


def excerpt(word: object) -> str:
    """A word from the file, cut where it is long and free of line breaks."""
    text = "".join(c if c.isprintable() else "?" for c in str(word))
    return text if len(text) <= MAX_EXCERPT else text[: MAX_EXCERPT - 3] + "..."


def described(value: Any) -> str:
    """A value of the file in the words of the file."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case float() if not math.isfinite(value):
            return ".nan" if math.isnan(value) else f"{'-' if value < 0 else ''}.inf"
        case str():
            return f"the text {excerpt(value)!r}" if value else "an empty text"
        case Mapping():
            return "a mapping" if value else "an empty mapping"
        case list() | tuple():
            return "a list" if value else "an empty list"
    return excerpt(value)


def near(word: object, words: Iterable[str]) -> str:
    """The end of a sentence about a wrong word: a near one, or nothing."""
    tail = suggestion(str(word), words)
    return tail if "did you mean" in tail else ""
