"""Positions as text: moves, names of columns, drawn boards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadNotation, IllegalMove
from arena.game import CONNECT4, FIRST, SCORE4, SECOND, STEAL, Position, Rules
from arena.game.notation import (
    column_name,
    column_range,
    draw,
    move_words,
    not_on_board,
    play_moves,
    read_drawing,
    read_moves,
    write_moves,
    write_position,
)
from tests.game.strategies import Game, games

MIDDLE = Position.parse("44536")
DRAWN_MIDDLE = """\
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . O . . .
. . O X X X .
1 2 3 4 5 6 7"""


@given(games(), st.sampled_from("-_."), st.booleans(), st.booleans())
def test_what_is_written_reads_back(game: Game, empty: str, lower: bool, borders: bool) -> None:
    position, rules = game.position, game.rules
    assert read_moves(position.notation, rules) == position.moves
    assert Position.parse(position.notation, rules) == position
    drawn = read_drawing(draw(position), rules)
    assert (drawn, drawn.winner) == (position, position.winner)
    in_one_line = write_position(drawn)
    assert "\n" not in in_one_line
    assert Position.parse(in_one_line, rules) == position
    text = draw(position).replace(".", empty)
    text = text.lower() if lower else text
    if borders:
        text = "\n".join(f"| {line} |" for line in text.splitlines())
    assert read_drawing(text, rules) == position


def test_a_flat_board_is_drawn_from_the_top_with_its_column_numbers() -> None:
    assert str(MIDDLE) == DRAWN_MIDDLE


def test_wide_boards_are_drawn_with_room_for_two_digits() -> None:
    assert str(Position.parse("10,1", Rules.flat(10, 2))).splitlines() == [
        " .  .  .  .  .  .  .  .  .  .",
        " O  .  .  .  .  .  .  .  .  X",
        " 1  2  3  4  5  6  7  8  9 10",
    ]


def test_a_space_board_is_drawn_level_by_level_x_to_the_right_y_downward() -> None:
    position = Position.parse("1,1,6", Rules.space(3, 2, 3, 3))  # column 6 is x 2, y 1
    assert str(position).splitlines() == [
        "level 1   level 2   level 3",
        "X . .     O . .     . . .",
        ". . X     . . .     . . .",
    ]


def test_few_columns_are_digits_and_many_are_separated() -> None:
    assert write_moves((3, 3, 4, 2)) == "4453"
    assert write_moves((9, 3, 15), SCORE4) == "10,4,16"
    assert read_moves("4453") == (3, 3, 4, 2)
    assert read_moves("10,4,16", SCORE4) == (9, 3, 15)


@pytest.mark.parametrize(
    ("text", "rules", "moves"),
    [
        *((text, CONNECT4, (3, 3, 4, 2)) for text in ("44 53", "4,4,5,3", " 4 4\n5 3 ", ",4453,")),
        *((text, SCORE4, (9, 3)) for text in ("10 4", " 10, 4 ", "10,4\n", "10,4\r\n")),
        ("", CONNECT4, ()),
        (" \n", SCORE4, ()),
    ],
)
def test_spaces_and_commas_between_moves_are_free(
    text: str, rules: Rules, moves: tuple[int, ...]
) -> None:
    assert Position.parse(text, rules).moves == moves


def test_a_board_set_up_and_played_on_is_written_as_a_drawing() -> None:
    position = read_drawing(DRAWN_MIDDLE).play(0)
    assert position.notation == "......./......./......./......./...O.../O.OXXX."
    assert Position.parse(position.notation) == position


def test_repr_names_the_board_and_the_moves() -> None:
    assert repr(MIDDLE) == "<Position 7x6 connect 4 '44536'>"


@pytest.mark.parametrize(
    ("text", "rules", "sentence"),
    [
        ("4458", CONNECT4, "column 8 in '4458' is not on the board (1 to 7)"),
        ("04", CONNECT4, "column 0 in '04' is not on the board (1 to 7)"),
        ("17,1", SCORE4, "column 17 in '17,1' is not on the board (1 to 16)"),
        (
            "1234",
            SCORE4,
            "column 1234 in '1234' is not on the board (1 to 16); "
            "with more than nine columns, separate them by commas",
        ),
        ("44a5", CONNECT4, "'44a5' is neither a string of columns nor a drawn board"),
        ("٤٤", CONNECT4, "'٤' in '٤٤' is not a column number"),
        (
            "X../...",
            CONNECT4,
            "a drawn 7x6 board has 6 rows of 7 cells, found 2 rows of 3 cells",
        ),
        (
            "X./...",
            Rules.flat(3, 2, 2),
            "a drawn 3x2 board has 2 rows of 3 cells, found 2 rows of 2 or 3 cells",
        ),
        (
            "X.../....",
            SCORE4,
            "a drawn 4x4x4 board has 4 rows of 16 cells, found 2 rows of 4 cells",
        ),
        (
            "..X/.#O",
            Rules.flat(3, 2, 2),
            "'#' in '.#O' is not a cell; expected X, O or one of .-_ for an empty one",
        ),
    ],
)
def test_text_that_is_no_position_is_refused_in_a_sentence(
    text: str, rules: Rules, sentence: str
) -> None:
    with pytest.raises(BadNotation) as refused:
        Position.parse(text, rules)
    assert str(refused.value) == sentence


def test_long_text_is_cut_in_a_complaint() -> None:
    with pytest.raises(BadNotation, match=r"^column 9 in '1{37}\.\.\.' is not on the board"):
        read_moves("1" * 60 + "9")


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        ((3, 3, 3, 3, 3, 3, 3), "move 7: column 4 is full"),
        ((0, 1, 0, 1, 0, 1, 0, 1), "move 8: the game is over: X has won"),
        (
            (0, 7),
            f"move 2: {not_on_board(7, CONNECT4)}",
        ),
    ],
)
def test_moves_that_cannot_be_played_are_refused_by_their_number(
    moves: tuple[int, ...], sentence: str
) -> None:
    with pytest.raises(IllegalMove) as refused:
        play_moves(moves)
    assert str(refused.value) == sentence


def test_columns_are_named_by_x_and_y_in_space() -> None:
    flat, space = Rules.named("9x6"), Rules.named("4x4x4")
    assert [column_name(8, flat), column_range(flat)] == ["9", "1 to 9"]
    assert [column_name(6, space), column_range(space)] == ["2,3", "1,1 to 4,4"]
    assert [move_words(6, space), move_words(STEAL, flat)] == ["column 2,3", "a steal"]
    full = play_moves([6] * 4, space)
    with pytest.raises(IllegalMove, match=r"^column 2,3 \(6 counted from 0\) is full$"):
        full.play(6)
    with pytest.raises(
        IllegalMove,
        match=r"^column 5,1 \(16 counted from 0\) is not on the board; expected 1,1 to 4,4, ",
    ):
        full.play(16)


def board(*rows: str) -> str:
    """A 7x6 drawing of which only the lowest rows are given."""
    return "\n".join(["......."] * (6 - len(rows)) + list(rows))


FLOATS = "a disc in column {} floats above an empty cell"


@pytest.mark.parametrize(
    ("drawing", "rules", "sentence"),
    [
        (board("X......", "......."), None, FLOATS.format("1")),
        (
            board("......X", "O......", "X......"),
            None,
            FLOATS.format("7"),
        ),
        (
            "......../......X.",
            Rules.space(2, 2, 4),
            FLOATS.format("1,2"),
        ),
        (
            board("XXOX.OX"),
            None,
            "4 discs X and 2 discs O: X moves first, so X has as many as O or one more",
        ),
        (
            board("O......"),
            None,
            "0 discs X and 1 discs O: X moves first, so X has as many as O or one more",
        ),
        (board("OOO....", "XXXX..O"), None, "X has a line, yet O has moved after it"),
        (board("XXX....", "OOOO.XX"), None, "O has a line, yet X has moved after it"),
        (board("OOOO...", "XXXX..."), None, "X has a line, yet O has moved after it"),
        (
            board("XO.....", "XO.....", "XO.....", "XOX...."),
            None,
            "O has a line, yet X has moved after it",
        ),
        (  # two lines that no single disc completes
            board("X.....X", "X.....X", "XOOO..X", "XOOO.OX"),
            None,
            "no last disc of X completes all its lines",
        ),
        (  # all discs of the row lie below discs that came later
            board("OOXO...", "XXXX...", "OOOX..X"),
            None,
            "no last disc of X completes all its lines",
        ),
        (  # a row of eight has no disc that came last
            "/".join(["........"] * 4 + ["O.......", "OOO.OOO.", "XXXXXXXX"]),
            Rules.flat(8, 7),
            "no last disc of X completes all its lines",
        ),
    ],
)
def test_drawings_that_no_game_leads_to_are_refused(
    drawing: str, rules: Rules | None, sentence: str
) -> None:
    with pytest.raises(BadNotation) as refused:
        Position.parse(drawing, rules or CONNECT4)
    assert str(refused.value) == sentence


def test_a_drawn_win_is_recognised() -> None:
    assert Position.parse(board("OOO....", "XXXX...")).winner == FIRST
    assert Position.parse(board("XXX....", "OOOO.X.")).winner == SECOND
    assert Position.parse(board("OOO....", "XXXX...")).legal == ()


def test_a_row_of_seven_is_a_win_when_its_middle_was_last() -> None:
    won = Position.parse(board("OOO.OOO", "XXXXXXX"))
    assert won.winner == FIRST
    assert len(won.winning_lines) == 4


def test_a_drawn_board_in_space_is_set_up_cell_by_cell() -> None:
    rows = (
        "X... .... .... ....",
        ".... .... .... ....",
        "..O. ..X. .... ....",
        "...O .... .... ....",
    )
    position = Position.parse("\n".join(rows), SCORE4)
    owners = {cell: position.owner(*cell) for cell in ((0, 0, 0), (2, 2, 0), (2, 2, 1), (3, 3, 0))}
    assert owners == {(0, 0, 0): FIRST, (2, 2, 0): SECOND, (2, 2, 1): FIRST, (3, 3, 0): SECOND}
    assert position.ply == 4
    assert position.moves == ()
