"""Recorded games with what was proven about them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arena.game.rules import Rules
from arena.judge.blunders import Blunder
from arena.judge.game import Judged


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """A recorded game and what was proven about it; players are numbers in the line-up."""

    number: int
    first: int
    second: int
    result: int
    reason: str
    judged: Judged

    def blunders(self, rules: Rules) -> Iterator[Blunder]:
        """The moves that gave the value away."""
        seats = self.first, self.second
        for ply, verdict in self.judged.verdicts(rules):
            if verdict is not None and not verdict.keeps_value:
                player, opponent = seats[ply % 2], seats[1 - ply % 2]
                moves = self.judged.moves[: ply + 1]
                yield Blunder(self.number, player, opponent, moves, verdict)


@dataclass(frozen=True)
class Survey:
    """The games that were judged, out of how many, and in which time."""

    games: tuple[JudgedGame, ...]
    of: int
    seconds: float  # of processor time that each core was allowed; 0: only what was known is told
