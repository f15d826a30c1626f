"""Learning from games: engines that learn receive their finished games in schedule order.

The owner of the tables keeps these games. Before a learner plays, its worker requests the games
that its copy of the engine does not know yet. So the engine knows the same on any worker, and also
after a kill: then the games come from the journal.
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

PAGE = 200  # games in one message
LEARNING = 2  # seeds 0 and 1 belong to the moves of the two seats

by_number = attrgetter("number")


class LessonsRequest(NamedTuple):
    """A worker requests the next page of a player's games between two numbers."""

    player: int
    after: int
    before: int


class Lessons:
    """The finished games of learners."""

    def __init__(self, learners: Collection[int], games: Iterable[Game] = ()) -> None:
        self._games: dict[int, list[Game]] = {player: [] for player in learners}
        if learners:
            for game in games:
                self.add(game)

    def add(self, game: Game) -> None:
        """Keep a game if a learner played it."""
        for player in (game.first, game.second):
            games = self._games.get(player)
            if games is not None:
                insort(games, replace(game, telemetry=b"", detail="", log=""), key=by_number)

    def page(self, request: LessonsRequest) -> list[Game]:
        """Return the first of the requested games; less than a full page is the last one."""
        games = self._games.get(request.player, [])
        start = bisect_left(games, request.after + 1, key=by_number)
        end = bisect_left(games, request.before, key=by_number)
        return games[start : min(end, start + PAGE)]


def played_game(game: Game, seat: int, names: Sequence[str], rules: Rules) -> PlayedGame:
    """Return a game as the engine in this seat learns from it."""
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
    """Return the seed for all chance while the engine in a seat learns from a game."""
    return derive_seed(seed, LEARNING + seat)


def tell(engine: Engine, game: PlayedGame, seed: int) -> None:
    """Let an engine learn from a game with this seed, with a seed of its own for all chance."""
    own = seed_of_lesson(seed, game.seat)
    if isinstance(engine, HostedEngine):
        engine.learn_seeded(game, own)
        return
    engine.random = Random(own)
    engine.tell(game)


def teach(engine: Engine, name: str, game: PlayedGame, seed: int) -> None:
    """Let an engine learn from a game; turn its errors into one sentence with its name."""
    try:
        tell(engine, game, seed)
    except (Exception, SystemExit) as error:
        words = f"could not learn from game {game.number}: {sentence(error, engine)}"
        raise EngineFailure(f"engine {name}: {words}", trace(error)) from error
