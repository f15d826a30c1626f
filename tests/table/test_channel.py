"""The heartbeat shows who thinks and for how long; the pipe delivers all messages in order."""

from __future__ import annotations

import os
import pickle
import time
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multiprocess import get_context

from arena import Choice, Engine, Limits, Position
from arena.game.rules import CONNECT4
from arena.table.channel import (
    LENGTH,
    MAX_MESSAGE,
    MAX_READ,
    NOBODY,
    SEAT,
    SINCE,
    USED,
    BrokenMessage,
    Heartbeat,
    Pipe,
    Thinking,
)
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


messages = st.recursive(
    st.none() | st.integers() | st.binary(max_size=300) | st.text(max_size=20),
    lambda inner: st.tuples(inner, inner) | st.lists(inner, max_size=3),
    max_leaves=6,
)


def pair() -> tuple[Pipe, Any]:
    """A pipe, and the bare connection at its other end."""
    here, there = get_context("spawn").Pipe()
    return Pipe(here), there


@given(st.lists(st.lists(messages, max_size=4), max_size=5))
def test_messages_sent_together_or_apart_arrive_in_order(groups: list[list[object]]) -> None:
    here, there = pair()
    with here.connection, there:
        for group in groups:
            here.send(*group)
        sent = [message for group in groups for message in group]
        other = Pipe(there)
        assert [other.receive() for _ in sent] == sent
        assert not other.poll()


@given(st.lists(messages, min_size=1, max_size=5), st.data())
def test_a_message_in_pieces_is_read_once_complete(sent: list[object], data: Any) -> None:
    here, there = pair()
    with here.connection, there:
        packed = b"".join(LENGTH.pack(len(body)) + body for body in map(pickle.dumps, sent))
        cut = data.draw(st.integers(1, len(packed)))
        arrived = []
        for piece in (packed[:cut], packed[cut:]):
            if piece:
                os.write(there.fileno(), piece)
                assert here.poll()
                arrived += here.receive_all()
        assert arrived == sent


def test_a_message_longer_than_a_read_arrives() -> None:
    here, there = pair()
    long = os.urandom(10 * MAX_READ)
    sender = Thread(target=Pipe(there).send, args=(1, long, 2))
    with here.connection, there:
        sender.start()
        assert [here.receive() for _ in range(3)] == [1, long, 2]
        sender.join()


def test_messages_are_read_after_the_other_end_has_closed() -> None:
    here, there = pair()
    with here.connection:
        Pipe(there).send("last words")
        there.close()
        assert here.poll()
        assert here.receive_all() == ["last words"]
        with pytest.raises(EOFError):
            here.receive()
        with pytest.raises(OSError, match="Broken pipe"):
            here.send("too late")


def test_a_length_that_no_message_has_is_refused() -> None:
    here, there = pair()
    with here.connection, there:
        os.write(there.fileno(), LENGTH.pack(MAX_MESSAGE + 1) + b"garbage")
        with pytest.raises(BrokenMessage, match="bytes"):
            here.receive_all()
