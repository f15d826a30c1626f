"""An engine across the table from a learner, asked by its contract."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from arena.bots.find import find
from arena.engine.contract import read_column
from arena.engine.errors import sentence
from arena.engine.timing import on_this_host
from arena.errors import ArenaError, EngineFailure, IllegalMove
from arena.game.position import Position
from arena.game.rules import Rules
from arena.tournament.games import Player
from arena.tournament.players import ANYTHING


class Opponent:
    """A player of the training file, ready for one game after the other."""

    def __init__(self, player: Player, rules: Rules) -> None:
        self.name, self.limits, self.rules = player.name, on_this_host(player.limits), rules
        self.engine = find(player.engine).build(player.options)

    def new_game(self, seed: int) -> None:
        """A new game begins."""
        with self._blamed():
            self.engine.begin(self.rules, seed)

    def reply(self, position: Position) -> Position:
        """The position after its move."""
        with self._blamed():
            return position.play(read_column(self.engine.ask(position, self.limits)))

    @contextmanager
    def _blamed(self) -> Iterator[None]:
        """Whatever the engine's own code does wrong becomes one sentence."""
        try:
            yield
        except IllegalMove as error:
            raise EngineFailure(f"opponent {self.name} made an illegal move: {error}") from None
        except ArenaError:
            raise
        except ANYTHING as error:
            words = sentence(error, self.engine)
            raise EngineFailure(f"opponent {self.name} failed: {words}") from error
