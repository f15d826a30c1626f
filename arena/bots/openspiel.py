"""OpenSpiel: its bots play on our board, its own ones and those of a file."""

from __future__ import annotations

from typing import Any, ClassVar

from arena.bots.openspiel_bots import (
    bot_in_file,
    build_bot,
    load_game,
    random_bot,
    restart,
    search_bot,
    takes_player,
)
from arena.bots.python_code import TARGET, PythonAdapter
from arena.engine.contract import Choice, Limits, option
from arena.errors import BadOption, EngineFailure, UnknownName
from arena.game.position import Position
from arena.game.rules import Rules

SIMULATIONS = 1000  # where neither an option nor a limit says how many
OF_SEARCH = ("simulations", "uct_c")


class OpenSpiel(PythonAdapter):
    """A bot of OpenSpiel: mcts, random, or FILE.py:Bot.

    It is built for each game from what it asks for (game, player_id, rng, seed), told the other's
    moves with `inform_action`, and where it could not follow it is set down with `restart_at`.
    """

    kind: ClassVar[str] = "openspiel"
    hears: ClassVar[frozenset[str]] = frozenset({"playouts", "seconds", "clock", "cpu"})
    simulations: int | None = option(None, "of mcts: a move; none: as limits allow", least=1)
    uct_c: float = option(2.0, "of mcts: how much it explores", least=0)

    def __init__(self, target: str, **options: Any) -> None:
        super().__init__(target, **options)
        if TARGET.fullmatch(target) is None and target not in ("mcts", "random"):
            raise UnknownName("bot of OpenSpiel", target, ["mcts", "random", "FILE.py:Bot"])
        for name in OF_SEARCH:
            if name in options and not self.searches:
                raise BadOption(f"option {name!r} is for openspiel:mcts alone, not {self.name}")
        self.game: Any = None
        self.state: Any = None
        self.bots: tuple[Any, ...] = ()
        self.has_stepped = False  # in this game

    @property
    def searches(self) -> bool:
        """Whether it is OpenSpiel's own search, which is built for each move."""
        return self.target == "mcts"

    def heard(self) -> frozenset[str]:
        """Only OpenSpiel's own search has words for limits."""
        return self.hears if self.searches else frozenset()

    def check_limits(self, limits: Limits) -> str | None:
        """A search that has a number of simulations is bound by that."""
        return None if self.simulations is not None else super().check_limits(limits)

    def check_rules(self, rules: Rules) -> None:
        """Refuse a board that this OpenSpiel does not know."""
        super().check_rules(rules)
        load_game(rules)

    def load_code(self) -> None:
        """Build the bot: one for each side where it has to know its side, as we do not yet."""
        self.game = load_game(self.rules)
        self.state = self.game.new_initial_state()
        self.has_stepped = False
        seed = self.random.getrandbits(31)
        if self.searches:
            return
        build = random_bot if self.target == "random" else bot_in_file(self.target, self.kind)
        sides = (0, 1) if takes_player(build) else (0,)
        self.bots = tuple(build_bot(build, self.game, side, seed) for side in sides)

    def choose(self, position: Position, limits: Limits) -> Choice:
        """The column that the bot answers; OpenSpiel's own search tells what it is worth too."""
        return self.search(position, limits) if self.searches else super().choose(position, limits)

    def answer(self, position: Position, limits: Limits) -> object:
        """Bring the bot to the position and let it step."""
        if self.searches:
            return self.search(position, limits).column
        bot = self.bots[position.to_move % len(self.bots)]
        self.follow(bot, position)
        self.has_stepped = True
        return bot.step(self.state)

    def search(self, position: Position, limits: Limits) -> Choice:
        """OpenSpiel's own search: by its number of simulations, else by the time there is."""
        counts = [count for count in (self.simulations, limits.playouts) if count is not None]
        seconds = None if counts else limits.budget(position)
        count = min(counts, default=SIMULATIONS)
        bot = search_bot(self.game, self.uct_c, count, seconds, self.random)
        root = bot.mcts_search(replay(self.game, moves_to(position)))
        best = root.best_child()
        mean = best.total_reward / max(1, best.explore_count)
        score = best.outcome[best.player] if best.outcome else mean
        return Choice(best.action, score, nodes=root.explore_count)

    def follow(self, bot: Any, position: Position) -> None:
        """Tell the bot what was played since its last step; elsewhere it begins anew.

        Of two new moves the first one was its own answer, unless it has not been asked yet.
        """
        moves, played = moves_to(position), tuple(self.state.history())
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


def moves_to(position: Position) -> tuple[int, ...]:
    """The moves that led to a position, without which OpenSpiel has no state for it."""
    if len(position.moves) != position.ply:
        raise EngineFailure("openspiel engines need the moves that led to a position")
    return position.moves


def replay(game: Any, moves: tuple[int, ...]) -> Any:
    """OpenSpiel's state after these moves; its actions are our columns."""
    state = game.new_initial_state()
    for column in moves:
        state.apply_action(column)
    return state
