"""Ratings on one scale: every interval where it belongs."""

from __future__ import annotations

from dataclasses import replace

from arena.dashboard.blocks import plain
from arena.dashboard.glyphs import ASCII
from arena.dashboard.intervals import interval_lines, intervals_fit
from arena.dashboard.snapshot import Snapshot
from arena.standings.ranking import Standing
from tests.dashboard.samples import BEGINNING, RUNNING


def rated(*ratings: tuple[float, float] | None) -> Snapshot:
    """Players with these ratings and errors."""
    made = [
        Standing(f"player {k}", 1, 2, 1, 0, 1, 0.5, *(rating or (None, None)))
        for k, rating in enumerate(ratings)
    ]
    return replace(RUNNING, standings=tuple(made))


def test_intervals_by_hand() -> None:
    shown = rated((100.0, 100.0), (-100.0, 100.0), None, (0.0, 0.0))
    lines = [plain(line).rstrip() for line in interval_lines(shown, 11 + 21, ASCII)]
    assert lines == [
        "           -200      0      +200",
        "1 player 0           -----*-----",
        "2 player 1 -----*-----",
        "3 player 2 -",
        "4 player 3           *",
    ]


def test_before_the_first_game_there_is_a_scale_and_nothing_on_it() -> None:
    lines = [plain(line) for line in interval_lines(BEGINNING, 60, ASCII)]
    assert "-100" in lines[0]
    assert "+100" in lines[0]
    assert all("*" not in line for line in lines)


def test_a_scale_needs_room() -> None:
    assert intervals_fit(RUNNING, 40)
    assert not intervals_fit(RUNNING, 35)
