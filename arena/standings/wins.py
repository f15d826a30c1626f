"""Wins by a line: those that were one move away and not taken, and which way the others lay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from arena.game.replay import count_wins, ways_of
from arena.game.rules import Rules
from arena.standings.scoreboard import Counts
from arena.table.record import GameRow


class Missed(NamedTuple):
    """Moves on which a player could have won at once, and those of them that did not."""

    chances: int
    missed: int

    @property
    def share(self) -> float | None:
        """How much of its chances it missed; None without one."""
        return self.missed / self.chances if self.chances else None


class Wins:
    """What the games say about immediate wins and winning lines, each replayed from its moves.

    Moves of the opening are nobody's. A game with a move against the rules, in a journal from
    elsewhere, counts for nothing.
    """

    def __init__(self, players: int, rules: Rules) -> None:
        self.rules = rules
        self.chances: Counts = np.zeros(players, np.int64)
        self.missed: Counts = np.zeros(players, np.int64)
        self.made: Counts = np.zeros((players, len(ways_of(rules.plain).names)), np.int64)

    def add(self, rows: Sequence[GameRow]) -> None:
        """Count some games."""
        games = np.empty((len(rows), 5), np.int64)
        games[:, 0] = np.cumsum([len(row.moves) for row in rows])
        games[:, 1] = [len(row.opening) for row in rows]
        games[:, 2] = [row.first for row in rows]
        games[:, 3] = [row.second for row in rows]
        games[:, 4] = [row.result for row in rows]
        moves = np.frombuffer(b"".join([row.moves for row in rows]), np.uint8)
        count_wins(self.rules, moves, games, self.chances, self.missed, self.made)

    def missed_by(self) -> tuple[Missed, ...]:
        """The chances of each player."""
        return tuple(map(Missed, self.chances.tolist(), self.missed.tolist()))

    def by_direction(self) -> dict[str, Counts]:
        """Games won by a line in each direction, by player; in words of the board."""
        names = ways_of(self.rules.plain).names
        return {name: self.made[:, way] for way, name in enumerate(names)}
