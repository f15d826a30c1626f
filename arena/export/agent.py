"""An engine as a Kaggle agent: an observation and a configuration in, a column out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.bots.boards import NUMBERS, followed, read_flat_board
from arena.engine.contract import Engine, Limits
from arena.engine.limits import counts_in
from arena.errors import BadNotation
from arena.game.position import Position
from arena.game.rules import Rules

USUAL = 2.0  # seconds a move, if the configuration has none
MARGIN = 0.15  # seconds of a move for the machine, at most half of it


class KaggleAgent:
    """An engine that Kaggle's ConnectX asks; it finds the moves of a game on the boards.

    It uses `seconds` for each move, or the time that `actTimeout` allows. Its options depth, nodes
    and playouts are limits too: it stops at the first one reached.
    """

    def __init__(
        self, engine: Engine, seconds: float | None = None, options: Mapping[str, str] | None = None
    ) -> None:
        self.engine = engine
        self.seconds = seconds
        self.counts = counts_in(options or {})
        self.warm: set[Rules] = set()
        self.expected: Position | None = None  # after our last move

    def __call__(self, observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> int:
        """The column to drop into."""
        rules = rules_of(configuration)
        self.warm_up(rules)
        seen = read_observation(observation, rules)
        position = None if self.expected is None else followed(self.expected, seen)
        if position is None or seen.ply < 2:
            self.engine.begin(rules, int(configuration.get("randomSeed") or 0))
            position = followed(Position(rules), seen) or seen
        column = int(self.engine.ask(position, self.limits(configuration)).column)
        self.expected = position.play(column)
        return column

    def warm_up(self, rules: Rules) -> None:
        """Compile and load everything for moves on this board, once."""
        if rules not in self.warm:
            self.engine.get_ready(rules)
            self.warm.add(rules)
            self.expected = None

    def limits(self, configuration: Mapping[str, Any]) -> Limits:
        """The limits of a move."""
        allowed = float(configuration.get("actTimeout") or USUAL)
        return Limits(**self.counts, seconds=self.seconds or max(allowed / 2, allowed - MARGIN))


def rules_of(configuration: Mapping[str, Any]) -> Rules:
    """The board of an episode."""
    return Rules.flat(
        int(configuration["columns"]), int(configuration["rows"]), int(configuration["inarow"])
    )


def read_observation(observation: Mapping[str, Any], rules: Rules) -> Position:
    """The position of an observation; BadNotation if it is the other player's turn."""
    position = read_flat_board([int(cell) for cell in observation["board"]], rules, NUMBERS)
    mark = int(observation["mark"])
    if mark != position.to_move + 1:
        raise BadNotation(f"mark is {mark}, but after {position.ply} discs it is the other's turn")
    return position
