"""Times in words: what is read, what is refused, and what engines are given."""

from __future__ import annotations

import pytest

from arena.engine.contract import Limits
from arena.errors import BadOption
from arena.human.pace import Pace


@pytest.mark.parametrize(
    ("text", "pace", "words"),
    [
        ("none", Pace(), "no clock"),
        ("", Pace(), "no clock"),
        ("No Clock", Pace(), "no clock"),
        ("10 s", Pace(seconds=10), "10 s a turn"),
        ("10s", Pace(seconds=10), "10 s a turn"),
        ("2.5 seconds a turn", Pace(seconds=2.5), "2.5 s a turn"),
        ("5 min", Pace(minutes=5), "5 min in all"),
        ("5m", Pace(minutes=5), "5 min in all"),
        ("1 minute in all", Pace(minutes=1), "1 min in all"),
        ("10 s, 3 min", Pace(10, 3), "10 s a turn, 3 min in all"),
    ],
)
def test_a_time_is_read(text: str, pace: Pace, words: str) -> None:
    assert Pace.parse(text) == pace
    assert str(pace) == words
    assert Pace.parse(words) == pace


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("10", "10 what? Say 10 s for a turn or 10 min in all"),
        ("10 x", "10 what?"),
        ("10 s 20 s", "20 what?"),
        ("soon", "'soon' is not a time"),
        ("0 s", "0 seconds a turn"),
        ("-5 s", "not a time"),
        ("99999 min", "99999 minutes in all"),
    ],
)
def test_what_is_no_time_is_refused(text: str, part: str) -> None:
    with pytest.raises(BadOption, match=part.replace("?", r"\?")):
        Pace.parse(text)


def test_engines_get_the_same_time() -> None:
    assert Pace().limits == Limits()
    assert Pace(2, 3).limits == Limits(seconds=2, clock=180)
