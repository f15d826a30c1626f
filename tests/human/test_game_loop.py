"""What is typed at the board: columns, places in space, commands, and all that is asked again."""

from __future__ import annotations

import pytest

from arena.errors import BadOption
from arena.game import CONNECT4, SCORE4, STEAL, Position, Rules
from arena.game.notation import column_name, move_words
from arena.human.game_loop import COMMANDS, help_lines, moves_as_typed, read_line

FULL = Position.parse("444444")
WIDE = Position(Rules.flat(10, 6))
SPACE = Position.parse("1,1,1,1", SCORE4)


@pytest.mark.parametrize(
    ("text", "position", "column"),
    [
        ("1", Position(), 0),
        (" 7 ", Position(), 6),
        ("07", Position(), 6),
        ("10", WIDE, 9),
        ("1,2", SPACE, 1),
        ("4,4", SPACE, 15),
        ("2 3", SPACE, 6),
        (" 2 , 3 ", SPACE, 6),
        ("2;3", SPACE, 6),
    ],
)
def test_a_place_is_a_move(text: str, position: Position, column: int) -> None:
    assert read_line(text, position) == column


@pytest.mark.parametrize(
    ("text", "position", "reason"),
    [
        ("", Position(), "type a column from 1 to 7, or help"),
        ("   ", Position(), "type a column from 1 to 7, or help"),
        ("0", Position(), "'0' is not on the board: a column from 1 to 7"),
        ("8", Position(), "'8' is not on the board: a column from 1 to 7"),
        ("-1", Position(), "'-1' is not on the board: a column from 1 to 7"),
        ("9" * 5000, Position(), "is not on the board"),
        ("1.5", Position(), "'1.5' is not a column from 1 to 7"),
        ("1,2", Position(), "'1,2' is not a column from 1 to 7"),
        ("4", FULL, "column 4 is full"),
        ("four", Position(), "'four' is neither a column from 1 to 7 nor a command"),
        ("hnt", Position(), "did you mean 'hint'?"),
        ("h", Position(), "'h' could be hint or help"),
        ("m", Position(), "'m' could be moves or menu"),
        ("٣", Position(), "neither"),
        ("11", SPACE, "'11' is not x,y from 1,1 to 4,4"),
        ("5,1", SPACE, "'5,1' is not on the board: x,y from 1,1 to 4,4"),
        ("1,2,3", SPACE, "'1,2,3' is not x,y"),
        ("1,1", SPACE, "1,1 is full"),
        (",", SPACE, "',' is not x,y"),
    ],
)
def test_anything_else_is_asked_again_with_the_reason(
    text: str, position: Position, reason: str
) -> None:
    with pytest.raises(BadOption) as refusal:
        read_line(text, position)
    assert reason in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        *((command, command) for command in COMMANDS if command != "steal"),
        ("HINT", "hint"),
        ("hi", "hint"),
        ("u", "undo"),
        ("q", "quit"),
        ("exit", "quit"),
        ("menu", "back"),
        ("b", "back"),
        ("?", "help"),
        ("takeback", "undo"),
    ],
)
def test_commands_are_known_by_their_beginning(text: str, command: str) -> None:
    assert read_line(text, Position()) == command


def test_columns_are_named_as_they_are_typed() -> None:
    assert move_words(3, CONNECT4) == "column 4"
    for column in range(16):
        assert read_line(column_name(column, SCORE4), Position(SCORE4)) == column


def test_moves_are_listed_as_they_are_typed() -> None:
    assert moves_as_typed(Position()) == "none yet"
    assert moves_as_typed(Position.parse("4s53", CONNECT4.with_pie(True))) == "4s53"
    space = Position(SCORE4.with_pie(True)).play(6).play(STEAL).play(0)
    assert moves_as_typed(space) == "2,3  steal  1,1"


def test_help_lists_what_does_something() -> None:
    assert len(help_lines(1, CONNECT4)) == 8
    alone = "\n".join(help_lines(2, CONNECT4))
    assert "opinion" not in alone
    assert "take back the last move" in alone


def test_stealing_is_typed_where_it_can_be_done() -> None:
    rules = CONNECT4.with_pie(True)
    offered = Position(rules).play(1)
    assert [read_line(words, offered) for words in ("steal", "S", "4")] == [STEAL, STEAL, 3]
    for position, reason in (
        (Position(rules), "only the first disc can be stolen"),
        (offered.play(STEAL), "only the first disc can be stolen"),
        (Position().play(1), "played without the pie rule"),
    ):
        with pytest.raises(BadOption, match=reason):
            read_line("steal", position)
    assert any(line.startswith("steal ") for line in help_lines(1, rules))
