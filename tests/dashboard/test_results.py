"""Ratings on one scale: every interval where it belongs."""

from __future__ import annotations

from dataclasses import replace

from arena.dashboard.cells import ASCII
from arena.dashboard.content import FrameContent
from arena.dashboard.results import ResultsColumn
from arena.dashboard.state import Snapshot
from arena.show.board import as_plain
from arena.standings.games import WDL
from arena.standings.ranking import Standing
from tests.dashboard.samples import BEGINNING, RUNNING


def rated(*ratings: tuple[float, float] | None) -> Snapshot:
    """Players with these ratings and errors."""
    lines = [
        Standing(f"player {k}", WDL(1, 0, 1), *(rating or (None, None)))
        for k, rating in enumerate(ratings)
    ]
    return replace(RUNNING, standings=tuple(lines))


def results(snapshot: Snapshot) -> ResultsColumn:
    return ResultsColumn(FrameContent(snapshot, ASCII))


def test_intervals_by_hand() -> None:
    players = rated((100.0, 100.0), (-100.0, 100.0), None, (0.0, 0.0))
    lines = as_plain(results(players).ratings(11 + 21, 0)).splitlines()
    assert [line.rstrip() for line in lines] == [
        "           -200      0      +200",
        "1 player 0           -----*-----",
        "2 player 1 -----*-----",
        "3 player 2 -",
        "4 player 3           *",
    ]


def test_before_the_first_game_there_is_a_scale_and_nothing_on_it() -> None:
    lines = as_plain(results(BEGINNING).ratings(60, 0)).splitlines()
    assert "-100" in lines[0]
    assert "+100" in lines[0]
    assert all("*" not in line for line in lines)


def test_a_scale_needs_room() -> None:
    assert results(RUNNING).has_room_for_ratings(40)
    assert not results(RUNNING).has_room_for_ratings(35)
