"""What the user has chosen to see, as keys change it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.dashboard.content import Selection, window
from arena.show.terminal import key_names


@given(st.binary(max_size=40))
def test_whatever_is_typed_does_no_harm(typed: bytes) -> None:
    selection = Selection(keys=True)
    for name in key_names(typed):
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
