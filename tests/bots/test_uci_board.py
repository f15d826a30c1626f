"""Boards and moves in the words of UCI and its relatives."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given

from arena import Position, Rules
from arena.bots.uci_words import (
    MoveWords,
    check_board,
    read_fen,
    read_game,
    read_move,
    write_fen,
    write_game,
    write_line,
)
from arena.errors import BadNotation, BadRules, IllegalMove
from tests.game.strategies import Game, games

LOPSIDED = Position.parse("1123347")


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("drop", "P@a1 P@a2 P@b1 P@c1 P@c2 P@d1 P@g1"),
        ("columns0", "0 0 1 2 2 3 6"),
        ("columns1", "1 1 2 3 3 4 7"),
        ("letters", "a a b c c d g"),
    ],
)
def test_a_game_is_told_by_its_moves(words: MoveWords, written: str) -> None:
    assert write_game(LOPSIDED, words) == f"startpos moves {written}"
    assert write_game(Position(), words) == "startpos"
    again = read_game(f"startpos moves {written}", LOPSIDED.rules, words)
    assert again.moves == LOPSIDED.moves


def test_a_line_goes_on_from_where_the_discs_lie() -> None:
    assert write_line(LOPSIDED, (0, 0, 6), "drop") == ["P@a3", "P@a4", "P@g2"]


@pytest.mark.parametrize(
    ("words", "word", "column"),
    [
        ("drop", "P@a3", 0),
        ("drop", "p@G2", 6),
        ("drop", "P@z1", 25),  # off the board is for the referee to say
        ("columns0", "6", 6),
        ("columns0", "9", 9),
        ("columns0", "-1", -1),
        ("columns1", "7", 6),
        ("letters", "G", 6),
    ],
)
def test_a_word_names_a_column(words: MoveWords, word: str, column: int) -> None:
    assert read_move(word, LOPSIDED, words) == column


@pytest.mark.parametrize(
    ("words", "word", "sentence"),
    [
        ("drop", "P@a1", "'P@a1' is not where a disc comes to rest; expected 'P@a3'"),
        ("drop", "P@a4", "expected 'P@a3'"),
        ("drop", "e2e4", "'e2e4' is no move; expected one as in 'P@d1'"),
        ("drop", "(none)", "is no move"),
        ("drop", "P@a0", "is no move"),
        ("drop", "a3", "is no move"),
        ("columns0", "d", "'d' is no move; expected one as in '3'"),
        ("columns1", "", "expected one as in '4'"),
        ("columns1", "4" * 10, "is no move"),
        ("letters", "3", "expected one as in 'd'"),
        ("letters", "dd", "is no move"),
        ("letters", "\u00df", "is no move"),
        ("letters", "\x1b[31m", r"'\\\\x1b\[31m' is no move"),
    ],
)
def test_what_is_no_move_is_told(words: MoveWords, word: str, sentence: str) -> None:
    with pytest.raises(BadNotation, match=sentence.replace("(", r"\(")):
        read_move(word, LOPSIDED, words)


def test_a_full_column_is_for_the_referee_to_refuse() -> None:
    assert read_move("P@a7", Position.parse("111111"), "drop") == 0


def test_a_fen_shows_the_rows_from_the_top_and_the_hands() -> None:
    first, second = "P" * 17, "p" * 18
    assert write_fen(LOPSIDED) == f"7/7/7/7/p1P4/PPpp2P[{first}{second}] b - - 0 1"
    assert write_fen(Position(Rules.flat(12, 5))).startswith("12/12/12/12/12[PPP")


@given(games())
def test_what_is_written_is_read_back(game: Game) -> None:
    position = game.position
    if not position.rules.is_flat or position.rules.columns > 26:
        return
    for words in get_args(MoveWords):
        assert read_game(write_game(position, words), position.rules, words) == position
    board = read_fen(write_fen(position), position.rules)
    assert (board, board.winner) == (position, position.winner)
    assert read_game(write_game(board, "drop"), position.rules, "drop") == position


def test_a_board_that_was_set_up_has_no_words_among_columns() -> None:
    board = Position.parse("......./......./......./......./......./X......")
    assert write_game(board, "drop").startswith("fen 7/7/7/7/7/P6[")
    with pytest.raises(BadNotation, match="set up cannot be told where moves are letters"):
        write_game(board, "letters")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("middle", "'middle' is no position; expected startpos or fen"),
        ("startpos moves P@d1 P@d3", "move 2: 'P@d3' is not where"),
        ("startpos moves P@d1 P@h1", "move 2: column 8 is not on the board"),
        ("fen rnbqkbnr/8 w - - 0 1", "'rnbqkbnr/8' is no board of discs"),
        ("fen 7/7/7 w - - 0 1", "has 6 rows of 7 cells, found 3 rows"),
        ("fen 7/7/7/7/7/3p3 b - - 0 1", "X moves first"),
    ],
)
def test_a_position_that_is_none_is_told(text: str, sentence: str) -> None:
    with pytest.raises((BadNotation, IllegalMove), match=sentence):
        read_game(text, LOPSIDED.rules, "drop")


def test_boards_without_words_are_refused() -> None:
    check_board(Rules.flat(26, 2, 2), "drop")
    check_board(Rules.flat(64, 1), "columns1")
    with pytest.raises(BadRules, match="a 27x2 board has 27 columns; UCI has letters for 26"):
        check_board(Rules.flat(27, 2, 2), "letters")
    with pytest.raises(BadRules, match="no words for boards in space such as 4x4x4"):
        check_board(Rules.named("score4"), "columns0")
