"""What may be written in a tournament file: its keys, their kinds, defaults and meanings.

The models check each part for itself and describe the file for `arena schema`; what one part means
for another is found out in spec.py.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from arena.game.rules import NAMED_GAMES
from arena.tournament.spec_fields import LONGEST_NAME, Flag, Seconds, Text, Title, Whole
from arena.tournament.spec_parts import (
    Engines,
    Game,
    GameSheet,
    LimitsSheet,
    OpeningsEntry,
    OpeningsSheet,
    StopSheet,
)
from arena.tournament.spec_settings import MANY, Adjudication, Format, Part, RoundRobin

TITLE = Title('a name without any of / \\ : * ? " < > |', LONGEST_NAME, without='/\\:*?"<>|')
DIRECTORY = Text("the name of a directory")


class Sheet(Part):
    """A tournament between Connect Four engines."""

    name: Annotated[str, TITLE] | None = Field(
        default=None,
        description="The tournament's name; by default the file's.",
        examples=["quickstart"],
    )
    game: Game = Field(
        default=GameSheet(columns=7, rows=6),
        description="The game by name or size.",
        examples=[*NAMED_GAMES, "8x7", "9x6c5"],
    )
    format: Format = Field(default=RoundRobin(), description="Who meets whom.")
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
    swap_seats: Annotated[bool, Flag()] = Field(
        default=True, description="Play each opening twice, with the seats swapped."
    )
    openings: OpeningsEntry = Field(
        default=OpeningsSheet.model_construct(), description="How games begin."
    )
    limits: LimitsSheet = Field(
        default=LimitsSheet(), description="Limits of all engines that have none of their own."
    )
    engines: Engines = Field(description="Who plays; two at least.")
    adjudication: Adjudication = Field(
        default=Adjudication(), description="When a game ends before its last move."
    )
    stop: StopSheet = Field(default=StopSheet(), description="What ends the tournament early.")
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
    margin: Annotated[float, Seconds(zero=True)] = Field(
        default=0.02, description="How late an answer may be before the game is lost on time."
    )
    patience: Annotated[float, Seconds()] = Field(
        default=60.0, description="How long to wait for a move that has no time limit."
    )
    output: Annotated[str, DIRECTORY] | None = Field(
        default=None,
        description="Where to write, from the current directory; by default reports/NAME.",
        examples=["reports/quickstart"],
    )
