"""What may be written in a tournament file as a whole, and the tournament that it describes.

The classes describe the file for `arena schema` as well. The settings of a format stand in its own
file, the other parts in parts.py, engine_entry.py and board.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field

from arena.bots.hosted import START
from arena.game.rules import CONNECT4, NAMED_GAMES, Rules
from arena.timing import MARGIN
from arena.tournament.claims import NO_AIMS, Aims, Expectation, Published
from arena.tournament.engine_entry import EngineEntry, Isolation
from arena.tournament.figures import Figure
from arena.tournament.formats import FORMATS, AnyFormat, Format, RoundRobin
from arena.tournament.games import Player
from arena.tournament.parts import (
    Adjudication,
    GameEntry,
    LimitsEntry,
    OpeningsEntry,
    RunnerEntry,
    Stop,
)
from arena.tournament.question import Question
from arena.tournament.schedule import Schedule
from arena.tournament.values import (
    MANY,
    TITLE,
    Flag,
    Part,
    Text,
    Time,
    TimeOrNone,
    Whole,
    optional,
)

LONGEST_ABOUT = 1000
FIGURES = "a list of figures, each as in - {elo: my_bot against mcts}"
EXPECT = "a list of figures, each as in - {score: my_bot against random, at_least: 90%}"
PUBLISHED = "a list of figures, each as in - {score: A against B, value: 75%, source: table 1}"
ENGINES = "a list of engines, each on a line of its own that begins with '- '"


class Conditions(Part):
    """What holds for all games, the same in a file and in the tournament that it describes."""

    swap_seats: Flag = Field(
        default=True, description="Play each opening twice, once from each side."
    )
    adjudication: Adjudication = Field(
        default=Adjudication(), description="When the referee ends a game early."
    )
    stop: Stop = Field(default=Stop(), description="When to end the tournament early.")
    seed: Annotated[int, Whole(0, 2**63 - 1)] = Field(
        default=1,
        description="Seed of all random choices: the same seed gives the same games.",
        examples=[1],
    )
    workers: Annotated[int, Whole(1, 4096)] | None = optional(
        "Games played in parallel; by default one per core.", 4
    )
    runner: RunnerEntry = Field(
        default=RunnerEntry(), description="Where to play the games; by default on this machine."
    )
    memory: Annotated[int, Whole(64, MANY)] | None = optional(
        "Memory limit in megabytes, for the engines of a game and for each bot in its own process.",
        2048,
    )
    margin: TimeOrNone = Field(
        default=MARGIN, description="How late an answer may be before the engine loses on time."
    )
    patience: Time = Field(
        default=60.0, description="How long to wait for a move that has no time limit."
    )
    isolation: Isolation = Field(
        default="seat",
        description="How engines that are not bundled run: seat, each in a process of its own; or "
        "none, inside the referee's process, which is faster but needs trust.",
    )
    start: Time = Field(
        default=START,
        description="Time limit for such an engine to start; compiling does not count.",
    )
    broken: Literal["refuse", "forfeit"] = Field(
        default="refuse",
        description="If an engine fails to start before the first game: refuse to play the "
        "tournament, or let the engine forfeit its games.",
    )


WORDS: list[Any] = [  # the formats that need no settings
    kind
    for kind, format_ in FORMATS.items()
    if not any(key.is_required() for key in format_.model_fields.values())
]


def _read_format(value: Any) -> Any:
    """A word alone stands for the format of that kind."""
    return {"kind": value} if isinstance(value, str) else value


class TournamentFile(Conditions):
    """A tournament between Connect Four engines."""

    name: Annotated[str, TITLE] | None = optional(
        "Name of the tournament; by default the name of the file.", "quickstart"
    )
    game: GameEntry = Field(
        default=GameEntry(columns=7, rows=6),
        description="The board, by name or size.",
        examples=[*NAMED_GAMES, "8x7", "9x6c5", "9x7+pie"],
    )
    format: Annotated[AnyFormat, Field(discriminator="kind"), BeforeValidator(_read_format)] = (
        Field(
            default=RoundRobin(),
            description="Which engines meet.",
            json_schema_extra={
                "short": {"type": "string", "enum": WORDS},
            },
        )
    )
    games: Annotated[int, Whole(1, MANY)] | None = optional(
        "Games per pair of engines (in swiss and knockout, per meeting); must be even "
        "unless swap_seats is false. By default 2.",
        10,
    )
    rounds: Annotated[int, Whole(1, MANY)] | None = optional(
        "Only for a round-robin, instead of games: 2 games per round.", 5
    )
    openings: OpeningsEntry = Field(
        default=OpeningsEntry.model_construct(), description="How games begin."
    )
    limits: LimitsEntry = Field(
        default=LimitsEntry(), description="Limits of every engine without limits of its own."
    )
    engines: list[EngineEntry] = Field(
        description="The players, at least two.",
        json_schema_extra={"expected": ENGINES, "missing": ENGINES},
    )
    question: Question | None = optional(
        "The question that the report answers first. It may be changed after the games."
    )
    about: Annotated[str, Text("a sentence or two", LONGEST_ABOUT)] | None = optional(
        "A short description for the top of the report."
    )
    figures: list[Figure] = Field(
        default=[],
        description="Figures to show in the report, with intervals.",
        examples=[[{"elo": "my_bot against mcts"}]],
        json_schema_extra={"expected": FIGURES},
    )
    expect: list[Expectation] = Field(
        default=[],
        description="Checks that the tournament must pass.",
        examples=[[{"score": "my_bot against random", "at_least": "90%"}]],
        json_schema_extra={"expected": EXPECT},
    )
    published: list[Published] = Field(
        default=[],
        description="Published figures, to compare with those of these games.",
        json_schema_extra={"expected": PUBLISHED},
    )
    full: dict[Any, Any] | None = Field(
        default=None,
        description="Keys to replace when the file is run with --full.",
        examples=[{"games": 100}],
        json_schema_extra={"expected": "a mapping such as {games: 100}"},
    )
    output: Annotated[str, Text("the name of a directory")] | None = optional(
        "Output folder, relative to the current one; by default reports/NAME.", "reports/quickstart"
    )


class Tournament(Conditions):
    """All that a run has to know."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    name: str
    players: tuple[Player, ...]
    rules: Rules = CONNECT4
    format: Format = RoundRobin()
    games: int = 2  # for each pair; in swiss and knockout, each time it meets
    openings: OpeningsEntry = OpeningsEntry.model_construct()
    question: Question | None = None
    aims: Aims = NO_AIMS
    output: Path = Field(default_factory=lambda data: Path("reports") / data["name"])
    path: Path = Path()
    text: str = ""

    def schedule(self) -> Schedule:
        """All its games."""
        return Schedule(
            self.format,
            len(self.players),
            self.games,
            self.swap_seats,
            self.openings.build(self.rules, self.seed),
            self.seed,
        )
