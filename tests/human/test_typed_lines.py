"""TypedLines that come in pieces, late, or not at all."""

from __future__ import annotations

import io
import os
import time

import pytest

from arena.human.view import TypedLines


def piped(content: bytes) -> tuple[TypedLines, int]:
    """TypedLines from a pipe that holds this, and its other end."""
    ours, theirs = os.pipe()
    os.write(theirs, content)
    return TypedLines(os.fdopen(ours, encoding="utf-8")), theirs


def test_lines_come_one_by_one_to_the_end() -> None:
    lines, end = piped("4\r\n\nZoë\n last".encode())
    os.close(end)
    assert [lines.read() for _ in range(4)] == ["4", "", "Zoë", " last"]
    for _ in range(2):
        with pytest.raises(EOFError):
            lines.read()
    lines.stream.close()


def test_a_line_is_waited_for_only_so_long() -> None:
    lines, end = piped(b"half a li")
    began = time.monotonic()
    assert lines.read(0.05) is None
    assert 0.04 < time.monotonic() - began < 30
    os.write(end, b"ne\nnext\n")
    assert lines.read(5) == "half a line"
    assert lines.read(0) == "next"
    assert lines.read(0) is None
    os.close(end)
    lines.stream.close()


def test_what_is_no_utf8_is_replaced() -> None:
    lines, end = piped(b"\xff\n")
    assert lines.read() == "\N{REPLACEMENT CHARACTER}"
    os.close(end)
    lines.forget()  # a pipe forgets nothing
    lines.stream.close()


def test_a_stream_without_a_file_is_read_too() -> None:
    lines = TypedLines(io.StringIO("4\nquit"))
    assert lines.file is None
    assert [lines.read(1), lines.read()] == ["4", "quit"]
    with pytest.raises(EOFError):
        lines.read()
