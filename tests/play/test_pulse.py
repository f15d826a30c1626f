"""The pulse tells who is thinking, on which board, and how much time both sides have used."""

from __future__ import annotations

import time
from typing import Any

import pytest

from arena import Choice, Engine, Limits, Position
from arena.game.rules import CONNECT4, Rules
from arena.play.pulse import NOBODY, SEAT, SINCE, USED, Pulse, Thinking, WatchedReferee


class Alone:
    """Stands in for memory that is shared; nobody else sees it."""

    def RawArray(self, kind: str, size: int) -> list[float]:  # noqa: N802  # its name there
        return [0] * size


def test_who_thinks_and_since_when() -> None:
    pulse = Pulse(Alone())
    assert pulse.thinking() is None
    pulse.begin_game(7, (3, 3))
    pulse.begin(1, 2.5)
    thinking = pulse.thinking()
    assert thinking is not None
    assert (thinking.game, thinking.seat, thinking.allowed) == (7, 1, 2.5)
    assert thinking.deadline == thinking.since + 2.5
    pulse.end()
    assert pulse.thinking() is None


def test_the_moves_of_the_game_on_the_table() -> None:
    pulse = Pulse(Alone())
    pulse.begin_game(1, (3, 3))
    pulse.show((3, 3, 4))
    assert pulse.moves() == bytes((3, 3, 4))
    pulse.begin_game(2, ())
    assert pulse.moves() == b""


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
    pulse = Pulse(Alone())
    pulse.numbers = ThatChanges(pulse.numbers)
    pulse.begin(1, 2.5)
    assert pulse.thinking() is not None
    pulse.numbers.change_while_read(at, value)
    assert pulse.thinking() is None


class Sleeper(Engine):
    """Takes its time to get ready and for each move; notes what the pulse shows meanwhile."""

    nap: float = 0.01

    def begin(self, pulse: Pulse) -> None:
        self.pulse, self.shown = pulse, list[Thinking]()

    def new_game(self, rules: Rules, seed: int) -> None:
        super().new_game(rules, seed)
        self._sleep()

    def choose(self, position: Position, limits: Limits) -> Choice:
        self._sleep()
        return Choice(position.legal[0])

    def _sleep(self) -> None:
        time.sleep(self.nap)
        thinking = self.pulse.thinking()
        assert thinking is not None
        self.shown.append(thinking)


def test_time_is_counted_for_moves_only_and_anew_in_each_game() -> None:
    pulse = Pulse(Alone())
    engines = (Sleeper(nap=0.001), Sleeper(nap=0.003))
    for number in (1, 2):
        for engine in engines:
            engine.begin(pulse)
        pulse.begin_game(number, ())
        referee = WatchedReferee(pulse, 60.0, engines, CONNECT4)
        began = time.monotonic()
        while referee.ask():
            pass
        elapsed = time.monotonic() - began
        ready, first, *_ = engines[0].shown
        assert (ready.game, ready.used, first.used) == (number, None, (0.0, 0.0))
        used, moves = pulse.numbers[USED : USED + 2], referee.record()
        for seat in (0, 1):  # the referee's own clock runs for a little less than the pulse's
            assert used[seat] >= sum(move.seconds for move in moves.moves_of(seat))
        assert sum(used) <= elapsed
