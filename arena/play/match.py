"""A match: two players, the same openings from both sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arena.engine.contract import Engine, Limits
from arena.game.rules import Rules
from arena.play.record import GameRecord
from arena.play.referee import NO_LIMITS, play_game
from arena.tournament.lazy import Lazy
from arena.tournament.openings import RandomPlies
from arena.tournament.schedule import ScheduledGame
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
    """Play the games of a match in this process."""
    for game in match_games(rules, games, seed, opening_plies):
        first, second = players[game.first], players[game.second]
        yield play_game(
            (first.engine, second.engine),
            rules,
            (first.limits, second.limits),
            game.seed,
            game.opening,
            (first.name, second.name),
        )


def match_games(
    rules: Rules, games: int, seed: int = 0, opening_plies: int = 0
) -> Lazy[ScheduledGame]:
    """Pairs of games, each pair from one opening with the seats swapped."""
    openings = RandomPlies(rules, opening_plies, seed)

    def at(number: int) -> ScheduledGame:
        pair, swapped = divmod(number - 1, 2)
        first, second = (1, 0) if swapped else (0, 1)
        opening, own_seed = openings.opening(pair), derive_seed(seed, number - 1)
        return ScheduledGame(number, pair + 1, first, second, opening, own_seed)

    return Lazy(range(1, games + 1), at)
