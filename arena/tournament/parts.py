"""The parts of a tournament file: one class each, with its keys, bounds and defaults.

Each checks itself; load.py checks what one part means for another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from itertools import product
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from arena.bots.names import KINDS
from arena.engine.contract import Limits
from arena.errors import ArenaError, BadOption, BadRules, suggestion
from arena.game.rules import MAX_CELLS, NAMED_GAMES, Rules, read_board
from arena.tournament.mistakes import excerpt
from arena.tournament.sprt import Sprt
from arena.tournament.values import (
    MANY,
    Count,
    Flag,
    Name,
    Part,
    Real,
    Several,
    Text,
    Time,
    TimeOrNone,
    Whole,
    in_words,
    invalid,
    optional,
)

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
            raise invalid(str(error)) from None
        return {name: given for name, given in asdict(limits).items() if given}

    @model_validator(mode="after")
    def _increment_needs_a_clock(self) -> LimitsEntry:
        if self.increment not in (None, 0) and self.clock is None:
            raise invalid("increment without a clock; expected clock: SECONDS beside it")
        return self

    @model_validator(mode="after")
    def _on_needs_a_time(self) -> LimitsEntry:
        if self.on is not None and self.seconds is self.cpu is self.clock is None:
            words = "expected seconds, cpu or clock beside it"
            raise invalid(f"on: {self.on}, but no time is limited; {words}")
        return self

    def variants(self) -> Iterator[tuple[Limits, dict[str, float]]]:
        """Each choice from the lists: the limits, and the values that tell it from the others."""
        given = self.model_dump(exclude_none=True)
        varied = [name for name, value in given.items() if isinstance(value, list)]
        for chosen in product(*(given[name] for name in varied)):
            values = dict(zip(varied, chosen, strict=True))
            yield Limits(**{**given, **values}), values


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
        raise invalid(f"found {excerpt(address)}; expected {CLUSTER}")
    return address


class RunnerEntry(Part):
    """Where the games are played; that decides none of them."""

    model_config = in_words("a mapping such as {cluster: local:4}")

    cluster: Annotated[str, Text(), AfterValidator(_read_cluster)] | None = optional(
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


GAME = "a game by name or size (connect4, score4, 8x7, 9x6c5, 9x7+pie), or {size: 9x7, pie: true}"


def _is_board_name(text: str) -> str:
    """A name or size that can be read, whether or not there can be such a board."""
    try:
        read_board(text)
    except ArenaError as error:
        raise invalid(str(error)) from None
    return text


class GameEntry(Part):
    """The size of the board, flat or in space, how many discs in line win, and the pie rule."""

    model_config = in_words(GAME, {"type": "string", "examples": [*NAMED_GAMES, "8x7", "9x7+pie"]})

    size: Annotated[str, Text(), AfterValidator(_is_board_name)] = Field(
        description="The board by name or size.", examples=["9x7", "4x4x4"]
    )
    connect: Annotated[int, Whole(2, MAX_CELLS)] | None = optional(
        "Discs in a line that win; by default 4.", 4
    )
    pie: Flag | None = optional("Whether the second player may steal the first disc.", True)

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: Any) -> Any:
        """A name or size alone."""
        return {"size": value} if isinstance(value, str) else value

    @model_validator(mode="after")
    def _is_a_board(self) -> GameEntry:
        try:
            self.build()
        except ArenaError as error:
            raise invalid(str(error)) from None
        return self

    def build(self) -> Rules:
        """The rules of this game."""
        board = read_board(self.size)
        given = {"connect": self.connect, "pie": self.pie}
        named = {"connect": board.connect, "pie": board.pie or None}
        for key, value in given.items():
            if None not in (value, named[key]) and value != named[key]:
                own = str(value).lower()
                raise BadRules(f"size {self.size} and {key}: {own} contradict each other")
        connect, pie = board.connect or self.connect or 4, board.pie or bool(self.pie)
        return Rules.space(board.width, board.depth, board.height, connect, pie)


ENGINE = "the name of an engine, FILE.py:Class or {KIND: ..}"
Isolation = Literal["seat", "none"]
KIND_SCHEMA: Any = {  # an engine from outside
    "type": "object",
    "properties": {kind: {"type": "string"} for kind in KINDS},
    "additionalProperties": False,
    "minProperties": 1,
    "maxProperties": 1,
}


def _read_engine(value: Any) -> Any:
    """An engine from outside, written as {KIND: TARGET}, as the words KIND:TARGET."""
    if not isinstance(value, Mapping):
        return value
    if len(value) != 1:
        raise invalid(f"found {len(value)} keys; expected one kind, as in {{kaggle: FILE.py}}")
    kind, target = next(iter(value.items()))
    if kind not in KINDS:
        raise invalid(f"unknown kind of engine {str(kind)!r}{suggestion(str(kind), KINDS)}")
    if not isinstance(target, str) or not target.strip():
        example = f"{{{kind}: {KINDS[kind].example}}}"
        raise invalid(f"expected a {KINDS[kind].target} after {kind}, as in {example}")
    return f"{kind}:{target.strip()}"


class EngineEntry(Part):
    """An engine, or several variants of one."""

    model_config = in_words(
        f"{ENGINE}, or {{engine: NAME, options: {{..}}}}",
        {"type": "string", "examples": ["mcts", "my_bot.py"]},
    )

    engine: Annotated[str, Text(), BeforeValidator(_read_engine)] = Field(
        description="A name from `arena engines`; FILE.py or FILE.py:Class, relative to this "
        "file; a pattern such as students/*.py, which skips names that begin with _; or an "
        "external bot, as in {kaggle: submission.py}.",
        examples=["alphabeta", "my_bot.py:MyBot", "students/*.py", {"uci": "fairy-stockfish"}],
        json_schema_extra={"short": KIND_SCHEMA},
    )
    name: Name | None = optional(
        "Display name; by default the engine and its options. For a pattern, a prefix of the "
        "names of its files."
    )
    options: dict[Any, Any] = Field(
        default_factory=dict,
        description="Options of the engine; a list makes one player per value.",
        examples=[{"depth": 4}, {"evaluation": ["rivest", "counts"]}],
    )
    limits: LimitsEntry | None = optional(
        "Its own limits, instead of the common ones; a list makes one player per value.",
        {"depth": 4},
        {"playouts": [100, 1000]},
    )
    isolation: Isolation | None = optional("Its own isolation, instead of the common one.", "none")

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: Any) -> Any:
        """A name alone stands for an engine with its default options."""
        for kind in value if isinstance(value, Mapping) and "engine" not in value else ():
            if kind in KINDS:
                example = f"{{engine: {{{kind}: {KINDS[kind].example}}}}}"
                raise invalid(f"{kind} stands inside of engine, as in {example}")
        return {"engine": value} if isinstance(value, str) else value
