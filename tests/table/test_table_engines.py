"""The engines of a table: those that nobody has needed for long make room."""

from __future__ import annotations

from pathlib import Path

import multiprocess
import pytest

from arena.bots.hosted import PipedEngine
from arena.engine.contract import Limits
from arena.game.rules import Rules
from arena.table import table_engines
from arena.table.channel import Heartbeat
from arena.table.runner import Seating
from arena.table.table_engines import TableEngines
from arena.tournament.schedule import Player

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


def test_seats_that_nobody_has_needed_for_long_make_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_engines, "MAX_PROCESSES", 2)
    file = tmp_path / "bot.py"
    file.write_text(BOT)
    names = [f"{file}:Pupil", f"{file}:Bot", "reflex", f"{file}:Bot", f"{file}:Bot"]
    players = tuple(Player(str(n), name, {}, Limits()) for n, name in enumerate(names))
    seating = Seating(Rules.named("4x4"), players, 0.02, 60.0, None, None)
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
