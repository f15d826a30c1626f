"""Measuring: the same by seed, exact where it says so, and without a trace in the learner."""

from __future__ import annotations

from typing import Any

from arena.bots.find import build_engine
from arena.engine.contract import Limits
from arena.game.position import Position
from arena.game.rules import Rules
from arena.learning.curve import Point
from arena.learning.measure import Gauge, Kept, Strength
from arena.learning.methods import learner_of
from arena.learning.perfect import PerfectPartner
from arena.learning.plots import elo_of
from arena.learning.reading import load_text
from arena.learning.spec import Training
from arena.standings.games import WDL
from tests.engines.exhaustive import column_scores

SMALL = Rules.flat(4, 4, 3)


def measured(training: Training[Any], words: str) -> Strength:
    return Gauge(training).measure(build_engine(words), lambda what, number, of: None)


def test_the_partner_plays_each_of_the_best_replies_and_no_other() -> None:
    partner = PerfectPartner(SMALL)
    position = Position(SMALL).play(0)
    values = column_scores(position)
    best = {column for column, worth in values.items() if worth == max(values.values())}
    played = set()
    for seed in range(40):
        partner.begin(SMALL, seed)
        played.add(partner.ask(position, Limits()).column)
    assert played == best


def test_strength_in_words() -> None:
    strength = Strength(WDL(9, 1, 0), Kept(3, 4), against={"random": WDL(2, 0, 0)})
    games = "9 won, 1 drawn, 0 lost against perfect play; 2 won, 0 drawn, 0 lost against random"
    assert str(strength) == f"{games}; value kept 75.0 %"
    assert str(Strength()) == ""


def test_perfect_play_keeps_every_value_and_wins_what_is_won(training: Training[Any]) -> None:
    strength = measured(training, "perfect")
    assert strength.exam == Kept(3, 3)
    assert strength.perfect == WDL(2, 0, 0)  # the first player wins 4x4 with three in line


def test_a_measurement_is_the_same_again_and_counts_its_steps(training: Training[Any]) -> None:
    gauge, told = Gauge(training), []
    first = gauge.measure(build_engine("random"), lambda *step: told.append(step))
    assert first == gauge.measure(build_engine("random"), lambda *step: None)
    assert first.against["random"].games == 2
    assert [step[1:] for step in told[3:]] == [(k + 1, gauge.steps) for k in range(gauge.steps)]


def test_measuring_changes_no_training(training: Training[Any]) -> None:
    one, other = learner_of(training), learner_of(training)
    gauge = Gauge(training)
    for _ in range(3):
        one.play(5)
        gauge.measure(one.player(), lambda *step: None)
    other.play(15)
    assert one.figures() == other.figures()


def test_a_training_in_space_is_measured_by_engines_alone() -> None:
    training = load_text("method: td\ngame: 3x3x3c3\nmeasure: {against: random, games: 4}")
    strength = measured(training, "reflex")
    assert (strength.perfect, strength.exam) == (None, None)
    assert list(strength.scores()) == ["against random"]


def test_elo_of_all_moments_has_the_mean_of_the_ladder_as_zero() -> None:
    moments = [(0, WDL(2, 0, 18)), (10, WDL(10, 0, 10)), (20, WDL(18, 0, 2))]
    points = [
        Point(games, 0.0, Strength(against={"a": score, "b": score}), {})
        for games, score in moments
    ]
    games, elo, error = elo_of(points, ["a", "b"])
    assert list(games) == [0, 10, 20]
    assert elo[0] < -300
    assert abs(elo[1]) < 1
    assert elo[2] > 300
    assert all(error > 0)
