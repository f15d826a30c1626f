"""One table as it is watched: clocks, and which game is shown when."""

from __future__ import annotations

from typing import Any

import pytest

from arena.dashboard.state import at_fault, cause
from arena.dashboard.table_view import LINGER, WatchedTable, times_of
from arena.engine.contract import Limits
from arena.game.rules import CONNECT4
from arena.table.channel import Thinking
from arena.table.runner import TableView
from arena.tournament.games import ScheduledGame
from tests.dashboard.rows import row

PATIENCE = 60.0


class FakeTable:
    """A table whose view a test can set."""

    def __init__(self, number: int = 0) -> None:
        self.view, self.is_ready = TableView(number), False

    def get_ready(self, number: int, opening: tuple[int, ...] = ()) -> None:
        game = ScheduledGame(number, 1, 0, 1, opening, 0)
        self.view, self.is_ready = self.view._replace(game=game, thinking=None), False

    def begin(self, number: int, opening: tuple[int, ...] = ()) -> None:
        self.get_ready(number, opening)
        self.is_ready = True

    def think(self, moves: bytes, since: float, used: tuple[float, float] = (0.0, 0.0)) -> None:
        assert self.view.game is not None
        time_used = used if self.is_ready else None
        thinking = Thinking(self.view.game.number, len(moves) % 2, since, PATIENCE, time_used)
        self.view = self.view._replace(moves=moves, thinking=thinking)


def watched(first: Limits = Limits(), second: Limits = Limits()) -> WatchedTable:  # noqa: B008
    return WatchedTable(0, CONNECT4, [("anna", first), ("bert", second)])


def look(view: WatchedTable, table: FakeTable, now: float) -> Any:
    return view.look(table.view, now)


def test_the_game_on_the_table_is_shown() -> None:
    view, table = watched(), FakeTable()
    assert look(view, table, 0.0).position is None
    table.begin(7)
    table.think(b"\3", since=1.0, used=(0.25, 0.0))
    shown = look(view, table, 1.5)
    assert (shown.number, shown.game, shown.position.notation) == (1, 7, "4")
    assert [seat.name for seat in shown.seats] == ["anna", "bert"]
    assert [seat.thinking for seat in shown.seats] == [False, True]
    assert [seat.used for seat in shown.seats] == pytest.approx([0.25, 0.5])
    assert shown.thought == pytest.approx(0.5)


def test_a_clock_shows_what_is_left_with_its_increments() -> None:
    view, table = watched(Limits(clock=10.0, increment=1.0), Limits(seconds=3.0)), FakeTable()
    table.begin(1, (3, 3))
    table.think(b"\3\3", since=0.0)
    assert look(view, table, 2.0).seats[0].left == pytest.approx(10.0 - 2.0)
    table.think(b"\3\3\2", since=2.5, used=(2.5, 0.0))
    shown = look(view, table, 3.0)
    assert shown.seats[0].left == pytest.approx(10.0 - 2.5 + 1.0)
    assert shown.seats[1].left is None
    assert shown.allowed == 3.0


def test_getting_ready_costs_no_time() -> None:
    view, table = watched(Limits(clock=10.0)), FakeTable()
    table.get_ready(1)
    table.think(b"", since=0.0)  # the engine is told of the game
    shown = look(view, table, 5.0)
    assert (shown.seats[0].left, shown.seats[0].used, shown.thought) == (10.0, 0.0, None)
    assert view.running == ((0, 1), 0.0)


def test_the_end_of_a_game_stays_for_a_moment_with_measured_times() -> None:
    view, table = watched(), FakeTable()
    table.begin(1)
    table.think(b"\3", since=0.0)
    look(view, table, 0.5)
    view.over(row(1))
    table.begin(2)
    table.think(b"", since=1.0)
    for now in (1.0, 1.0 + LINGER / 2):
        shown = look(view, table, now)
        assert (shown.game, cause(shown.ended), shown.ended.result) == (1, "row", 1)
        assert [seat.used for seat in shown.seats] == pytest.approx([0.1 + 0.3, 0.2 + 0.4])
    assert look(view, table, 1.1 + LINGER).game == 2


def test_of_quick_games_only_ends_are_shown() -> None:
    view, table = watched(), FakeTable()
    for number in range(1, 40):
        view.over(row(number))
        assert look(view, table, number * LINGER / 10).ended is not None


def test_a_lost_table_shows_what_was_seen_of_its_game() -> None:
    view, table = watched(), FakeTable()
    table.begin(1)
    table.think(b"\3", since=0.0, used=(1.0, 0.0))
    look(view, table, 4.0)
    view.over(row(1, moves=b"\3", telemetry=b"", seconds=0.0, reason="crash", detail="x", result=1))
    shown = look(view, table, 4.1)
    assert (cause(shown.ended), at_fault(shown.ended)) == ("crash", True)
    assert [seat.used for seat in shown.seats] == pytest.approx([1.0, 4.1])


def test_a_torn_view_is_no_view() -> None:
    """Numbers that do not belong together, as they may be read while they change."""
    view, table = watched(), FakeTable()
    table.begin(1)
    table.think(b"\3", since=0.0)
    before = look(view, table, 0.1)
    sound = table.view
    table.view = sound._replace(moves=b"\3" * 8)  # more than a column holds
    assert look(view, table, 0.3) is before
    table.view = sound._replace(moves=b"\3\3")  # the next board with the clocks of the last move
    assert look(view, table, 0.4) is before
    table.view = sound._replace(thinking=None)
    assert look(view, table, 0.5) is before


def test_a_game_that_runs_is_known_to_the_forecast() -> None:
    view, table = watched(), FakeTable()
    table.begin(1)
    table.think(b"\3\3", since=10.0, used=(2.0, 1.0))
    look(view, table, 14.0)
    assert view.running is not None
    assert view.running[0] == (0, 1)
    assert view.running[1] == pytest.approx(2.0 + 1.0 + 4.0)
    view.over(row(1))
    assert view.running is None


def test_times_of_each_seat_leave_the_opening_out() -> None:
    ended = row(1, opening=b"\3", moves=b"\3\3\3\2\2")
    assert times_of(ended) == pytest.approx((0.2 + 0.4, 0.1 + 0.3))
