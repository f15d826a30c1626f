"""What may be written in a training file, one class for each method, and the training it describes.

The classes also describe the file for `arena init --schema`; a learner reads its own as
`settings`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BeforeValidator, Field, WithJsonSchema

from arena.evaluation import Evaluation
from arena.game.position import Position
from arena.game.rules import NAMED_GAMES, Rules
from arena.learning.parts import (
    Amount,
    Every,
    Games,
    Measure,
    Schedule,
    Share,
    Shares,
    Tuples,
)
from arena.tournament.games import Player
from arena.tournament.parts import EngineEntry, GameEntry
from arena.tournament.validation import AT_END
from arena.tournament.values import TITLE, Flag, Part, Text, Whole, misfit, optional

SELF = "self"
METHOD_WORDS = "one of td, ntuple"


def _read_opponent(value: Any) -> Any:
    """The word self stands for the learner itself."""
    return None if value == SELF else value


def _read_features(value: Any) -> Any:
    if not isinstance(value, str | dict) or not value:
        raise misfit(value, "the name of an evaluation, a file of weights, or weights")
    return value


Features = Annotated[
    str | dict[Any, Any],
    BeforeValidator(_read_features),
    WithJsonSchema({"anyOf": [{"type": "string", "minLength": 1}, {"type": "object"}]}),
]
Opponent = Annotated[EngineEntry | None, BeforeValidator(_read_opponent)]


def _schedule(default: Any, description: str) -> Any:
    return Field(default=Schedule.model_validate(default), description=description)


EPSILON = "The share of moves that are made at random, to see other games."
LAMBDA = "How far back a surprise is felt: 0 is the position before alone, 1 the whole game."
GAMMA = "What a result is worth a move earlier."


class TrainingFile(Part):
    """A training: who learns what, by how many games, and how its strength is measured."""

    name: Annotated[str, TITLE] | None = optional("Its name; by default the file's.", "fourplay")
    game: GameEntry = Field(
        default=GameEntry(size="7x6"),
        description="The game by name or size.",
        examples=[*NAMED_GAMES, "8x7"],
    )
    method: str = Field(
        description="td: linear temporal differences over the weights of an evaluation; "
        "ntuple: a network of small groups of cells.",
        examples=["td"],
    )
    opponent: Opponent = Field(
        default=None,
        description="Whom it plays while it learns: self, or any engine with its options.",
        examples=[SELF, "oracle-hard", {"engine": "alphabeta", "options": {"depth": 2}}],
    )
    side: Literal["first", "second", "both"] = Field(
        default="both", description="The side that the learner takes against an engine."
    )
    games: Games = Field(default=1000, description="Games to learn from, in all.", examples=[1000])
    epsilon: Shares = _schedule(0.1, EPSILON)
    step: Schedule = _schedule(0.01, "The size of a step of learning.")
    lambda_: Share = Field(default=0.0, alias="lambda", description=LAMBDA)
    gamma: Share = Field(default=1.0, description=GAMMA)
    seed: Annotated[int, Whole(0, 2**63 - 1)] = Field(
        default=1, description="The source of all chance: same seed, same weights.", examples=[1]
    )
    save: Every = Field(
        default=Every(seconds=60),
        description="How often the state is saved, for the same command to go on from.",
        examples=["60s", 10_000],
    )
    keep: Literal["last", "best"] = Field(
        default="last",
        description="The weights to use in the end: the last, or also the best that were measured, "
        "in the folder best; what seems better is measured again by other games, which decide.",
    )
    measure: Measure = Field(
        default=Measure(),
        description="How often strength is measured, and against whom.",
    )
    output: Annotated[str, Text()] | None = optional(
        "Where to write, from the current directory; by default reports/NAME.",
        "reports/training/fourplay",
    )


class TdFile(TrainingFile):
    """Linear temporal differences over the weights of an evaluation, as FourPlay does (S3.8)."""

    method: Literal["td"]
    features: Features = Field(
        default="fourplay",
        description="The evaluation whose weights are learned, from where they stand: a name, a "
        "file of weights beside this one, or the weights themselves.",
        examples=["fourplay", "rivest", "counts", "learned.yaml"],
    )
    as_coded: Flag = Field(
        default=False,
        description="Learn as FourPlay's code does, instead of the formula in its report.",
    )
    depth: Annotated[int, Whole(1, 8)] = Field(
        default=2, description="Plies that it looks ahead while it plays and learns."
    )
    records: Annotated[str, Text()] | None = optional(
        "Finished games to learn from instead of playing: a file beside this one with a game a "
        "line, its columns in notation; after the last it goes on with the first.",
        "games.txt",
    )
    games: Games = Field(default=100, description="Games to learn from, in all.", examples=[100])
    epsilon: Shares = _schedule(0.2, EPSILON)
    step: Schedule = _schedule(
        {"from": 0.01, "shape": "1/game"}, "The size of a step along the gradient."
    )
    gamma: Share = Field(default=0.9, description=GAMMA)
    reward: Annotated[Amount, AT_END] = Field(
        default=100_000,
        description="What a win is worth; a loss as much less.",
        validate_default=True,
    )


class NTupleFile(TrainingFile):
    """Temporal differences for a network of small groups of cells."""

    method: Literal["ntuple"]
    tuples: Tuples = Field(
        default=Tuples(),
        description="The groups of cells whose contents are looked up; of a board that is too "
        "small for those of the default, its lines.",
    )
    tcl: Flag = Field(
        default=True,
        description="Temporal coherence: a step of its own for every weight, large while its "
        "errors agree.",
    )
    beta: Amount = Field(
        default=2.7, description="How steeply the step of temporal coherence grows; 0 is linear."
    )
    teacher: Literal["none", "end", "everywhere"] = Field(
        default="none",
        description="Exact values of the solver as targets: nowhere, from teacher_from discs on, "
        "or in every position.",
    )
    teacher_from: Annotated[int, Whole(0, 64)] | None = optional(
        "From so many discs on the teacher knows the value; by default two thirds of the board.", 28
    )
    average: Share = Field(
        default=0.0,
        description="The share that the weights of now have in their running average, which is "
        "what plays, a sample every 10,000 games; 0: the weights of now alone.",
    )
    threats: Flag = Field(
        default=True,
        description="Where the opponent could complete a line at once, that is seen without the "
        "network, in play and while it learns.",
    )
    spread: Share = Field(
        default=0.0,
        description="The player who is behind makes any move that promises at most so much less "
        "than the best, so that the other one meets many defences.",
    )
    random_plies: Annotated[int, Whole(0, 60)] = Field(
        default=0, description="Every second game begins with up to so many random plies."
    )
    precision: Literal["full", "packed"] = Field(
        default="full",
        description="How the weights are written: full, or packed into a file a quarter of the "
        "size, whose network plays as well.",
    )
    workers: Annotated[int, Whole(1, 64), AT_END] = Field(
        default=1,
        description="Threads that share the weights; the same weights again only with one.",
        validate_default=True,
    )
    games: Games = Field(
        default=200_000, description="Games to learn from, in all.", examples=[1_500_000]
    )
    epsilon: Shares = _schedule({"from": 0.1, "to": 0.01}, EPSILON)
    step: Schedule = _schedule(
        {"from": 3.0, "to": 1.0}, "The size of a step, divided by the number of active weights."
    )
    lambda_: Share = Field(default=0.7, alias="lambda", description=LAMBDA)


FILES: Mapping[str, type[TrainingFile]] = {"td": TdFile, "ntuple": NTupleFile}

Settings = TypeVar("Settings", bound=TrainingFile, covariant=True)


@dataclass(frozen=True)
class Training(Generic[Settings]):
    """All that a run has to know; the keys of the method stand in `settings`.

    Schedules in `settings` are complete. `opponent` is None in self-play; `features` is the
    evaluation that the method td starts from, `records` are games for it to learn from.
    """

    name: str
    rules: Rules
    settings: Settings
    opponent: Player | None
    against: tuple[Player, ...]
    features: Evaluation | None
    output: Path
    path: Path
    text: str
    records: tuple[Position, ...] = ()

    @property
    def method(self) -> str:
        """The method of learning, by name."""
        return self.settings.method
