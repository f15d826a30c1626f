"""The parts of a tournament file: one class each, with its keys, bounds and defaults.

Each checks itself; load.py checks what one part means for another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict
from itertools import product
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from arena.engine.contract import Limits
from arena.errors import ArenaError, BadOption, BadRules
from arena.game.rules import MAX_CELLS, NAMED_GAMES, BoardWords, Rules, read_board
from arena.tournament.mistakes import excerpt
from arena.tournament.openings import (
    Balanced,
    EveryLine,
    FromList,
    NoOpenings,
    Opening,
    Openings,
    RandomPlies,
    Scores,
    possible,
)
from arena.tournament.sprt import Sprt
from arena.tournament.values import (
    MANY,
    Count,
    Flag,
    Part,
    Real,
    Several,
    Text,
    Time,
    TimeOrNone,
    Value,
    Whole,
    in_words,
    misfit,
    objection,
    optional,
)

OPENINGS = "none, {every: PLIES}, {random: PLIES}, {balanced: PLIES} or {file: NAME}"
CLUSTER = "tls://HOST:PORT of a Dask scheduler, or local:N for N workers on this machine"
LOCAL_CLUSTER = r"local:([1-9][0-9]{0,2})"
SCHEDULER = r"(?:tcp|tls)://[^\s/:]+:[0-9]{1,5}"


class LimitsEntry(Part):
    """How much an engine may use for a move; all may combine, and a list makes several players."""

    model_config = in_words(
        "a mapping such as {depth: 4} or {seconds: 0.5}",
        {"type": "string", "examples": ["depth=4", "seconds=0.5"]},
    )

    depth: Several[Count] | None = optional("Plies to search.", 4, [2, 4, 6])
    nodes: Several[Count] | None = optional("Positions to search.", 10000)
    playouts: Several[Count] | None = optional("Random games to play.", 1000, [100, 1000])
    seconds: Several[Time] | None = optional("Wall time per move.", 0.5, "100ms", [0.01, 0.1])
    cpu: Several[Time] | None = optional(
        "Processor time per move, which does not depend on how busy the machine is.", 0.1, "100ms"
    )
    clock: Several[Time] | None = optional("Wall time for all moves of a game.", 60)
    increment: Several[TimeOrNone] | None = optional("Time added to the clock after each move.", 1)
    on: Literal["reference"] | None = optional(
        "reference: count seconds of a core that searches 10 million positions per second; slower "
        "hosts give more time.",
        "reference",
    )

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: Any) -> Any:
        """Words such as depth=4, as the command line has them."""
        if not isinstance(value, str):
            return value
        try:
            limits = Limits.parse(value)
        except BadOption as error:
            raise objection(str(error)) from None
        return {name: given for name, given in asdict(limits).items() if given}

    @model_validator(mode="after")
    def _increment_needs_a_clock(self) -> LimitsEntry:
        if self.increment is not None and self.clock is None:
            raise objection("increment without a clock; expected clock: SECONDS beside it")
        return self

    @model_validator(mode="after")
    def _on_needs_a_time(self) -> LimitsEntry:
        if self.on is not None and self.seconds is self.cpu is self.clock is None:
            words = "expected seconds, cpu or clock beside it"
            raise objection(f"on: {self.on}, but no time is limited; {words}")
        return self

    def variants(self) -> Iterator[tuple[Limits, dict[str, float]]]:
        """Each choice from the lists: the limits, and the values that tell it from the others."""
        given = self.model_dump(exclude_none=True)
        varied = [name for name, value in given.items() if isinstance(value, list)]
        for chosen in product(*(given[name] for name in varied)):
            values = dict(zip(varied, chosen, strict=True))
            yield Limits(**{**given, **values}), values


class BalancedEntry(Part):
    """Random openings of a known exact value."""

    model_config = in_words(
        "a number of plies, or a mapping such as {plies: 8, value: draw}",
        {"type": "integer", "minimum": 1},
    )

    plies: Count = Field(
        description="Length in plies.",
        examples=[8],
        json_schema_extra={"missing": "how many plies, as in balanced: {plies: 8, value: draw}"},
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
    file: Annotated[str, Text("the name of a file")] | None = optional(
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
            raise objection(f"found {' and '.join(given) or 'nothing'}; expected {OPENINGS}")
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

    def with_lines(self, lines: tuple[Opening, ...]) -> OpeningsEntry:
        """The same once the file is read."""
        copy = self.model_copy()
        copy._lines = lines
        return copy

    def build(self, rules: Rules, seed: int) -> Openings:
        """The openings themselves; an `ArenaError` says why there are none on this board."""
        if self.every is not None:
            return EveryLine(rules, self.every, seed)
        if self.random is not None:
            return RandomPlies(rules, self.random, seed)
        if self.balanced is not None:
            return Balanced(rules, self.balanced.plies, self.balanced.scores(rules), seed)
        return NoOpenings() if self.file is None else FromList(self._lines, seed)


class Adjudication(Part):
    """When the referee ends a game that goes on."""

    model_config = in_words("a mapping such as {max_plies: 30}")

    max_plies: Annotated[int, Whole(1, MANY)] | None = optional(
        "After this many plies, the game is a draw.", 30
    )
    solver: Flag = Field(
        default=False,
        description="From the middle of the game on, end a game once the solver proves its value "
        "quickly, with that result.",
    )


def is_cluster(address: str) -> bool:
    """Whether it can be the address of a cluster."""
    return re.fullmatch(rf"{LOCAL_CLUSTER}|{SCHEDULER}", address) is not None


def local_workers(address: str) -> int | None:
    """How many workers a cluster on this machine has; None of any other."""
    local = re.fullmatch(LOCAL_CLUSTER, address)
    return None if local is None else int(local[1])


def _read_cluster(address: str) -> str:
    if not is_cluster(address):
        raise objection(f"found {excerpt(address)}; expected {CLUSTER}")
    return address


class RunnerEntry(Part):
    """Where the games are played; that decides none of them."""

    model_config = in_words("a mapping such as {cluster: local:4}")

    cluster: Annotated[str, Text(CLUSTER), AfterValidator(_read_cluster)] | None = optional(
        "Address of a Dask scheduler; local:4 starts a cluster with 4 workers on this machine.",
        "tls://host:8786",
        "local:4",
    )


def runner_of(cluster: str, option: str = "--cluster") -> RunnerEntry:
    """What an option says, in place of a file."""
    if not isinstance(cluster, str) or not is_cluster(cluster):
        raise BadOption(f"{option} is {cluster!r}; expected {CLUSTER}")
    return RunnerEntry(cluster=cluster)


class Stop(Part):
    """What ends a tournament before its last game; whichever comes first."""

    model_config = in_words("a mapping such as {seconds: 10m}")

    sprt: Sprt | None = optional("Stop when a sequential test between two players is decided.")
    seconds: Time | None = optional(
        "Stop a run after this much playing time. Compiling and finding openings do not count, and "
        "a resumed run starts at zero.",
        600,
        "10m",
        "2h",
    )
    error: Annotated[float, Real(0, 10_000, is_open=True)] | None = optional(
        "Stop when every rating is known within this many Elo (95 %).", 30
    )
    expectations: Flag = Field(
        default=False,
        description="Stop when every check is decided. Intervals allow for repeated looks at the "
        "results.",
    )


GAME = (
    "a game by name or size (connect4, score4, 8x7, 9x6c5, 9x7+pie), {size: 9x7, pie: true}, "
    "{columns: .., rows: ..} or {width: .., depth: .., height: ..}"
)

Side = Annotated[int, Whole(1, MAX_CELLS)]


def _is_board_name(text: str) -> str:
    """A name or size that can be read, whether or not there can be such a board."""
    try:
        read_board(text)
    except ArenaError as error:
        raise objection(str(error)) from None
    return text


class GameEntry(Part):
    """The size of the board, flat or in space, how many discs in line win, and the pie rule."""

    model_config = in_words(GAME, {"type": "string", "examples": [*NAMED_GAMES, "8x7", "9x7+pie"]})

    size: (
        Annotated[str, Text("a name or size, such as 9x7 or 4x4x4"), AfterValidator(_is_board_name)]
        | None
    ) = optional("The board by name or size.", "9x7", "4x4x4")
    columns: Side | None = optional("Columns of a flat board.", 7)
    rows: Side | None = optional("Rows of a flat board.", 6)
    width: Side | None = optional("Width of a 3-D board, in columns.")
    depth: Side | None = optional("Depth of a 3-D board, in columns.")
    height: Side | None = optional("Height of a 3-D board, in discs.")
    connect: Annotated[int, Whole(2, MAX_CELLS)] = Field(
        default=4, description="Discs in a line that win."
    )
    pie: Flag = Field(
        default=False, description="Whether the second player may steal the first disc."
    )

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: Any) -> Any:
        """A name or size becomes the sides of the board."""
        if not isinstance(value, str):
            return value
        try:
            rules = Rules.named(value.strip())
        except ArenaError as error:
            raise objection(str(error)) from None
        return {key: getattr(rules, key) for key in ("width", "depth", "height", "connect", "pie")}

    @model_validator(mode="after")
    def _is_a_board(self) -> GameEntry:
        given = self.model_fields_set - {"connect", "pie"}
        if given not in ({"size"}, {"columns", "rows"}, {"width", "depth", "height"}):
            words = ", ".join(sorted(given)) or "no size"
            kinds = "columns and rows, or width, depth and height, or size"
            raise objection(f"found {words}; expected {kinds}")
        try:
            self.build()
        except ArenaError as error:
            raise objection(str(error)) from None
        return self

    def build(self) -> Rules:
        """The rules of this game."""
        if self.size is not None:
            return self._of_size(read_board(self.size))
        if self.columns is not None and self.rows is not None:
            return Rules.flat(self.columns, self.rows, self.connect, self.pie)
        assert self.width is not None
        assert self.depth is not None
        assert self.height is not None
        return Rules.space(self.width, self.depth, self.height, self.connect, self.pie)

    def _of_size(self, board: BoardWords) -> Rules:
        """The rules by a size, and what stands beside it."""
        connect = self.connect if board.connect is None else board.connect
        for key, word in (("connect", connect), ("pie", board.pie or self.pie)):
            if key in self.model_fields_set and getattr(self, key) != word:
                own = str(getattr(self, key)).lower()
                raise BadRules(f"size {self.size} and {key}: {own} contradict each other")
        pie = board.pie or self.pie
        return Rules.space(board.width, board.depth, board.height, connect, pie)
