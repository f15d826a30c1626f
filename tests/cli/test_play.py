"""`arena play` without a terminal: pipes, flags, and every mistake in one sentence."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.engine import registry
from arena.errors import ArenaError, BadRules
from arena.game import CONNECT4, SCORE4
from arena.human.game import TimeControl
from arena.human.history import VARIABLE, History
from arena.human.levels import AS_IT_IS, EASY, HARD, HUMAN, MEDIUM, SUITED
from arena.human.menu import Step
from arena.human.play import Flags, first_menu
from tests.cli.running import assert_one_sentence, run
from tests.support.bots.good import Leftmost

LEFTMOST = "tests/support/bots/good.py:Leftmost"
GAME = ["play", LEFTMOST, "--name", "Anna", "--game"]


@pytest.fixture(autouse=True)
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> History:
    """A history of its own for every test."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "history.db"))
    return History()


def test_a_game_by_pipe_is_plain_ascii(history: History) -> None:
    result = run(*GAME, "4x4c3", input="4\n4\n4\n")
    assert result.exit_code == 0, result.output
    assert result.stdout.isascii()
    assert result.stdout.startswith(
        "\n4x4 connect 3, no clock\nX Anna moves first, O good.py:Leftmost second.\n\n"
        "----\n----\n----\n----\n1234\n\n"
        "It is now X's turn.\nMake a move by choosing your coordinates to play.\n"
        "X Anna drops into column 4\n----\n----\n----\n---X\n1234\n\n"
        "O good.py:Leftmost drops into column 1, "
    )
    assert "Anna (X) wins by a column (4,1) (4,2) (4,3).\nRecorded as game 1.\n" in result.stdout
    assert result.stderr == "1 game recorded; arena games shows them\n"
    (game,) = history.games()
    assert game.moves == bytes([3, 0, 3, 0, 3])


@pytest.mark.parametrize("level", ["hard", "easy"])
def test_an_engine_that_learns_does_so_from_game_to_game(level: str) -> None:
    """Also one that is held back to a level."""
    bot = "tests/support/bots/good.py:Imitator"
    words = ["play", bot, "--game", "4x4c3", "--level", level, "--seed", "1"]
    result = run(*words, input="4\n4\n4\nagain\n3\nagain\n")
    assert result.exit_code == 0, result.output
    first, second = result.stdout.split("game 2")
    assert "Imitator" in first.partition("drops into column 1,")[0]
    assert "drops into column 4," in second


def test_two_of_a_kind_that_learn_do_so_each_for_itself() -> None:
    bot = "tests/table/pupils.py:Diary"  # its score is the number of games it was told
    words = ["play", bot, bot, "--game", "4x4c3", "--pause", "0"]
    result = run(*words, "--seed", "1", input="again\nswap\nquit\n")
    assert result.exit_code == 0, result.output
    scores = re.findall(r"score ([+-]?\d+)", result.stdout)
    assert sorted({int(score) for score in scores}) == [0, 1, 2]


def test_every_line_that_is_no_move_is_answered_with_the_reason() -> None:
    lines = ["", "x", "9", "4 4", "help", "moves", "undo", "opinion", "hnt", "quit"]
    result = run(*GAME, "5x4", input="\n".join(lines))
    assert result.exit_code == 0
    for words in (
        "Type a column from 1 to 5, or help.",
        "'x' is neither a column from 1 to 5 nor a command",
        "'9' is not on the board: a column from 1 to 5.",
        "'4 4' is not a column from 1 to 5.",
        "resign   give the game up",
        "Moves: none yet",
        "There is nothing to take back.",
        "good.py:Leftmost has no opinion of single columns.",
        "did you mean 'hint'?",
    ):
        assert words in result.stdout
    assert result.stdout.count("It is now X's turn.") == 1


def test_the_menu_by_pipe_leads_to_a_game(history: History) -> None:
    answers = ["2", "1", "Anna", "anna", "Bob", "3x3c3", "none", *"12121", "menu", "quit"]
    result = run("play", input="\n".join(answers) + "\n")
    assert result.exit_code == 0, result.output
    for words in (
        "Who is your opponent?\n  1 suited ",
        "Which colour is yours?\n  1 red     moves first",
        "Anna is taken; two people need two names.",
        "    or any size up to 64 cells: 10x6, 5x5x2, or 9x6c5 to connect five",
        "Anna (X) wins by a column (1,1) (1,2) (1,3).",
        "    Enter: human; back, quit",
    ):
        assert words in result.stdout
    assert history.games()[0].names == ("Anna", "Bob")


def test_a_space_board_by_pipe() -> None:
    moves = "1,1 2,1 1,1 2,1 1,1 9,9 2,1 1,1".replace(" ", "\n")
    words = ["play", "human", "--game", "4x4x4", "--name", "Anna"]
    result = run(*words, input=moves)
    assert (
        " y level 1  level 2  level 3  level 4\n 1 XO--     XO--     XO--     X---\n"
        in result.stdout
    )
    assert "'9,9' is not on the board: x,y from 1,1 to 4,4." in result.stdout
    assert "Anna (X) wins by a column (1,1,1) (1,1,2) (1,1,3) (1,1,4)." in result.stdout


def test_two_engines_by_pipe_play_to_the_end_and_the_seed_repeats_them(history: History) -> None:
    words = ["play", "reflex", "random", "--seed", "5"]
    outputs = [run(*words, input="again\n") for _ in range(2)]
    assert all(result.exit_code == 0 for result in outputs)
    games = history.games()
    assert len(games) == 4
    assert [game.moves for game in games[:2]] == [game.moves for game in games[2:]]
    assert games[0].moves != games[1].moves
    assert "So far: reflex medium " in outputs[0].stdout


@pytest.mark.parametrize("moves", ["", "4\n", "4\nundo\n"])
def test_the_end_of_the_input_leaves_and_records_nothing(history: History, moves: str) -> None:
    result = run(*GAME, "7x6", input=moves)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert history.games() == []


def test_no_history_writes_nothing(history: History) -> None:
    result = run(*GAME, "4x4c3", "--no-history", input="4\n4\n4\n")
    assert result.exit_code == 0
    assert "Recorded" not in result.output
    assert not history.path.exists()


def test_a_history_that_cannot_be_written_is_told_before_the_game(history: History) -> None:
    history.path.write_text("no database " * 100)
    result = run(*GAME, "4x4c3", input="4\n4\n4\n")
    assert_one_sentence(result, "not an SQLite file", "--no-history plays without recording")


def test_a_history_that_breaks_later_costs_no_game(history: History) -> None:
    """Another program puts its own file there while a game is on."""
    command = [sys.executable, "-m", "arena", *GAME, "4x4c3"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        while "choosing your coordinates" not in process.stdout.readline():
            pass
        history.path.write_text("no database " * 100)
        shown, complaint = process.communicate("4\n4\n4\nagain\n", timeout=60)
    assert process.returncode == 0
    assert "Anna (X) wins" in shown
    assert "It was not recorded: " in shown
    assert complaint == ""


def test_a_pipe_that_says_nothing_loses_on_time(history: History) -> None:
    command = [sys.executable, "-m", "arena", *GAME, "4x4c3", "--limit", "clock=0.01m"]
    began = time.monotonic()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        shown = ""
        while "And now?" not in shown:
            shown += process.stdout.readline()
        process.communicate("quit\n")
    assert process.returncode == 0
    assert time.monotonic() - began < 30
    assert "Time left: X 0:01, O 0:01" in shown
    assert "good.py:Leftmost (O) wins: Anna: the 0.01 min are over (time)." in shown
    assert history.games()[0].reason == "time"


class Solver(Leftmost):
    """Stands for the solver: flat boards whose columns x (rows + 1) fit into 64 bits."""

    def new_game(self) -> None:
        rules = self.rules
        if not rules.is_flat or rules.columns * (rules.height + 1) > 64:
            raise BadRules(f"perfect plays on smaller flat boards than {rules.size}")
        super().new_game()


def test_perfect_is_played_where_it_is_installed_and_asks_for_another_board(
    monkeypatch: pytest.MonkeyPatch, history: History
) -> None:
    monkeypatch.setitem(registry._registered, "perfect", Solver)
    answers = ["suited", "red", "Anna", "perfect", "9x7", "none", "4x4c3", "", *"444", "quit"]
    result = run("play", input="\n".join(answers))
    assert result.exit_code == 0, result.output
    assert "engine perfect: perfect plays on smaller flat boards than 9x7." in result.stdout
    assert "X Anna moves first, O perfect second." in result.stdout
    assert "Anna (X) wins by a column" in result.stdout
    assert history.games()[0].names == ("Anna", "perfect")
    assert_one_sentence(
        run("play", "--level", "perfect", "--game", "4x4x4", input=""), "smaller flat boards"
    )
    result = run("play", "perfect", "--level", "easy", input="")
    assert "O perfect easy second." in result.stdout


def test_an_interrupt_in_a_game_has_exit_code_130(history: History) -> None:
    import signal

    command = [sys.executable, "-m", "arena", *GAME, "7x6"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        while "choosing your coordinates" not in process.stdout.readline():
            pass
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == ""
    assert process.returncode == 130
    assert history.games() == []


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["alfabeta"], ["did you mean 'alphabeta'?"]),
        (["mcts", "nobody"], ["unknown engine 'nobody'"]),
        (["alphabeta dept=3"], ["did you mean 'depth'?"]),
        ([""], ["empty name"]),
        (["none.py"], ["none.py: No such file"]),
        (["tests/support/bots/bad.py:Unbuildable"], ["OSError: no such network"]),
        (["tests/support/bots/bad.py:Raises"], ["ValueError: out of ideas (bad.py:"]),
        (["tests/support/bots/bad.py:Quits"], ["SystemExit: goodbye (bad.py:"]),
        (
            ["tests/support/bots/good.py:FlatOnly", "--game", "4x4x4"],
            ["only flat boards"],
        ),
        (["--level", "mediun"], ["did you mean 'medium'?"]),
        (["--level", "as it is"], ["needs an engine"]),
        (["reflex", "--level", "perfect"], ["perfect"]),
        (["reflex", *["--level", "easy"] * 2], ["given 2 times"]),
        (["human", "--level", "easy"], ["two people play"]),
        (["--game", "9x9"], ["up to 64 cells"]),
        (["--game", "3x3"], ["does not fit"]),
        (["--colour", "green"], ["unknown colour 'green'", "red, yellow"]),
        (["--name", "x" * 25], ["1 to 24 printable characters"]),
        (["--name", "A", "--name", "a"], ["A is taken"]),
        ([*["--name", "A"] * 3], ["given 3 times"]),
        (["--limit", "seconds=0"], ["a positive number of seconds"]),
        (["--limit", "depth=3"], ["expected seconds=10"]),
        (["--seed", "x"], ["--seed"]),
        (["--pause", "-1"], ["--pause"]),
    ],
)
def test_a_mistake_is_one_sentence(words: list[str], parts: list[str]) -> None:
    assert_one_sentence(run("play", *words, input=""), *parts)


def test_without_an_opponent_the_menu_asks_what_is_not_given() -> None:
    menu = first_menu(Flags())
    assert menu.step is Step.OPPONENT
    assert not menu.given
    menu = first_menu(Flags(colour="yellow", names=["Anna"], board="4x4x4", seconds=5, minutes=2))
    assert menu.step is Step.OPPONENT
    assert menu.given == {Step.COLOUR, Step.FIRST_NAME, Step.BOARD, Step.TIME}
    setup = menu.setup
    assert (setup.seat, setup.names[0], setup.rules) == (1, "Anna", SCORE4)
    assert setup.time_control == TimeControl(5, 2)


@pytest.mark.parametrize(
    ("flags", "sides", "levels"),
    [
        (Flags(engine="mcts"), (HUMAN, "mcts"), (MEDIUM, MEDIUM)),
        (Flags(against="mcts"), (HUMAN, "mcts"), (MEDIUM, MEDIUM)),
        (Flags(engine="mcts", against="human"), (HUMAN, "mcts"), (MEDIUM, MEDIUM)),
        (Flags(engine="human", against="mcts"), (HUMAN, "mcts"), (MEDIUM, MEDIUM)),
        (Flags(engine="human"), (HUMAN, HUMAN), (MEDIUM, MEDIUM)),
        (Flags(against="human"), (HUMAN, HUMAN), (MEDIUM, MEDIUM)),
        (Flags(levels=["hard"]), (HUMAN, SUITED), (MEDIUM, HARD)),
        (Flags(engine="mcts", levels=["hard"]), (HUMAN, "mcts"), (MEDIUM, HARD)),
        (Flags(engine=LEFTMOST), (HUMAN, LEFTMOST), (MEDIUM, AS_IT_IS)),
        (Flags(engine="mcts", against="random"), ("mcts", "random"), (MEDIUM, MEDIUM)),
        (Flags(engine="mcts", against="random", levels=["easy"]), ("mcts", "random"), (EASY, EASY)),
        (Flags(engine="mcts", against="random", levels=["hard", "easy"]), ("mcts", "random"),
         (HARD, EASY)),
        (Flags(engine="suited", against="mcts"), (SUITED, "mcts"), (MEDIUM, MEDIUM)),
    ],
)  # fmt: skip
def test_an_opponent_starts_the_game_at_once(
    flags: Flags, sides: tuple[str, str], levels: tuple[str, str]
) -> None:
    menu = first_menu(flags)
    assert menu.step is Step.GAME
    assert menu.setup.sides == sides
    assert menu.setup.levels == levels
    assert menu.setup.rules == CONNECT4


def test_a_name_is_found_where_none_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.human.play.getuser", lambda: "anna")
    assert first_menu(Flags()).setup.names == ("anna", "Guest")
    assert first_menu(Flags(names=["Guest"])).setup.names == ("Guest", "Guest 2")

    def nobody() -> str:
        raise OSError

    monkeypatch.setattr("arena.human.play.getuser", nobody)
    assert first_menu(Flags()).setup.names[0] == "Player"
    with pytest.raises(ArenaError):
        first_menu(Flags(names=[""]))
