"""Keys: what was typed becomes names, and names change what is selected."""

from __future__ import annotations

import os
import pty

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.dashboard.keys import names_of, pressed
from arena.dashboard.selection import Selection, window


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        (b"jk?", ["j", "k", "?"]),
        (b"\x1b[A\x1b[B\x1b[C\x1b[D", ["up", "down", "right", "left"]),
        (b"\x1bOA\x1bOH\x1b[F", ["up", "home", "end"]),
        (b"\x1b[5~\x1b[6~\x1b[1~\x1b[4~", ["page up", "page down", "home", "end"]),
        (b"\x1b[1;5A", ["up"]),
        (b"\x1b", ["escape"]),
        (b"\x1b[3~\x1b[Z", ["unknown", "unknown"]),
        ("ü€".encode(), ["unknown"]),
        (b"\n\x00", ["unknown", "unknown"]),
    ],
)
def test_keys_have_names(typed: bytes, names: list[str]) -> None:
    assert names_of(typed) == names


@given(st.binary(max_size=40))
def test_whatever_is_typed_does_no_harm(typed: bytes) -> None:
    selection = Selection(keys=True)
    for name in names_of(typed):
        selection.press(name, 5, 2)
        assert 0 <= selection.standing < 5
        assert 0 <= selection.table < 2


@given(st.lists(st.sampled_from(["up", "down", "page up", "page down", "home", "end"])))
def test_scrolling_follows_the_keys_as_a_window_over_the_engines(keys: list[str]) -> None:
    players, room = 30, 7
    selection, at = Selection(), 0
    steps = {"up": -1, "down": 1, "page up": -room, "page down": room, "home": -99, "end": 99}
    selection.engines(room, players)
    for key in keys:
        selection.press(key, players, 1)
        at = max(0, min(players - room, at + steps[key]))
        assert selection.engines(room, players) == range(at, at + room)


def test_tables_are_chosen_by_arrows_and_numbers() -> None:
    selection = Selection()
    for key, table in (("right", 1), ("right", 2), ("left", 1), ("9", 3), ("1", 0), ("0", 0)):
        selection.press(key, 6, 4)
        assert selection.table == table
    assert selection.tables(2, 4) == range(2)


def test_any_key_closes_the_help_and_does_nothing_else() -> None:
    selection = Selection()
    selection.press("?", 6, 4)
    assert selection.help
    selection.press("p", 6, 4)
    assert (selection.help, selection.paused) == (False, False)
    selection.press(" ", 6, 4)
    assert selection.paused


def test_a_window_is_within_what_there_is() -> None:
    assert [window(first, 3, 5) for first in (-1, 0, 1, 2, 3, 9)] == [0, 0, 1, 2, 2, 2]
    assert window(4, 9, 5) == 0


def test_keys_are_read_without_waiting() -> None:
    master, slave = pty.openpty()
    assert pressed(slave) == []
    os.write(master, b"?\n")
    assert pressed(slave) == ["?", "unknown"]
    os.close(master)
    os.close(slave)
    assert pressed(slave) == []
