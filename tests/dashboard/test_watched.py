"""One table as it is watched: clocks, and which game is shown when."""

from __future__ import annotations

from collections import deque
from typing import Any

import pytest

from arena.dashboard.watched import LINGER, Stopwatch, Watched, times_of
from arena.engine import Limits
from arena.game.rules import CONNECT4
from arena.play.pulse import NOBODY, SEAT, SINCE, Pulse, Thinking
from arena.tournament.schedule import ScheduledGame
from tests.dashboard.rows import row

PATIENCE = 60.0


class Arrays:
    """Stands in for shared memory."""

    def RawArray(self, kind: str, size: int) -> list[float]:  # noqa: N802  # its name there
        return [0] * size


class FakeTable:
    """A table whose pulse a test can set."""

    def __init__(self, number: int = 0) -> None:
        self.number = number
        self.pulse = Pulse(Arrays())
        self.games: deque[ScheduledGame] = deque()

    def thinking(self) -> Thinking | None:
        return self.pulse.thinking()

    def think(self, moves: bytes, since: float, allowed: float = PATIENCE) -> None:
        self.pulse.show(tuple(moves))
        self.pulse.begin(len(moves) % 2, allowed)
        self.pulse.numbers[SINCE] = since

    def begin(self, number: int, opening: tuple[int, ...] = ()) -> None:
        self.games.append(ScheduledGame(number, 1, 0, 1, opening, 0))
        self.pulse.begin_game(number, opening)


def watched(first: Limits = Limits(), second: Limits = Limits()) -> Watched:  # noqa: B008
    return Watched(0, CONNECT4, [("anna", first), ("bert", second)], PATIENCE)


def look(view: Watched, table: FakeTable, now: float) -> Any:
    return view.look(table, now)  # type: ignore[arg-type]


def test_moves_slower_than_looks_are_timed_exactly() -> None:
    watch = Stopwatch()
    for now in (0.0, 0.9, 1.8):
        watch.look(1, 0, Thinking(1, 0, 0.0, 9.0), now)
    watch.look(1, 1, Thinking(1, 1, 2.0, 9.0), 2.5)  # the first moved at 2.0
    assert watch.used == pytest.approx([2.0, 0.5])
    watch.look(1, 2, Thinking(1, 0, 3.0, 9.0), 3.1)
    assert watch.used == pytest.approx([2.1, 1.0])


def test_moves_faster_than_looks_are_timed_right_on_average() -> None:
    """The second thinks four times as long as the first, both far quicker than the looks."""
    watch, looks, step = Stopwatch(), 4000, 0.2037
    for k in range(looks):
        now = k * step
        moves, into = divmod(now, 0.05)  # a move of each in 50 ms
        seat = 0 if into < 0.01 else 1
        since = now - (into if seat == 0 else into - 0.01)
        watch.look(1, int(2 * moves) + seat, Thinking(1, seat, since, 9.0), now)
    total = (looks - 1) * step
    assert watch.used[0] + watch.used[1] == pytest.approx(total, rel=0.01)
    assert watch.used[0] / total == pytest.approx(0.2, abs=0.02)


def test_a_new_game_starts_at_zero() -> None:
    watch = Stopwatch()
    watch.look(1, 0, Thinking(1, 0, 0.0, 9.0), 5.0)
    watch.look(2, 4, Thinking(2, 0, 7.0, 9.0), 7.5)
    assert watch.used == pytest.approx([0.5, 0.0])


def test_the_game_on_the_table_is_shown() -> None:
    view, table = watched(), FakeTable()
    assert look(view, table, 0.0).position is None
    table.begin(7)
    table.think(b"\3", since=1.0)
    shown = look(view, table, 1.5)
    assert (shown.number, shown.game, shown.position.notation) == (1, 7, "4")
    assert [seat.name for seat in shown.seats] == ["anna", "bert"]
    assert [seat.thinking for seat in shown.seats] == [False, True]
    assert shown.seats[1].used == pytest.approx(0.5)
    assert shown.thought == pytest.approx(0.5)


def test_a_clock_shows_what_is_left_with_its_increments() -> None:
    view, table = watched(Limits(clock=10.0, increment=1.0), Limits(seconds=3.0)), FakeTable()
    table.begin(1, (3, 3))
    table.think(b"\3\3", since=0.0, allowed=11.0)
    look(view, table, 2.0)
    table.think(b"\3\3\2", since=2.5, allowed=4.0)
    shown = look(view, table, 3.0)
    assert shown.seats[0].left == pytest.approx(10.0 - 2.5 + 1.0)
    assert shown.seats[1].left is None
    assert shown.allowed == 3.0


def test_getting_ready_costs_no_time_on_a_clock() -> None:
    view, table = watched(Limits(clock=10.0)), FakeTable()
    table.begin(1)
    table.think(b"", since=0.0, allowed=PATIENCE)  # the engine is told of the game
    assert look(view, table, 5.0).seats[0].left == 10.0


def test_the_end_of_a_game_stays_for_a_moment_with_measured_times() -> None:
    view, table = watched(), FakeTable()
    table.begin(1)
    table.think(b"\3", since=0.0)
    look(view, table, 0.5)
    view.over(row(1))
    table.games.clear()
    table.begin(2)
    table.think(b"", since=1.0)
    for now in (1.0, 1.0 + LINGER / 2):
        shown = look(view, table, now)
        assert (shown.game, shown.ending, shown.winner) == (1, "row", 0)
        assert [seat.used for seat in shown.seats] == pytest.approx([0.1 + 0.3, 0.2 + 0.4])
    assert look(view, table, 1.1 + LINGER).game == 2


def test_of_quick_games_only_ends_are_shown() -> None:
    view, table = watched(), FakeTable()
    for number in range(1, 40):
        view.over(row(number))
        assert look(view, table, number * LINGER / 10).ending == "row"


def test_a_lost_table_shows_what_was_seen_of_its_game() -> None:
    view, table = watched(), FakeTable()
    table.begin(1)
    table.think(b"\3", since=0.0)
    look(view, table, 4.0)
    view.over(row(1, moves=b"\3", telemetry=b"", seconds=0.0, reason="crash", detail="x", result=1))
    shown = look(view, table, 4.1)
    assert (shown.ending, shown.at_fault) == ("crash", True)
    assert shown.seats[1].used == pytest.approx(4.1)


def test_a_torn_view_is_no_view() -> None:
    """Numbers that do not belong together, as they may be read while they change."""
    view, table = watched(), FakeTable()
    table.begin(1)
    table.think(b"\3", since=0.0)
    before = look(view, table, 0.1)
    table.pulse.board[0], table.pulse.board[1:9] = 8, [3] * 8  # more than a column holds
    assert look(view, table, 0.3) is before
    table.pulse.board[0] = 1
    table.pulse.numbers[SEAT] = NOBODY
    assert look(view, table, 0.5) is before
    table.pulse.numbers[0] += 1
    table.pulse.begin_game(9, ())
    assert look(view, table, 0.7) is before


def test_a_game_that_runs_is_known_to_the_forecast() -> None:
    view, table = watched(), FakeTable()
    table.begin(1)
    table.think(b"", since=10.0)
    look(view, table, 14.0)
    assert view.running is not None
    assert view.running[0].number == 1
    assert view.running[1] == pytest.approx(4.0)
    view.over(row(1))
    assert view.running is None


def test_times_of_each_seat_leave_the_opening_out() -> None:
    ended = row(1, opening=b"\3", moves=b"\3\3\3\2\2")
    assert times_of(ended) == pytest.approx((0.2 + 0.4, 0.1 + 0.3))
