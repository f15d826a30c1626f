"""Line dialects and the boards in them: transcripts by hand, and everything read back."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arena
from arena.bots.boards import (
    NUMBERS,
    board_rows,
    board_text,
    flat_board,
    own_rows,
    read_flat_board,
)
from arena.bots.dialects import DIALECTS, Turn
from arena.engine.contract import Limits
from arena.errors import BadNotation, BadRules
from arena.game.notation import play_moves
from arena.game.position import STEAL, Position
from arena.game.rules import CONNECT4, Rules
from tests.game.strategies import Game, games, sizes

# X has begun and is to move; mirrored, turned over or with the colours changed it is another board.
#   . . . . . . .
#   . . . . . . .
#   . . . . . . .
#   . . . . . . O
#   X . . . . . O
#   X O . . . . X
LOPSIDED = "721717"
AFTER_ONE = "7"


def spoken(name: str, moves: str, limits: Limits, rules: Rules = CONNECT4) -> list[str]:
    """All that a program hears until it is to move for the first time, there."""
    dialect = DIALECTS[name]
    position = Position.parse(moves, rules)
    turn = Turn(dialect, position, position.to_move, limits)
    return turn.write((*dialect.settings, *dialect.turn)).split("\n")


def test_aigames_on_a_lopsided_board() -> None:
    assert spoken("aigames", LOPSIDED, Limits(seconds=0.5)) == [
        "settings timebank 500",
        "settings time_per_move 500",
        "settings player_names player1,player2",
        "settings your_bot player1",
        "settings your_botid 1",
        "settings field_columns 7",
        "settings field_rows 6",
        "update game round 7",
        "update game field 0,0,0,0,0,0,0;0,0,0,0,0,0,0;0,0,0,0,0,0,0;"
        "0,0,0,0,0,0,2;1,0,0,0,0,0,2;1,2,0,0,0,0,1",
        "action move 500",
    ]


def test_riddles_for_the_second_player() -> None:
    assert spoken("riddles", AFTER_ONE, Limits(clock=9.25, increment=0.5), Rules.flat(7, 4)) == [
        "settings player_names player0,player1",
        "settings your_bot player1",
        "settings timebank 9250",
        "settings time_per_move 500",
        "settings your_botid 1",
        "settings field_width 7",
        "settings field_height 4",
        "update game round 1",
        "update game field .,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,0",
        "action move 9250",
    ]


def test_codingame_lists_open_columns_alone() -> None:
    rules = Rules.flat(9, 7)
    assert spoken("codingame", "9999999" + "1", Limits(), rules) == [
        "0 1",
        "8",
        "........0",
        "........1",
        "........0",
        "........1",
        "........0",
        "........1",
        "1.......0",
        "8",
        *"01234567",
        "0",
    ]


@pytest.mark.parametrize(
    ("moves", "heard"), [("", ["go!"]), ("7", ["6"]), (LOPSIDED, ["6"]), ("72", ["1"])]
)
def test_lines_sends_the_last_move(moves: str, heard: list[str]) -> None:
    assert spoken("lines", moves, Limits()) == heard


@pytest.mark.parametrize("name", ["aigames", "riddles"])
def test_without_a_limit_the_clock_is_the_customary_one(name: str) -> None:
    heard = spoken(name, "", Limits(depth=3))
    assert {"settings timebank 10000", "settings time_per_move 500"} <= {*heard}
    assert heard[-1] == "action move 10000"


def test_a_cpu_limit_is_sent_as_time() -> None:
    heard = spoken("aigames", "", Limits(cpu=0.25))
    assert heard[:2] == ["settings timebank 250", "settings time_per_move 250"]
    assert heard[-1] == "action move 250"


@pytest.mark.parametrize(
    ("name", "line", "column"),
    [
        ("aigames", "place_disc 3", 3),
        ("aigames", "  place_disc   6 \r", 6),
        ("aigames", "place_disc 3 it is the middle", 3),
        ("aigames", "place_disc -1", -1),
        ("riddles", "place_disc 0", 0),
        ("codingame", "3", 3),
        ("codingame", "8 I take the corner", 8),
        ("codingame", "STEAL", STEAL),
        ("codingame", "steal thanks", STEAL),
        ("codingame", "-2", STEAL),
        ("lines", "0", 0),
        ("lines", " 5 ", 5),
        ("lines", "99", 99),
        ("lines", "-2", -2),
    ],
)
def test_answers(name: str, line: str, column: int) -> None:
    assert DIALECTS[name].is_answer(line)
    assert DIALECTS[name].read_answer(line) == column


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("aigames", ""),
        ("aigames", "3"),
        ("aigames", "I think of place_disc 3"),
        ("aigames", "place_discs 3"),
        ("codingame", "thinking"),
        ("codingame", "3rd thoughts"),
        ("codingame", "STEALTH"),
        ("lines", "3 some words"),
        ("lines", "go!"),
        ("lines", "٣"),
        ("lines", "9" * 5000),
        ("lines", "STEAL"),
        ("codingame", str(STEAL)),
    ],
)
def test_chatter(name: str, line: str) -> None:
    assert not DIALECTS[name].is_answer(line)


@pytest.mark.parametrize("line", ["place_disc", "place_disc three", "place_disc 1.5"])
def test_an_answer_without_a_column(line: str) -> None:
    assert DIALECTS["aigames"].is_answer(line)
    assert DIALECTS["aigames"].read_answer(line) is None


def test_columns_from_one() -> None:
    dialect = replace(DIALECTS["lines"], leftmost=1)
    assert dialect.read_answer("7") == 6
    assert dialect.write_answer(6) == "7"
    position = Position.parse("17")
    assert Turn(dialect, position, 0, Limits()).write(dialect.turn) == "7"


@given(
    st.sampled_from(["aigames", "riddles", "codingame"]),
    st.integers(4, 9),
    st.integers(4, 7),
    st.lists(st.integers(0, 8), max_size=30),
)
def test_every_board_is_read_back(name: str, columns: int, rows: int, moves: list[int]) -> None:
    rules = Rules.flat(columns, rows)
    position = play_moves((), rules)
    for column in moves:
        if column in position.legal and not position.wins_with(column):
            position = position.play(column)
    dialect = DIALECTS[name]
    assert dialect.read_field(dialect.write_field(position), rules) == position


@pytest.mark.parametrize("name", ["aigames", "riddles", "codingame"])
def test_only_connect_4_can_be_expressed(name: str) -> None:
    DIALECTS[name].check(Rules.flat(8, 7))
    with pytest.raises(BadRules, match=f"{name} supports connect 4 only, not connect 5"):
        DIALECTS[name].check(Rules.flat(8, 7, 5))


def test_the_page_for_authors_has_every_setting() -> None:
    page = (Path(arena.__file__).parent / "docs/external-bots.md").read_text(encoding="utf-8")
    once = next(line for line in page.splitlines() if line.startswith("| once |"))
    cells = dict(zip(DIALECTS, once.split("|")[2:], strict=False))
    for name in ("aigames", "riddles"):
        written = [line.split()[1] for line in DIALECTS[name].settings]
        assert [
            word.split()[0] for word in re.findall("`(?:settings )?([^`]+)`", cells[name])
        ] == written


def test_a_steal_is_listed_where_there_is_one() -> None:
    rules = Rules.flat(4, 4, pie=True)
    before = spoken("codingame", "4", Limits(), rules)
    assert before == ["1 0", "1", "....", "....", "....", "...0", "5", *"0123", "-2", "3"]
    after = spoken("codingame", "4s", Limits(), rules)
    assert after == ["0 1", "2", "....", "....", "....", "...1", "4", *"0123", "-2"]
    assert spoken("codingame", "4s1", Limits(), rules)[:2] == ["1 0", "3"]


@pytest.mark.parametrize("name", ["aigames", "riddles", "lines"])
def test_one_dialect_has_the_pie_rule(name: str) -> None:
    with pytest.raises(BadRules, match=f"{name} does not support the pie rule; codingame does"):
        DIALECTS[name].check(Rules.flat(7, 6, pie=True))
    DIALECTS["codingame"].check(Rules.flat(7, 6, pie=True))


# ---- boards, on positions that no symmetry leaves as they are

WIDE = Rules.flat(5, 3, 3)

# X in the corner and beside it, O upon it: . . . . . / O . . . . / X X . . O after 1 1 2 5
POSITION = Position.parse("1125", WIDE)
AFTER = POSITION.play(4)  # and X upon the disc on the right


def test_rows_begin_on_top_and_on_the_left() -> None:
    assert board_rows(POSITION, NUMBERS) == [[0, 0, 0, 0, 0], [2, 0, 0, 0, 0], [1, 1, 0, 0, 2]]
    assert flat_board(AFTER, NUMBERS) == [0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 1, 1, 0, 0, 2]


def test_text_is_put_together_as_a_dialect_wants_it() -> None:
    assert board_text(AFTER, ("0", "1", "2"), ",", ";") == "0,0,0,0,0;2,0,0,0,1;1,1,0,0,2"
    assert board_text(AFTER, (".", "0", "1"), ",", ",") == ".,.,.,.,.,1,.,.,.,0,0,0,.,.,1"
    assert board_text(AFTER, (".", "0", "1"), "", "\n") == ".....\n1...0\n00..1"


def test_own_discs_are_those_of_the_player_to_move() -> None:
    assert own_rows(POSITION, 0, 1, -1) == [[0, 0, 0, 0, 0], [-1, 0, 0, 0, 0], [1, 1, 0, 0, -1]]
    assert own_rows(AFTER, 0, 1, -1) == [[0, 0, 0, 0, 0], [1, 0, 0, 0, -1], [-1, -1, 0, 0, 1]]
    planes = own_rows(AFTER, (0, 0), (1, 0), (0, 1))
    assert [[cell[0] for cell in row] for row in planes] == [
        [0, 0, 0, 0, 0],
        [1, 0, 0, 0, 0],
        [0, 0, 0, 0, 1],
    ]
    assert [cell[1] for cell in planes[2]] == [1, 1, 0, 0, 0]


@given(games(sizes().filter(lambda rules: rules.is_flat)))
def test_what_is_written_is_read_back(game: Game) -> None:
    numbers = flat_board(game.position, NUMBERS)
    assert read_flat_board(numbers, game.rules, NUMBERS) == game.position
    letters = flat_board(game.position, (".", "0", "1"))
    assert read_flat_board(letters, game.rules, (".", "0", "1")) == game.position


def test_a_list_that_is_no_board_is_told() -> None:
    with pytest.raises(BadNotation, match="a 5x3 board has 15 cells, found 3"):
        read_flat_board([0, 1, 2], WIDE, NUMBERS)
    with pytest.raises(BadNotation, match="7 is not a cell; expected one of 0, 1, 2"):
        read_flat_board([7] * 15, WIDE, NUMBERS)
    with pytest.raises(BadNotation, match="column 1 floats"):
        read_flat_board([1, *[0] * 14], WIDE, NUMBERS)
