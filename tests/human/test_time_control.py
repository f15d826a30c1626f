"""Times in words: what is read, what is refused, and what engines are given."""

from __future__ import annotations

import pytest

from arena.engine.contract import Limits
from arena.errors import BadOption
from arena.human.game import TimeControl


@pytest.mark.parametrize(
    ("text", "time_control", "words"),
    [
        ("none", TimeControl(), "no clock"),
        ("", TimeControl(), "no clock"),
        ("No Clock", TimeControl(), "no clock"),
        ("10 s", TimeControl(seconds=10), "10 s a turn"),
        ("10s", TimeControl(seconds=10), "10 s a turn"),
        ("2.5 seconds a turn", TimeControl(seconds=2.5), "2.5 s a turn"),
        ("5 min", TimeControl(minutes=5), "5 min in all"),
        ("5m", TimeControl(minutes=5), "5 min in all"),
        ("1 minute in all", TimeControl(minutes=1), "1 min in all"),
        ("10 s, 3 min", TimeControl(10, 3), "10 s a turn, 3 min in all"),
    ],
)
def test_a_time_is_read(text: str, time_control: TimeControl, words: str) -> None:
    assert TimeControl.parse(text) == time_control
    assert str(time_control) == words
    assert TimeControl.parse(words) == time_control


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
        TimeControl.parse(text)


def test_engines_get_the_same_time() -> None:
    assert TimeControl().limits == Limits()
    assert TimeControl(2, 3).limits == Limits(seconds=2, clock=180)
