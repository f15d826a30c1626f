"""Boards that are set up from a drawing: those that no game leads to are refused."""

from __future__ import annotations

import pytest

from arena.errors import BadNotation
from arena.game import FIRST, SCORE4, SECOND, Position, Rules


def board(*rows: str) -> str:
    """A 7x6 drawing of which only the lowest rows are given."""
    return "\n".join(["......."] * (6 - len(rows)) + list(rows))


def refusal(drawing: str, rules: Rules | None = None) -> str:
    """The sentence with which a drawing is refused."""
    with pytest.raises(BadNotation) as refused:
        Position.parse(drawing, rules) if rules else Position.parse(drawing)
    return str(refused.value)


@pytest.mark.parametrize(
    ("rows", "column"),
    [
        (("X......", "......."), 1),
        (("......X", "O......", "X......"), 7),
        (("...O...", "...X...", ".......", "...X...", "...O..."), 4),
    ],
)
def test_a_floating_disc_is_refused(rows: tuple[str, ...], column: int) -> None:
    sentence = f"a disc in column {column} floats above an empty cell"
    assert refusal(board(*rows)) == sentence


def test_a_floating_disc_in_space_is_refused() -> None:
    rows = ["........", "......X."]
    text = "/".join(rows)
    assert refusal(text, Rules.space(2, 2, 4)) == "a disc in column 1,2 floats above an empty cell"


@pytest.mark.parametrize(
    ("row", "first", "second"),
    [("X.X....", 2, 0), ("O......", 0, 1), ("XXOX.OX", 4, 2), ("OO.X...", 1, 2)],
)
def test_wrong_numbers_of_discs_are_refused(row: str, first: int, second: int) -> None:
    assert refusal(board(row)) == (
        f"{first} discs X and {second} discs O: X moves first, so X has as many as O or one more"
    )


def test_a_line_of_x_is_refused_when_o_has_moved_after_it() -> None:
    drawing = board("OOO....", "XXXX..O")
    assert refusal(drawing) == "X has a line, yet O has moved after it"


def test_a_line_of_o_is_refused_when_x_has_moved_after_it() -> None:
    drawing = board("XXX....", "OOOO.XX")
    assert refusal(drawing) == "O has a line, yet X has moved after it"


def test_two_winners_are_refused_when_o_moved_last() -> None:
    drawing = board("OOOO...", "XXXX...")
    assert refusal(drawing) == "X has a line, yet O has moved after it"


def test_two_winners_are_refused_when_x_moved_last() -> None:
    drawing = board("XO.....", "XO.....", "XO.....", "XOX....")
    assert refusal(drawing) == "O has a line, yet X has moved after it"


def test_two_lines_that_no_single_disc_completes_are_refused() -> None:
    drawing = board("X.....X", "X.....X", "XOOO..X", "XOOO.OX")  # eight discs X, seven O
    assert refusal(drawing) == "no last disc of X completes all its lines"


def test_a_line_buried_under_other_discs_is_refused() -> None:
    # X moved last, but all four discs of its row lie below discs that came later.
    drawing = board("OOXO...", "XXXX...", "OOOX..X")
    assert refusal(drawing) == "no last disc of X completes all its lines"


def test_a_drawn_win_is_recognised() -> None:
    assert Position.parse(board("OOO....", "XXXX...")).winner == FIRST
    assert Position.parse(board("XXX....", "OOOO.X.")).winner == SECOND
    assert Position.parse(board("OOO....", "XXXX...")).legal == ()


def test_a_row_of_seven_is_a_win_when_its_middle_was_last() -> None:
    won = Position.parse(board("OOO.OOO", "XXXXXXX"))
    assert won.winner == FIRST
    assert len(won.winning_lines) == 4


def test_a_row_of_eight_has_no_disc_that_came_last() -> None:
    rows = ["........"] * 4 + ["O.......", "OOO.OOO.", "XXXXXXXX"]
    assert refusal("/".join(rows), Rules.flat(8, 7)) == (
        "no last disc of X completes all its lines"
    )


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
