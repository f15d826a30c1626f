"""`arena explain`: exact scores in words, for each column, and what happens when time runs out."""

from __future__ import annotations

import re

import pytest

from arena.game.position import Position
from arena.solver.solver import Budget
from tests.cli.running import assert_one_sentence, run, run_json
from tests.judge.minimax import Minimax
from tests.support.data import data_file

LATE = "2252576253462244111563365343671351"


def test_every_column_in_words() -> None:
    """The same as by exhaustive search."""
    position, judge = Position.parse(LATE), Minimax()
    scores = {c + 1: -(judge.score(position.play(c), Budget()) or 0) for c in position.legal}
    told = run_json("explain", LATE)
    assert {int(c): each["score"] for c, each in told["columns"].items()} == scores
    best = max(scores.values())
    assert told["score"] == best
    assert told["best"] == [column for column, score in scores.items() if score == best]
    assert told["complete"] is True
    assert told["value"] == {1: "win", 0: "draw", -1: "loss"}[(best > 0) - (best < 0)]
    shown = run("explain", LATE)
    assert shown.exit_code == 0, shown.output
    assert "7x6 connect 4, X to move" in shown.stdout
    for column, each in told["columns"].items():
        assert re.search(rf"{column} +[-+]?{abs(each['score'])} +{each['words']}", shown.stdout)
    assert shown.stdout.count("best") == len(told["best"])
    assert "full" in shown.stdout
    assert "nodes" in shown.stdout.splitlines()[-1]


def test_a_win_at_once() -> None:
    told = run_json("explain", "414141")
    assert told["words"] == "wins with disc 7"
    assert told["best"] == [4]
    assert "X wins with disc 7." in run("explain", "414141").stdout


@pytest.mark.parametrize(("name", "count"), [("Test_L3_R1", 12), ("Test_L2_R1", 5)])
def test_scores_of_the_reference_sets(name: str, count: int) -> None:
    for line in data_file(name).read_text().splitlines()[-count:]:
        moves, score = line.split()
        assert run_json("explain", moves)["score"] == int(score)


def test_scores_of_another_board() -> None:
    for line in data_file("9x5_endgame_L1.txt").read_text().splitlines()[:4]:
        digits, score = line.split()
        moves = "".join(str(int(digit) + 1) for digit in digits)
        assert run_json("explain", moves, "--game", "9x5")["score"] == int(score)


def test_a_drawn_board_from_stdin() -> None:
    drawing = "....\n....\nOO..\nXXX.\n"
    result = run("explain", "-", "--game", "4x4", input=drawing)
    assert result.exit_code == 0, result.output
    assert "4x4 connect 4, O to move" in result.stdout
    assert re.search(r"4 +\S+ +\w+", result.stdout)


def test_when_the_time_runs_out_the_open_columns_are_named() -> None:
    result = run("explain", "", "--game", "8x7", "--limit", "seconds=0.02")
    assert result.exit_code == 0
    assert "time limit reached, columns 1, 2, 3, 4, 5, 6, 7, 8 unsolved" in result.stderr
    assert "What X can reach is not proven." in result.stdout
    told = run_json("explain", "--game", "8x7", "--limit", "seconds=0.02")
    assert told["complete"] is False
    assert told["score"] is told["value"] is None
    assert told["best"] == []


def test_the_end_of_a_game_in_space() -> None:
    """Three of a column: whoever is to move completes it."""
    told = run_json("explain", "1,2,1,2,1,2", "--game", "score4", "--limit", "seconds=1")
    assert told["columns"]["1"]["words"] == "wins with disc 7"
    assert told["columns"]["1"]["score"] == 29


def test_mistakes_are_one_sentence() -> None:
    assert_one_sentence(run("explain", "", "--game", "9x7"), "too large for the exact solver")
    assert_one_sentence(run("explain", "4141414"), "the game is over: X has won")
    assert_one_sentence(run("explain", "48"), "column 8", "not on the board")
    assert_one_sentence(run("explain", "4", "--game", "conect4"), "did you mean 'connect4'?")
    assert_one_sentence(run("explain", "4", "--limit", "seconds=0"), "positive")
