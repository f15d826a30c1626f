"""Bots of OpenSpiel: its game on our board, its own bots by name, and those of a file."""

from __future__ import annotations

import inspect
from random import Random
from typing import Any

import numpy as np

from arena.bots.python_code import load_named
from arena.errors import BadRules, EngineFailure, NotInstalled
from arena.game.rules import CONNECT4, Rules

MEMORY = 1000  # megabytes that a search may keep
NO_END = 10**9  # simulations, where time decides
SHARE = 0.9  # of the time; the rest is for the way there and back
PLAYER = frozenset({"player_id", "player"})  # how a bot calls its side
KNOWN = ("game", "player_id", "rng", "seed")


def load_pyspiel() -> Any:
    """OpenSpiel's module, if it is installed."""
    try:
        import pyspiel
    except ImportError:
        raise NotInstalled(
            "openspiel engines need the package open_spiel; install it with pip install open_spiel"
        ) from None
    return pyspiel


def load_game(rules: Rules) -> Any:
    """OpenSpiel's Connect Four on this board."""
    pyspiel = load_pyspiel()
    size = {"rows": rules.height, "columns": rules.columns, "x_in_row": rules.connect}
    try:
        return pyspiel.load_game("connect_four", {} if rules.plain == CONNECT4 else size)
    except pyspiel.SpielError as error:
        raise BadRules(f"this OpenSpiel does not play on {rules}: {error}") from None


def search_bot(
    game: Any, uct_c: float, simulations: int, seconds: float | None, random: Random
) -> Any:
    """OpenSpiel's own search with random playouts: so many, or as many as the time allows."""
    pyspiel = load_pyspiel()
    evaluator = pyspiel.RandomRolloutEvaluator(1, random.getrandbits(31))
    seed, by_time = random.getrandbits(31), {}
    if seconds is not None:
        simulations, by_time = NO_END, {"max_wall_clock_time": SHARE * seconds}
    try:
        return pyspiel.MCTSBot(
            game, evaluator, uct_c, simulations, MEMORY, True, seed, False, **by_time
        )
    except TypeError:  # an old one
        raise EngineFailure(
            "this OpenSpiel cannot be told of time; give it simulations=N, or open_spiel 2.0"
        ) from None


def random_bot(game: Any, player: int, seed: int) -> Any:
    """OpenSpiel's own bot that plays anything."""
    return load_pyspiel().make_uniform_random_bot(player, seed)


def bot_in_file(target: str, kind: str) -> Any:
    """The class or the function that a target names, by which bots are built."""

    def builds(value: Any) -> bool:
        return hasattr(value, "step") if isinstance(value, type) else inspect.isfunction(value)

    return load_named(target, kind, builds, "a class with step or a function that builds a bot")


def takes_player(build: Any) -> bool:
    """Whether a bot is built for one side."""
    return not PLAYER.isdisjoint(inspect.signature(build).parameters)


def build_bot(build: Any, game: Any, player: int, seed: int) -> Any:
    """A bot from what its class or function asks for, by the names of its parameters."""
    given = {"game": game, "player_id": player, "player": player, "seed": seed}
    given |= {name: np.random.RandomState(seed) for name in ("rng", "random_state")}
    arguments = {}
    for name, parameter in inspect.signature(build).parameters.items():
        if name in given:
            arguments[name] = given[name]
        elif parameter.default is parameter.empty and parameter.kind not in (
            parameter.VAR_POSITIONAL,
            parameter.VAR_KEYWORD,
        ):
            raise EngineFailure(
                f"{build.__name__} asks for {name!r}; expected one of {', '.join(KNOWN)}"
            )
    bot = build(**arguments)
    if not callable(getattr(bot, "step", None)):
        raise EngineFailure(f"{build.__name__} builds {type(bot).__name__}, which has no step")
    return bot


def restart(bot: Any, state: Any) -> None:
    """Set a bot down at a state, if it has a word for that: the one it inherits only complains."""
    own = getattr(type(bot), "restart_at", None)
    if own is not None and own is not load_pyspiel().Bot.restart_at:
        bot.restart_at(state)
