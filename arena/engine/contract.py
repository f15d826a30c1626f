"""The contract of engines: what they get, what they answer, and what authors write.

from arena import Choice, Engine

class Centre(Engine):
    def choose(self, position, limits):
        middle = position.rules.columns // 2
        return Choice(min(position.legal, key=lambda column: abs(column - middle)))
"""

from __future__ import annotations

import random
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from inspect import get_annotations
from math import isfinite
from operator import index
from random import Random
from reprlib import repr as short_repr
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

from arena.engine.limits import FEW, Limits
from arena.engine.options import Option, check_options, collect_options, option
from arena.engine.timing import NEVER, USUAL, reserve_of
from arena.errors import BadOption, IllegalMove
from arena.game.position import STEAL, Position
from arena.game.rules import CONNECT4, Rules
from arena.text import printable

if TYPE_CHECKING:
    from arena.game.bits import OneRecord

__all__ = ["Choice", "Engine", "Limits", "PlayedGame", "option", "seed_global_rngs"]

FINAL = frozenset({"begin", "get_ready", "ask", "ask_opinions", "tell"})


@dataclass(slots=True)  # not frozen, which would take four times as long
class Choice:
    """An engine's answer: a column, and facts about it; unknown ones are None."""

    column: int
    score: float | None = None  # in its own units, positive if its position is good
    depth: int | None = None
    nodes: int | None = None
    line: tuple[int, ...] | None = None  # the moves it expects, its own first


class Engine(ABC):
    """A player; the first line of its docstring introduces it in listings.

    Authors write `choose` and, where they like, `new_game`, `opinions`, `learn` and `warm_up`; none
    of them needs `super()`. Arena calls the final methods `begin`, `get_ready`, `ask`,
    `ask_opinions` and `tell`. An engine that is asked about a board on which no game has begun
    begins one there, with seed 0.
    """

    options: ClassVar[Mapping[str, Option]] = {}
    prunes: ClassVar[bool] = True  # False: it searches every line of play to its depth
    plays_pie: ClassVar[bool] = False  # True: it may answer STEAL itself
    ignores: ClassVar[frozenset[str]] = frozenset()  # the limits that do not change its moves
    learns: ClassVar[bool] = False  # True: `learn` gets each of its games

    explore: float = option(0.0, "the share of its moves that are random ones", least=0, most=1)

    rules = CONNECT4  # the board of the game
    random: Random  # random numbers, seeded for each game
    early = USUAL  # seconds to stop before the time limit, as long as no answer was late
    seed_of_game = 0
    _deadline = NEVER  # of the present move
    _kernel_meter: Any = None  # the record and the function that fills it, made on first use
    _explore = 0.0
    _board: Rules | None = None  # of the game that has begun

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "explore" in get_annotations(cls):
            words = "is every engine's share of random moves; give yours another name"
            raise BadOption(f"{cls.__name__}: option 'explore' {words}")
        for name in sorted(FINAL & vars(cls).keys()):
            words = "is a method that Arena calls; give yours another name"
            raise BadOption(f"{cls.__name__}: {name!r} {words}")
        options = collect_options(cls)
        cls.options = {name: options[name] for name in sorted(options, key="explore".__eq__)}

    def __init__(self, **given: Any) -> None:
        defaults = {name: declared.default for name, declared in self.options.items()}
        for name, value in check_options(self.options, {**defaults, **given}).items():
            setattr(self, name, value)
        self.random = Random(0)
        self._explore = self.explore

    # ---- what authors write

    @abstractmethod
    def choose(self, position: Position, limits: Limits) -> Choice:
        """Pick a column to drop into; the position is never over."""

    def new_game(self) -> None:  # noqa: B027  # most engines keep nothing
        """Forget the last game: a new one begins on `self.rules`, with chance in `self.random`."""

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        """The value of each legal column to the player to move; empty if it cannot tell."""
        return {}

    def learn(self, game: PlayedGame) -> None:  # noqa: B027  # most engines do not
        """Learn from a finished game of its own, if the class sets `learns`; no clock runs.

        Before each game it gets all its earlier ones of the tournament, in order. What it learns
        must depend on nothing else, as another process may have to learn it again.
        """

    def warm_up(self) -> None:
        """Compile and load everything that a move on `self.rules` needs; no clock runs.

        By default it chooses the first two moves of a game.
        """
        position = Position(self.rules)
        self.choose(position, FEW)
        position = position.play(position.legal[0])
        if not position.is_over:
            self.choose(position, FEW)

    # ---- what the harness calls

    @final
    def begin(self, rules: Rules, seed: int) -> None:
        """Begin a new game on this board, with a seed for its random numbers."""
        self.rules = self._board = rules if self.plays_pie else rules.plain
        self.seed_of_game = seed
        self.random = Random(seed)
        try:
            self.new_game()
        except BaseException:
            self._board = None
            raise

    @final
    def get_ready(self, rules: Rules) -> None:
        """Warm up for games on this board; no clock runs."""
        self.begin(rules, 0)
        self.warm_up()
        self._board = None

    @final
    def ask(self, position: Position, limits: Limits) -> Choice:
        """The engine's move: a random one for a share of `explore`, else what it chooses."""
        rules = position.rules
        if self._board is not rules:
            self._begin_unless_on(rules)
        if self._explore and self.random.random() < self._explore:
            return Choice(self.random.choice(position.choices))
        return self._think(position, limits)

    def _think(self, position: Position, limits: Limits) -> Choice:
        """Let the engine choose; its reserve of time learns from that."""
        self._deadline = NEVER
        if position.rules.pie and not self.plays_pie:
            choice = choose_by_pie(self, position, limits)
        else:
            choice = self.choose(position, limits)
        if self._deadline:
            reserve_of(type(self)).learn(self._deadline)
        return choice

    @final
    def ask_opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        """The engine's opinions; of a first disc that may be stolen, the fair value."""
        rules = position.rules
        self._begin_unless_on(rules)
        if not rules.pie or self.plays_pie:
            return self.opinions(position, limits)
        values = self.opinions(position.plain, limits)
        return values if position.ply else {c: -abs(value) for c, value in values.items()}

    @final
    def tell(self, game: PlayedGame) -> None:
        """Let the engine learn from a game of its own."""
        self.learn(game if self.plays_pie else game.plain)

    def _begin_unless_on(self, rules: Rules) -> None:
        """Begin a new game unless one has begun on this board."""
        if self._board != (rules if self.plays_pie else rules.plain):
            self.begin(rules, 0)

    # ---- what authors use

    def meter(self, position: Position, limits: Limits) -> OneRecord:
        """The record in which a kernel counts nodes, and sees that nodes or time have run out.

        Each call resets it. The time ends early, by as much as earlier answers of this class were
        late.
        """
        if self._kernel_meter is None:  # the imports cost a microsecond a move
            import numpy as np

            from arena.game.bits import METER, meter_fields  # loads kernels, which some never need

            self._kernel_meter = np.zeros(1, METER), meter_fields
        self._deadline = NEVER
        if limits.timed:
            self._deadline = reserve_of(type(self)).deadline(position, limits, self.early)
        meter: OneRecord
        meter, fields = self._kernel_meter
        meter[0] = fields(limits.nodes, self._deadline)
        return meter

    def fresh(self) -> Self:
        """A new engine with the same options on the same board; asking it changes no later move."""
        other = type(self)(**{**self.settings(), "explore": 0.0})
        other.begin(self.rules, 0)
        return other

    @classmethod
    def summary(cls) -> str:
        """The first line of the docstring."""
        return printable((cls.__doc__ or "").strip().partition("\n")[0])

    def settings(self) -> dict[str, Any]:
        """The present values of the options."""
        return {name: getattr(self, name) for name in self.options}


Engine.options = collect_options(Engine)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One of an engine's own games, from its first column to its result.

    With `by_fault` a mistake ended it, and the result says nothing about the position.
    """

    number: int  # in its tournament or match, from 1
    rules: Rules
    opening: tuple[int, ...]  # columns that nobody chose
    columns: tuple[int, ...]  # of all moves with those of the opening; a steal is STEAL
    result: int  # for the player who moved first: 1 won, 0 drew, -1 lost
    reason: str  # "line", "full board", "max plies", "adjudicated", or whose fault: "time" ...
    by_fault: bool
    seat: int  # its own: 0 moved first
    opponent: str  # the name of the other player

    @property
    def own_result(self) -> int:
        """The result for the engine itself: 1 won, 0 drew, -1 lost."""
        return -self.result if self.seat else self.result

    @property
    def plain(self) -> PlayedGame:
        """The game without the pie rule, as if the owner of the first disc had begun."""
        if not self.rules.pie:
            return self
        game = replace(self, rules=self.rules.plain)
        if STEAL not in self.columns:
            return game
        return replace(
            game,
            opening=tuple(column for column in self.opening if column != STEAL),
            columns=tuple(column for column in self.columns if column != STEAL),
            result=-self.result,
            seat=1 - self.seat,
        )


def read_column(choice: Any) -> int:
    """The column of an answer, or STEAL; IllegalMove for any other answer."""
    if not isinstance(choice, Choice):
        raise IllegalMove(f"answered {short_repr(choice)} where a Choice is expected")
    column = choice.column
    if type(column) is int:
        return column
    whole = None if isinstance(column, bool) else read_count(column)
    if whole is None:
        raise IllegalMove(f"answered column {short_repr(column)}, which is not a whole number")
    return whole


def read_score(score: Any) -> float | None:
    """A score as a number; None if it is not a finite number."""
    try:
        return float(score) if isfinite(score) else None
    except (TypeError, ValueError, OverflowError):
        return None


def read_count(count: Any) -> int | None:
    """A whole number; None for any other value."""
    try:
        return index(count)
    except TypeError:
        return None


def choose_by_pie(engine: Engine, position: Position, limits: Limits) -> Choice:
    """Choose under the pie rule for an engine that does not know it, and sees plain boards alone.

    Its first disc is not in the middle, where it would be stolen. It steals if its own choice has a
    negative score; without a score, it steals a disc in the middle.
    """
    choice = engine.choose(position.plain, limits)
    if not isinstance(choice, Choice):
        return choice
    order, middle = position.rules.centre_order, position.rules.centre_columns
    if position.ply == 0 and choice.column in middle:
        beside = next((column for column in order if column not in middle), order[0])
        return Choice(beside, nodes=choice.nodes)
    if not position.can_steal:
        return choice
    score = read_score(choice.score)
    disc = (position.opponent.bit_length() - 1) // position.rules.height
    if score < 0 if score else disc in middle:
        return Choice(STEAL, None if score is None else 0.0 - score, choice.depth, choice.nodes)
    return choice


def seed_global_rngs(seed: int) -> None:
    """Seed the generators of `random` and numpy, for engines that use them."""
    random.seed(seed)
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.seed(seed & 0xFFFFFFFF)
