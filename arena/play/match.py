"""A match: two players, the same openings from both sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arena.engine import Engine, Limits
from arena.game.rules import Rules
from arena.play.record import GameRecord
from arena.play.referee import NO_LIMITS, play_game
from arena.tournament.openings import RandomPlies
from arena.tournament.seed import derive_seed


@dataclass(frozen=True, slots=True)
class Player:
    """An engine at the table: under what name, and with what limits."""

    name: str
    engine: Engine
    limits: Limits = NO_LIMITS


def play_match(
    players: tuple[Player, Player],
    rules: Rules,
    games: int,
    seed: int = 0,
    opening_plies: int = 0,
) -> Iterator[GameRecord]:
    """Play pairs of games, each pair from one opening with the seats swapped."""
    openings = RandomPlies(rules, opening_plies, seed)
    for number in range(games):
        opening = openings.opening(number // 2)
        first, second = players if number % 2 == 0 else players[::-1]
        yield play_game(
            (first.engine, second.engine),
            rules,
            (first.limits, second.limits),
            derive_seed(seed, number),
            opening,
            (first.name, second.name),
        )
