"""Games in columns: counted once, whatever the order in which they end."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from arena.session.stop import StopRules
from arena.standings.games import WDL, Games
from arena.standings.rating import rate_games
from arena.tournament.games import GameResult
from arena.tournament.sprt import Sprt


def test_points_are_counted_for_both_players() -> None:
    games = Games("abc")
    for first, second, result in [(0, 1, 1), (1, 0, 0), (2, 0, -1), (1, 2, 1)]:
        games.append(first, second, result)
    assert [score.points for score in games.scores] == [2.5, 1.5, 0.0]
    assert games.versus(0, 1) == WDL(won=1, drawn=1, lost=0)
    assert games.versus(1, 0).points == 0.5
    assert WDL().share == 0.5


def test_games_are_settled_in_the_order_of_their_numbers() -> None:
    games = Games("ab")
    games.add(GameResult(2, 1, 0, 1, 1, b""))
    assert (games.games, list(games.settle())) == (1, [])
    games.add(GameResult(1, 1, 1, 0, -1, b""))
    assert [each[:3] for each in games.settle()] == [(1, 0, -1), (0, 1, 1)]
    games.add(GameResult(3, 1, 1, 0, 1, b""))
    assert [each[:3] for each in games.settle()] == [(1, 0, 1)]
    assert games.settled == games.games == 3


def test_labels_are_those_of_a_plain_loop() -> None:
    chance, games = random.Random(4), Games("abc")
    seen: dict[tuple[object, ...], int] = {}
    times: Counter[tuple[object, ...]] = Counter()
    expected = []
    for _ in range(400):
        first, second = chance.sample(range(3), 2)
        opening, moves = bytes([chance.randrange(4)]), bytes([chance.randrange(6)])
        games.append(first, second, 1, opening, 0, moves)
        key = opening, first, second, moves
        if key not in seen:
            times[opening, first, second] += 1
            seen[key] = times[opening, first, second]
        expected.append((opening, seen[key]))
    pairs = set(zip(games.labels.tolist(), expected, strict=True))
    assert len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs})
    assert games.different == len(seen)


def test_single_games_are_counted_where_seats_are_not_swapped() -> None:
    games = Games("ab")
    rules = StopRules(games, (1, 0, Sprt(elo0=0, elo1=10)), swapped=False)
    for number, result in enumerate((1, 1, 0, -1), start=1):
        games.add(GameResult(number, 1, 0, 1, result, b""))
    rules.check()
    assert rules.test is not None
    assert rules.test.counts == [2, 1, 1]


def checked(rules: StopRules, game: GameResult) -> str | None:
    """Count a game, and ask the rules."""
    rules.games.add(game)
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
        rules = StopRules(Games(["new", "old"]), (0, 1, Sprt(elo0=0, elo1=50)))
        games = wins_of_the_first(400)
        random.Random(seed).shuffle(games)
        for game in games:
            checked(rules, game)
        assert rules.test is not None
        verdicts.add((rules.verdict, rules.test.state.llr))
    assert len(verdicts) == 1
    sentence, _ = verdicts.pop()
    assert sentence is not None
    assert sentence.startswith("SPRT: H1 accepted, new is at least about +50 Elo")


def test_a_test_that_only_repeats_itself_says_so_and_stops() -> None:
    """Two engines without chance on ten openings: 40 % won, 60 % drawn."""
    rules = StopRules(Games(["new", "old"]), (0, 1, Sprt(elo0=0, elo1=20)))
    verdict, number = None, 0
    while verdict is None and number < 1000:
        opening, seat = bytes([number // 2 % 10]), number % 2
        result = (1, -1)[seat] if number // 2 % 10 < 2 else 0
        moves = opening + bytes([seat])
        round_, number = number // 2, number + 1
        game = GameResult(number, round_, seat, 1 - seat, result, opening, moves)
        verdict = checked(rules, game)
    assert verdict is not None
    assert verdict.startswith("SPRT: undecided, the last 20 pairs repeat earlier games")
    assert number == 60


def test_the_counts_of_a_running_test_are_those_of_the_games() -> None:
    chance, games = random.Random(3), Games("ab")
    rules = StopRules(games, (0, 1, Sprt(elo0=-1, elo1=1)))
    for number in range(0, 300, 2):
        opening = bytes([chance.randrange(8)])
        for seat in (0, 1):
            moves = opening + bytes([seat, chance.randrange(30)])
            result = 1 if moves[-1] % 3 else -1
            game = GameResult(number + seat + 1, number, seat, 1 - seat, result, opening, moves)
            checked(rules, game)
    assert rules.test is not None
    assert rules.test.counts == pytest.approx(games.evidence(0, 1))


def test_an_error_bar_that_is_small_enough_stops() -> None:
    rules = StopRules(Games(["a", "b"]), error=60)
    chance = random.Random(1)
    for number in range(1, 2001):
        first, result = number % 2, chance.choice((1, 0, -1))
        if checked(rules, GameResult(number, number, first, 1 - first, result, number.to_bytes(2))):
            break
    assert 20 < number < 200
    assert "every error bar is at most" in str(rules.verdict)


def test_the_error_that_stops_is_that_of_the_ratings_whatever_the_order() -> None:
    verdicts, chance = set(), random.Random(2)
    games = [
        GameResult(number, number, *seats, chance.choice((1, 1, -1)), number.to_bytes(2))
        for number, seats in enumerate(((0, 1), (1, 0), (1, 2), (2, 1)) * 60, start=1)
    ]
    for seed in range(3):
        rules = StopRules(Games(["a", "b", "c"]), error=90)
        random.Random(seed).shuffle(games)
        for game in games:
            checked(rules, game)
        verdicts.add((rules.verdict, rules.rated))
    assert len(verdicts) == 1
    sentence, counted = verdicts.pop()
    played = Games(["a", "b", "c"])
    for game in sorted(games)[:counted]:
        played.add(game)
    widest = max(error or 0 for error in rate_games(played).error)
    assert sentence == f"every error bar is at most {widest:.1f} Elo (90 was asked for)"
    assert widest <= 90 < 1.1 * widest


def test_a_time_budget_stops_and_counts_from_when_playing_began() -> None:
    rules, now = StopRules(Games(["a", "b"]), seconds=10), [0.0]
    assert checked(rules, GameResult(1, 1, 0, 1, 1, b"")) is None  # of an earlier run
    now[0] = 1000.0
    rules.begin(lambda: now[0])
    assert checked(rules, GameResult(2, 1, 1, 0, 1, b"")) is None
    now[0] = 1009.9
    assert checked(rules, GameResult(3, 1, 1, 0, 1, b"")) is None
    now[0] = 1010.0
    assert checked(rules, GameResult(4, 1, 1, 0, 1, b"")) == "the time budget of 10 s is spent"
