"""What is put around the methods of every engine, so that an author need not think of it.

An engine may be asked about a board that it was not told of; and one that does not know the pie
rule never sees it: it is asked, warmed up and taught as if the rule were not there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

from arena.engine.limits import FEW, Limits
from arena.engine.pie import choose_by_pie, fair_worths
from arena.engine.played import PlayedGame
from arena.engine.reserve import NEVER, reserve_of
from arena.game.position import Position
from arena.game.rules import Rules

if TYPE_CHECKING:
    from arena.engine.contract import Engine

F = TypeVar("F", bound=Callable[..., Any])


def at_the_board(question: F) -> F:
    """Let an engine be asked at once: on a board that it was not told of, a new game begins.

    One that does not know the pie rule is asked about the board without it.
    """

    @wraps(question)
    def asked(self: Engine, position: Position, *rest: Any, **named: Any) -> Any:
        if position.rules.pie and not self.plays_pie:
            position = position.plain
        rules = position.rules
        if self._current_board is not rules and self._current_board != rules:
            self.new_game(rules, 0)
        return question(self, position, *rest, **named)

    return cast(F, asked)


def _deciding(choose: F) -> F:
    """Let an engine that does not know the pie rule divide and take by what it thinks."""
    choose = _measured(choose)
    asked = at_the_board(choose)

    @wraps(choose)
    def decided(self: Engine, position: Position, limits: Limits) -> Any:
        rules = position.rules
        if rules.pie and not self.plays_pie:
            has_opinions = hasattr(type(self).opinions, "__wrapped__")
            opinions = self.opinions if has_opinions else None
            return choose_by_pie(partial(asked, self), opinions, position, limits)
        if self._current_board is not rules and self._current_board != rules:
            self.new_game(rules, 0)
        return choose(self, position, limits)

    return cast(F, decided)


def _measured(choose: F) -> F:
    """Let the reserve learn how late an engine answers that has set its meter."""

    @wraps(choose)
    def measured(self: Engine, position: Position, limits: Limits) -> Any:
        self._deadline = NEVER
        choice = choose(self, position, limits)
        if self._deadline is not NEVER:
            reserve_of(type(self)).learn(self._deadline)
        return choice

    return cast(F, measured)


def _fair(opinions: F) -> F:
    """Tell what a first disc is worth where the other player may steal it."""
    asked = at_the_board(opinions)

    @wraps(opinions)
    def fair(self: Engine, position: Position, limits: Limits) -> dict[int, float]:
        worths: dict[int, float] = asked(self, position, limits)
        divides = position.rules.pie and position.ply == 0 and not self.plays_pie
        return fair_worths(worths) if divides else worths

    return cast(F, fair)


def _noted(new_game: F) -> F:
    """Note down the board of a new game, whether or not an author calls the base class."""

    @wraps(new_game)
    def begun(self: Engine, rules: Rules, *rest: Any, **named: Any) -> None:
        rules = rules if self.plays_pie else rules.plain
        self._current_board = rules
        try:
            new_game(self, rules, *rest, **named)
        except BaseException:
            self._current_board = None
            raise

    return cast(F, begun)


def ready_for_pie(warm_up: F) -> F:
    """Warm an engine up for a board without the pie rule, and then for the first move with it."""

    @wraps(warm_up)
    def warmed(self: Engine, rules: Rules) -> None:
        if self.plays_pie or not rules.pie:
            warm_up(self, rules)
            return
        warm_up(self, rules.plain)
        self.choose(Position(rules), FEW)
        self.new_game(rules, 0)

    return cast(F, warmed)


def _taught(learn: F) -> F:
    """Tell an engine that does not know the pie rule of a game as if nobody had stolen."""

    @wraps(learn)
    def taught(self: Engine, game: PlayedGame) -> None:
        learn(self, game if self.plays_pie else game.plain)

    return cast(F, taught)


WRAPPERS: dict[str, Callable[[Any], Any]] = {  # of methods, however an author writes them
    "new_game": _noted,
    "choose": _deciding,
    "opinions": _fair,
    "warm_up": ready_for_pie,
    "learn": _taught,
}
