"""Lessons: the finished games that players who learn are told, in the order of the schedule.

The owner of the tables keeps them. A table that is to seat such a player asks for those that its
own copy of the engine has not been told yet, so that it knows the same wherever it plays, and
after a kill as well: then the lessons come from the journal.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from operator import attrgetter
from random import Random
from typing import NamedTuple

from arena.bots.hosted import HostedEngine
from arena.engine.contract import Engine, PlayedGame
from arena.engine.errors import sentence, trace
from arena.errors import EngineFailure
from arena.game.rules import Rules
from arena.table.game import GOOD_ENDS, Game
from arena.tournament.numbered import derive_seed

PAGE = 200  # games that are sent at a time
LEARNING = 2  # beside the two seats, whose seeds are those of their moves

by_number = attrgetter("number")


class LessonsWanted(NamedTuple):
    """A table asks for the games of a player that lie between two numbers, a page at a time."""

    player: int
    after: int
    before: int


class Lessons:
    """The finished games of players who learn; of the others nothing is kept."""

    def __init__(self, learners: Collection[int], games: Iterable[Game] = ()) -> None:
        self._games: dict[int, list[Game]] = {player: [] for player in learners}
        if learners:
            for game in games:
                self.add(game)

    def add(self, game: Game) -> None:
        """A game is over."""
        for player in (game.first, game.second):
            games = self._games.get(player)
            if games is not None:
                insort(games, replace(game, telemetry=b"", detail="", log=""), key=by_number)

    def page(self, wanted: LessonsWanted) -> list[Game]:
        """The first of the games that are wanted; fewer than a page are the last of them."""
        games = self._games[wanted.player]
        start = bisect_left(games, wanted.after + 1, key=by_number)
        end = bisect_left(games, wanted.before, key=by_number)
        return games[start : min(end, start + PAGE)]


def played_game(game: Game, seat: int, names: Sequence[str], rules: Rules) -> PlayedGame:
    """A game as the engine that had this seat is told of it."""
    return PlayedGame(
        number=game.number,
        rules=rules,
        opening=tuple(game.opening),
        columns=game.columns,
        result=game.result,
        reason=game.reason,
        by_fault=game.reason not in GOOD_ENDS,
        seat=seat,
        opponent=names[game.first if seat else game.second],
    )


def seed_of_lesson(seed: int, seat: int) -> int:
    """The seed for all chance while the engine of a seat is told of a game with this seed."""
    return derive_seed(seed, LEARNING + seat)


def tell(engine: Engine, game: PlayedGame, seed: int) -> None:
    """Tell an engine of a game with this seed, and give it a seed of its own for all chance."""
    own = seed_of_lesson(seed, game.seat)
    if isinstance(engine, HostedEngine):
        engine.learn_seeded(game, own)
        return
    engine.random = Random(own)
    engine.tell(game)


def teach(engine: Engine, name: str, game: PlayedGame, seed: int) -> None:
    """Tell an engine of a game; what it raises becomes one sentence that begins with its name."""
    try:
        tell(engine, game, seed)
    except (Exception, SystemExit) as error:
        words = f"could not learn from game {game.number}: {sentence(error, engine)}"
        raise EngineFailure(f"engine {name}: {words}", trace(error)) from error
