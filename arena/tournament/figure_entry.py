"""The keys `expect` and `published` of a tournament file: figures, and what is said about them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from arena.tournament.figures import MEASURES
from arena.tournament.values import (
    MANY,
    Count,
    Name,
    Part,
    Real,
    Several,
    Text,
    in_words,
    integral,
    is_number,
    misfit,
    optional,
)

WHOSE = "NAME, or NAME against NAME, as first or as second; all for every game"
EXAMPLE = "{score: my_bot against random, at_least: 90%}"


def _read_quantity(value: Any) -> str | float:
    if isinstance(value, str):
        return value
    if not is_number(value):
        raise misfit(value, "a number, a share such as 90%, or a time such as 100ms")
    return float(value)


def _read_between(value: Any) -> Any:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise misfit(value, "the lower and the upper end, as in [40%, 60%]")
    return value


def _read_move(value: Any) -> Any:
    number = integral(value)
    if number not in ("first", "last") and (type(number) is not int or not 0 < number < MANY):
        raise misfit(value, "first, last, or the number of a move")
    return number


_QUANTITY = {"anyOf": [{"type": "number"}, {"type": "string"}]}
_BETWEEN = {"type": "array", "items": _QUANTITY, "minItems": 2, "maxItems": 2}
_MOVE = {"anyOf": [{"type": "integer", "minimum": 1}, {"enum": ["first", "last"]}]}
Quantity = Annotated[str | float, BeforeValidator(_read_quantity), WithJsonSchema(_QUANTITY)]
Between = Annotated[
    tuple[Quantity, Quantity], BeforeValidator(_read_between), WithJsonSchema(_BETWEEN)
]
MoveOfGame = Annotated[
    int | Literal["first", "last"], BeforeValidator(_read_move), WithJsonSchema(_MOVE)
]
Whose = Annotated[str, Text(WHOSE)]


def _measured(name: str) -> Any:
    """The key of a measure."""
    measure = MEASURES[name]
    return optional(
        f"{measure.words[0].upper()}{measure.words[1:]}.", measure.example.split(",")[0]
    )


class FigureEntry(Part):
    """A figure: what is measured, of whom, and what narrows it down."""

    model_config = in_words("a mapping such as {score: my_bot against random}")

    score: Whose | None = _measured("score")
    wins: Whose | None = _measured("wins")
    draws: Whose | None = _measured("draws")
    losses: Whose | None = _measured("losses")
    elo: Whose | None = _measured("elo")
    accuracy: Whose | None = _measured("accuracy")
    blunders: Whose | None = _measured("blunders")
    missed_wins: Whose | None = _measured("missed_wins")
    length: Whose | None = _measured("length")
    time: Whose | None = _measured("time")
    cpu: Whose | None = _measured("cpu")
    nodes: Whose | None = _measured("nodes")
    depth: Whose | None = _measured("depth")
    nodes_per_second: Whose | None = _measured("nodes_per_second")
    distinct: Whose | None = _measured("distinct")
    games: Whose | None = _measured("games")

    against: Several[Name] | None = optional("Only games against these.", "random")
    seat: Literal["first", "second"] | None = optional("Only games in this seat.", "first")
    take: (
        Literal["count", "share", "mean", "median", "p95", "max", "value", "critical", "exact"]
        | None
    ) = optional("Which number of several: of a time its p95, of wins their share.", "p95")
    move: MoveOfGame | None = optional(
        "Only this move of the player in each game: first, last, or its number.", "first", 3
    )
    by: Annotated[str, Text("a cause such as time, or a direction such as row")] | None = optional(
        "Only games that ended so: a fault, or the direction of the line.", "time", "row"
    )
    when: Literal["won", "drawn", "lost"] | None = optional(
        "Only games that ended so for the player.", "won"
    )
    over: FigureEntry | None = optional("Another figure to divide by.", {"nodes": "minimax"})

    @property
    def measures(self) -> list[str]:
        """The figures that it names; it should be one."""
        return [name for name in MEASURES if getattr(self, name) is not None]


class ExpectEntry(FigureEntry):
    """A figure and what is expected of it."""

    model_config = in_words(f"a mapping such as {EXAMPLE}")

    at_least: Quantity | None = optional("Lower bound.", "90%")
    at_most: Quantity | None = optional("Upper bound.", "100ms")
    between: Between | None = optional("Lower and upper bound.", ["40%", "60%"])
    more_than: FigureEntry | None = optional("A figure that must be smaller.")
    less_than: FigureEntry | None = optional("A figure that must be larger.")
    confidence: Quantity | None = optional(
        "Required confidence that the check holds beyond these games; without it, only these games "
        "count.",
        "95%",
    )
    points: Annotated[float, Real(0, MANY, is_open=True)] | None = optional(
        "Points for passing, in a grade.", 2
    )
    name: Annotated[str, Text("a name", 200)] | None = optional("Display name.", "beats random")


class PublishedEntry(FigureEntry):
    """A figure as a source has it."""

    model_config = in_words(
        "a mapping such as {score: A against B, value: 75%, of: 100, source: table 1}"
    )

    value: Quantity | None = optional("The published value.", "75%")
    of: Count | None = optional("Number of published games.", 100)
    at_least: Quantity | None = optional("Published lower bound.")
    at_most: Quantity | None = optional("Published upper bound.")
    between: Between | None = optional("Published range.")
    more_than: FigureEntry | None = optional("The source claims that this figure is smaller.")
    less_than: FigureEntry | None = optional("The source claims that this figure is larger.")
    within: Quantity | None = optional(
        "Tolerance if the number of games is unknown: percentage points of a share, or a fraction "
        "of any other value.",
        "10%",
    )
    source: Annotated[str, Text("where it is printed", 200)] = Field(
        description="Where it was published.",
        examples=["Blair 2011, section 3"],
        json_schema_extra={"missing": "where it is printed, as in source: table 1"},
    )
    note: Annotated[str, Text("a sentence", 500)] | None = optional(
        "What cannot be repeated here, and what is compared instead."
    )
