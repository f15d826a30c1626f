"""The parts of a training file: schedules, intervals, groups of cells, how strength is measured.

Each checks itself, in the manner of tournament/parts.py.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from arena.engine.limits import DURATION
from arena.errors import BadOption
from arena.game.rules import MAX_CELLS, Rules
from arena.network.tuples import (
    MAX_LENGTH,
    MAX_TUPLES,
    Cells,
    check_tuples,
    line_orbits,
    random_walks,
)
from arena.tournament.mistakes import described, excerpt
from arena.tournament.parts import EngineEntry
from arena.tournament.values import (
    Flag,
    Part,
    Real,
    Time,
    Whole,
    in_words,
    invalid,
    optional,
)

MOST_GAMES = 10**9
MEASURED = 100  # games against perfect play, and positions of the exam, by default
LARGEST = 1e9  # of a number that learning multiplies with
GAMES = re.compile(r"\s*([0-9][0-9_,]*)\s*games?\s*")

Games = Annotated[int, Whole(1, MOST_GAMES)]
Amount = Annotated[float, Real(0, LARGEST)]
Share = Annotated[float, Real(0, 1)]


class Schedule(Part):
    """A number that changes as games are learned from."""

    model_config = in_words(
        "a number, or a mapping such as {from: 0.1, to: 0.01, over: 100000}",
        {"type": "number", "minimum": 0, "maximum": LARGEST},
    )

    start: Amount = Field(
        alias="from",
        description="Its value in the first game.",
        examples=[0.1],
    )
    to: Amount | None = optional("Its last value; it stays there.", 0.01)
    over: Games | None = optional("After how many games; by default after all of them.", 100_000)
    shape: Literal["linear", "exponential", "1/game"] = Field(
        default="linear",
        description="By equal steps, by equal factors, or divided by the number of the game.",
    )

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: Any) -> Any:
        """A number alone stands for one that does not change."""
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return {"from": value} if is_number else value

    @model_validator(mode="after")
    def _is_one(self) -> Schedule:
        if self.shape == "1/game" and (self.to is not None or self.over is not None):
            raise invalid("with shape 1/game there is no to and no over; expected from alone")
        if self.to is None and (self.over is not None or self.shape == "exponential"):
            raise invalid("to is missing; expected the last value, as in {from: 0.1, to: 0.01}")
        if self.shape == "exponential" and not (self.start and self.to):
            raise invalid("an exponential schedule never reaches 0; expected numbers above 0")
        return self

    def at(self, game: int) -> float:
        """Its value in a game; so many were learned from before, none before the first."""
        if self.shape == "1/game":
            return self.start / (game + 1)
        if self.to is None:
            return self.start
        way = min(game / self.over, 1.0) if self.over else 1.0
        if self.shape == "exponential":
            return float(self.start * (self.to / self.start) ** way)
        return self.start + (self.to - self.start) * way

    def within(self, games: int) -> Schedule:
        """The same with all that is left out, for a training of so many games."""
        is_open = self.to is not None and self.over is None
        return self.model_copy(update={"over": games}) if is_open else self


def _is_share(schedule: Schedule) -> Schedule:
    if max(schedule.start, schedule.to or 0) > 1:
        raise invalid("found a number above 1; expected shares of moves, from 0 to 1")
    return schedule


Shares = Annotated[Schedule, AfterValidator(_is_share)]


class Every(Part):
    """How often something is done: every so many games, or every so much time."""

    model_config = in_words(
        'a number of games, or a time such as "60s"',
        {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string"}]},
    )

    games: Games | None = optional("Every so many games.", 10_000)
    seconds: Time | None = optional("Every so much time of training.", "60s", "10m")

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: Any) -> Any:
        """A number is one of games; words are a time or `1000 games`."""
        if isinstance(value, int | float) and not isinstance(value, bool):
            return {"games": value}
        if isinstance(value, str) and (games := GAMES.fullmatch(value)):
            return {"games": int(re.sub("[_,]", "", games[1]))}
        is_time = isinstance(value, str) and DURATION.fullmatch(value.strip())
        return {"seconds": value} if is_time else value

    @model_validator(mode="after")
    def _is_one(self) -> Every:
        if (self.games is None) == (self.seconds is None):
            raise invalid('expected either games or seconds, as in "60s" or "1000 games"')
        return self

    def __str__(self) -> str:
        return f"{self.games} games" if self.games else f"{self.seconds:g}s"


class Tuples(Part):
    """The groups of cells whose contents are looked up: exactly one way to choose them."""

    model_config = in_words(
        "{count: 70, length: 8, walk: 1}, the word lines, or a list of lists of cells",
        {
            "anyOf": [
                {"type": "string", "enum": ["lines"]},
                {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
            ]
        },
    )

    count: Annotated[int, Whole(1, MAX_TUPLES)] = Field(
        default=70, description="How many groups, before symmetry."
    )
    length: Annotated[int, Whole(1, MAX_LENGTH)] = Field(
        default=8, description="Cells of each group."
    )
    walk: Annotated[int, Whole(0, 2**63 - 1)] = Field(
        default=1, description="The seed of the random walks over neighbouring cells."
    )
    lines: Flag = Field(default=False, description="All winning lines, shared by symmetry.")
    given: tuple[tuple[Annotated[int, Whole(0, MAX_CELLS - 1)], ...], ...] = Field(
        default=(),
        description="The groups themselves: cells from 0, column by column, each from the bottom.",
        examples=[[[0, 1, 2, 3], [0, 6, 12, 18]]],
    )

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: Any) -> Any:
        """The word lines, or a list of groups, alone."""
        if value == "lines":
            return {"lines": True}
        value = {"given": value} if isinstance(value, list) else value
        if isinstance(value, dict) and "given" in value:
            _check_groups(value["given"])
        return value

    @model_validator(mode="after")
    def _is_one(self) -> Tuples:
        walks = self.model_fields_set & {"count", "length", "walk"}
        if (bool(walks), self.lines, bool(self.given)).count(True) > 1:
            raise invalid("found several ways to choose cells; expected one of them")
        return self

    @classmethod
    def usual(cls, rules: Rules) -> Tuples:
        """Those of a file that names none: walks, or the lines of a board too small for them."""
        walks = cls()
        try:
            walks.on(rules)
        except BadOption:
            return cls(lines=True)
        return walks

    def on(self, rules: Rules) -> list[Cells]:
        """The groups on a board; BadOption, with the reason, if it has none such."""
        if self.given:
            return check_tuples(rules, self.given)
        if self.lines:
            return check_tuples(rules, line_orbits(rules))
        return random_walks(rules, self.count, self.length, self.walk)


def _check_groups(groups: Any) -> None:
    if not isinstance(groups, list) or not groups:
        raise invalid(f"found {described(groups)}; expected a list of groups of cells")
    for group in groups:
        cells = group if isinstance(group, list) else []
        if any(type(cell) is not int or not 0 <= cell < MAX_CELLS for cell in cells):
            raise invalid(f"found {excerpt(group)}; expected numbers of cells, from 0")
        if not 1 <= len(cells) <= MAX_LENGTH or len(set(cells)) < len(cells):
            words = f"1 to {MAX_LENGTH} different cells in a list"
            raise invalid(f"found {excerpt(group)}; expected {words}")


def _read_against(value: Any) -> Any:
    return [value] if isinstance(value, str | dict) else value


class Measure(Part):
    """How often strength is measured, and against whom; nothing of it changes the training."""

    model_config = in_words(
        "none, or a mapping such as {every: 10000, perfect: 200, against: [random]}",
        {"type": "string", "enum": ["none"]},
    )

    every: Every | None = optional(
        "After how many games, or how much time of training, which no second run has the same; "
        "by default 20 times in all.",
        10_000,
        "60s",
    )
    perfect: Annotated[int, Whole(0, 100_000)] | None = optional(
        "Games as first player from the empty board against perfect play, whose best replies are "
        "drawn at random. By default 100 on boards that the solver masters, 0 elsewhere.",
        200,
    )
    exam: Annotated[int, Whole(0, 100_000)] | None = optional(
        "Positions with exact scores, on which the value has to be kept. By default 100, or as "
        "many as there are, on boards that the solver masters, 0 elsewhere.",
        200,
    )
    against: Annotated[list[EngineEntry], BeforeValidator(_read_against)] = Field(
        default_factory=lambda: [EngineEntry(engine="random")],
        description="Engines to play against, each from both sides.",
        examples=[["random", "oracle-medium"]],
    )
    games: Annotated[int, Whole(2, 100_000)] = Field(
        default=20, description="Games against each of them, after two random plies; even."
    )

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: Any) -> Any:
        """The word none stands for no measurements."""
        nothing: dict[str, Any] = {"perfect": 0, "exam": 0, "against": []}
        return nothing if value == "none" else value

    @model_validator(mode="after")
    def _is_paired(self) -> Measure:
        if self.games % 2:
            raise invalid(f"found {self.games} games; expected an even number, for both sides")
        return self
