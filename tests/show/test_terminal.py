"""Keys have names, and whoever is behind a terminal is asked without waiting."""

from __future__ import annotations

import os
import pty

import pytest

from arena.show.terminal import is_in_front, key_names, pressed_keys


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
    assert key_names(typed) == names


def test_keys_are_read_without_waiting() -> None:
    master, slave = pty.openpty()
    assert pressed_keys(slave) == []
    os.write(master, b"?\n")
    assert pressed_keys(slave) == ["?", "unknown"]
    os.close(master)
    os.close(slave)
    assert pressed_keys(slave) == []


def test_what_is_no_terminal_belongs_to_nobody_else() -> None:
    read, write = os.pipe()
    assert is_in_front(write)
    os.close(read)
    os.close(write)
