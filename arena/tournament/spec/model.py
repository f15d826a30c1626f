"""What may be written in a tournament file: one class a part, with its keys, bounds and defaults.

The classes check each part for itself and describe the file for `arena schema`; what one part
means for another is found out in tournament.py. The settings of a format stand in its own file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator
from pydantic.dataclasses import dataclass

from arena.engine.contract import MARGIN
from arena.game.rules import NAMED_GAMES
from arena.tournament.formats import FORMATS, AnyFormat, RoundRobin
from arena.tournament.spec.parts import (
    EngineEntry,
    GameEntry,
    LimitsEntry,
    OpeningsEntry,
    Part,
    in_words,
)
from arena.tournament.spec.values import (
    LONGEST_NAME,
    MANY,
    Flag,
    Name,
    Number,
    Text,
    Time,
    TimeOrNone,
    Whole,
    integral,
    objection,
)
from arena.tournament.sprt import Sprt

TITLE = Text('a name without any of / \\ : * ? " < > |', LONGEST_NAME, is_title=True)
ENGINES = "a list of engines, each on a line of its own that begins with '- '"


class Adjudication(Part):
    """When the referee ends a game that goes on."""

    model_config = in_words("a mapping such as {max_plies: 30}")

    max_plies: Annotated[int, Whole(1, MANY)] | None = Field(
        default=None, description="A game of so many plies is a draw.", examples=[30]
    )
    solver: Flag = Field(
        default=False,
        description="From the middle of the board on, a game ends once its value is proven with "
        "little search, with the result of best play.",
    )


@dataclass(frozen=True, kw_only=True, config=in_words("a mapping such as {elo0: 0, elo1: 20}"))
class SprtEntry(Sprt):
    """A sequential test: is the first engine elo1 better than the second, or only elo0?"""

    engines: tuple[Name, ...] | None = Field(
        default=None,
        description="The names of both; may be left out where there are only two.",
        json_schema_extra={"expected": "a list of two names, [A, B]"},
    )

    @model_validator(mode="after")
    def _can_decide(self) -> SprtEntry:
        if self.elo0 >= self.elo1:
            raise objection(
                f"elo0 is {self.elo0:g} and elo1 {self.elo1:g}; expected elo0 below elo1"
            )
        if self.alpha + self.beta >= 1:
            raise objection(f"alpha + beta is {self.alpha + self.beta:g}; expected less than 1")
        return self


class Stop(Part):
    """What ends a tournament before its last game; whichever comes first."""

    model_config = in_words("a mapping such as {seconds: 10m}")

    sprt: SprtEntry | None = Field(
        default=None, description="Stop when a test between two is decided."
    )
    seconds: Time | None = Field(
        default=None,
        description=(
            "Stop after so much time of playing in one run; checks, compiling and the search for "
            "openings do not count, and a run that goes on has all of it again."
        ),
        examples=[600, "10m", "2h"],
    )
    error: Annotated[Number, Field(gt=0, lt=10_000)] | None = Field(
        default=None,
        description="Stop when every rating is known within so many Elo (95 %).",
        examples=[30],
    )


class Conditions(Part):
    """What holds for all games, the same in a file and in the tournament that it describes."""

    swap_seats: Flag = Field(
        default=True, description="Play each opening twice, with the seats swapped."
    )
    adjudication: Adjudication = Field(
        default=Adjudication(), description="When a game ends before its last move."
    )
    stop: Stop = Field(default=Stop(), description="What ends the tournament early.")
    seed: Annotated[int, Whole(0, 2**63 - 1)] = Field(
        default=1, description="The source of all chance: same seed, same games.", examples=[1]
    )
    workers: Annotated[int, Whole(1, 4096)] | None = Field(
        default=None,
        description="Games at the same time; by default one for each core.",
        examples=[4],
    )
    memory: Annotated[int, Whole(64, MANY)] | None = Field(
        default=None,
        description="Megabytes that the two engines of a game may use.",
        examples=[2048],
    )
    margin: TimeOrNone = Field(
        default=MARGIN, description="How late an answer may be before the game is lost on time."
    )
    patience: Time = Field(
        default=60.0, description="How long to wait for a move that has no time limit."
    )


WORDS: list[Any] = [  # the formats that need no settings
    kind
    for kind, format_ in FORMATS.items()
    if all(setting.default is not MISSING for setting in fields(format_))  # type: ignore[arg-type]
]


def _read_format(value: Any) -> Any:
    """A word alone stands for the format of that kind."""
    if isinstance(value, Mapping):
        return {key: integral(item) for key, item in value.items()}
    return {"kind": value} if isinstance(value, str) else value


class TournamentFile(Conditions):
    """A tournament between Connect Four engines."""

    name: Annotated[str, TITLE] | None = Field(
        default=None,
        description="The tournament's name; by default the file's.",
        examples=["quickstart"],
    )
    game: GameEntry = Field(
        default=GameEntry(columns=7, rows=6),
        description="The game by name or size.",
        examples=[*NAMED_GAMES, "8x7", "9x6c5"],
    )
    format: Annotated[AnyFormat, Field(discriminator="kind"), BeforeValidator(_read_format)] = (
        Field(
            default=RoundRobin(),
            description="Who meets whom.",
            json_schema_extra={
                "expected": f"one of {', '.join(FORMATS)}",
                "short": {"type": "string", "enum": WORDS},
            },
        )
    )
    games: Annotated[int, Whole(1, MANY)] | None = Field(
        default=None,
        description="Games for each pair of engines (in swiss and knockout, each time they meet); "
        "even, unless swap_seats is false. By default 2.",
        examples=[10],
    )
    rounds: Annotated[int, Whole(1, MANY)] | None = Field(
        default=None,
        description="For a round-robin, in place of games: 2 games a round.",
        examples=[5],
    )
    openings: OpeningsEntry = Field(
        default=OpeningsEntry.model_construct(), description="How games begin."
    )
    limits: LimitsEntry = Field(
        default=LimitsEntry(), description="Limits of all engines that have none of their own."
    )
    engines: list[EngineEntry] = Field(
        description="Who plays; two at least.",
        json_schema_extra={"expected": ENGINES, "missing": ENGINES},
    )
    output: Annotated[str, Text("the name of a directory")] | None = Field(
        default=None,
        description="Where to write, from the current directory; by default reports/NAME.",
        examples=["reports/quickstart"],
    )
