"""Standings and ratings are worked out again only when that is worth it."""

from __future__ import annotations

import pytest

from arena.dashboard.state import EVERY, ResultTables
from arena.session import RunProgress
from arena.session.stop import StopRules
from arena.standings.games import Games
from arena.standings.rating import Ratings, rate_games
from arena.tournament.formats import Knockout, RoundRobin
from arena.tournament.games import GameResult
from arena.tournament.openings import NoOpenings
from arena.tournament.schedule import Schedule


def progress(players: int = 3) -> RunProgress:
    board = Games([f"p{player}" for player in range(players)])
    schedule = Schedule(RoundRobin(), players, 2, True, NoOpenings(), 1)
    return RunProgress(board, StopRules(board), schedule, total=100)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The games of which ratings are fitted, time after time."""
    games: list[int] = []

    def counted(board: Games) -> Ratings:
        games.append(board.games)
        return rate_games(board)

    monkeypatch.setattr("arena.dashboard.state.rate_games", counted)
    return games


def test_nothing_is_fitted_without_games_and_nothing_twice(fits: list[int]) -> None:
    clock, state = Clock(), progress()
    tables = ResultTables(clock)
    tables.refresh(state, ())
    assert (fits, len(tables.standings)) == ([], 3)
    state.scoreboard.append(0, 1, 1)
    clock.now = 100.0
    tables.refresh(state, ())
    tables.refresh(state, ())
    clock.now = 200.0
    tables.refresh(state, ())
    assert fits == [1]


def test_many_games_cost_one_fit_a_second(fits: list[int]) -> None:
    clock, state = Clock(), progress()
    tables = ResultTables(clock)
    for _ in range(1000):
        clock.now += EVERY / 250
        state.scoreboard.append(0, 1, 1)
        state.scoreboard.append(1, 2, 0)
        tables.refresh(state, ())
    assert 1 <= len(fits) <= 4


def test_scores_are_never_old_however_long_ratings_take(
    fits: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, state = Clock(), progress()
    monkeypatch.setattr("time.thread_time", lambda: 10.0 * len(fits))  # seconds of each fit
    tables = ResultTables(clock)
    for _ in range(100):
        clock.now += EVERY
        state.scoreboard.append(0, 1, -1)
        tables.refresh(state, ())
        assert tables.standings[0].score.games == state.done
    assert fits == [1]
    clock.now += 1000.0
    tables.refresh(state, ())  # the last ratings have all games, though no more are played
    assert fits == [1, 100]
    tables.refresh(state, ())
    assert len(fits) == 2


def test_ratings_are_those_of_all_games() -> None:
    state = progress()
    for first, second, result in ((0, 1, 1), (1, 0, 1), (0, 1, 1), (1, 2, 1), (2, 0, 0)):
        state.scoreboard.append(first, second, result)
    tables = ResultTables(Clock())
    tables.refresh(state, ())
    fitted = rate_games(state.scoreboard)
    assert {s.name: s.elo for s in tables.standings} == dict(
        zip(state.names, fitted.elo, strict=True)
    )
    assert [s.name for s in tables.standings] == ["p0", "p1", "p2"]
    assert tables.crosstable[0][0] is None
    assert tables.crosstable[0][1:] == pytest.approx((2 / 3, 0.5))


def test_players_that_never_met_the_others_have_no_rating() -> None:
    state = progress(4)
    for _ in range(2):
        state.scoreboard.append(0, 1, 1)
    state.scoreboard.append(2, 3, 1)
    tables = ResultTables(Clock())
    tables.refresh(state, ())
    rated = {s.name for s in tables.standings if s.elo is not None}
    assert rated == {"p0", "p1"}


def test_the_order_is_that_of_the_format() -> None:
    state = progress(3)  # 0 has a bye, 2 knocks out 1, and loses the final
    state.schedule = Schedule(Knockout(tiebreaks=0), 3, 2, True, NoOpenings(), 1)
    for number, (first, second, result) in enumerate(
        ((1, 2, -1), (2, 1, 1), (0, 2, 1), (2, 0, 0)), start=1
    ):
        state.count(GameResult(number, 1 if number < 3 else 2, first, second, result))
    tables = ResultTables(Clock())
    tables.refresh(state, {1: 1, 2: 2})
    assert [(s.name, s.out, s.own) for s in tables.standings] == [
        ("p0", False, {"reached": "champion"}),
        ("p2", True, {"reached": "final"}),
        ("p1", True, {"reached": "semi-finals"}),
    ]


def test_who_has_not_played_stands_last() -> None:
    state = progress(3)
    state.scoreboard.append(0, 2, 1)
    tables = ResultTables(Clock())
    tables.refresh(state, ())
    assert [s.name for s in tables.standings] == ["p0", "p2", "p1"]
