"""The moves that gave a game's value away, the worst of them first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from arena.judge.verdict import Verdict

WORST = 3  # kept of each player
EXPLAINED = 5  # of all players, for which every report tells what would have been right


@dataclass(frozen=True, slots=True)
class Blunder:
    """A move that gave the value away, with all that is needed to show it."""

    game: int
    player: int
    opponent: int
    moves: bytes  # up to the blunder, which is the last one
    verdict: Verdict

    @property
    def order(self) -> tuple[int, int, int, int]:
        """The worst first; of equals the one that came first."""
        value, score = self.verdict.size
        return -value, -score, self.game, self.verdict.ply


def worst(blunders: Iterable[Blunder], most: int = WORST) -> list[Blunder]:
    """So many of them, the worst first."""
    return sorted(blunders, key=lambda blunder: blunder.order)[:most]


def worst_of_all(players: Iterable[list[Blunder]], most: int) -> list[Blunder]:
    """The worst of each player, then the second worst, up to so many in all."""
    chosen: list[Blunder] = []
    each = list(players)
    for place in range(WORST):
        chosen += worst((blunders[place] for blunders in each if place < len(blunders)), len(each))
    return worst(chosen[:most], most)
