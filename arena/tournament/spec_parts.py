"""What may be written in the parts of a tournament file: a game, limits, engines, stop rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import product
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from arena.engine.contract import MOST_COUNT, Limits
from arena.errors import ArenaError
from arena.game.rules import MAX_CELLS, NAMED_GAMES, Rules
from arena.tournament.spec_fields import (
    LONGEST_NAME,
    Kind,
    OneOf,
    Seconds,
    Several,
    Shorthand,
    Text,
    Value,
    Whole,
    object_to,
    refuse,
)
from arena.tournament.spec_settings import Elo, ErrorInElo, Part, Risk

Count = Annotated[int, Whole(1, MOST_COUNT)]
Counts = Annotated[int | list[int], Several(Whole(1, MOST_COUNT))]
Time = Annotated[float, Seconds()]
Times = Annotated[float | list[float], Several(Seconds())]
Side = Annotated[int, Whole(1, MAX_CELLS)]

TITLE = Text('a name without any of / \\ : * ? " < > |', LONGEST_NAME, without='/\\:*?"<>|')
NAME = Text("a name", LONGEST_NAME)
ENGINE = Text("the name of an engine, or FILE.py:Class")
FILE = Text("the name of a file")
GAME = "a game by name or size (connect4, score4, 8x7, 9x6c5), {columns: .., rows: ..} or {width: .., depth: .., height: ..}"  # noqa: E501
OPENINGS = "none, {every: PLIES}, {random: PLIES}, {balanced: PLIES} or {file: NAME}"


class AnyMapping(Kind):
    """A mapping whose values are somebody else's matter."""

    expected = "a mapping such as {depth: 4}"

    def read(self, value: Any) -> dict[Any, Any]:
        """The mapping itself."""
        if not isinstance(value, Mapping):
            refuse(self.expected)
        return dict(value)

    def schema(self) -> dict[str, Any]:
        """An object of anything."""
        return {"type": "object"}


class LimitsSheet(Part):
    """How much an engine may use for a move; all may combine, and a list makes several players."""

    depth: Counts | None = Field(
        default=None, description="Plies to look ahead.", examples=[4, [2, 4, 6]]
    )
    nodes: Counts | None = Field(
        default=None, description="Positions to look at.", examples=[10000]
    )
    playouts: Counts | None = Field(
        default=None, description="Games to play at random.", examples=[1000, [100, 1000]]
    )
    seconds: Times | None = Field(
        default=None, description="Time for each move.", examples=[0.5, "100ms", [0.01, 0.1]]
    )
    cpu: Times | None = Field(
        default=None,
        description="Processor time for each move, which counts the same on a busy machine.",
        examples=[0.1, "100ms"],
    )
    clock: Times | None = Field(
        default=None, description="Time for all moves of a game.", examples=[60]
    )
    increment: Annotated[float | list[float], Several(Seconds(zero=True))] | None = Field(
        default=None, description="Time added to the clock after each move.", examples=[1]
    )

    @model_validator(mode="after")
    def _increment_needs_a_clock(self) -> LimitsSheet:
        if self.increment is not None and self.clock is None:
            object_to("increment without a clock; expected clock: SECONDS beside it")
        return self

    def variants(self) -> Iterator[tuple[Limits, dict[str, float]]]:
        """Each choice from the lists: the limits, and the values that tell it from the others."""
        given = self.model_dump(exclude_none=True)
        varied = [name for name, value in given.items() if isinstance(value, list)]
        for chosen in product(*(given[name] for name in varied)):
            values = dict(zip(varied, chosen, strict=True))
            yield Limits(**{**given, **values}), values


def _read_game(value: Any) -> Any:
    """A name or size becomes the sides of the board."""
    if isinstance(value, str):
        try:
            rules = Rules.named(value.strip())
        except ArenaError as error:
            object_to(str(error))
        sides = (rules.width, rules.depth, rules.height, rules.connect)
        return dict(zip(("width", "depth", "height", "connect"), sides, strict=True))
    if not isinstance(value, Mapping | GameSheet):
        refuse(GAME)
    return value


class GameSheet(Part):
    """The size of the board, flat or in space, and how many discs in line win."""

    columns: Side | None = Field(default=None, description="Columns of a flat board.", examples=[7])
    rows: Side | None = Field(default=None, description="Rows of a flat board.", examples=[6])
    width: Side | None = Field(default=None, description="Columns of a space board, to the right.")
    depth: Side | None = Field(default=None, description="Columns of a space board, to the back.")
    height: Side | None = Field(
        default=None, description="Discs that a column of a space board holds."
    )
    connect: Annotated[int, Whole(2, MAX_CELLS)] = Field(
        default=4, description="Discs in line that win."
    )

    @model_validator(mode="after")
    def _is_a_board(self) -> GameSheet:
        given = self.model_fields_set - {"connect"}
        if given not in ({"columns", "rows"}, {"width", "depth", "height"}):
            words = ", ".join(sorted(given)) or "no size"
            object_to(f"found {words}; expected columns and rows, or width, depth and height")
        try:
            self.rules()
        except ArenaError as error:
            object_to(str(error))
        return self

    def rules(self) -> Rules:
        """The rules of this game."""
        if self.columns is not None and self.rows is not None:
            return Rules.flat(self.columns, self.rows, self.connect)
        assert self.width is not None
        assert self.depth is not None
        assert self.height is not None
        return Rules.space(self.width, self.depth, self.height, self.connect)


def _read_balanced(value: Any) -> Any:
    """A number alone stands for so many plies of a drawn position."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return {"plies": value}
    return value


class BalancedSheet(Part):
    """Random openings of a known exact value."""

    plies: Count = Field(description="How many plies they have.", examples=[8])
    value: Annotated[str | int | list[int], Value()] = Field(
        default="draw",
        description="With best play a draw, won by the first or by the second player, or an exact "
        "score for the first player: discs that the winner has left, and one, below 0 for a loss.",
        examples=["draw", "first", 2, [-2, 2]],
    )


BalancedEntry = Annotated[
    BalancedSheet, Shorthand(_read_balanced, {"type": "integer", "minimum": 1})
]


def _read_openings(value: Any) -> Any:
    """The word none stands for no openings."""
    if value == "none":
        return OpeningsSheet.model_construct()
    if not isinstance(value, Mapping | OpeningsSheet) or value == {}:
        refuse(OPENINGS)
    return value


class OpeningsSheet(Part):
    """How games begin: exactly one of these keys."""

    every: Count | None = Field(
        default=None, description="Every line of so many plies, in a shuffled order.", examples=[2]
    )
    random: Count | None = Field(
        default=None, description="So many plies at random, without an immediate win.", examples=[4]
    )
    balanced: BalancedEntry | None = Field(
        default=None,
        description="So many plies at random whose exact value is known, by default a draw.",
        examples=[8, {"plies": 8, "value": "draw"}],
    )
    file: Annotated[str, FILE] | None = Field(
        default=None,
        description="A file of positions, one a line as moves; its place counts from this file.",
        examples=["openings.txt"],
    )

    @model_validator(mode="after")
    def _is_one(self) -> OpeningsSheet:
        given = self.model_dump(exclude_none=True)
        if len(given) != 1 and self.model_fields_set:  # none are set where the word none stands
            object_to(f"found {' and '.join(given) or 'nothing'}; expected {OPENINGS}")
        return self


class EngineSheet(Part):
    """An engine, or several variants of one."""

    engine: Annotated[str, ENGINE] = Field(
        description="A name that `arena engines` lists, or FILE.py:Class beside this file.",
        examples=["alphabeta", "mcts", "my_bot.py:MyBot"],
    )
    name: Annotated[str, NAME] | None = Field(
        default=None, description="What to call it; by default the engine and its options."
    )
    options: Annotated[dict[Any, Any], AnyMapping()] = Field(
        default_factory=dict,
        description="Options of the engine; a list of values makes a player of each.",
        examples=[{"depth": 4}, {"evaluation": ["rivest", "counts"]}],
    )
    limits: LimitsSheet | None = Field(
        default=None,
        description="Its own limits, in place of all the limits that the others have; a list of "
        "values makes a player of each.",
        examples=[{"depth": 4}, {"playouts": [100, 1000]}],
    )


def _read_engine(value: Any) -> Any:
    """A name alone stands for an engine with its default options."""
    if isinstance(value, str):
        return {"engine": value}
    if not isinstance(value, Mapping | EngineSheet):
        refuse(f"{ENGINE.expected}, or {{engine: NAME, options: {{..}}}}")
    return value


def _read_list(expected: str, value: Any) -> Any:
    if not isinstance(value, list):
        refuse(expected)
    return value


class SprtSheet(Part):
    """A sequential test: is the first engine elo1 better than the second, or only elo0?"""

    engines: (
        Annotated[
            list[Annotated[str, NAME]],
            Shorthand(partial(_read_list, "a list of two names, [A, B]")),
        ]
        | None
    ) = Field(
        default=None, description="The names of both; may be left out where there are only two."
    )
    elo0: Elo = Field(description="Elo to reject.", examples=[0])
    elo1: Elo = Field(description="Elo to accept.", examples=[20])
    alpha: Risk = Field(default=0.05, description="The risk of accepting elo1 when elo0 is true.")
    beta: Risk = Field(default=0.05, description="The risk of accepting elo0 when elo1 is true.")
    model: Annotated[Literal["logistic", "normalized"], OneOf("logistic", "normalized")] = Field(
        default="logistic", description="What elo0 and elo1 are measured in."
    )

    @model_validator(mode="after")
    def _can_decide(self) -> SprtSheet:
        if self.elo0 >= self.elo1:
            object_to(f"elo0 is {self.elo0:g} and elo1 {self.elo1:g}; expected elo0 below elo1")
        if self.alpha + self.beta >= 1:
            object_to(f"alpha + beta is {self.alpha + self.beta:g}; expected less than 1")
        return self


class StopSheet(Part):
    """What ends a tournament before its last game; whichever comes first."""

    sprt: SprtSheet | None = Field(
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
    error: ErrorInElo | None = Field(
        default=None,
        description="Stop when every rating is known within so many Elo (95 %).",
        examples=[30],
    )


Game = Annotated[GameSheet, Shorthand(_read_game, {"examples": [*NAMED_GAMES, "8x7"]})]
OpeningsEntry = Annotated[OpeningsSheet, Shorthand(_read_openings, {"enum": ["none"]})]
EngineEntry = Annotated[EngineSheet, Shorthand(_read_engine, {"examples": ["mcts", "my_bot.py"]})]
ENGINES = "a list of engines, each on a line of its own that begins with '- '"
Engines = Annotated[list[EngineEntry], Shorthand(partial(_read_list, ENGINES))]
