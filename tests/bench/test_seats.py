"""What a ply costs around engines of every kind: measured at all, and in the right order."""

from __future__ import annotations

from shutil import which

from arena.bench.seats import plies


def test_a_ply_of_each_kind_is_measured() -> None:
    measured = list(plies(2))
    names = ["a built-in engine", "a Python bot", "a C program"]
    assert [name for name, *_ in measured] == names[: 3 if which("cc") else 2]
    for _, usual, slowest, _ in measured:
        assert 0 < usual <= slowest < 60
    assert measured[0][1] < measured[1][1]
