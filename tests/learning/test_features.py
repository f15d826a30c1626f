"""What weights are multiplied by, against a naive scan of every window and the evaluations."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadOption
from arena.evaluation import EVALUATIONS, Evaluation
from arena.evaluation.kernels import largest_open_sum, weights_of
from arena.game import CONNECT4, FIRST, SCORE4, SECOND, Position, Rules
from arena.game.bits import record_of
from arena.learning.features import Floats, Parameters
from arena.learning.linear_kernels import evaluate, observe
from tests import naive
from tests.evaluation.values import value_of
from tests.game.strategies import Game, games, random_games, sizes

LEARNABLE = sorted(set(EVALUATIONS) - {"h1", "h2", "ntuple"})
ANTISYMMETRIC = ("rivest", "counts", "threes", "fourplay")
ALL_PARTS = Evaluation(
    "all parts",
    own=((1, 3), (2, 5), (3, 7)),
    other=((1, -2), (3, -9)),
    runs=((2, 4), (3, 6)),
    centre=2,
    centre_other=-1,
    tempo=8,
)


def seen_by(parameters: Parameters, position: Position, player: int) -> Floats:
    seen = np.zeros((2, len(parameters.each)))
    mine, theirs = position.first, position.second
    if player == SECOND:
        mine, theirs = theirs, mine
    observe(
        record_of(position.rules.board), parameters.features(), np.uint64(mine), np.uint64(theirs),
        position.to_move == player, seen,
    )  # fmt: skip
    return seen


def naive_counts(board: naive.Board, player: int) -> dict[str, float]:
    """Every feature of ALL_PARTS by scanning the windows as words; discs as on connect 4."""
    missing = Counter[str]()
    for word in naive.windows(board, player):
        for letter, part in (("m", "own"), ("t", "other")):
            discs = word.count(letter)
            if discs and set(word) <= {letter, "."}:
                discs += 4 - board.connect
                missing[f"{part} {discs}"] += 1
                if letter * word.count(letter) in word:
                    missing[f"run {discs}"] += 1 if letter == "m" else -1
    missing["centre"] = naive.centre_discs(board, player)
    missing["centre_other"] = naive.centre_discs(board, 1 - player)
    missing["tempo"] = 1 if board.to_move() == player else -1
    return dict(missing)


@given(games(sizes()), st.sampled_from((FIRST, SECOND)))
def test_features_are_what_a_scan_of_all_windows_counts(game: Game, player: int) -> None:
    parameters = Parameters.of(ALL_PARTS, game.rules)
    counted = naive_counts(game.board, player)
    seen = seen_by(parameters, game.position, player).sum(axis=0)
    expected = [counted.get(name, 0) for name in parameters.names]
    assert dict(zip(parameters.names, seen, strict=True)) == dict(
        zip(parameters.names, expected, strict=True)
    )


@pytest.mark.parametrize("name", LEARNABLE)
@pytest.mark.parametrize("size", ["7x6", "5x4", "4x4x4", "6x5c3", "9x6c5"])
def test_weights_times_features_are_the_evaluation(name: str, size: str) -> None:
    rules = Rules.named(size)
    parameters = Parameters.of(EVALUATIONS[name], rules)
    for game in random_games(rules, 15, seed=3):
        if game.position.is_over:
            continue
        for player in (FIRST, SECOND):
            value = evaluate(parameters.start, seen_by(parameters, game.position, player), True)
            assert value == pytest.approx(value_of(EVALUATIONS[name], game.position, player))


@pytest.mark.parametrize("name", ANTISYMMETRIC)
def test_the_value_changes_its_sign_with_the_colours(name: str) -> None:
    parameters = Parameters.of(EVALUATIONS[name], SCORE4)
    weights = np.arange(1.5, len(parameters.each) + 1)
    for game in random_games(SCORE4, 20, seed=5):
        values = [
            evaluate(weights, seen_by(parameters, game.position, player), False)
            for player in (FIRST, SECOND)
        ]
        assert values[0] == -values[1]


def test_weights_are_shared_where_the_evaluation_is_the_same_for_both() -> None:
    assert Parameters.of(EVALUATIONS["fourplay"], SCORE4).names == ("run 2", "run 3")
    rivest = Parameters.of(EVALUATIONS["rivest"], CONNECT4)
    assert rivest.names == ("line 1", "line 2", "line 3", "tempo")
    assert rivest.start.tolist() == [1, 10, 50, 16]
    gaiceanu = Parameters.of(EVALUATIONS["gaiceanu"], CONNECT4)
    assert gaiceanu.names == ("own 2", "own 3", "other 2", "other 3", "centre")
    window = Parameters.of(EVALUATIONS["window"], CONNECT4)
    assert window.names == ("own 2", "own 3", "other 3", "centre")


@pytest.mark.parametrize("name", ["h1", "h2", "ntuple"])
def test_an_evaluation_without_weights_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(BadOption, match=name):
        Parameters.of(EVALUATIONS[name], CONNECT4)


def test_chains_are_not_learned() -> None:
    evaluation = Evaluation("linked", own=((2, 1),), chains=((2, 1),))
    with pytest.raises(BadOption, match="linked counts chains, which are not learned"):
        Parameters.of(evaluation, CONNECT4)


@pytest.mark.parametrize("size", ["1e-9", "0.001", "0.7", "1", "400", "1e6", "1e12", "1e99"])
@pytest.mark.parametrize("name", ["fourplay", "gaiceanu", "rivest-512"])
def test_weights_of_any_size_become_an_evaluation_that_plays_the_same(name: str, size: str) -> None:
    parameters = Parameters.of(EVALUATIONS[name], SCORE4)
    pattern = np.linspace(1.0, 3.0, len(parameters.each))
    evaluation, factor = parameters.evaluation_with(pattern * float(size))
    assert record_of(weights_of(evaluation, SCORE4)).scale >= 1  # the kernels take it
    weights = Parameters.of(evaluation, SCORE4).start
    assert weights / weights[0] == pytest.approx(pattern, rel=0.02)
    assert weights == pytest.approx(pattern * float(size) * factor, rel=0.02)
    ceiling = evaluation.win or 5_000_000
    assert largest_open_sum(evaluation, SCORE4) < ceiling


def test_learned_weights_stay_as_they_are_where_they_fit() -> None:
    parameters = Parameters.of(EVALUATIONS["fourplay"], SCORE4)
    evaluation, factor = parameters.evaluation_with(np.array([4554.45735, 6986.67271]))
    assert (evaluation.runs, factor) == (((2, 4554.457), (3, 6986.673)), 1.0)
