"""`arena games`: a game position by position, printed or stepped through."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli.replay import Stepper
from arena.journal import Journal
from arena.table.game import MoveRecord, pack_telemetry
from tests.cli.running import assert_one_sentence, run, run_json
from tests.journal.examples import make_header, make_row, short_row
from tests.terminal import Terminal

TOLD = [
    MoveRecord(column, 0.25, 0.125, score, 5, 12345)
    for column, score in zip((0, 3, 0, 3, 0, 3), (1.0, -2.0, None, 0.0, 4.0, 5.0), strict=False)
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with a win, a fault and nothing else."""
    place = tmp_path_factory.mktemp("replay")
    with Journal.open(place, make_header()) as journal:
        told = {"telemetry": pack_telemetry(TOLD), "opening": b"\3", "round": 2}
        journal.write(short_row(1, "4141414", first=0, second=1, **told))
        fault = {"result": 1, "reason": "crash", "detail": "beta: killed", "log": "oh \x1b[2J\nno"}
        journal.write(short_row(2, "41", first=0, second=1, **fault))
    return place


def test_without_a_terminal_all_positions_are_printed(place: Path) -> None:
    result = run("games", str(place), "1")
    assert result.exit_code == 0, result.output
    assert "example · game 1 · round 2" in result.stdout
    assert "X alpha against O beta" in result.stdout
    assert "the empty board" in result.stdout
    assert "move 1 of 7: X alpha drops into column 4 (opening)" in result.stdout
    assert "move 2 of 7: O beta drops into column 1\n" in result.stdout
    assert result.stdout.count("1  2  3  4  5  6  7") == 8
    assert result.stdout.count("[X]") == 4
    assert result.stdout.endswith("1-0 · X alpha wins by a column (4,1) (4,2) (4,3) (4,4)\n")


def test_what_the_engine_said_is_below_the_board(place: Path) -> None:
    shown = run("games", str(place), "1", "--ply", "2").stdout
    assert "score +1   depth 5   nodes 12.3 k   time 250 ms   cpu 125 ms" in shown
    assert shown.count("drops into") == 1
    assert "wins" not in shown
    assert "score —" in run("games", str(place), "1", "--ply", "4").stdout
    assert "score" not in run("games", str(place), "1", "--ply", "1").stdout  # the opening


def test_the_column_of_the_last_disc_is_marked(place: Path) -> None:
    lines = run("games", str(place), "1", "--ply", "1").stdout.splitlines()
    marker = next(line for line in lines if line.strip() == "v")
    bottom = next(line for line in lines if "X" in line and "." in line)
    assert marker.index("v") == bottom.index("X")


def test_a_fault_is_told_with_the_last_words(place: Path) -> None:
    shown = run("games", str(place), "2").stdout
    assert "1-0 · crash: beta: killed" in shown
    assert shown.endswith("engine output:\n  oh \\x1b[2J\n  no\n")


def test_in_space_every_level_is_drawn_and_the_line_named(tmp_path: Path) -> None:
    row = make_row(3, "score4", first=0, second=1)
    with Journal.open(tmp_path, make_header("score4")) as journal:
        journal.write(row)
    shown = run("games", str(tmp_path), "3", "--ply", str(len(row.moves))).stdout
    assert "level 1" in shown
    assert "drops into column 3,2\n" in shown
    assert shown.count("[") >= 4
    assert "wins by a " in shown.splitlines()[-1]


def test_json_holds_every_position(place: Path) -> None:
    told = run_json("games", str(place), "1")
    assert (told["game"], told["number"], told["winner"]) == ("connect4", 1, "alpha")
    assert told["lines"][0]["direction"] == "column"
    assert told["lines"][0]["cells"][0] == [4, 1, 1]
    assert [position["ply"] for position in told["positions"]] == list(range(8))
    second = told["positions"][2]
    assert (second["player"], second["column"], second["moves"]) == ("beta", 1, "41")
    assert (second["score"], second["depth"], second["nodes"]) == (1.0, 5, 12345)
    assert second["board"][-2] == "O . . X . . ."
    (only,) = run_json("games", str(place), "1", "--ply", "1")["positions"]
    assert only["opening"] is True
    assert only["score"] is None


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["7"], "game 7 is not in"),
        (["1", "--ply", "8"], "--ply 8 is after the end: game 1 has 7 moves"),
        (["1", "--ply", "-1"], "--ply"),
        (["one"], "invalid value for 'NUMBER'"),
    ],
)
def test_mistakes_are_one_sentence(place: Path, words: list[str], part: str) -> None:
    assert_one_sentence(run("games", str(place), *words), part)


@pytest.mark.parametrize(
    ("keys", "ply"),
    [
        ("", 0),
        ("\n", 1),
        (" \rn", 3),
        ("\n\nb", 1),
        ("b", 0),
        ("5\n", 5),
        ("5\n\n", 6),
        ("99\n", 9),
        ("12345678901234567890\n", 9),
        ("0\n", 0),
        ("\n\n\n1\x7f2\n", 2),
        ("\n\x7f", 0),
        ("?x\n", 1),
    ],
)
def test_keys_lead_through_the_game(keys: str, ply: int) -> None:
    stepper = Stepper(9)
    assert all(stepper.press(key) for key in keys)
    assert stepper.ply == ply


def test_arrows_and_quitting() -> None:
    stepper = Stepper(9)
    for key, ply in (("right", 1), ("down", 2), ("left", 1), ("end", 9), ("right", 9), ("home", 0)):
        assert stepper.press(key)
        assert stepper.ply == ply
    assert not stepper.press("q")
    assert not stepper.press("escape")


def test_on_a_terminal_keys_step_through(place: Path) -> None:
    """Enter, arrow right, 7 and Enter, b, q: as a user types them."""
    words = ("-m", "arena", "games", str(place), "1")
    with Terminal(*words, environment={}, size=(80, 40)) as terminal:
        for keys, awaited in (
            ("", "the empty board"),
            ("\r", "move 1 of 7"),
            ("\x1b[C", "move 2 of 7"),
            ("7\r", "move 7 of 7"),
            ("b", "move 6 of 7"),
        ):
            terminal.press(keys)
            terminal.wait_for(awaited)
        assert terminal.finish("q") == 0
        assert terminal.is_as_before
    assert "wins by a column" in terminal.text
