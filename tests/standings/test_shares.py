"""Intervals of shares: they cover what they claim, whole games at a time, and doubt widens them."""

from __future__ import annotations

from math import sqrt
from random import Random

import pytest
from scipy.stats import t as student

from arena.judge.judge import Verdict
from arena.standings.intervals import wilson
from arena.standings.shares import Cluster, Count


def moved(loss: int) -> Verdict:
    return Verdict(0, 0, 1, 1 - loss, True, "opening")


def played(losses: list[int], unjudged: int = 0, most: int = 0) -> Cluster:
    game = Cluster()
    for loss in losses:
        game.add(moved(loss))
    for _ in range(unjudged):
        game.add_unjudged(most)
    return game


def random_count(random: Random, games: int) -> tuple[Count, int, int]:
    """Games of an engine that has good days and bad ones: on bad ones it errs at half of its moves.

    Of 30 % of the games, which are longer; so it keeps 0.7 * 10 * 0.95 + 0.3 * 20 * 0.5 = 9.65 of
    0.7 * 10 + 0.3 * 20 = 13 moves.
    """
    count, kept, moves = Count(), 0, 0
    for _ in range(games):
        length, errs = (20, 0.5) if random.random() < 0.3 else (10, 0.05)
        losses = [2 * (random.random() < errs) for _ in range(length)]
        count.add_game(played(losses))
        kept, moves = kept + losses.count(0), moves + length
    return count, kept, moves


@pytest.mark.parametrize("games", [12, 60])
def test_intervals_cover_the_truth_as_often_as_they_say(games: int) -> None:
    random, truth, times = Random(games), 9.65 / 13, 250
    covered = by_moves = losses = 0
    for _ in range(times):
        count, kept, moves = random_count(random, games)
        low, high = count.kept_value.interval
        covered += (low or 0.0) <= truth <= (high or 0.0)
        plain = wilson(kept, moves)
        by_moves += plain[0] <= truth <= plain[1]
        least, most = count.loss_interval
        losses += (least or 0.0) <= 2 * (1 - truth) <= (most or 0.0)
    assert 0.92 <= covered / times <= 0.985
    assert 0.91 <= losses / times <= 0.985
    assert by_moves / times < 0.80, "as if moves were independent"


def test_moves_that_stand_alone_have_wilsons_interval() -> None:
    count = Count()
    for loss in (0, 0, 0, 2, 4):
        count.add(moved(loss))
    assert count.kept_value.interval == pytest.approx(wilson(3, 5))
    assert count.mean_loss == 1.2
    error = student.ppf(0.975, 4) * sqrt(3.2 / 5)
    assert count.loss_error == pytest.approx(error, rel=1e-2)
    assert count.loss_interval == pytest.approx((0.0, 1.2 + error), rel=1e-2)


def test_the_error_between_games_is_that_of_the_ratio_estimator() -> None:
    """Cochran 1977, 6.13, by hand: the residuals of each game."""
    games = [[0, 0, 2], [0, 2, 2, 2], [0], [0, 0]]
    count = Count()
    for losses in games:
        count.add_game(played(losses))
    ratio = 6 / 10
    rest = [losses.count(0) - ratio * len(losses) for losses in games]
    error = sqrt(sum(x * x for x in rest) * 4 / 3) / 10
    effective = min(10, ratio * (1 - ratio) / error**2) * (1.959964 / student.ppf(0.975, 3)) ** 2
    assert count.kept_value.interval == pytest.approx(
        wilson(ratio * effective, effective), rel=1e-2
    )


def test_what_is_unjudged_counts_both_ways() -> None:
    """The interval holds those of every way in which the unjudged moves may turn out."""
    random = Random(1)
    games = [[2 * (random.random() < 0.3) for _ in range(8)] for _ in range(30)]
    known = [random.random() < 0.8 for _ in range(8 * 30)]
    part, flags = Count(), iter(known)
    worst, best = Count(), Count()
    for losses in games:
        told = [next(flags) for _ in losses]
        seen = [loss for loss, is_known in zip(losses, told, strict=True) if is_known]
        open_moves = len(losses) - len(seen)
        part.add_game(played(seen, open_moves, most=2))
        worst.add_game(played(seen + [2] * open_moves))
        best.add_game(played(seen + [0] * open_moves))
    share = part.kept_value
    assert share.interval[0] == pytest.approx(worst.kept_value.interval[0])
    assert share.interval[1] == pytest.approx(best.kept_value.interval[1])
    assert part.loss_interval == pytest.approx((best.loss_interval[0], worst.loss_interval[1]))
    assert (part.moves, part.unjudged) == (known.count(True), known.count(False))
    assert (share.interval[0] or 0) < (share.share or 0) < (share.interval[1] or 0)


def test_copies_of_a_game_add_no_evidence() -> None:
    games = [[0, 0, 2], [0, 2], [0, 0, 0, 0], [2, 2, 0]]
    once, often = Count(), Count()
    for losses in games:
        once.add_game(played(losses))
        often.add_game(played(losses), copies=50)
    assert often.moves == 50 * once.moves
    assert often.kept_value.share == once.kept_value.share
    wide, narrow = once.kept_value, often.kept_value
    width = (narrow.interval[1] or 0) - (narrow.interval[0] or 0)
    assert width > 0.8 * ((wide.interval[1] or 0) - (wide.interval[0] or 0))


def test_of_one_game_or_none_little_is_known() -> None:
    count = Count()
    assert count.kept_value.interval == (None, None)
    assert count.kept_value.share is count.mean_loss is count.loss_error is None
    count.add_game(played([0, 0, 0, 2]))
    assert count.kept_value.interval == pytest.approx(wilson(0.75, 1))
    assert count.loss_interval == (None, None)
    perfect = Count()
    for _ in range(100):
        perfect.add_game(played([0] * 10))
    low, high = perfect.kept_value.interval
    assert high == 1
    assert 0.99 < (low or 0) < 1
