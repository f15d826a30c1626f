"""The wire between a table and its owner: all messages, in their order, however they are cut."""

from __future__ import annotations

import os
import pickle
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multiprocess import get_context

from arena.table.wire import LENGTH, MOST, Wire

messages = st.recursive(
    st.none() | st.integers() | st.binary(max_size=300) | st.text(max_size=20),
    lambda inner: st.tuples(inner, inner) | st.lists(inner, max_size=3),
    max_leaves=6,
)


def pair() -> tuple[Wire, Any]:
    """A wire, and the bare pipe at its other end."""
    here, there = get_context("spawn").Pipe()
    return Wire(here), there


@given(st.lists(st.lists(messages, max_size=4), max_size=5))
def test_what_is_sent_together_or_apart_comes_in_order(groups: list[list[object]]) -> None:
    here, there = pair()
    with here.pipe, there:
        for group in groups:
            here.send(*group)
        sent = [message for group in groups for message in group]
        other = Wire(there)
        assert [other.receive() for _ in sent] == sent
        assert not other.poll()


@given(st.lists(messages, min_size=1, max_size=5), st.data())
def test_messages_that_come_in_pieces_wait_for_their_end(sent: list[object], data: Any) -> None:
    here, there = pair()
    with here.pipe, there:
        packed = b"".join(LENGTH.pack(len(body)) + body for body in map(pickle.dumps, sent))
        cut = data.draw(st.integers(1, len(packed)))
        arrived = []
        for piece in (packed[:cut], packed[cut:]):
            if piece:
                os.write(there.fileno(), piece)
                assert here.poll()
                arrived += here.receive_all()
        assert arrived == sent


def test_a_message_longer_than_a_read_comes_as_a_whole() -> None:
    here, there = pair()
    long = os.urandom(10 * MOST)
    sender = Thread(target=Wire(there).send, args=(1, long, 2))
    with here.pipe, there:
        sender.start()
        assert [here.receive() for _ in range(3)] == [1, long, 2]
        sender.join()


def test_when_the_other_end_is_gone_what_came_is_read_first() -> None:
    here, there = pair()
    with here.pipe:
        Wire(there).send("last words")
        there.close()
        assert here.poll()
        assert here.receive_all() == ["last words"]
        with pytest.raises(EOFError):
            here.receive()
        with pytest.raises(OSError, match="Broken pipe"):
            here.send("too late")
