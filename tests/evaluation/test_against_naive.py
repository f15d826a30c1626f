"""Evaluations against naive scans of every window, on random positions of several boards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.evaluation import EVALUATIONS
from arena.evaluation.evaluation import largest_sum
from arena.game import CONNECT4, FIRST, SECOND, Position, Rules
from tests import naive
from tests.evaluation.naive_value import BY_HAND, value_of
from tests.game.strategies import Game, games, random_games

BOARDS = ("7x6", "8x7", "5x4", "4x4x4")
FOUR_IN_LINE = st.sampled_from(BOARDS).map(Rules.named)
EVEN = ("h1", "h2", "rivest", "rivest-512", "counts", "counts-123", "threes", "fourplay")

NAMES = {
    (0, 0, 1): "column",
    (1, 0, 0): "row",
    (1, 0, 1): "rising diagonal",
    (1, 0, -1): "falling diagonal",
}


@pytest.mark.parametrize("name", sorted(naive.BY_NAME))
@pytest.mark.parametrize("size", BOARDS)
def test_value_is_what_a_scan_of_all_windows_gives(name: str, size: str) -> None:
    for game in random_games(Rules.named(size), 12, seed=len(name)):
        for player in (FIRST, SECOND):
            value = value_of(EVALUATIONS[name], game.position, player)
            assert value == pytest.approx(naive.BY_NAME[name](game.board, player), abs=1e-6)


@pytest.mark.parametrize("name", [*EVEN, "fourplay-td"])
def test_what_is_good_for_one_is_as_bad_for_the_other(name: str) -> None:
    evaluation = EVALUATIONS[name]
    for size in ("7x6", "4x4x4"):
        for game in random_games(Rules.named(size), 20, seed=9):
            mine = value_of(evaluation, game.position, FIRST)
            assert mine == pytest.approx(-value_of(evaluation, game.position, SECOND), abs=1e-6)


@pytest.mark.parametrize("name", ["fourplay", "fourplay-td", "counts", "threes"])
def test_exchanging_the_discs_changes_the_sign(name: str) -> None:
    for game in random_games(Rules.named("4x4x4"), 20, seed=4):
        position = game.position
        if position.winner is not None:
            continue
        swapped = Position(position.rules, position.second, position.first)
        value = value_of(EVALUATIONS[name], swapped, FIRST)
        assert value == pytest.approx(-naive_value(name, game.board), abs=1e-6)


def naive_value(name: str, board: naive.Board) -> float:
    if name == "threes":
        return naive.open_lines(board, FIRST, {3: 1})
    return naive.BY_NAME[name](board, FIRST)


@given(games(st.just(CONNECT4)))
def test_no_unfinished_position_has_the_value_of_a_win_for_gaiceanu(game: Game) -> None:
    """Gaiceanu 2022: 69 windows of at most 5001, and at most 6 discs in the centre."""
    bound = 69 * 5001 + 6
    evaluation = EVALUATIONS["gaiceanu"]
    for player in (FIRST, SECOND):
        value = value_of(evaluation, game.position, player)
        if game.board.winner() is None:
            assert abs(value) <= bound < 5_000_000 - bound
        else:
            sign = 1 if game.board.winner() == player else -1
            assert sign * value > bound


@given(games(st.just(CONNECT4)))
def test_the_score_of_a_rotated_board_is_the_score_of_the_board(game: Game) -> None:
    """The larger of the two scores is the score itself."""
    for player in (FIRST, SECOND):
        upright, rotated = (naive.window(b, player) for b in (game.board, game.board.rotated()))
        assert value_of(EVALUATIONS["window"], game.position, player) == max(upright, rotated)
        assert upright == rotated


@pytest.mark.parametrize("name", sorted(set(BY_HAND) - {"h1"}))  # which is no sum over lines
def test_the_bound_on_unfinished_positions_holds(name: str) -> None:
    evaluation = EVALUATIONS[name]
    for size in BOARDS:
        rules = Rules.named(size)
        for game in random_games(rules, 10, seed=2):
            if not game.position.is_over:
                assert abs(value_of(evaluation, game.position, FIRST)) <= largest_sum(
                    evaluation, rules
                )


@pytest.mark.parametrize("name", BY_HAND)
def test_the_breakdown_of_an_unfinished_position_adds_up_to_its_value(name: str) -> None:
    evaluation = EVALUATIONS[name]
    for size in ("7x6", "4x4x4"):
        for game in random_games(Rules.named(size), 10, seed=6):
            if not game.position.is_over:
                for player in (FIRST, SECOND):
                    total = sum(evaluation.breakdown(game.position, player).values())
                    assert total == pytest.approx(value_of(evaluation, game.position, player))


def test_the_breakdown_gives_each_direction_its_own_lines() -> None:
    for game in random_games(CONNECT4, 20, seed=8):
        parts = EVALUATIONS["rivest"].breakdown(game.position, FIRST)
        expected = dict.fromkeys(NAMES.values(), 0.0)
        for step, cells in game.board.lines():
            owners = [game.board.at(*cell) for cell in cells]
            discs = [owner for owner in owners if owner != naive.EMPTY]
            if len(set(discs)) == 1:
                value = {1: 1, 2: 10, 3: 50}.get(len(discs), 0)
                expected[NAMES[step]] += value if discs[0] == FIRST else -value
        assert {name: parts[name] for name in expected} == expected
        assert set(parts) == {*expected, "centre", "tempo"}


def test_the_breakdown_in_space_names_thirteen_directions() -> None:
    position = Position.parse("1,2", Rules.named("4x4x4"))
    parts = EVALUATIONS["counts"].breakdown(position, FIRST)
    assert len(parts) == 13 + 2
    # X in the corner (0, 0), O beside it along y: the row along y is mixed; X has the column, the
    # row along x, the level diagonal, two diagonals on planes and one in space; O the column, the
    # row along x and the diagonal between them.
    assert parts["row along y"] == 0
    assert parts["column"] == parts["row along x"] == parts["rising diagonal along x"] == 1 - 1
    assert parts["rising diagonal along y"] == parts["level diagonal x+y"] == 1
    assert parts["rising space diagonal x+y"] == 1
    assert sum(parts.values()) == 3


def test_h1_is_shown_as_the_last_disc() -> None:
    parts = EVALUATIONS["h1"].breakdown(Position.parse("4"), FIRST)
    assert parts["last disc"] == 12
    assert sum(parts.values()) == 12
