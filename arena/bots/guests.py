"""Engines of ours as guests elsewhere: an agent for Kaggle's ConnectX, a bot for OpenSpiel.

env.run([arena.kaggle_agent("perfect"), "negamax"])
pyspiel.evaluate_bots(state, [arena.openspiel_bot("mcts playouts=100"), other], seed)
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from arena.bots.agent import KaggleAgent, counts_in
from arena.bots.finding import build_engine
from arena.bots.openspiel_bots import load_pyspiel
from arena.bots.spoken import SpokenEngine
from arena.bots.words import engine_words
from arena.engine.limits import Limits
from arena.errors import BadRules
from arena.game.notation import play_moves
from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules

A_SECOND = Limits(seconds=1)


def kaggle_agent(engine: str, seconds: float | None = None) -> KaggleAgent:
    """A callable (observation, configuration) that plays Kaggle's ConnectX.

    The engine is named with its options as on the command line. It uses `seconds` for a move, or
    what the configuration allows, and is ready for 7x6 at once: other boards with their first move.
    """
    options = dict(word.split("=", 1) for word in engine_words(engine)[1:] if "=" in word)
    agent = KaggleAgent(build_engine(engine), seconds, counts_in(options))
    agent.warm_up(CONNECT4)
    return agent


def openspiel_bot(engine: str, limits: Limits | str = A_SECOND, seed: int = 0) -> Any:
    """A pyspiel.Bot that plays OpenSpiel's connect_four on any board of ours.

    The engine is named with its options as on the command line; the limits are for each move.
    """
    allowed = Limits.parse(limits) if isinstance(limits, str) else limits
    return _bot_class()(SpokenEngine.from_words(engine, CONNECT4, allowed, seed))


def position_of(state: Any) -> Position:
    """The position that a state of OpenSpiel's connect_four stands for."""
    game = state.get_game()
    name = game.get_type().short_name
    if name != "connect_four":
        raise BadRules(f"our engines play OpenSpiel's connect_four, not {name}")
    size = {"rows": 6, "columns": 7, "x_in_row": 4} | game.get_parameters()
    rules = Rules.flat(size["columns"], size["rows"], size["x_in_row"])
    return play_moves(state.history(), rules)


def leads_to(before: Position, after: Position) -> bool:
    """Whether a position is of the same game, and not earlier."""
    return before.rules == after.rules and after.moves[: len(before.moves)] == before.moves


@lru_cache(maxsize=1)
def _bot_class() -> Any:
    """The class of our bots, which is made from OpenSpiel's: so not before that is there."""
    base = load_pyspiel().Bot

    class OpenSpielBot(base):  # type: ignore[misc, valid-type]  # the package has no types
        """An engine of ours as OpenSpiel asks it; a state that does not follow is a new game."""

        def __init__(self, spoken: SpokenEngine) -> None:
            base.__init__(self)
            self.spoken = spoken
            self.last: Position | None = None

        def step(self, state: Any) -> int:
            """The action, which is the column."""
            position = position_of(state)
            if self.last is None or not leads_to(self.last, position):
                self.spoken.new_game(position.rules)
            column = self.spoken.choose(position, Limits()).column
            self.last = position.play(column)
            return column

        def inform_action(self, state: Any, player: int, action: int) -> None:
            """The next state tells it as well."""

        def restart(self) -> None:
            """A new game begins."""
            self.last = None

        def restart_at(self, state: Any) -> None:
            """A new game begins, from this state."""
            self.last = None

    return OpenSpielBot
