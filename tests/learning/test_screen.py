"""What somebody sees of a training: lines, or a picture that fits the window."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from arena.learning.curve import Point
from arena.learning.measure import Kept, Strength
from arena.learning.screen import LiveLines, PlainLines, about, progress_words
from arena.learning.spec import Training
from arena.learning.train import Progress
from arena.standings.games import WDL


def point(games: int, won: int) -> Point:
    strength = Strength(WDL(won, 0, 100 - won), Kept(8, 10), Kept(3, 5), {"random": WDL(9, 0, 1)})
    return Point(games, games / 1000, strength, {"run 2": 2.5})


PROGRESS = Progress(
    "training", 4000, 16000, 4.0, 1000.0, 12.0, (point(0, 0), point(2000, 40), point(4000, 85))
)


def test_how_far_it_is_in_a_line() -> None:
    assert progress_words(PROGRESS) == "training, 4,000/16,000 games, 1000 games/s, ETA 0:12"
    measuring = replace(PROGRESS, doing="measuring in the exam", step=(3, 20), pace=None, left=None)
    assert progress_words(measuring) == "measuring in the exam 3/20, 4,000/16,000 games"


def test_a_line_every_few_seconds_and_one_for_each_measurement() -> None:
    lines: list[str] = []
    now = [0.0]
    view = PlainLines(lines.append, clock=lambda: now[0])
    for second in range(10):
        now[0] = float(second)
        view(PROGRESS)
    assert lines == [progress_words(PROGRESS)] * 3
    view(replace(PROGRESS, doing="measured"))
    assert lines[-1] == (
        "after 4,000 games: perfect play 85 % (77–91), value kept 80 % (49–94), "  # noqa: RUF001
        "critical value kept 60 % (23–88), against random 90 % (58–100)"  # noqa: RUF001
    )
    bare = Point(5, 0.1, Strength(), {"run 2": 2.5, "run 3": -1.0})
    view(replace(PROGRESS, doing="measured", points=(bare,)))
    assert lines[-1] == "after 5 games: run 2 +2.5, run 3 -1"


@pytest.mark.parametrize("width", [40, 60, 100, 200])
@pytest.mark.parametrize("fine", [True, False])
def test_the_live_view_fits_the_window(training: Training[Any], width: int, fine: bool) -> None:
    out = StringIO()
    console = Console(file=out, width=width, highlight=False, markup=False, no_color=True)
    console.print(LiveLines(training, console, fine).frame(PROGRESS))
    lines = out.getvalue().splitlines()
    assert all(len(line) <= width for line in lines)
    text = " ".join(" ".join(lines).split())
    for words in ("4,000/16,000 games", "ETA 0:12", "perfect play 85 %", "0 %", "4,000 games"):
        assert words in text
    assert ("*" in text) is not fine


def test_a_training_in_a_line(training: Training[Any]) -> None:
    assert about(training) == "t: td on 4x4c3, 60 games in self-play"
