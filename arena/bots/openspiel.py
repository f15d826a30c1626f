"""OpenSpiel both ways: its bots and those of a file play here, ours play there."""

from __future__ import annotations

import inspect
from functools import lru_cache
from random import Random
from typing import Any, ClassVar

import numpy as np

from arena.bots.adapter import TIME_LIMITS, PythonAdapter, load_named
from arena.bots.spoken import SpokenEngine
from arena.engine.contract import Choice, Limits, option
from arena.engine.registry import split_file
from arena.errors import BadOption, BadRules, EngineFailure, NotInstalled, UnknownName
from arena.game.notation import play_moves
from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules

MEMORY = 1000  # megabytes for a search
UNLIMITED = 10**9  # simulations of a search that is limited by time
SHARE = 0.9  # of the time; the rest is for the pipe
PLAYER = frozenset({"player_id", "player"})  # parameters for a bot's own side
KNOWN = ("game", "player_id", "rng", "seed")


def load_pyspiel() -> Any:
    """OpenSpiel's module, if it is installed."""
    try:
        import pyspiel
    except ImportError:
        raise NotInstalled(
            "openspiel bots need the package open_spiel: pip install open_spiel"
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
    """OpenSpiel's own search with random playouts, bounded by their number or by time."""
    pyspiel = load_pyspiel()
    evaluator = pyspiel.RandomRolloutEvaluator(1, random.getrandbits(31))
    seed, by_time = random.getrandbits(31), {}
    if seconds is not None:
        simulations, by_time = UNLIMITED, {"max_wall_clock_time": SHARE * seconds}
    try:
        return pyspiel.MCTSBot(
            game, evaluator, uct_c, simulations, MEMORY, True, seed, False, **by_time
        )
    except TypeError:  # an old version
        raise EngineFailure(
            "this OpenSpiel does not support time limits; use simulations=N or open_spiel 2.0"
        ) from None


def builds_bots(value: Any) -> bool:
    """Check whether this is a class or a function that builds bots."""
    return hasattr(value, "step") if isinstance(value, type) else inspect.isfunction(value)


def build_bot(build: Any, game: Any, player: int, seed: int) -> Any:
    """Build a bot with the arguments that its parameters name."""
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
                f"{build.__name__} needs {name!r}; expected one of {', '.join(KNOWN)}"
            )
    bot = build(**arguments)
    if not callable(getattr(bot, "step", None)):
        raise EngineFailure(f"{build.__name__} builds {type(bot).__name__}, which has no step")
    return bot


def restart(bot: Any, state: Any) -> None:
    """Restart a bot at a state if it overrides `restart_at`: the inherited one only raises."""
    own = getattr(type(bot), "restart_at", None)
    if own is not None and own is not load_pyspiel().Bot.restart_at:
        bot.restart_at(state)


SIMULATIONS = 1000  # without an option or a limit
SEARCH_OPTIONS = ("simulations", "uct_c")


class OpenSpiel(PythonAdapter):
    """A bot of OpenSpiel: mcts, random, or FILE.py:Bot.

    Arena builds it for each game from the parameters it names (game, player_id, rng, seed), reports
    the opponent's moves with `inform_action`, and calls `restart_at` after a jump.
    """

    kind: ClassVar[str] = "openspiel"
    supported_limits: ClassVar[frozenset[str]] = TIME_LIMITS | {"playouts"}
    simulations: int | None = option(None, "mcts only: playouts a move", least=1)
    uct_c: float = option(2.0, "mcts only: how much it explores", least=0)

    def __init__(self, target: str, **options: Any) -> None:
        super().__init__(target, **options)
        if split_file(target) is None and target not in ("mcts", "random"):
            raise UnknownName("bot of OpenSpiel", target, ["mcts", "random", "FILE.py:Bot"])
        for name in SEARCH_OPTIONS:
            if name in options and not self.searches:
                raise BadOption(f"option {name!r} is only for openspiel:mcts, not {self.name}")
        if not self.searches:
            self.supported_limits = frozenset()  # type: ignore[misc]  # other bots ignore limits
        self.game: Any = None
        self.state: Any = None
        self.bots: tuple[Any, ...] = ()
        self.has_stepped = False  # in this game

    @property
    def searches(self) -> bool:
        """Check whether this is OpenSpiel's own search, which is built for each move."""
        return self.target == "mcts"

    def check_limits(self, limits: Limits) -> str | None:
        """A fixed number of simulations bounds a search as well."""
        return None if self.simulations is not None else super().check_limits(limits)

    def check_rules(self, rules: Rules) -> None:
        """Refuse a board that the installed OpenSpiel does not support."""
        super().check_rules(rules)
        load_game(rules)

    def load_code(self) -> None:
        """Build the bot, for both sides if it must know its side, which is not known yet."""
        self.game = load_game(self.rules)
        self.state = self.game.new_initial_state()
        self.has_stepped = False
        seed = self.random.getrandbits(31)
        if self.searches:
            return
        if self.target == "random":
            build = load_pyspiel().make_uniform_random_bot
            self.bots = (build(0, seed), build(1, seed))
            return
        expected = "a class with step or a function that builds a bot"
        build = load_named(self.target, self.kind, builds_bots, expected)
        has_side = not PLAYER.isdisjoint(inspect.signature(build).parameters)
        sides = (0, 1) if has_side else (0,)
        self.bots = tuple(build_bot(build, self.game, side, seed) for side in sides)

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Ask the bot; OpenSpiel's own search reports a score too."""
        return self.search(position, limits) if self.searches else super().choose(position, limits)

    def answer(self, position: Position, limits: Limits) -> object:
        if self.searches:
            return self.search(position, limits).column
        bot = self.bots[position.to_move % len(self.bots)]
        self.follow(bot, position)
        self.has_stepped = True
        return bot.step(self.state)

    def search(self, position: Position, limits: Limits) -> Choice:
        """Run OpenSpiel's own search, bounded by simulations or else by time."""
        counts = [count for count in (self.simulations, limits.playouts) if count is not None]
        seconds = None if counts else limits.budget(position)
        count = min(counts, default=SIMULATIONS)
        bot = search_bot(self.game, self.uct_c, count, seconds, self.random)
        root = bot.mcts_search(replay(self.game, self.moves_to(position)))
        best = root.best_child()
        mean = best.total_reward / max(1, best.explore_count)
        score = best.outcome[best.player] if best.outcome else mean
        return Choice(best.action, score, nodes=root.explore_count)

    def follow(self, bot: Any, position: Position) -> None:
        """Report the moves since the bot's last step; restart it after a jump.

        Of two new moves the first one is its own answer, unless it has not been asked yet.
        """
        moves, played = self.moves_to(position), tuple(self.state.history())
        new, its_own = moves[len(played) :], position.to_move
        if moves[: len(played)] != played or len(new) > 1 + self.has_stepped:
            self.state = replay(self.game, moves)
            restart(bot, self.state)
            return
        for action in new:
            mover = self.state.current_player()
            if mover != its_own and hasattr(bot, "inform_action"):
                bot.inform_action(self.state, mover, action)
            self.state.apply_action(action)


def replay(game: Any, moves: tuple[int, ...]) -> Any:
    """OpenSpiel's state after these moves; its actions are our columns."""
    state = game.new_initial_state()
    for column in moves:
        state.apply_action(column)
    return state


def openspiel_bot(engine: str, limits: Limits | str = "seconds=1", seed: int = 0) -> Any:
    """A pyspiel.Bot that plays OpenSpiel's connect_four on any board of ours.

    The engine is written with its options as on the command line; limits are for each move.
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


def follows(position: Position, last: Position) -> bool:
    """Check whether a position belongs to the same game as an earlier one."""
    return position.rules == last.rules and position.moves[: len(last.moves)] == last.moves


@lru_cache(maxsize=1)
def _bot_class() -> Any:
    """The class of our bots; it is made late because its base needs OpenSpiel."""
    base = load_pyspiel().Bot

    class OpenSpielBot(base):  # type: ignore[misc, valid-type]  # the package has no types
        """An engine of ours as an OpenSpiel bot; a state that does not follow begins a new game."""

        def __init__(self, spoken: SpokenEngine) -> None:
            base.__init__(self)
            self.spoken = spoken
            self.last: Position | None = None

        def step(self, state: Any) -> int:
            position, last = position_of(state), self.last
            if last is None or not follows(position, last):
                self.spoken.new_game(position.rules)
            column = self.spoken.choose(position, Limits()).column
            self.last = position.play(column)
            return column

        def inform_action(self, state: Any, player: int, action: int) -> None:
            """Do nothing: the next state contains the action."""

        def restart_at(self, state: Any = None) -> None:
            """Begin a new game."""
            self.last = None

        restart = restart_at

    return OpenSpielBot
