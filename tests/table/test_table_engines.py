"""The engines of a table: those that nobody has needed for long make room."""

from __future__ import annotations

from pathlib import Path

import multiprocess
import pytest

from arena.bots.hosted import PipedEngine, Terms
from arena.engine.contract import Choice, Engine, Limits
from arena.errors import BadRules
from arena.game.position import Position
from arena.game.rules import Rules
from arena.table import table_process
from arena.table.channel import Heartbeat
from arena.table.game import Game
from arena.table.runner import Seating, check_of
from arena.table.table_process import TableEngines, play
from arena.tournament.games import Player, ScheduledGame

BOT = """
from arena import Choice, Engine

class Bot(Engine):
    def choose(self, position, limits):
        return Choice(position.legal[0])

class Pupil(Bot):
    learns = True
    def learn(self, game):
        pass
"""


class Refuses(Engine):
    """Does not begin a game."""

    def new_game(self) -> None:
        raise BadRules("not on this board")

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(position.legal[0])


class Unbuildable(Refuses):
    """Cannot be built."""

    def __init__(self) -> None:
        super().__init__()
        raise OSError("no weights")


@pytest.mark.parametrize("bot", ["Refuses", "Unbuildable"])
def test_nobody_thinks_after_an_engine_did_not_get_ready(bot: str) -> None:
    players = tuple(
        Player(name, name, {}, Limits(), False) for name in ("random", f"{__file__}:{bot}")
    )
    seating = Seating(Rules.named("4x4"), players, Terms(memory=None))
    engines = TableEngines(seating, Heartbeat(multiprocess.get_context()))
    game = play(ScheduledGame(1, 1, 0, 1, (), 1), engines)
    assert isinstance(game, Game)
    assert (game.reason, game.result) == ("exception", 1)
    assert engines.heartbeat.thinking() is None
    check = play(check_of(1), engines)
    assert isinstance(check, Game)
    assert check.reason == "exception"
    assert engines.heartbeat.thinking() is None


def test_seats_that_nobody_has_needed_for_long_make_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_process, "MAX_PROCESSES", 2)
    file = tmp_path / "bot.py"
    file.write_text(BOT)
    names = [f"{file}:Pupil", f"{file}:Bot", "reflex", f"{file}:Bot", f"{file}:Bot"]
    players = tuple(Player(str(n), name, {}, Limits()) for n, name in enumerate(names))
    seating = Seating(Rules.named("4x4"), players, Terms(memory=None))
    engines = TableEngines(seating, Heartbeat(multiprocess.get_context()))
    first, second = engines.seat(1, 0), engines.seat(3, 1)
    assert engines.seat(0, 0).learns
    engines.seat(2, 1)
    assert engines.seat(1, 0) is first
    engines.seat(4, 1)
    assert isinstance(second, PipedEngine)
    assert second.is_spent
    assert sorted(engines.built) == [0, 1, 2, 4]
    assert engines.seat(3, 0) is not second
    assert sorted(engines.built) == [0, 2, 3, 4]
    for engine in engines.built.values():
        if isinstance(engine, PipedEngine):
            engine.close(polite=False)
