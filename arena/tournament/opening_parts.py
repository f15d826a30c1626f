"""How games begin, as it stands in a file: one key, and for `file` a list of openings beside it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from arena.errors import ArenaError, BadOption
from arena.game.notation import play_moves, read_moves
from arena.game.rules import MAX_CELLS, Rules
from arena.solver.solver import refuse
from arena.tournament.mistakes import Mark, Mistake, Trail, near
from arena.tournament.openings import (
    Balanced,
    EveryLine,
    FromList,
    NoOpenings,
    Opening,
    Openings,
    RandomPlies,
    Scores,
    check_pie,
    check_scores,
    possible,
)
from arena.tournament.validation import Reading, refuse_at
from arena.tournament.values import Count, Part, Text, in_words, invalid, misfit, optional

OPENINGS = "none, {every: PLIES}, {random: PLIES}, {balanced: PLIES} or {file: NAME}"
VALUES = ("draw", "first", "second")  # of an opening with best play
MAX_BYTES = 4 * 1024 * 1024  # of a list of openings
MAX_LISTED = 20  # mistakes of one list of openings


def _read_value(value: Any) -> Any:
    if isinstance(value, str) and value in VALUES:
        return value
    scores = value if isinstance(value, list) and len(value) == 2 else [value]
    if any(type(score) is not int or abs(score) > MAX_CELLS for score in scores):
        words = "draw, first, second, a score such as 2, or a range of scores such as [-2, 2]"
        raise misfit(value, words, near(value, VALUES) if isinstance(value, str) else "")
    if scores[0] > scores[-1]:
        raise invalid(f"found [{scores[0]}, {scores[1]}]; expected the lower score first")
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


class BalancedEntry(Part):
    """Random openings of a known exact value."""

    model_config = in_words(
        "a number of plies, or a mapping such as {plies: 8, value: draw}",
        {"type": "integer", "minimum": 1},
    )

    plies: Count = Field(
        description="Length in plies.",
        examples=[8],
    )
    value: Value = Field(
        default="draw",
        description="Value with best play: draw, first or second (who wins), or an exact score for "
        "the first player: one more than the discs the winner has left, negative for a loss.",
        examples=["draw", "first", 2, [-2, 2]],
    )

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: Any) -> Any:
        """A number alone stands for so many plies of a drawn position."""
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return {"plies": value} if is_number else value

    def scores(self, rules: Rules) -> Scores:
        """The value as a range of the scores that are possible on a board."""
        least, most = possible(rules, self.plies)
        match self.value:
            case "draw":
                return Scores(0, 0)
            case "first":
                return Scores(1, max(1, most))
            case "second":
                return Scores(min(-1, least), -1)
            case [low, high]:
                return Scores(int(low), int(high))
        return Scores(int(self.value), int(self.value))  # type: ignore[arg-type]


class OpeningsEntry(Part):
    """How games begin: exactly one of these keys."""

    model_config = in_words(OPENINGS, {"type": "string", "enum": ["none"]})

    every: Count | None = optional("All openings of this many plies, in random order.", 2)
    random: Count | None = optional("This many random plies, without an immediate win.", 4)
    balanced: BalancedEntry | None = optional(
        "This many random plies with a known exact value, by default a draw.",
        8,
        {"plies": 8, "value": "draw"},
    )
    file: Annotated[str, Text()] | None = optional(
        "A file with one opening per line, as moves; relative to this file.", "openings.txt"
    )
    _lines: tuple[Opening, ...] = ()  # what the file holds

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: Any) -> Any:
        """The word none stands for no openings."""
        if value == "none":
            return {}
        if not isinstance(value, dict | cls) or value == {}:
            raise misfit(value, OPENINGS)
        return value

    @model_validator(mode="after")
    def _is_one(self) -> OpeningsEntry:
        given = self.model_dump(exclude_none=True)
        if len(given) != 1 and self.model_fields_set:  # none are set where the word none stands
            raise invalid(f"found {' and '.join(given) or 'nothing'}; expected {OPENINGS}")
        return self

    @property
    def kind(self) -> str:
        """The key that is set, or none."""
        return next(iter(self.model_dump(exclude_none=True)), "none")

    @property
    def lines(self) -> tuple[Opening, ...]:
        """The lines of the file, as columns from 0."""
        return self._lines

    @property
    def plies(self) -> int:
        """The length of the longest opening."""
        balanced = self.balanced.plies if self.balanced else 0
        return self.every or self.random or balanced or max(map(len, self._lines), default=0)

    def for_board(self, rules: Rules, reading: Reading) -> OpeningsEntry:
        """The openings on a board, with those of their file."""
        at: Trail = ("openings", self.kind)
        try:
            if self.balanced is not None:
                refuse(rules)
                is_mapping = (*at, "plies") in reading.document.values
                at = ("openings", "balanced", "plies") if is_mapping else at
                RandomPlies(rules, self.plies, seed=0)
                at = ("openings", "balanced", "value") if is_mapping else at
                check_scores(rules, self.plies, self.balanced.scores(rules))
            elif self.file is None:
                self.build(rules, seed=0)
            else:
                path = reading.document.path.parent / self.file
                copy = self.model_copy()
                copy._lines = _read_openings(path, rules, reading.mistakes)
                return copy
        except ArenaError as error:
            refuse_at(at, str(error))
        return self

    def build(self, rules: Rules, seed: int) -> Openings:
        """The openings themselves; an `ArenaError` says why there are none on this board."""
        if self.every is not None:
            return EveryLine(rules, self.every, seed)
        if self.random is not None:
            return RandomPlies(rules, self.random, seed)
        if self.balanced is not None:
            return Balanced(rules, self.balanced.plies, self.balanced.scores(rules), seed)
        return NoOpenings() if self.file is None else FromList(self._lines, seed)


def _read_openings(path: Path, rules: Rules, mistakes: list[Mistake]) -> tuple[Opening, ...]:
    """The openings of a list, one a line; the mistakes in it carry its own lines."""
    lines: dict[Opening, int] = {}
    wrong: list[Mistake] = []
    for number, line in enumerate(_read_list(path).splitlines(), start=1):
        written = line.partition("#")[0]
        words = written.strip()
        if not words:
            continue
        try:
            moves = read_moves(written, rules)
            check_pie(rules, len(moves))
            if play_moves(moves, rules).is_over:
                raise BadOption(f"the game is over after {words}; expected an unfinished one")
            if moves in lines:
                raise BadOption(f"{words} stands in line {lines[moves]} already")
            lines[moves] = number
        except ArenaError as error:
            place = Mark(number, len(written) - len(written.lstrip()) + 1)
            wrong.append(Mistake(path, place, "", str(error)))
    if len(wrong) > MAX_LISTED:
        rest = f"{len(wrong) - MAX_LISTED} more lines are wrong"
        wrong[MAX_LISTED:] = [replace(wrong[MAX_LISTED], sentence=rest)]
    mistakes += wrong
    if not lines and not wrong:
        raise BadOption(f"{path.name} holds no positions; expected one a line, such as 4453")
    return tuple(lines)


def _read_list(path: Path) -> str:
    expected = "expected a list of positions"
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        text = content.decode("utf-8-sig")
    except OSError as error:
        raise BadOption(f"{path.name or path}: {error.strerror or error}; {expected}") from None
    except UnicodeDecodeError:
        raise BadOption(f"{path.name} is not a text file; {expected}") from None
    if len(content) > MAX_BYTES:
        raise BadOption(f"{path.name} is larger than {MAX_BYTES // 2**20} MB")
    return text
