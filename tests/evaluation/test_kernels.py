"""The sums that a search carries along, against the naive value of the board."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from arena.errors import BadOption
from arena.evaluation import EVALUATIONS, Evaluation
from arena.evaluation.kernels import board_value, leaf_value, place, weights_of, win_value
from arena.game import FIRST, SECOND, Position, Rules
from arena.game.bits import record_of
from tests import naive
from tests.evaluation.naive_value import BY_HAND
from tests.game.strategies import empty, random_games

BOARDS = ("7x6", "5x4", "4x4x4")
NAMES = sorted(naive.BY_NAME)
NONE = np.uint64(0)

# Weights that nobody uses, with everything uneven that can be.
LOPSIDED = Evaluation(
    "lopsided",
    own=((1, 2.5), (3, 7)),
    other=((1, -1), (2, -4.5)),
    runs=((2, 3.5),),
    chains=((1, 0.5), (2, 1.25), (3, 10)),
    centre=1.5,
    centre_other=-0.5,
    tempo=0.25,
)
RAYS = Evaluation("all rays", rays="up", diagonals=True)


def lopsided(board: naive.Board, me: int) -> float:
    """The same from words: one of mine 2.5, three 7; one of theirs -1, two -4.5; runs of two.

    Chains are what is left of a word between the others' discs and empty cells.
    """
    total = 1.5 * naive.centre_discs(board, me) - 0.5 * naive.centre_discs(board, 1 - me)
    total += 0.25 if board.to_move() == me else -0.25
    runs = {"mm..": 3.5, ".mm.": 3, "..mm": 3.5, "tt..": -3.5, ".tt.": -3, "..tt": -3.5}
    counts = {(1, 0): 2.5, (3, 0): 7.0, (0, 1): -1.0, (0, 2): -4.5}
    for word in naive.windows(board, me):
        total += runs.get(word, 0) + counts.get((word.count("m"), word.count("t")), 0)
        for disc, sign in (("m", 1), ("t", -1)):
            chains = "".join(letter if letter == disc else " " for letter in word).split()
            total += sign * sum({1: 0.5, 2: 1.25, 3: 10}[len(chain)] for chain in chains)
    return total


def all_rays(board: naive.Board, me: int) -> float:
    return naive.h1(board, me, vertical=1, diagonals=True)


def runs_and_rays(board: naive.Board, me: int) -> float:
    return lopsided(board, me) + all_rays(board, me)


EVALUATED: dict[str, tuple[Evaluation, naive.Evaluate]] = {
    **{name: (EVALUATIONS[name], naive.BY_NAME[name]) for name in NAMES},
    "lopsided": (LOPSIDED, lopsided),
    "all rays": (RAYS, all_rays),
    "runs and rays": (replace(LOPSIDED, rays="up", diagonals=True), runs_and_rays),
}


def lines_and_centre(name: str, board: naive.Board, me: int) -> float:
    """What `board_value` sums: no runs, no rays, nothing for the move."""
    if name.startswith("rivest"):
        return naive.open_lines(board, me, {1: 1, 2: 10, 3: 50})
    if name in ("counts", "gaiceanu", "window", "window-100"):
        return naive.BY_NAME[name](board, me)
    return 0.0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", BOARDS)
def test_board_value_is_the_sum_over_lines_and_centre(name: str, size: str) -> None:
    rules = Rules.named(size)
    weights = record_of(weights_of(EVALUATIONS[name], rules))
    for game in random_games(rules, 8, seed=5):
        if game.board.is_over():
            continue
        discs = (np.uint64(game.position.first), np.uint64(game.position.second))
        for me in (FIRST, SECOND):
            value = board_value(record_of(rules.board), weights, discs[me], discs[1 - me])
            expected = lines_and_centre(name, game.board, me) * int(weights.scale)
            assert value == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("me", [FIRST, SECOND])
@pytest.mark.parametrize("name", EVALUATED)
@pytest.mark.parametrize("size", BOARDS)
def test_the_running_value_is_that_of_the_board_at_every_move(
    name: str, size: str, me: int
) -> None:
    rules = Rules.named(size)
    evaluation, evaluate = EVALUATED[name]
    tables, weights = record_of(rules.board), record_of(weights_of(evaluation, rules))
    board, position = empty(rules), Position(rules)
    random, running = Random(7), 0
    while not board.is_over():
        column = random.choice(board.legal())
        mover = board.to_move()
        side = 0 if mover == me else 1
        sign = 1 if side == 0 else -1
        own, opp = np.uint64(position.own), np.uint64(position.opponent)
        disc = np.uint64(position.landing(column))
        gain, won = place(tables, weights, side, own, opp, disc)
        running += sign * gain
        board, position = board.drop(column), position.play(column)
        assert won == (board.winner() is not None)
        if not board.is_over():
            leaf = leaf_value(tables, weights, sign * running, side, own | disc, opp, disc)
            expected = evaluate(board, me) * int(weights.scale)
            assert sign * leaf == pytest.approx(expected, abs=1e-6)


def test_a_win_has_less_value_the_more_discs_it_took() -> None:
    rules = Rules.flat(7, 6)
    quick = record_of(weights_of(EVALUATIONS["rivest"], rules))
    plain = record_of(weights_of(EVALUATIONS["rivest"], rules, prefer_quick=False))
    assert win_value(quick, 33, 7) == 1_000_000 - 7
    assert win_value(quick, 33, 9) == 1_000_000 - 9
    assert win_value(plain, 33, 7) == win_value(plain, 33, 9) == 1_000_000


def test_without_a_win_of_its_own_the_lines_give_a_won_game_its_value() -> None:
    rules = Rules.flat(7, 6)
    plain = record_of(weights_of(EVALUATIONS["gaiceanu"], rules, prefer_quick=False))
    quick = record_of(weights_of(EVALUATIONS["gaiceanu"], rules))
    assert win_value(plain, 4_995_000, 7) == 4_995_000
    assert win_value(quick, 4_995_000, 7) == 5_000_000 - 7


def test_small_wins_are_scaled_so_that_plies_can_be_counted_off() -> None:
    weights = record_of(weights_of(EVALUATIONS["h2"], Rules.flat(7, 6)))
    assert int(weights.scale) == 100
    assert win_value(weights, 0, 42) > 0
    assert win_value(weights, 0, 7) > win_value(weights, 0, 8)


def test_decimals_are_kept_by_scaling() -> None:
    weights = record_of(weights_of(EVALUATIONS["fourplay-td"], Rules.space(4, 4, 4)))
    assert int(weights.scale) == 100
    assert sorted(map(int, weights.pattern_value[: int(weights.patterns)])) == [
        *(455400, 455446, 455446),
        *(698667, 698667),
    ]


def test_too_many_decimals_are_refused() -> None:
    fine = Evaluation("fine", own=((1, 0.125),), other=((1, -0.125),))
    assert int(record_of(weights_of(fine, Rules.flat(7, 6))).scale) == 1000
    with pytest.raises(BadOption, match=r"^the weights of finer have more than three decimals"):
        weights_of(Evaluation("finer", own=((1, 0.0625),)), Rules.flat(7, 6))


def test_weights_that_would_not_fit_a_table_entry_are_refused() -> None:
    with pytest.raises(BadOption, match=r"^the weights of huge are too large"):
        weights_of(Evaluation("huge", own=((3, 5e8),)), Rules.flat(7, 6))


@pytest.mark.parametrize("name", BY_HAND)
@pytest.mark.parametrize("size", ["8x8", "3x3c3", "4x4x4c2", "4x4x4c3", "9x6c5", "2x2c2", "64x1"])
def test_every_named_evaluation_serves_every_board(name: str, size: str) -> None:
    rules = Rules.named(size)
    weights = record_of(weights_of(EVALUATIONS[name], rules))
    assert board_value(record_of(rules.board), weights, NONE, NONE) == 0
