"""An engine across the table from a learner, asked by its contract."""

from __future__ import annotations

from arena.engine.errors import sentence
from arena.engine.registry import find
from arena.errors import ArenaError, EngineFailure, IllegalMove
from arena.game.position import Position
from arena.game.rules import Rules
from arena.tournament.schedule import Player


class Opponent:
    """A player of the training file, ready for one game after the other."""

    def __init__(self, player: Player, rules: Rules) -> None:
        self.name, self.limits, self.rules = player.name, player.limits, rules
        self.engine = find(player.engine).build(player.options)

    def new_game(self, seed: int) -> None:
        """A new game begins; whatever the engine's own code raises becomes one sentence."""
        try:
            self.engine.new_game(self.rules, seed)
        except ArenaError:
            raise
        except Exception as error:
            raise EngineFailure(f"opponent {self.name} failed: {sentence(error)}") from error

    def reply(self, position: Position) -> Position:
        """The position after its move."""
        try:
            return position.play(self.engine.choose(position, self.limits).column)
        except IllegalMove as error:
            raise EngineFailure(f"opponent {self.name} made an illegal move: {error}") from None
        except ArenaError:
            raise
        except Exception as error:
            raise EngineFailure(f"opponent {self.name} failed: {sentence(error)}") from error
