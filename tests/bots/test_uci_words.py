"""The lines of UCI in both directions: boards, moves, limits, reports, options."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given

from arena import Choice, Limits, Position, Rules
from arena.bots.uci_words import (
    MATE,
    MoveStyle,
    ProgramOption,
    Report,
    Settings,
    read_fen,
    read_game,
    read_move,
    read_variant,
    settings_lines,
    variant_name,
    write_fen,
    write_game,
    write_go,
    write_info,
)
from arena.errors import BadNotation, BadOption, IllegalMove, UnknownName
from tests.bots.partners import fairy, needs_fairy
from tests.game.strategies import Game, games, random_games

LOPSIDED = Position.parse("1123347")


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("drop", "P@a1 P@a2 P@b1 P@c1 P@c2 P@d1 P@g1"),
        ("columns1", "1 1 2 3 3 4 7"),
    ],
)
def test_a_game_is_told_by_its_moves(words: MoveStyle, written: str) -> None:
    assert write_game(LOPSIDED, words) == f"startpos moves {written}"
    assert write_game(Position(), words) == "startpos"
    if words == "drop":
        again = read_game(f"startpos moves {written}", LOPSIDED.rules)
        assert again.moves == LOPSIDED.moves


@pytest.mark.parametrize(
    ("words", "word", "column"),
    [
        ("drop", "P@a3", 0),
        ("drop", "p@G2", 6),
        ("drop", "P@z1", 25),  # off the board is for the referee to say
        ("columns1", "7", 6),
    ],
)
def test_a_word_names_a_column(words: MoveStyle, word: str, column: int) -> None:
    assert read_move(word, LOPSIDED, words) == column


@pytest.mark.parametrize(
    ("words", "word", "sentence"),
    [
        ("drop", "P@a1", "'P@a1' is not where the disc lands; expected 'P@a3'"),
        ("drop", "P@a4", "expected 'P@a3'"),
        ("drop", "e2e4", "'e2e4' is not a move; expected one such as 'P@d1'"),
        ("drop", "(none)", "is not a move"),
        ("drop", "P@a0", "is not a move"),
        ("drop", "a3", "is not a move"),
        ("columns1", "", "expected one such as '4'"),
        ("columns1", "4" * 10, "is not a move"),
        ("drop", "\x1b[31m", r"'\\\\x1b\[31m' is not a move"),
    ],
)
def test_what_is_no_move_is_told(words: MoveStyle, word: str, sentence: str) -> None:
    with pytest.raises(BadNotation, match=sentence.replace("(", r"\(")):
        read_move(word, LOPSIDED, words)


def test_a_fen_shows_the_rows_from_the_top_and_the_hands() -> None:
    first, second = "P" * 17, "p" * 18
    assert write_fen(LOPSIDED) == f"7/7/7/7/p1P4/PPpp2P[{first}{second}] b - - 0 1"
    assert write_fen(Position(Rules.flat(12, 5))).startswith("12/12/12/12/12[PPP")


@given(games())
def test_what_is_written_is_read_back(game: Game) -> None:
    position = game.position
    if not position.rules.is_flat or position.rules.columns > 26:
        return
    assert read_game(write_game(position), position.rules) == position
    board = read_fen(write_fen(position), position.rules)
    assert (board, board.winner) == (position, position.winner)
    assert read_game(write_game(board), position.rules) == position


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("middle", "'middle' is not a position; expected startpos or fen"),
        ("startpos moves P@d1 P@d3", "move 2: 'P@d3' is not where"),
        ("startpos moves P@d1 P@h1", "move 2: column 8 \\(7 counted from 0\\) is not on the board"),
        ("fen rnbqkbnr/8 w - - 0 1", "'rnbqkbnr/8' is not a board of discs"),
        ("fen 7/7/7 w - - 0 1", "has 6 rows of 7 cells, found 3 rows"),
        ("fen 7/7/7/7/7/3p3 b - - 0 1", "X moves first"),
    ],
)
def test_a_position_that_is_none_is_told(text: str, sentence: str) -> None:
    with pytest.raises((BadNotation, IllegalMove), match=sentence):
        read_game(text, LOPSIDED.rules)


@pytest.mark.parametrize(
    ("limits", "line"),
    [
        ("seconds=0.25", "go movetime 250"),
        ("seconds=0.0001", "go movetime 1"),
        ("cpu=0.1", "go movetime 100"),
        ("cpu=0.1 seconds=0.05", "go movetime 50"),
        ("depth=7", "go depth 7"),
        ("nodes=1000 depth=7", "go depth 7 nodes 1000"),
        ("clock=60+1", "go wtime 60000 btime 60000 winc 1000 binc 1000"),
        ("clock=60 seconds=2", "go wtime 60000 btime 60000 winc 0 binc 0 movetime 2000"),
        ("playouts=10 depth=3", "go depth 3"),
    ],
)
def test_limits_become_one_line(limits: str, line: str) -> None:
    assert write_go(Limits.parse(limits)) == line


def heard(*lines: str) -> Report:
    report = Report()
    for line in lines:
        report = report.with_line(line)
    return report


@pytest.mark.parametrize(
    ("words", "score"),
    [
        ("score cp 35", 35),
        ("score mate 3", MATE - 3),
        ("score mate -3", -MATE + 3),
        ("score mate 0", -MATE),
        ("score cp 35 lowerbound", None),
        ("score mate 2 upperbound", None),
        ("score cp nan", None),
        ("score", None),
    ],
)
def test_scores_are_finite(words: str, score: float | None) -> None:
    assert heard(f"info depth 1 {words} nodes 5").score == score


def test_an_answer_is_written_as_it_is_read() -> None:
    choice = Choice(3, score=-0.25, depth=6, nodes=1234)
    line = write_info(choice, ["P@d1", "P@d2"], 0.0123)
    assert line == "info depth 6 score cp -25 nodes 1234 time 12 pv P@d1 P@d2"
    assert heard(line) == Report(-25, 6, 1234, ("P@d1", "P@d2"))
    unsure = write_info(Choice(3, score=float("inf")), ["P@d1"], 0.0)
    assert unsure == "info time 0 pv P@d1"


SKILL = "option name Skill Level type spin default 20 min -20 max 20"
STYLE = "option name Analysis Contempt type combo default Both var Both var Off var Not At All"
LINES = [
    SKILL,
    STYLE,
    "option name Ponder type check default false",
    "option name Clear Hash type button",
    "option name Debug Log File type string default <empty>",
]
ANNOUNCED = [ProgramOption.read(line) for line in LINES]
OPTIONS = [option for option in ANNOUNCED if option is not None]


@pytest.mark.parametrize("value", [3, None, "Skill Level", ["a=b"], "a, b=3", "a=3\nquit"])
def test_what_sets_nothing_is_told(value: object) -> None:
    with pytest.raises(BadOption, match=r"expected options of the program, as in \"Skill Level=3"):
        Settings.from_option(value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Skil Level=3", "has no option 'Skil Level'; did you mean 'Skill Level'"),
        ("Skill Level=21", "'Skill Level' is '21'; expected a whole number from -20 to 20"),
        ("Skill Level=high", "expected a whole number from -20 to 20"),
        ("Ponder=1", "'Ponder' is '1'; expected true or false"),
        ("Analysis Contempt=On", "expected one of Both, Off, Not At All"),
        ("Clear Hash=now", "expected no value, as it is a button"),
    ],
)
def test_what_the_program_would_not_take_is_told(text: str, sentence: str) -> None:
    with pytest.raises(BadOption, match=sentence):
        settings_lines(Settings(text), OPTIONS)


# ---- variants, by what Fairy-Stockfish makes of them

BOARDS = ("7x6", "5x4", "9x7", "12x5", "6x10", "3x3c3", "6x5c3", "9x6c5", "2x2c2", "1x8", "8x1")


def test_boards_have_names_that_are_read_back() -> None:
    assert variant_name(Rules.named("connect4")) == "cfour"
    assert variant_name(Rules.named("8x7")) == "cfour-8x7"
    assert variant_name(Rules.named("9x6c5")) == "cfour-9x6c5"
    for board in BOARDS:
        rules = Rules.named(board)
        assert read_variant(variant_name(rules)) == rules
        assert read_variant(rules.name) == rules
    with pytest.raises(UnknownName, match="chess"):
        read_variant("chess")


@needs_fairy
@pytest.mark.parametrize("board", BOARDS)
def test_it_counts_the_same_games_as_we_do(board: str, tmp_path: Path) -> None:
    rules = Rules.named(board)
    with fairy(rules, tmp_path) as program:
        for game in random_games(rules, count=12, seed=rules.cells):
            for plies in (1, 2, 3):
                told = write_game(game.position, "drop")
                assert program.perft(told, plies) == count_games(game.position, plies), told


@cache
def count_games(position: Position, plies: int) -> int:
    if plies == 0:
        return 1
    return sum(count_games(position.play(column), plies - 1) for column in position.legal)
