"""Every game is counted once, and what is decided by games does not depend on their order."""

from __future__ import annotations

import random

import pytest

from arena.standings import scoreboard
from arena.standings.intervals import elo, elo_with_error
from arena.standings.rating import rate_scoreboard
from arena.standings.scoreboard import WDL, Scoreboard
from arena.standings.sprt import StopRules
from arena.tournament.formats import GameResult
from arena.tournament.sprt import Sprt


def test_points_are_counted_for_both_players() -> None:
    board = Scoreboard("abc")
    for first, second, result in [(0, 1, 1), (1, 0, 0), (2, 0, -1), (1, 2, 1)]:
        board.append(first, second, result)
    assert [score.points for score in board.scores] == [2.5, 1.5, 0.0]
    assert board.versus(0, 1) == WDL(won=1, drawn=1, lost=0)
    assert board.versus(1, 0).points == 0.5


def test_the_points_of_a_player_are_in_the_order_of_its_games() -> None:
    board = Scoreboard("abc")
    for number, first, second, result in [(4, 2, 0, -1), (1, 0, 1, 1), (2, 1, 2, 1), (5, 1, 0, 0)]:
        board.add(GameResult(number, 1, first, second, result, b""))
    assert board.log.points_of(0).tolist() == [1.0, 1.0, 0.5]
    assert board.log.points_of(1).tolist() == [0.0, 1.0, 0.5]
    assert board.log.points_of(2).tolist() == [0.0, 0.0]


def test_a_score_without_games_is_one_half() -> None:
    assert WDL().share == 0.5


def test_certain_scores_stay_finite() -> None:
    assert elo(1.0) == pytest.approx(-elo(0.0))
    assert abs(elo(1.0)) < 4000
    assert all(abs(number) < 10_000 for number in elo_with_error([0, 0, 50]))


def test_games_are_settled_in_the_order_of_their_numbers() -> None:
    board = Scoreboard("ab")
    board.add(GameResult(2, 1, 0, 1, 1, b""))
    assert (board.games, list(board.settle())) == (1, [])
    board.add(GameResult(1, 1, 1, 0, 1, b""))
    assert list(board.settle()) == [(1, 0, 1), (0, 1, 1)]
    board.add(GameResult(3, 1, 1, 0, 1, b""))
    assert list(board.settle()) == [(1, 0, 1)]
    assert board.settled == board.games == 3


def test_pairs_are_counted_by_the_points_of_both_games() -> None:
    board = Scoreboard("abc")
    for opening, results in {b"a": (1, -1), b"b": (1, 1), b"c": (0, -1), b"d": (-1, 1)}.items():
        board.append(0, 1, results[0], opening)
        board.append(1, 0, results[1], opening)
    board.append(0, 2, 1, b"e")
    assert board.pentanomial(0, 1) == [1, 0, 1, 1, 1]
    assert board.pentanomial(1, 0) == [1, 1, 1, 0, 1]
    assert board.pentanomial(0, 2) == [0] * 5


def test_two_games_from_the_same_seat_are_no_pair() -> None:
    board = Scoreboard("ab")
    board.append(0, 1, 1, b"a")
    board.append(0, 1, 1, b"a")
    assert board.pentanomial(0, 1) == [0] * 5
    board.append(1, 0, 1, b"a")
    assert board.pentanomial(0, 1) == [0, 0, 1, 0, 0]


def test_few_halves_of_pairs_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoreboard, "WAITING", 1)
    board = Scoreboard("abc")
    for first, second in ((0, 1), (1, 2), (1, 0), (0, 1)):
        board.append(first, second, 1)
    assert {pair: sum(counts) for pair, counts in board.pairs.items()} == {(0, 1): 1}


def test_single_games_are_counted_where_seats_are_not_swapped() -> None:
    board = Scoreboard("ab")
    rules = StopRules(board, (1, 0, Sprt(0, 10)), swapped=False)
    for number, result in enumerate((1, 1, 0, -1), start=1):
        board.add(GameResult(number, 1, 0, 1, result, b""))
    rules.check()
    assert rules.test is not None
    assert rules.test.counts == [2, 1, 1]


def checked(rules: StopRules, game: GameResult) -> str | None:
    """Count a game, and ask the rules."""
    rules.scoreboard.add(game)
    return rules.check()


def wins_of_the_first(games: int) -> list[GameResult]:
    """Player 0 wins almost everything, from both seats."""
    return [
        GameResult(n, 1, *((0, 1, 1) if n % 2 else (1, 0, -1)), bytes([(n - 1) // 2 % 250]))
        for n in range(1, games + 1)
    ]


def test_the_test_stops_at_the_same_game_whatever_the_order() -> None:
    verdicts = set()
    for seed in range(5):
        rules = StopRules(Scoreboard(["new", "old"]), (0, 1, Sprt(0, 50)))
        games = wins_of_the_first(400)
        random.Random(seed).shuffle(games)
        for game in games:
            checked(rules, game)
        verdicts.add((rules.verdict, tuple(rules.test.counts if rules.test else ())))
    assert len(verdicts) == 1
    sentence, counts = verdicts.pop()
    assert sentence is not None
    assert sentence.startswith("SPRT: H1 accepted, new is at least about +50 Elo")
    assert 0 < counts[-1] < 200


def test_an_error_bar_that_is_small_enough_stops() -> None:
    rules = StopRules(Scoreboard(["a", "b"]), error=60)
    chance = random.Random(1)
    for number in range(1, 2001):
        first, result = number % 2, chance.choice((1, 0, -1))
        if checked(rules, GameResult(number, number, first, 1 - first, result, number.to_bytes(2))):
            break
    assert 20 < number < 200
    assert "every error bar is at most" in str(rules.verdict)


@pytest.mark.parametrize("result", [1, 0], ids=["all won", "all drawn"])
def test_games_that_all_end_alike_are_no_small_error(result: int) -> None:
    rules = StopRules(Scoreboard(["a", "b"]), error=3)
    for number in range(1, 61):
        first = number % 2
        won = result if first == 0 else -result
        game = GameResult(number, number, first, 1 - first, won, bytes([number // 2]))
        assert checked(rules, game) is None


def test_the_error_that_stops_is_that_of_the_ratings_whatever_the_order() -> None:
    verdicts, chance = set(), random.Random(2)
    games = [
        GameResult(number, number, *seats, chance.choice((1, 1, -1)), number.to_bytes(2))
        for number, seats in enumerate(((0, 1), (1, 0), (1, 2), (2, 1)) * 60, start=1)
    ]
    for seed in range(3):
        rules = StopRules(Scoreboard(["a", "b", "c"]), error=90)
        random.Random(seed).shuffle(games)
        for game in games:
            checked(rules, game)
        verdicts.add((rules.verdict, rules.rated))
    assert len(verdicts) == 1
    sentence, counted = verdicts.pop()
    board = Scoreboard(["a", "b", "c"])
    for game in sorted(games)[:counted]:
        board.append(game.first, game.second, game.result, game.opening, game.round)
    widest = max(error or 0 for error in rate_scoreboard(board).error)
    assert sentence == f"every error bar is at most {widest:.1f} Elo (90 was asked for)"
    assert widest <= 90 < 1.1 * widest


def test_a_time_budget_stops_and_counts_from_when_playing_began() -> None:
    rules, now = StopRules(Scoreboard(["a", "b"]), seconds=10), [0.0]
    assert checked(rules, GameResult(1, 1, 0, 1, 1, b"")) is None  # of an earlier run
    now[0] = 1000.0
    rules.begin(lambda: now[0])
    assert checked(rules, GameResult(2, 1, 1, 0, 1, b"")) is None
    now[0] = 1009.9
    assert checked(rules, GameResult(3, 1, 1, 0, 1, b"")) is None
    now[0] = 1010.0
    assert checked(rules, GameResult(4, 1, 1, 0, 1, b"")) == "the time budget of 10 s is spent"
