"""The set of finished games against Python's own set."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.journal import Journal, Numbers
from arena.journal.games import LEAF
from tests.journal.examples import make_header, make_row

MANY = 200_000


@given(st.lists(st.integers(0, 3 * LEAF) | st.integers(0, 2**62), max_size=12))
def test_it_is_a_set(numbers: list[int]) -> None:
    ours = Numbers()
    for number in numbers:
        ours.add(number)
    assert len(ours) == len(set(numbers))
    assert list(ours) == sorted(set(numbers))
    for number in numbers:
        assert number in ours
        assert (number + 1 in ours) == (number + 1 in set(numbers))


def test_what_is_no_number_is_not_in_it() -> None:
    numbers = Numbers()
    numbers.add(1)
    assert "1" not in numbers
    assert -1 not in numbers
    with pytest.raises(ValueError, match="from 0"):
        numbers.add(-1)


def test_a_leaf_is_filled_at_once() -> None:
    numbers = Numbers()
    numbers.add(LEAF + 5)
    numbers.fill(1)
    assert len(numbers) == LEAF
    assert LEAF in numbers
    assert 2 * LEAF - 1 in numbers
    assert LEAF - 1 not in numbers
    assert 2 * LEAF not in numbers


def test_many_games_cost_little_memory_and_load_at_once(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    row = make_row(0, telemetry=b"")
    values = (row.round, 0, 1, row.opening, row.moves, row.result, "line", "", 1, 1.0, 1.0, "", b"")
    gaps = {3, 70_000, MANY - 2}
    with Journal.open(path, make_header()) as journal, journal.together():
        journal._connection.executemany(
            "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?)",
            ((number, *values) for number in range(MANY) if number not in gaps),
        )
    with Journal.open(path, make_header()) as journal:
        assert len(journal.finished) == journal.count() == MANY - len(gaps)
        assert gaps == {number for number in range(MANY) if number not in journal.finished}
        leaves = journal.finished._leaves
        assert sum(map(sys.getsizeof, leaves.values())) < 50_000
