"""The heartbeat tells who is thinking, on which board, and how much time both sides have used."""

from __future__ import annotations

import time
from typing import Any

import pytest

from arena import Choice, Engine, Limits, Position
from arena.game.rules import CONNECT4
from arena.table.heartbeat import NOBODY, SEAT, SINCE, USED, Heartbeat, Thinking
from arena.table.referee import Referee


class Alone:
    """Stands in for memory that is shared; nobody else sees it."""

    def RawArray(self, kind: str, size: int) -> list[float]:  # noqa: N802  # its name there
        return [0] * size


def test_who_thinks_and_since_when() -> None:
    heartbeat = Heartbeat(Alone())
    assert heartbeat.thinking() is None
    heartbeat.begin_game(7, (3, 3))
    heartbeat.begin(1, 2.5)
    thinking = heartbeat.thinking()
    assert thinking is not None
    assert (thinking.game, thinking.seat, thinking.allowed) == (7, 1, 2.5)
    assert thinking.deadline == thinking.since + 2.5
    heartbeat.end()
    assert heartbeat.thinking() is None


def test_the_moves_of_the_game_on_the_table() -> None:
    heartbeat = Heartbeat(Alone())
    heartbeat.begin_game(1, (3, 3))
    heartbeat.show((3, 3, 4))
    assert heartbeat.moves() == bytes((3, 3, 4))
    heartbeat.begin_game(2, ())
    assert heartbeat.moves() == b""


class ThatChanges(list[float]):
    """Numbers of which one is set by somebody else as soon as the time used has been read."""

    def change_while_read(self, at: int, value: float) -> None:
        self.change = (at, value)

    def __getitem__(self, at: Any) -> Any:
        if at == SINCE and hasattr(self, "change"):
            super().__setitem__(*self.change)
        return super().__getitem__(at)


@pytest.mark.parametrize(("at", "value"), [(SEAT, NOBODY), (0, 99.0)])
def test_what_changes_while_it_is_read_is_not_told(at: int, value: float) -> None:
    heartbeat = Heartbeat(Alone())
    heartbeat.numbers = ThatChanges(heartbeat.numbers)
    heartbeat.begin(1, 2.5)
    assert heartbeat.thinking() is not None
    heartbeat.numbers.change_while_read(at, value)
    assert heartbeat.thinking() is None


class Sleeper(Engine):
    """Takes its time to get ready and for each move; notes what the heartbeat shows meanwhile."""

    nap: float = 0.01

    def watch(self, heartbeat: Heartbeat) -> None:
        self.heartbeat, self.shown = heartbeat, list[Thinking]()

    def new_game(self) -> None:
        super().new_game()
        self._sleep()

    def choose(self, position: Position, limits: Limits) -> Choice:
        self._sleep()
        return Choice(position.legal[0])

    def _sleep(self) -> None:
        time.sleep(self.nap)
        thinking = self.heartbeat.thinking()
        assert thinking is not None
        self.shown.append(thinking)


def test_time_is_counted_for_moves_only_and_anew_in_each_game() -> None:
    heartbeat = Heartbeat(Alone())
    engines = (Sleeper(nap=0.001), Sleeper(nap=0.003))
    for number in (1, 2):
        for engine in engines:
            engine.watch(heartbeat)
        heartbeat.begin_game(number, ())
        referee = Referee(engines, CONNECT4, heartbeat=heartbeat, patience=60.0)
        began = time.monotonic()
        while referee.ask():
            pass
        elapsed = time.monotonic() - began
        ready, first, *_ = engines[0].shown
        assert (ready.game, ready.used, first.used) == (number, None, (0.0, 0.0))
        used, game = heartbeat.numbers[USED : USED + 2], referee.finished_game()
        for seat in (0, 1):  # the referee's own clock runs for a little less than the heartbeat's
            moves = sum(move.seconds for move in game.moves_of(seat))  # single-precision floats
            assert used[seat] >= moves * (1 - 1e-6)
        assert sum(used) <= elapsed
