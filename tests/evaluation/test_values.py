"""Values of positions by hand and against a naive twin."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from arena.errors import BadOption
from arena.evaluation import EVALUATIONS, Evaluation
from arena.evaluation.kernels import (
    board_value,
    breakdown,
    largest_sum,
    leaf_value,
    place,
    weights_of,
    win_value,
)
from arena.game import CONNECT4, FIRST, SCORE4, SECOND, Position, Rules
from arena.game.bits import record_of
from tests import naive
from tests.evaluation.values import BY_HAND, value_of
from tests.game.strategies import empty, random_games

BOARDS = ("7x6", "8x7", "5x4", "4x4x4")
FOUR = Rules.flat(4, 4)  # ten lines: four columns, four rows, two diagonals; centre columns 2, 3

# . . . .     row 1 has three X, row 2 two O; column 3 has one X; columns 1 and 2 and the rising
# . . . .     diagonal are mixed; column 4, the falling diagonal, rows 3 and 4 are empty.
# O O . .     O is to move. In the centre: two X, one O.
# X X X .
THREE = Position.parse("11223", FOUR)

# . . . .     row 1 reads 0110 for X; O's discs share no open line, each lies alone in a row
# . O . .     and in a diagonal. Column 2 is mixed, column 3 has one X. X is to move.
# . O . .
# . X X .
INSIDE = Position.parse("2232", FOUR)

# Row 1 reads 1011 for X, row 2 reads 1010 for O; the columns 1, 3 are mixed; column 4 has one X;
# the rising diagonal has one X, the falling one an O and an X. O is to move.
GAP = Position.parse("11334", FOUR)

# Column 1 is full of X, column 2 has three O; rows 1 to 3 and both diagonals are mixed, row 4 has
# one X. O would be to move. In the centre: three O.
WON = Position.parse("1212121", FOUR)

# In the middle of seven columns: the column, rows from columns 1, 2, 3, 4, one diagonal each way.
MIDDLE = Position.parse("4")


def values(name: str, position: Position) -> tuple[float, float]:
    """The value to the first player, and to the second."""
    evaluation = EVALUATIONS[name]
    return value_of(evaluation, position, FIRST), value_of(evaluation, position, SECOND)


def test_every_named_evaluation_is_tested_here() -> None:
    assert set(BY_HAND) == {*naive.BY_NAME, "counts-123", "threes"}
    assert all(name == evaluation.name for name, evaluation in EVALUATIONS.items())
    assert all(evaluation.source for evaluation in EVALUATIONS.values())


@pytest.mark.parametrize(
    ("position", "name", "first", "second"),
    [
        (THREE, "h2", 0, 0),
        (THREE, "rivest", 50 - 10 + 1 - 16, -50 + 10 - 1 + 16),
        (THREE, "rivest-512", 50 - 10 + 1 - 16, -50 + 10 - 1 + 16),
        (THREE, "counts", 16 - 4 + 1, -16 + 4 - 1),
        (THREE, "counts-123", 3 - 2 + 1, -3 + 2 - 1),
        (THREE, "threes", 1, -1),
        (THREE, "gaiceanu", 5000 - 501 + 2, 500 - 5001 + 1),
        (THREE, "window", 10 + 3 * 2, 4 - 20 + 3 * 1),
        (THREE, "window-100", 10 + 3 * 2, 4 - 20 + 3 * 1),
        (THREE, "fourplay", 2 - 2, 2 - 2),
        (THREE, "fourplay-td", 6986.67 - 4554.46, 4554.46 - 6986.67),
        (THREE, "h1", 0, 0),  # the last disc, in column 3: its rays leave the board
        # Two X, one X, O alone in rows 2, 3 and both diagonals.
        (INSIDE, "rivest", 10 + 1 - 4 * 1 + 16, -10 - 1 + 4 * 1 - 16),
        (INSIDE, "counts", 4 + 1 - 4, -4 - 1 + 4),
        (INSIDE, "fourplay", 2, -2),
        (INSIDE, "fourplay-td", 4554, -4554),  # a run inside its line is cut to a whole number
        (INSIDE, "threes", 0, 0),
        (GAP, "fourplay", 0, 0),
        (GAP, "fourplay-td", 0, 0),
        (GAP, "counts", 16 - 4 + 1 + 1, -16 + 4 - 1 - 1),
        (GAP, "rivest", 50 - 10 + 1 + 1 - 16, -50 + 10 - 1 - 1 + 16),
        (WON, "h2", 1, -1),
        (WON, "h1", 1_000_000, -1_000_000),
        (WON, "rivest", 1_000_000, -1_000_000),
        (WON, "rivest-512", 512, -512),
        (WON, "gaiceanu", 5000001 - 5001, -5000000 + 5000 + 3),
        (WON, "window-100", 100, -100),  # the end of a game, whatever else lies there
        (MIDDLE, "counts", 7, -7),
        (MIDDLE, "rivest", 7 - 16, -7 + 16),
        (MIDDLE, "gaiceanu", 1, 0),
        (MIDDLE, "window", 3, 0),
        (Position.parse("1", SCORE4), "counts", 7, -7),  # seven lines in a corner
        (Position.parse("2", SCORE4), "counts", 4, -4),  # and four elsewhere
        (Position.parse("6", SCORE4), "counts", 4, -4),
        # 3x3, connect 3: "three of four" becomes "two of three". X has row 1 with two (16) and
        # column 2 and the rising diagonal with one (4), O row 2 with one; column 1 is mixed.
        (Position.parse("112", Rules.flat(3, 3, 3)), "counts", 16 + 4 - 4 + 4, -16 - 4 + 4 - 4),
        # Connect 5: four discs count as three of four, a single one counts nothing.
        (Position.parse("11223344", Rules.flat(5, 2, 5)), "counts", 0, 0),
        (Position.parse("1", Rules.flat(5, 2, 5)), "counts", 0, 0),
        (Position.parse("112", Rules.flat(5, 2, 5)), "counts", 1, -1),
    ],
)
def test_values_by_hand(position: Position, name: str, first: float, second: float) -> None:
    assert values(name, position) == pytest.approx((first, second))


@pytest.mark.parametrize("name", BY_HAND)
def test_an_empty_board_and_a_drawn_game(name: str) -> None:
    tempo = 16 if name.startswith("rivest") else 0
    assert values(name, Position()) == (tempo, -tempo)
    drawn = Position.parse("736536436212766145172111622455574775343234")
    assert drawn.is_draw
    assert values(name, drawn) == (0, 0)


DOWN = Evaluation("down", rays="down")
UP = Evaluation("up", rays="up")
SLANTED = Evaluation("slanted", rays="down", diagonals=True)


@pytest.mark.parametrize(
    ("evaluation", "rules", "moves", "value"),
    [
        # Left and right: my disc 3, three empty cells 1 each; below is off the board.
        (DOWN, CONNECT4, "4", 6 + 6),
        (DOWN, CONNECT4, "1", 6),  # left is off the board
        (DOWN, CONNECT4, "2", 6),  # two cells to the left are not enough for a ray of four
        (DOWN, CONNECT4, "34", 6),  # to the left lies a disc of theirs; right 3 + 1 + 1 + 1
        (DOWN, CONNECT4, "374", 8),  # left: 3 + 3 + 1 + 1; right: theirs in column 7
        (DOWN, CONNECT4, "7746", 0),  # left: theirs in column 4; right: off the board
        (DOWN, CONNECT4, "44", 6 + 6),  # on level 2; below only two cells
        (DOWN, CONNECT4, "4444", 6 + 6),  # below: theirs
        (UP, CONNECT4, "4", 6 + 6 + 6),
        (UP, CONNECT4, "444", 6 + 6 + 6),  # levels 3 to 6
        (UP, CONNECT4, "4444", 6 + 6),  # levels 4 to 7: off the board
        (SLANTED, CONNECT4, "4", 12 + 6 + 6),  # both diagonals upward
        (SLANTED, CONNECT4, "1", 6 + 6),  # one of them
        (SLANTED, CONNECT4, "15144", 8 + 6 + 6 + 6),  # left: 3 + 1 + 1 + 3; both diagonals upward
        (SLANTED, CONNECT4, "4132", 0 + 6),  # right: theirs; one diagonal upward
        (DOWN, SCORE4, "1", 6 + 6),
        (UP, SCORE4, "1", 6 + 6 + 6),
        (SLANTED, SCORE4, "1", 12 + 4 * 6),  # a corner: three diagonals on planes, one in space
        (SLANTED, SCORE4, "2", 6 + 6),  # an edge: along x, and the diagonal upward
        (UP, SCORE4, "6", 6),  # an inner column: four cells fit nowhere but upward
    ],
)
def test_h1_by_hand(evaluation: Evaluation, rules: Rules, moves: str, value: int) -> None:
    position = Position.parse(moves, rules)
    assert value_of(evaluation, position, 1 - position.to_move) == value
    assert breakdown(evaluation, position)["last disc"] == -value


# ---- against the naive board, and move by move

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


EVALUATED: dict[str, tuple[Evaluation, naive.Evaluate]] = {
    **{name: (EVALUATIONS[name], evaluate) for name, evaluate in naive.BY_NAME.items()},
    "lopsided": (LOPSIDED, lopsided),
    "all rays": (Evaluation("all rays", rays="up", diagonals=True), all_rays),
    "runs and rays": (
        replace(LOPSIDED, rays="up", diagonals=True),
        lambda board, me: lopsided(board, me) + all_rays(board, me),
    ),
}


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
        side = int(board.to_move() != me)
        sign = 1 - 2 * side
        own, opp = position.words
        disc = np.uint64(position.landing(column))
        gain, won = place(tables, weights, side, own, opp, disc)
        running += sign * gain
        board, position = board.drop(column), position.play(column)
        assert won == (board.winner() is not None)
        if not board.is_over():
            expected = pytest.approx(evaluate(board, me), abs=1e-6)
            leaf = leaf_value(tables, weights, sign * running, side, own | disc, opp, disc)
            assert sign * leaf / int(weights.scale) == expected
            assert value_of(evaluation, position, me) == expected
            if position.to_move == me:
                assert sum(breakdown(evaluation, position).values()) == expected


def test_the_breakdown_gives_each_direction_its_own_lines() -> None:
    names = {(0, 0, 1): "column", (1, 0, 0): "row"}
    names |= {(1, 0, 1): "rising diagonal", (1, 0, -1): "falling diagonal"}
    for game in random_games(CONNECT4, 20, seed=8):
        if game.position.is_over:
            continue
        parts = breakdown(EVALUATIONS["rivest"], game.position)
        expected = {**dict.fromkeys(names.values(), 0.0), "centre": 0.0, "tempo": 16.0}
        for step, cells in game.board.lines():
            owners = [game.board.at(*cell) for cell in cells]
            discs = [owner for owner in owners if owner != naive.EMPTY]
            if len(set(discs)) == 1:
                value = {1: 1, 2: 10, 3: 50}.get(len(discs), 0)
                expected[names[step]] += value if discs[0] == game.position.to_move else -value
        assert parts == expected


def test_the_breakdown_in_space_names_thirteen_directions() -> None:
    parts = breakdown(EVALUATIONS["counts"], Position.parse("1,2", SCORE4))
    assert len(parts) == 13 + 2
    # X in the corner (0, 0), O beside it along y: the row along y is mixed; X has the column, the
    # row along x, the level diagonal, two diagonals on planes and one in space; O the column, the
    # row along x and the diagonal between them.
    assert parts["row along y"] == 0
    assert parts["column"] == parts["row along x"] == parts["rising diagonal along x"] == 1 - 1
    assert parts["rising diagonal along y"] == parts["level diagonal x+y"] == 1
    assert parts["rising space diagonal x+y"] == 1
    assert sum(parts.values()) == 3


@pytest.mark.parametrize("name", sorted(set(BY_HAND) - {"h1"}))  # which is no sum over lines
def test_the_bound_on_unfinished_positions_holds(name: str) -> None:
    evaluation = EVALUATIONS[name]
    for rules in map(Rules.named, BOARDS):
        for game in random_games(rules, 10, seed=2):
            if not game.position.is_over:
                value = abs(value_of(evaluation, game.position, FIRST))
                assert value <= largest_sum(evaluation, rules)


# ---- won games, and weights as integers


def test_a_win_has_less_value_the_more_discs_it_took() -> None:
    quick = record_of(weights_of(EVALUATIONS["rivest"], CONNECT4))
    plain = record_of(weights_of(EVALUATIONS["rivest"], CONNECT4, prefer_quick=False))
    assert win_value(quick, 33, 7) == 1_000_000 - 7
    assert win_value(quick, 33, 9) == 1_000_000 - 9
    assert win_value(plain, 33, 7) == win_value(plain, 33, 9) == 1_000_000


def test_without_a_win_of_its_own_the_lines_give_a_won_game_its_value() -> None:
    plain = record_of(weights_of(EVALUATIONS["gaiceanu"], CONNECT4, prefer_quick=False))
    quick = record_of(weights_of(EVALUATIONS["gaiceanu"], CONNECT4))
    assert win_value(plain, 4_995_000, 7) == 4_995_000
    assert win_value(quick, 4_995_000, 7) == 5_000_000 - 7


def test_small_wins_are_scaled_so_that_plies_can_be_counted_off() -> None:
    weights = record_of(weights_of(EVALUATIONS["h2"], CONNECT4))
    assert int(weights.scale) == 100
    assert win_value(weights, 0, 7) > win_value(weights, 0, 8) > win_value(weights, 0, 42) > 0


def test_weights_that_are_no_integers_of_32_bits_are_refused() -> None:
    fine = Evaluation("fine", own=((1, 0.125),), other=((1, -0.125),))
    assert int(record_of(weights_of(fine, CONNECT4)).scale) == 1000
    with pytest.raises(BadOption, match=r"^the weights of finer have more than three decimals"):
        weights_of(Evaluation("finer", own=((1, 0.0625),)), CONNECT4)
    with pytest.raises(BadOption, match=r"^the weights of huge are too large"):
        weights_of(Evaluation("huge", own=((3, 5e8),)), CONNECT4)


@pytest.mark.parametrize("name", BY_HAND)
@pytest.mark.parametrize("size", ["8x8", "3x3c3", "4x4x4c2", "4x4x4c3", "9x6c5", "2x2c2", "64x1"])
def test_every_named_evaluation_serves_every_board(name: str, size: str) -> None:
    rules = Rules.named(size)
    weights = record_of(weights_of(EVALUATIONS[name], rules))
    assert board_value(record_of(rules.board), weights, np.uint64(0), np.uint64(0)) == 0
