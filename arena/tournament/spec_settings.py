"""The parts of a tournament as they are known once its file is understood."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from arena.engine.contract import Limits
from arena.tournament.spec_fields import (
    Flag,
    Kind,
    Number,
    OneOf,
    Seconds,
    Shorthand,
    Whole,
    object_to,
    refuse,
)
from arena.tournament.spec_mistakes import near

MANY = 1_000_000
MOST_PLAYERS = 1000
Elo = Annotated[float, Number(-10_000, 10_000)]
Risk = Annotated[float, Number(1e-12, 1)]  # of an error of a test
ErrorInElo = Annotated[float, Number(0, 10_000)]


class Part(BaseModel):
    """A part of a tournament: it never changes, and knows no keys but its own."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class RoundRobin(Part):
    """Every engine meets every other."""

    kind: Literal["round-robin"] = "round-robin"


class Heroes(Kind):
    """Who the heroes of a gauntlet are: so many, or those of these names."""

    count = Whole(1, MOST_PLAYERS)
    expected = "how many heroes there are, or a list of their names"

    def read(self, value: Any) -> int | tuple[str, ...]:
        """The number, or the names; a single name needs no list."""
        names = [value] if isinstance(value, str) else value
        if not isinstance(names, list | tuple):
            return self.count.read(value)
        if not names or not all(isinstance(name, str) for name in names):
            refuse(self.expected)
        return tuple(name.strip() for name in names)

    def schema(self) -> dict[str, Any]:
        """A number, a name, or several names."""
        name = {"type": "string", "minLength": 1}
        return {"anyOf": [self.count.schema(), name, {"type": "array", "items": name,
                                                      "minItems": 1}]}  # fmt: skip


class Gauntlet(Part):
    """The heroes, by default the first engine of the list, each meet all others."""

    kind: Literal["gauntlet"] = "gauntlet"
    heroes: Annotated[int | tuple[str, ...], Heroes()] = Field(
        default=1,
        description="Who meets all others: how many from the top of the list, or their names.",
        examples=[1, ["mcts", "my_bot"]],
    )


class Swiss(Part):
    """Engines of equal scores meet, round after round."""

    kind: Literal["swiss"] = "swiss"
    rounds: Annotated[int, Whole(1, 1000)] = Field(
        description="How many rounds are played.", examples=[5]
    )


class Knockout(Part):
    """Who loses a match is out; the order of the list is the order of the seeds."""

    kind: Literal["knockout"] = "knockout"
    tiebreaks: Annotated[int, Whole(0, 1000)] = Field(
        default=2,
        description="Extra pairs of games when a match is level; then the better seed advances.",
        examples=[2],
    )


class Pyramid(Part):
    """Each engine, in the order of the list, meets all that stand before it."""

    kind: Literal["pyramid"] = "pyramid"


FORMATS: dict[str, type[Part]] = {
    "round-robin": RoundRobin,
    "gauntlet": Gauntlet,
    "swiss": Swiss,
    "knockout": Knockout,
    "pyramid": Pyramid,
}


def _read_format(value: Any) -> Any:
    """A word alone stands for the format of that kind."""
    if isinstance(value, Part):
        return value
    words = f"one of {', '.join(FORMATS)}"
    if isinstance(value, Mapping):
        if "kind" not in value:
            object_to(
                f"kind is missing; expected {words}, as in format: {{kind: swiss, rounds: 5}}"
            )
        kind, at = value["kind"], ("kind",)
        if not isinstance(kind, str) or kind not in FORMATS:
            refuse(words, near(kind, FORMATS) if isinstance(kind, str) else "", at)
        return value
    if not isinstance(value, str) or value not in FORMATS:
        refuse(words, near(value, FORMATS) if isinstance(value, str) else "")
    return {"kind": value}


Format = Annotated[
    RoundRobin | Gauntlet | Swiss | Knockout | Pyramid,
    Field(discriminator="kind"),
    Shorthand(_read_format, {"enum": [kind for kind in FORMATS if kind != "swiss"]}),
]


class NoOpenings(Part):
    """Every game starts from the empty board."""

    kind: Literal["none"] = "none"


class EveryLine(Part):
    """Every line of so many plies."""

    kind: Literal["every"] = "every"
    plies: int


class RandomPlies(Part):
    """So many plies at random, after which nobody wins with the next disc."""

    kind: Literal["random"] = "random"
    plies: int


class BalancedLines(Part):
    """Random plies whose exact score, for the first player, is in a range; 0 is a draw."""

    kind: Literal["balanced"] = "balanced"
    plies: int
    least: int
    most: int


class FileOfLines(Part):
    """The lines of a file, as columns from 0."""

    kind: Literal["file"] = "file"
    path: Path
    lines: tuple[tuple[int, ...], ...]


Openings = Annotated[
    NoOpenings | EveryLine | RandomPlies | BalancedLines | FileOfLines,
    Field(discriminator="kind"),
]


class Adjudication(Part):
    """When the referee ends a game that goes on."""

    max_plies: Annotated[int, Whole(1, MANY)] | None = Field(
        default=None, description="A game of so many plies is a draw.", examples=[30]
    )
    solver: Annotated[bool, Flag()] = Field(
        default=False,
        description="From the middle of the board on, a game ends once its value is proven with "
        "little search, with the result of best play.",
    )


class Sprt(Part):
    """A sequential test of the hypothesis that the first engine is elo1 rather than elo0 better."""

    engines: tuple[str, str]
    elo0: Elo
    elo1: Elo
    alpha: Risk = 0.05
    beta: Risk = 0.05
    model: Annotated[Literal["logistic", "normalized"], OneOf("logistic", "normalized")] = (
        "logistic"
    )


class Stop(Part):
    """What ends a tournament before its last game."""

    sprt: Sprt | None = None
    seconds: Annotated[float, Seconds()] | None = None
    error: ErrorInElo | None = None


class Player(Part):
    """A contestant: an engine with its options and limits, under a name of its own.

    A file in `engine` is named in full, and weights from a file stand in `options` themselves, so
    that a player can be built anywhere on this machine.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    name: str
    engine: str
    options: dict[str, Any] = Field(default_factory=dict)
    limits: Limits = Limits()
