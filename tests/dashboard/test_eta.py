"""How long it will still take, from the games of each pairing so far."""

from __future__ import annotations

from collections import Counter
from itertools import count

import pytest

from arena.dashboard.eta import Forecast, pair_of, planned
from arena.standings.games import Games
from arena.tournament.formats import Format, Gauntlet, Knockout, Pyramid, RoundRobin, Swiss
from arena.tournament.games import GameResult
from arena.tournament.openings import NoOpenings
from arena.tournament.schedule import Schedule
from tests.dashboard.rows import row
from tests.tournament.playing import pairs_of


def schedule(form: Format, players: int = 3, games: int = 4) -> Schedule:
    return Schedule(form, players, games, True, NoOpenings(), 1)


def forecast(form: Format, tables: int = 1, players: int = 3, games: int = 4) -> Forecast:
    made = Forecast(schedule(form, players, games), tables)
    made.begin(Games([""] * players))
    return made


def play(made: Forecast, first: int, second: int, seconds: float, table: int = 0) -> None:
    made.add(table, row(1, first, second, seconds=seconds), now=0.0)
    made.free.clear()


PAIRS = pairs_of((2, 0), (1, 2))


@pytest.mark.parametrize("form", [RoundRobin(), Gauntlet(heroes=2), Pyramid(), PAIRS])
@pytest.mark.parametrize("players", [3, 4, 7])
def test_planned_games_are_those_of_the_schedule(form: Format, players: int) -> None:
    whole = schedule(form, players, 6)
    counted: Counter[tuple[int, int]] = Counter()
    for number in count(1):
        games = whole.games(number)
        if games is None:
            break
        counted.update(pair_of(game.first, game.second) for game in games)
    assert planned(whole) == counted
    assert planned(whole).total() == whole.total


def test_each_pairing_counts_with_its_own_length() -> None:
    made = forecast(RoundRobin())  # 4 games of each of 3 pairings
    play(made, 0, 1, 1.0)
    play(made, 1, 0, 3.0)  # the same pairing from the other side
    play(made, 0, 2, 10.0)
    play(made, 1, 2, 100.0)
    assert made.seconds(8) == pytest.approx(2 * 2.0 + 3 * 10.0 + 3 * 100.0)


def test_a_pairing_without_games_takes_the_mean_of_all() -> None:
    made = forecast(RoundRobin())
    play(made, 0, 1, 1.0)
    play(made, 0, 2, 3.0)
    assert made.seconds(10) == pytest.approx(3 * 1.0 + 3 * 3.0 + 4 * 2.0)


def test_tables_share_the_work_but_not_one_game() -> None:
    made = forecast(RoundRobin(), tables=4)
    play(made, 0, 1, 8.0)
    assert made.seconds(11) == pytest.approx(11 * 8.0 / 4)
    made.left.clear()
    assert made.seconds(1, [((0, 1), 3.0)]) == pytest.approx(5.0)


def test_the_games_of_a_learner_are_not_shared() -> None:
    made = Forecast(schedule(RoundRobin(), 3, 4), 4, learners={2})
    made.begin(Games("abc"))
    play(made, 0, 1, 8.0)
    play(made, 0, 2, 1.0)
    play(made, 1, 2, 2.0)
    assert made.seconds(9) == pytest.approx(3 * 8.0 / 4 + 3 * 1.0)
    made.left[0, 1] = 40
    assert made.seconds(46) == pytest.approx((40 * 8.0 + 3 * 3.0) / 4)


def test_what_a_learner_takes_between_games_counts() -> None:
    made = Forecast(schedule(RoundRobin(), 2, 10), 2, learners={1})
    made.add(0, row(1, 0, 1, seconds=1.0), now=10.0)
    made.add(0, row(2, 1, 0, seconds=1.0), now=15.0)
    assert made.mean() == pytest.approx((1.0 + 5.0) / 2)


def test_no_more_tables_are_counted_than_games_are_left() -> None:
    made = forecast(RoundRobin(), tables=8, players=2, games=2)
    play(made, 0, 1, 8.0)
    assert made.seconds(1) == pytest.approx(8.0)


def test_running_games_count_down() -> None:
    made = forecast(RoundRobin(), tables=2, players=2, games=4)
    play(made, 0, 1, 10.0)
    running = [((0, 1), 4.0), ((0, 1), 25.0)]
    assert made.seconds(3, running) == pytest.approx((30 - 4 - 10) / 2)


def test_nothing_is_said_before_the_first_game() -> None:
    assert forecast(RoundRobin()).seconds(12) is None


def test_a_run_that_goes_on_knows_lengths_and_what_is_left() -> None:
    made = Forecast(schedule(RoundRobin()), 1)
    board = Games("abc")
    for _ in range(4):
        board.append(0, 1, 1)
    rows = [row(1, 0, 1, seconds=100.0), row(2, 1, 2, seconds=5.0), row(3, seconds=0.0)]
    made.begin(board, rows)
    assert made.seconds(8) == pytest.approx(4 * 5.0 + 4 * 52.5)


def test_a_round_that_is_paired_by_results_counts_its_pairings_and_the_rest_at_the_mean() -> None:
    made = Forecast(schedule(Swiss(rounds=3), players=4, games=2), 1)
    made.begin(Games("abcd"))
    results = [GameResult(1, 1, 0, 1, 1)]
    made.open(1, results)
    assert made.left.total() == 3
    play(made, 2, 3, 4.0)
    play(made, 0, 1, 2.0)
    assert made.seconds(9) == pytest.approx(1 * 4.0 + 8 * 3.0)


def test_a_knockout_counts_the_matches_of_a_stage() -> None:
    made = Forecast(schedule(Knockout(), players=4, games=2), 1)
    made.open(1, [])
    assert made.left == {(0, 3): 2, (1, 2): 2}


def lengths(*ends: tuple[float, float, int]) -> list[float]:
    """How long games are taken to last that end with so many seconds, then, at this table."""
    made, total, each = forecast(RoundRobin(), tables=2), 0.0, []
    for number, (seconds, now, table) in enumerate(ends, start=1):
        made.add(table, row(number, seconds=seconds), now)
        each.append(number * made.mean() - total)
        total += each[-1]
    return each


def test_a_game_lasts_from_the_end_of_the_one_before() -> None:
    first, second, elsewhere = lengths((0.5, 10.0, 0), (0.5, 10.51, 0), (0.5, 10.6, 1))
    assert first == 0.5  # nothing is known of before
    assert second == pytest.approx(0.51)
    assert elsewhere == pytest.approx(0.5)  # another table


def test_waiting_for_a_round_is_not_playing() -> None:
    assert lengths((1.0, 10.0, 0), (1.0, 100.0, 0))[1] == pytest.approx(1.02)


def test_a_game_that_nobody_measured_lasts_as_long_as_its_table_was_busy() -> None:
    assert lengths((1.0, 10.0, 0), (0.0, 70.0, 0))[1] == pytest.approx(60.0)


def test_means() -> None:
    made = forecast(RoundRobin())
    assert made.mean((0, 1)) == 0.0
    play(made, 0, 1, 2.0)
    play(made, 0, 2, 4.0)
    assert (made.mean((0, 1)), made.mean((1, 2)), made.mean()) == (2.0, 3.0, 3.0)


def test_players_that_still_have_to_get_ready_at_a_table_count() -> None:
    """On one table of four players, each start takes 2 seconds and each game 1 second."""
    made, now = forecast(RoundRobin(), players=4, games=2), 0.0
    for first, second, starts in ((0, 1, 2), (1, 0, 0), (0, 2, 1), (2, 0, 0)):
        now += 2.0 * starts + 1.0
        made.add(0, row(1, first, second, seconds=1.0), now)
    games, start = 8, 2.0
    assert made.seconds(games) == pytest.approx(games + start, abs=0.2)
