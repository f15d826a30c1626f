"""The contract: what an engine is given, what it answers, and how it is written.

from arena import Choice, Engine, register

@register("centre")
class Centre(Engine):
    def choose(self, position, limits):
        middle = position.rules.columns // 2
        return Choice(min(position.legal, key=lambda column: abs(column - middle)))
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import wraps
from random import Random
from types import FunctionType
from typing import Any, ClassVar, TypeVar, cast

from arena.engine.levels import Ladder, Offer
from arena.engine.options import Option, check_options, collect_options, option
from arena.engine.played import PlayedGame
from arena.errors import BadOption, suggestion
from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules
from arena.printable import printable

__all__ = ["Choice", "Engine", "Limits", "option"]

F = TypeVar("F", bound=Callable[..., Any])

# A subclass speaks for itself.
NOT_INHERITED = ("shares_chance", "levels", "levels_in_space", "offer")
COUNTS = ("depth", "nodes", "playouts")  # limits in whole numbers
MOST_COUNT = 10**15  # of nodes, playouts or plies: what a machine word holds with room to add
MOST_SECONDS = 1e8  # three years
MARGIN = 0.020  # seconds by which any answer may be late: the machine's share, not the engine's


@dataclass(frozen=True, slots=True)
class Limits:
    """How much an engine may use for one move; what is None is not limited, all may combine."""

    depth: int | None = None  # plies, always
    nodes: int | None = None
    playouts: int | None = None
    seconds: float | None = None  # for this move, by the clock on the wall
    clock: float | None = None  # left for the rest of the game
    increment: float = 0.0  # added to the clock after each move
    cpu: float | None = None  # seconds of the processor for this move, however busy it is

    def __post_init__(self) -> None:
        for name in COUNTS:
            value = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise BadOption(f"limit {name} is {value!r}; expected a whole number of at least 1")
            if value > MOST_COUNT:
                raise BadOption(f"limit {name} is {value:.3g}; expected at most {MOST_COUNT:.0e}")
        for name in ("seconds", "clock", "increment", "cpu"):
            value = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise BadOption(f"limit {name} is {value!r}; expected a number of seconds")
            if not 0 <= value < float("inf") or (value == 0 and name in ("seconds", "cpu")):
                raise BadOption(f"limit {name} is {value!r}; expected a positive number of seconds")
            if value > MOST_SECONDS:
                raise BadOption(f"limit {name} is {value:.3g}; expected at most {MOST_SECONDS:.0e}")

    @classmethod
    def parse(cls, text: str) -> Limits:
        """Limits from words: "depth=6", "seconds=0.5 nodes=10000", "cpu=0.1", "clock=60+1"."""
        given: dict[str, Any] = {}
        names = [field.name for field in fields(cls)]
        for part in text.replace(",", " ").split():
            name, equals, value = part.partition("=")
            if not equals:
                raise BadOption(f"limit {part!r} has no value; expected NAME=VALUE, as in depth=6")
            if name not in names:
                raise BadOption(f"unknown limit {name!r}{suggestion(name, names)}")
            if name == "clock" and "+" in value:
                value, _, more = value.partition("+")
                given["increment"] = _number("increment", more)
            given[name] = _number(name, value)
        return cls(**given)

    def budget(self, position: Position) -> float | None:
        """Seconds to spend on this move: the move's limit, or a fair share of the clock.

        Processor time counts as if the engine had a processor to itself: one that thinks in a
        single thread and keeps to this by the clock on the wall keeps both.
        """
        shares = [limit for limit in (self.seconds, self.cpu) if limit is not None]
        if self.clock is not None:
            moves_left = max(2, (position.rules.cells - position.ply + 1) // 2)
            share = self.clock / min(moves_left, 15) + 0.8 * self.increment
            shares.append(max(0.001, min(share, 0.8 * self.clock)))
        return min(shares) if shares else None

    @property
    def by_clock(self) -> bool:
        """Whether time on the wall is limited, of which a busy machine takes its share."""
        return self.seconds is not None or self.clock is not None

    @property
    def timed(self) -> bool:
        """Whether time is limited at all."""
        return self.by_clock or self.cpu is not None

    def __str__(self) -> str:
        parts = [
            f"{field.name}={_exactly(getattr(self, field.name))}"
            for field in fields(self)
            if getattr(self, field.name) and field.name not in ("clock", "increment")
        ]
        if self.clock is not None:
            parts.append(f"clock={_exactly(self.clock)}+{_exactly(self.increment)}")
        return " ".join(parts) or "no limit"


def _exactly(value: float) -> str:
    """A number that reads back as it is: 10000000, 0.5, 60."""
    return str(int(value)) if value == int(value) else repr(value)


def _number(name: str, text: str) -> float:
    try:
        return int(text) if name in COUNTS else float(text)
    except ValueError:
        words = "a whole number" if name in COUNTS else "a number"
        raise BadOption(f"limit {name} is {text!r}; expected {words}") from None


@dataclass(frozen=True, slots=True)
class Choice:
    """An engine's answer: a column, and what it knows about it; the rest stays None.

    The score is in the engine's own units, positive when it likes its position.
    """

    column: int
    score: float | None = None
    depth: int | None = None
    nodes: int | None = None
    line: tuple[int, ...] | None = None  # the moves it expects, its own first


def at_the_board(question: F) -> F:
    """Let an engine be asked at once: on a board that it was not told of, a new game begins."""

    @wraps(question)
    def asked(self: Engine, position: Position, *rest: Any, **named: Any) -> Any:
        rules = position.rules
        if self._current_board is not rules and self._current_board != rules:
            self.new_game(rules, 0)
        return question(self, position, *rest, **named)

    return cast(F, asked)


def _noted(new_game: F) -> F:
    """Note down the board of a new game, whether or not an author calls the base class."""

    @wraps(new_game)
    def begun(self: Engine, rules: Rules, *rest: Any, **named: Any) -> None:
        self._current_board = rules
        try:
            new_game(self, rules, *rest, **named)
        except BaseException:
            self._current_board = None
            raise

    return cast(F, begun)


class Engine(ABC):
    """A player. Options are annotated attributes with defaults; `choose` picks a column.

    The harness builds an engine with its options, calls `new_game` before each game and `choose`
    for each of its moves. An engine that is asked about a board it was not told of begins a new
    game there, with seed 0. The docstring's first line introduces it in listings.
    """

    options: ClassVar[Mapping[str, Option]] = {}
    source: ClassVar[str] = ""  # where the idea comes from
    prunes: ClassVar[bool] = True  # False: it looks at every line of play to its depth
    shares_chance: ClassVar[bool] = True  # False: it draws from nothing but self.random
    learns: ClassVar[bool] = False  # True: it is told each game of its own that is over
    levels: ClassVar[Ladder] = {}  # what it is given to play a level; empty: see engine/levels.py
    levels_in_space: ClassVar[Ladder] = {}  # those that are others on boards in space
    offer: ClassVar[Offer | None] = None  # how a person is offered it; None: by name alone
    _current_board: Rules | None = None  # of the game that it was last told of

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.options = collect_options(cls)
        for name in NOT_INHERITED:
            setattr(cls, name, vars(cls).get(name, getattr(Engine, name)))
        for name in ("new_game", "choose", "opinions"):
            method = cls.__dict__.get(name)
            if isinstance(method, FunctionType):
                setattr(cls, name, (_noted if name == "new_game" else at_the_board)(method))

    def __init__(self, **given: Any) -> None:
        defaults = {name: declared.default for name, declared in self.options.items()}
        for name, value in check_options(self.options, {**defaults, **given}).items():
            setattr(self, name, value)
        self.rules: Rules = CONNECT4
        self.random: Random = Random(0)

    def new_game(self, rules: Rules, seed: int) -> None:
        """Forget the last game: a new one begins, on this board, with this seed for all chance."""
        self.rules = rules
        self.random = Random(seed)
        self._current_board = rules

    @abstractmethod
    def choose(self, position: Position, limits: Limits) -> Choice:
        """Pick a column to drop into; the position is never over."""

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        """What each legal column is worth to the player to move; empty if it cannot tell."""
        return {}

    def learn(self, game: PlayedGame) -> None:  # noqa: B027  # most engines do not
        """Take in a game of its own that is over; only an engine that `learns` is told.

        Before each game it has been told all its earlier ones of the tournament, in the order of
        the schedule, no clock running. What it knows may depend on nothing else, as another process
        may have to learn it again; `self.random` is seeded by the game. `new_game` comes after it.
        """

    def warm_up(self, rules: Rules) -> None:
        """Compile and load whatever a move on this board can need, so that no clock ever sees it.

        Every process in which the engine is to play calls it before the first game. Here it makes
        a quick first move, twice, as loading may use up the time of the first one.
        """
        for _ in range(2):
            self.new_game(rules, 0)
            self.choose(Position(rules), Limits(depth=2, nodes=100, playouts=10, seconds=0.1))
        self.new_game(rules, 0)

    @classmethod
    def summary(cls) -> str:
        """The first line of the docstring."""
        return printable((cls.__doc__ or "").strip().partition("\n")[0])

    def settings(self) -> dict[str, Any]:
        """The options as they are set now."""
        return {name: getattr(self, name) for name in self.options}
