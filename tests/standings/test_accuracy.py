"""Accuracy: figures on a small board against plain minimax, and what is counted where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from statistics import mean

import pytest

from arena.game.notation import play_moves
from arena.game.rules import Rules
from arena.judge.game import Decision, Judged
from arena.judge.judge import sign
from arena.judge.sampling import JudgedGame
from arena.solver.solver import Budget
from arena.standings.accuracy import (
    Accuracy,
    accuracy,
)
from arena.standings.evidence import value_of
from arena.standings.measures import of_accuracy
from tests.judge.minimax import Minimax, judge_game, random_game
from tests.support.figures import figure_of

RULES = Rules.named("4x4")
NAMES = ("alpha", "beta", "gamma")
SEATS = [(0, 1), (1, 0), (1, 2), (2, 0)]
JUDGE = Minimax()


@cache
def surveyed(size: str = "4x4", opening: int = 6, count: int = 24) -> list[JudgedGame]:
    """Random games of three players, judged by exhaustive search."""
    rules, games = Rules.named(size), []
    for number in range(count):
        moves = random_game(rules, number)
        winner = play_moves(moves, rules).winner
        result = {None: 0, 0: 1, 1: -1}[winner]
        judged = judge_game(JUDGE, rules, Judged.blank(moves, opening), Budget())
        reason = "full board" if winner is None else "line"
        games.append(JudgedGame(number, *SEATS[number % 4], result, reason, judged))
    return games


def accuracy_of(games: list[JudgedGame]) -> Accuracy:
    return accuracy(games, len(games), 20.0, NAMES, RULES)


def raw() -> list[tuple[int, int, int, int, list[int], int]]:
    """Every move: game, player, ply, column, the values of all columns, its value, by minimax."""
    found = []
    for game in surveyed():
        for ply in game.judged.plies:
            position = play_moves(game.judged.moves[:ply], RULES)
            scores = {c: -(JUDGE.score(position.play(c), Budget()) or 0) for c in position.legal}
            player = (game.first, game.second)[ply % 2]
            mine = scores[game.judged.moves[ply]]
            found.append(
                (game.number, player, ply, mine, list(scores.values()), max(scores.values()))
            )
    return found


def test_figures_are_those_of_plain_minimax() -> None:
    found = accuracy_of(surveyed())
    groups: dict[str, Callable[[int, list[int]], bool]] = {
        "all": lambda ply, values: True,
        "critical": lambda ply, values: len(set(map(sign, values))) > 1,
        "opening": lambda ply, values: ply < 16 / 3,
        "middle": lambda ply, values: 16 / 3 <= ply < 32 / 3,
        "end": lambda ply, values: ply >= 32 / 3,
        "first": lambda ply, values: ply % 2 == 0,
        "second": lambda ply, values: ply % 2 == 1,
    }
    for player in range(3):
        for group, belongs in groups.items():
            moves = [(mine, best) for _, who, ply, mine, values, best in raw()
                     if who == player and belongs(ply, values)]  # fmt: skip
            count = found.players[player].groups[group]
            assert count.moves == len(moves)
            if moves:
                kept = [sign(mine) == sign(best) for mine, best in moves]
                assert value_of(count.kept_value) == pytest.approx(mean(kept))
                exact = [mine == best for mine, best in moves]
                assert value_of(count.kept_score) == pytest.approx(mean(exact))
                losses = [best - mine for mine, best in moves]
                assert value_of(count.mean_loss) == pytest.approx(mean(losses))
    assert found.moves == len(raw())
    assert found.unjudged == 0
    assert found.players[0].groups["critical"].moves > 10


def test_games_are_decided_by_the_last_mistake() -> None:
    found = accuracy_of(surveyed())
    last = {number: (ply, who) for number, who, ply, mine, _, best in raw()
            if sign(mine) < sign(best)}  # fmt: skip
    for game, decided in found.games:
        expected = last.get(game.number)
        assert decided == (Decision("move", expected[0]) if expected else Decision("start"))
    mistakes = [who for _, who in last.values()]
    for player, counted in enumerate(found.players):
        decisions = counted.decisions
        assert len(decisions.own) == mistakes.count(player)
        assert decisions.games == decisions.start + len(decisions.plies)
    assert sum(each.games for each in found.pairings.values()) == 24
    pair = found.pairings[0, 1]
    both = [who for number, (_, who) in last.items() if number % 4 in (0, 1)]
    assert (len(pair.own), len(pair.others)) == (both.count(0), both.count(1))


def test_the_worst_blunders_come_first() -> None:
    found = accuracy_of(surveyed())
    sizes = [(sign(best) - sign(mine), best - mine) for *_, mine, _, best in raw()]
    shown = found.blunders(3)
    assert shown[0].verdict.size == max(sizes)
    assert {blunder.player for blunder in shown} == {0, 1, 2}, "one of each"
    assert len(found.blunders(5)) == 5
    orders = [blunder.order for blunder in found.blunders(9)]
    assert orders == sorted(orders)
    blunder = shown[0]
    assert blunder.moves[-1] == blunder.verdict.column
    assert len(blunder.moves) == blunder.verdict.ply + 1


def test_what_is_unjudged_is_counted_and_nothing_else() -> None:
    moves = bytes([0, 1, 2, 3, 0])
    scores = (None, 1, -1, None, None, None)
    game = JudgedGame(3, 0, 1, 1, "line", Judged(0, moves, scores, (None, None, True, None, None)))
    found = accuracy([game], 7, 5.0, NAMES, RULES)
    assert (found.moves, found.unjudged) == (1, 4)
    assert [player.groups["all"].unjudged for player in found.players] == [3, 1, 0]
    assert found.players[0].groups["opening"].unjudged == 3
    assert (
        found.players[1].groups["critical"].unjudged == 2
    )  # the judged one is not proven to be either
    assert found.players[1].groups["critical"].moves == 0
    assert [decided.how for _, decided in found.games] == ["unknown"]
    assert found.of == 7


def test_a_game_played_again_and_again_is_one_observation() -> None:
    once = surveyed()
    often = [replace(game, number=100 * k + game.number) for k in range(9) for game in once]
    one = accuracy_of(surveyed())
    many = accuracy_of(often)
    for few, all_of_them in zip(one.players, many.players, strict=True):
        count, counts = few.groups["all"], all_of_them.groups["all"]
        assert counts.moves == 9 * count.moves
        assert all_of_them.kinds["best"] == 9 * few.kinds["best"]
        assert counts.kept_value is not None
        assert count.kept_value is not None
        assert counts.kept_value.value == pytest.approx(count.kept_value.value)
        assert counts.kept_value.interval() == pytest.approx(count.kept_value.interval())


def flawless(count: int) -> list[JudgedGame]:
    """Games of alpha and beta in which every move keeps the value and the score."""
    games = []
    for number, game in enumerate(surveyed(count=count)):
        judged = game.judged
        plies = len(judged.scores) - 1
        kept = Judged(judged.opening, judged.moves, (0,) * (plies + 1), (False,) * plies)
        games.append(replace(game, number=number, first=0, second=1, judged=kept))
    return games


@pytest.mark.parametrize("games", [flawless(20), surveyed()], ids=["flawless", "random"])
def test_accuracy_has_one_interval_wherever_it_is_shown(games: list[JudgedGame]) -> None:
    found = accuracy_of(games)
    for take, group in (("value", "all"), ("exact", "all"), ("critical", "critical")):
        told = of_accuracy(figure_of("accuracy", "alpha", take=take), found, NAMES)
        tally = found.players[0].groups[group]
        shown = tally.kept_score if take == "exact" else tally.kept_value
        assert told.estimate == shown
    blunders = of_accuracy(figure_of("blunders", "alpha"), found, NAMES)
    own = sum(blunder.player == 0 for game, _ in found.games for blunder in game.blunders(RULES))
    played = sum(0 in (game.first, game.second) for game in games)
    assert blunders.value == pytest.approx(own / played)


def test_flawless_games_are_not_certain_to_be_flawless() -> None:
    """20 games of 5 moves that all keep the value: one interval, and not 98.6 to 100 %."""
    kept = accuracy_of(flawless(20)).players[0].groups["all"].kept_value
    assert kept is not None
    assert kept.interval() == pytest.approx((0.936, 1), abs=0.002)
