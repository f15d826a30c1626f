"""Tournaments played without engines: results that depend on the game alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from jsonschema import Draft7Validator

from arena.tournament.formats import Format, Pairs, StaticFormat
from arena.tournament.games import GameResult, ScheduledGame
from arena.tournament.numbered import derive_seed
from arena.tournament.openings import NoOpenings, Openings
from arena.tournament.schedule import Schedule

Outcome = Callable[[ScheduledGame], int]


def schedule(
    format: Format,
    players: int,
    games: int = 2,
    swap_seats: bool = True,
    openings: Openings | None = None,
    seed: int = 1,
) -> Schedule:
    """A schedule with what a test does not care about filled in."""
    return Schedule(format, players, games, swap_seats, openings or NoOpenings(), seed)


def pairs_of(*places: tuple[int, int]) -> StaticFormat:
    """Pairs of players by their places in the line-up."""
    players = 1 + max(max(pair) for pair in places)
    names = [f"player {place}" for place in range(players)]
    pairs = tuple((names[first], names[second]) for first, second in places)
    return Pairs(pairs=pairs).for_players(names)


def by_chance(game: ScheduledGame) -> int:
    """A win, a draw or a loss, from the seed of the game."""
    return derive_seed(game.seed, "result") % 3 - 1


def better_wins(game: ScheduledGame) -> int:
    """Who stands higher in the line-up wins."""
    return 1 if game.first < game.second else -1


def result(game: ScheduledGame, outcome: Outcome = by_chance) -> GameResult:
    return GameResult(game.number, game.round, game.first, game.second, outcome(game))


def rounds(
    schedule: Schedule, outcome: Outcome = by_chance
) -> Iterator[tuple[list[ScheduledGame], list[GameResult]]]:
    """The games of each round, with all results before it."""
    results: list[GameResult] = []
    for number in count(1):
        games = schedule.games(number, results)
        if games is None:
            return
        played = list(games)
        yield played, list(results)
        results += [result(game, outcome) for game in played]


def all_games(schedule: Schedule, outcome: Outcome = by_chance) -> list[ScheduledGame]:
    return [game for games, _ in rounds(schedule, outcome) for game in games]


def all_results(schedule: Schedule, outcome: Outcome = by_chance) -> list[GameResult]:
    return [result(game, outcome) for game in all_games(schedule, outcome)]


def faults(data: object, schema: dict[str, Any]) -> list[str]:
    """What a JSON Schema objects to in data."""
    as_json = json.loads(json.dumps(data))
    return [error.message for error in Draft7Validator(schema).iter_errors(as_json)]
