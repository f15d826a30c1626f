"""The contract: what an engine is given, what it answers, and how it is written.

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
    """An engine's answer: a column, and what it knows about it; the rest stays None."""

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
    prunes: ClassVar[bool] = True  # False: it looks at every line of play to its depth
    plays_pie: ClassVar[bool] = False  # True: it may answer STEAL itself
    ignores: ClassVar[frozenset[str]] = frozenset()  # the limits that do not change its moves
    learns: ClassVar[bool] = False  # True: it is told each game of its own that is over

    explore: float = option(0.0, "the share of its moves that are random ones", least=0, most=1)

    rules = CONNECT4  # the board of the game
    random: Random  # the only source of chance that an engine needs
    early = USUAL  # seconds before its time is over that it stops, where it is never late
    seed_of_game = 0
    _deadline = NEVER  # of the move that it thinks about
    _kernel_meter: Any = None  # the record and what fills it, made when it is first asked for
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
        """Learn from a game of its own that is over, if the class sets `learns`; no clock runs.

        Before each game it is told all its earlier ones of the tournament, in order. What it knows
        may depend on nothing else, as another process may have to learn it again.
        """

    def warm_up(self) -> None:
        """Compile and load what a move on `self.rules` can need, before any clock runs.

        By default it makes the first two moves of a game that nobody plays on.
        """
        position = Position(self.rules)
        self.choose(position, FEW)
        position = position.play(position.legal[0])
        if not position.is_over:
            self.choose(position, FEW)

    # ---- what the harness calls

    @final
    def begin(self, rules: Rules, seed: int) -> None:
        """Begin a new game on this board, with this seed for all chance."""
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
        """Warm up for games on this board; no clock runs, and the next game begins anew."""
        self.begin(rules, 0)
        self.warm_up()
        if rules.pie and not self.plays_pie:
            self.begin(rules, 0)
            self._think(Position(rules), FEW)
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
        """What the engine chooses where no move is random; its reserve of time learns from it."""
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

    # ---- what an engine says of itself

    def meter(self, position: Position, limits: Limits) -> OneRecord:
        """The record in which a kernel counts nodes and finds out that nodes or time have run out.

        It starts anew at each call. The time ends a little early, by as much as answers of this
        class came late before.
        """
        if self._kernel_meter is None:  # the imports cost a microsecond a move
            import numpy as np

            from arena.game.bits import METER, meter_fields  # with kernels, which some never need

            self._kernel_meter = np.zeros(1, METER), meter_fields
        self._deadline = NEVER
        if limits.timed:
            self._deadline = reserve_of(type(self)).deadline(position, limits, self.early)
        meter: OneRecord
        meter, fields = self._kernel_meter
        meter[0] = fields(limits.nodes, self._deadline)
        return meter

    def fresh(self) -> Self:
        """A new engine like this one on the same board, whose thoughts change no later move."""
        other = type(self)(**{**self.settings(), "explore": 0.0})
        other.begin(self.rules, 0)
        return other

    @classmethod
    def summary(cls) -> str:
        """The first line of the docstring."""
        return printable((cls.__doc__ or "").strip().partition("\n")[0])

    def settings(self) -> dict[str, Any]:
        """The options as they are set now."""
        return {name: getattr(self, name) for name in self.options}


Engine.options = collect_options(Engine)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One of an engine's own games, from its first column to its result.

    `by_fault` tells that a mistake ended it, so that the result says nothing about the position.
    """

    number: int  # in its tournament or match, from 1
    rules: Rules
    opening: tuple[int, ...]  # columns that nobody chose
    columns: tuple[int, ...]  # of all moves, a steal among them, those of the opening first
    result: int  # for whoever moved first: 1 won, 0 drew, -1 lost
    reason: str  # "line", "full board", "max plies", "adjudicated", or whose fault: "time" ...
    by_fault: bool
    seat: int  # its own: 0 moved first
    opponent: str  # the name of the other player

    @property
    def own_result(self) -> int:
        """The result for the engine that is told: 1 won, 0 drew, -1 lost."""
        return -self.result if self.seat else self.result

    @property
    def plain(self) -> PlayedGame:
        """The same without the pie rule, as if whoever got the first disc had begun."""
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
    """The column of an answer, or STEAL; others may answer anything, which is an illegal move."""
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
    """A score as a number; None if it is none, or not finite."""
    try:
        return float(score) if isfinite(score) else None
    except (TypeError, ValueError, OverflowError):
        return None


def read_count(count: Any) -> int | None:
    """A depth or a number of nodes; None if it is neither."""
    try:
        return index(count)
    except TypeError:
        return None


def choose_by_pie(engine: Engine, position: Position, limits: Limits) -> Choice:
    """Choose under the pie rule for an engine that does not know it, and sees plain boards alone.

    It steals if its own choice has a negative score; without a score, it steals a disc in the
    middle.
    """
    if position.ply == 0:
        return _first_disc(engine, position.plain, limits)
    choice = engine.choose(position.plain, limits)
    if not position.can_steal or not isinstance(choice, Choice):
        return choice
    score = read_score(choice.score)
    disc = (position.opponent.bit_length() - 1) // position.rules.height
    if score < 0 if score else disc in position.rules.centre_columns:
        return Choice(STEAL, None if score is None else 0.0 - score, choice.depth, choice.nodes)
    return choice


def _first_disc(engine: Engine, position: Position, limits: Limits) -> Choice:
    """The first disc where its opinions are nearest to even, else its choice beside the middle."""
    order, centre = position.rules.centre_order, position.rules.centre_columns
    beside = next((column for column in order if column not in centre), order[0])
    if type(engine).opinions is Engine.opinions:
        choice = engine.choose(position, limits)
        if isinstance(choice, Choice) and choice.column in centre:
            return Choice(beside, nodes=choice.nodes)
        return choice
    given = engine.opinions(position, limits)
    values = {c: -abs(v) for c in order if (v := read_score(given.get(c))) is not None}
    column = max(values, key=values.__getitem__, default=beside)
    return Choice(column, values.get(column))


def seed_global_rngs(seed: int) -> None:
    """Make engines repeatable that draw from the generators of `random` and numpy."""
    random.seed(seed)
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.seed(seed & 0xFFFFFFFF)
