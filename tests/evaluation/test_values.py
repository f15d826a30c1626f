"""Values of positions by hand and against a naive twin."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.evaluation import EVALUATIONS
from arena.evaluation.evaluation import largest_sum
from arena.game import CONNECT4, FIRST, SCORE4, SECOND, Position, Rules
from tests import naive
from tests.evaluation.naive_value import BY_HAND, value_of
from tests.game.strategies import Game, games, random_games

FOUR = Rules.flat(4, 4)  # ten lines: four columns, four rows, two diagonals; centre columns 2, 3


def values(name: str, position: Position) -> tuple[float, float]:
    """The value to the first player, and to the second."""
    evaluation = EVALUATIONS[name]
    return value_of(evaluation, position, FIRST), value_of(evaluation, position, SECOND)


def test_every_named_evaluation_is_tested_here() -> None:
    assert set(BY_HAND) == {
        *("h1", "h2", "rivest", "rivest-512", "gaiceanu", "window", "window-100"),
        *("fourplay", "fourplay-td", "counts", "counts-123", "threes"),
    }
    assert all(name == evaluation.name for name, evaluation in EVALUATIONS.items())
    assert all(evaluation.source for evaluation in EVALUATIONS.values())


# . . . .     row 1 has three X, row 2 two O; column 3 has one X; columns 1 and 2 and the rising
# . . . .     diagonal are mixed; column 4, the falling diagonal, rows 3 and 4 are empty.
# O O . .     O is to move. In the centre: two X, one O.
# X X X .
THREE = Position.parse("11223", FOUR)


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("h2", 0, 0),
        ("rivest", 50 - 10 + 1 - 16, -50 + 10 - 1 + 16),
        ("rivest-512", 50 - 10 + 1 - 16, -50 + 10 - 1 + 16),
        ("counts", 16 - 4 + 1, -16 + 4 - 1),
        ("counts-123", 3 - 2 + 1, -3 + 2 - 1),
        ("threes", 1, -1),
        ("gaiceanu", 5000 - 501 + 2, 500 - 5001 + 1),
        ("window", 10 + 3 * 2, 4 - 20 + 3 * 1),
        ("window-100", 10 + 3 * 2, 4 - 20 + 3 * 1),
        ("fourplay", 2 - 2, 2 - 2),
        ("fourplay-td", 6986.67 - 4554.46, 4554.46 - 6986.67),
        ("h1", 0, 0),  # the last disc, in column 3: its rays leave the board
    ],
)
def test_a_three_against_a_two(name: str, first: float, second: float) -> None:
    assert values(name, THREE) == pytest.approx((first, second))


# . . . .     row 1 reads 0110 for X; O's discs share no open line, each lies alone in a row
# . O . .     and in a diagonal. Column 2 is mixed, column 3 has one X. X is to move.
# . O . .
# . X X .
INSIDE = Position.parse("2232", FOUR)


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("rivest", 10 + 1 - 4 * 1 + 16),  # two X, one X, O alone in rows 2, 3 and both diagonals
        ("counts", 4 + 1 - 4),
        ("fourplay", 2),
        ("fourplay-td", 4554),  # a run inside the line counts its weight cut to a whole number
        ("threes", 0),
    ],
)
def test_a_two_that_touches_no_end_of_its_line(name: str, first: float) -> None:
    assert values(name, INSIDE) == (first, -first)


# Row 1 reads 1011 for X, row 2 reads 1010 for O; the columns 1, 3 are mixed; column 4 has one X;
# the rising diagonal has one X, the falling one an O and an X. O is to move.
GAP = Position.parse("11334", FOUR)


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("fourplay", 0),
        ("fourplay-td", 0),
        ("counts", 16 - 4 + 1 + 1),
        ("rivest", 50 - 10 + 1 + 1 - 16),
    ],
)
def test_runs_need_to_be_without_a_gap_and_counts_do_not(name: str, first: float) -> None:
    assert values(name, GAP) == (first, -first)


def test_one_disc_in_the_middle_of_seven_columns() -> None:
    # Open lines through it: the column, the rows from columns 1, 2, 3, 4, one diagonal each way.
    middle = Position.parse("4")
    assert values("counts", middle) == (7, -7)
    assert values("rivest", middle) == (7 - 16, -7 + 16)
    assert values("gaiceanu", middle) == (1, 0)
    assert values("window", middle) == (3, 0)


def test_one_disc_in_space_has_seven_lines_in_a_corner_and_four_elsewhere() -> None:
    assert values("counts", Position.parse("1", SCORE4)) == (7, -7)
    assert values("counts", Position.parse("2", SCORE4)) == (4, -4)
    assert values("counts", Position.parse("6", SCORE4)) == (4, -4)


def test_an_empty_board_has_the_value_of_the_move() -> None:
    for name in BY_HAND:
        tempo = 16 if name.startswith("rivest") else 0
        assert values(name, Position()) == (tempo, -tempo)


# Column 1 is full of X, column 2 has three O; rows 1 to 3 and both diagonals are mixed, row 4 has
# one X. O would be to move. In the centre: three O.
WON = Position.parse("1212121", FOUR)


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("h2", 1, -1),
        ("h1", 1_000_000, -1_000_000),
        ("rivest", 1_000_000, -1_000_000),
        ("rivest-512", 512, -512),
        ("counts", 1_000_000, -1_000_000),
        ("fourplay", 1_000_000, -1_000_000),
        ("fourplay-td", 1_000_000, -1_000_000),
        ("gaiceanu", 5000001 - 5001, -5000000 + 5000 + 3),
        ("window", 100 - 20, -100 + 10 + 3 * 3),
        ("window-100", 100, -100),  # the end of a game, whatever else lies there
    ],
)
def test_a_won_game(name: str, first: float, second: float) -> None:
    assert WON.winner == FIRST
    assert values(name, WON) == (first, second)


@pytest.mark.parametrize("name", BY_HAND)
def test_a_drawn_game_has_no_value(name: str) -> None:
    drawn = Position.parse("736536436212766145172111622455574775343234")
    assert drawn.is_draw
    assert values(name, drawn) == (0, 0)


def test_weights_go_by_missing_discs_where_lines_are_shorter_or_longer() -> None:
    # 3x3, connect 3: "three of four" becomes "two of three". X has the lowest row's 1 and 2.
    two = Position.parse("112", Rules.flat(3, 3, 3))  # X in columns 1, 2, O on top of column 1
    # X: row 1 has two (16), column 2 one (4); O: row 2 one (-4), column 1 is mixed; the rising
    # diagonal has one X (4), the falling one is empty.
    assert values("counts", two) == (16 + 4 - 4 + 4, -16 - 4 + 4 - 4)
    # Connect 5 in a row of five: four discs count as three of four, a single one counts nothing.
    row = Rules.flat(5, 2, 5)
    assert values("counts", Position.parse("11223344", row)) == (0, 0)
    assert values("counts", Position.parse("1", row)) == (0, 0)
    assert values("counts", Position.parse("112", row)) == (1, -1)


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
