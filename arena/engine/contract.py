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
from collections.abc import Mapping
from random import Random
from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar

from arena.engine.choice import Choice
from arena.engine.levels import Ladder, Offer
from arena.engine.limits import FEW, Limits
from arena.engine.options import Option, check_options, collect_options, option
from arena.engine.played import PlayedGame
from arena.engine.reserve import NEVER, USUAL, Deadline, reserve_of
from arena.engine.wrappers import WRAPPERS, at_the_board, ready_for_pie
from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules
from arena.printable import printable

if TYPE_CHECKING:
    from arena.game.bits import OneRecord

__all__ = ["Choice", "Engine", "Limits", "at_the_board", "option"]

# A subclass speaks for itself.
NOT_INHERITED = ("shares_chance", "levels", "levels_in_space", "offer")
MARGIN = 0.020  # seconds by which any answer may be late: the machine's share, not the engine's


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
    plays_pie: ClassVar[bool] = False  # True: it may answer STEAL itself; else see engine/pie.py
    ignores: ClassVar[frozenset[str]] = frozenset()  # the limits that do not change its moves
    learns: ClassVar[bool] = False  # True: it is told each game of its own that is over
    levels: ClassVar[Ladder] = {}  # what it is given to play a level; empty: see engine/levels.py
    levels_in_space: ClassVar[Ladder] = {}  # those that are others on boards in space
    offer: ClassVar[Offer | None] = None  # how a person is offered it; None: by name alone
    early: float = USUAL  # seconds before its time is over that it stops, where it is never late
    _current_board: Rules | None = None  # of the game that it was last told of
    _deadline: Deadline = NEVER  # of the move that it thinks about
    _kernel_meter: Any = None  # made when it is first asked for

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.options = collect_options(cls)
        for name in NOT_INHERITED:
            setattr(cls, name, vars(cls).get(name, getattr(Engine, name)))
        for name, wrapper in WRAPPERS.items():
            method = cls.__dict__.get(name)
            if isinstance(method, FunctionType):
                setattr(cls, name, wrapper(method))

    def __init__(self, **given: Any) -> None:
        defaults = {name: declared.default for name, declared in self.options.items()}
        for name, value in check_options(self.options, {**defaults, **given}).items():
            setattr(self, name, value)
        self.rules: Rules = CONNECT4
        self.random: Random = Random(0)

    def new_game(self, rules: Rules, seed: int) -> None:
        """Forget the last game: a new one begins, on this board, with this seed for all chance."""
        self.rules = rules if self.plays_pie else rules.plain
        self.random = Random(seed)
        self._current_board = self.rules

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

    @ready_for_pie
    def warm_up(self, rules: Rules) -> None:
        """Compile and load whatever a move on this board can need, so that no clock ever sees it.

        Every process in which the engine is to play calls it before the first game. Here it makes
        a quick first move, twice, as loading may use up the time of the first one.
        """
        for _ in range(2):
            self.new_game(rules, 0)
            self.choose(Position(rules), FEW)
        self.new_game(rules, 0)

    def meter(self, position: Position, limits: Limits) -> OneRecord:
        """The record in which a kernel counts nodes and finds out that nodes or time have run out.

        It starts anew at each call. The time ends a little early, by as much as answers of this
        class came late before.
        """
        from arena.game.meter import METER, meter_fields  # with kernels, which not all engines need

        if self._kernel_meter is None:
            import numpy as np

            self._kernel_meter = np.zeros(1, METER)
        if limits.timed:
            self._deadline = reserve_of(type(self)).deadline(position, limits, self.early)
        else:
            self._deadline = NEVER
        meter: OneRecord = self._kernel_meter
        meter[0] = meter_fields(limits.nodes, self._deadline)
        return meter

    @classmethod
    def summary(cls) -> str:
        """The first line of the docstring."""
        return printable((cls.__doc__ or "").strip().partition("\n")[0])

    def settings(self) -> dict[str, Any]:
        """The options as they are set now."""
        return {name: getattr(self, name) for name in self.options}
