"""UCI programs on the command line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.bots.partners import needs_fairy
from tests.cli.running import assert_one_sentence, run, run_json

BOT = Path(__file__).parents[1] / "support" / "programs" / "uci_bot.py"
PROGRAM = f"uci:{sys.executable} {BOT}"
MATCH = ("--games", "2", "--limit", "depth=2")


@pytest.mark.parametrize(
    ("engine", "parts"),
    [
        ("uci:no-such-fish", ["the program 'no-such-fish' is not installed"]),
        ("uci:", ["expected a"]),
        ("uci:true", ["engine uci:true: its process left with exit code 0", "< uci"]),
        (f"{PROGRAM} moves=fish", ["option 'moves' is 'fish'; expected one of drop"]),
        (f"{PROGRAM} setoption='Stile=calm'", ["no option 'Stile'; did you mean 'Style'?"]),
        (f"{PROGRAM} setoption=calm", ["expected options of the program, as in"]),
    ],
)
def test_what_is_wrong_with_a_program_is_told_before_game_1(engine: str, parts: list[str]) -> None:
    assert_one_sentence(run("match", engine, "random", *MATCH), *parts)


def test_a_board_that_it_does_not_play_on_is_told() -> None:
    result = run("match", PROGRAM, "random", *MATCH, "--game", "8x7")
    assert_one_sentence(result, "it has no option UCI_Variant for a 8x7 connect 4 board")


def test_a_program_plays_a_match() -> None:
    match = run_json("match", f"{PROGRAM} good", "random", *MATCH)
    assert {game["reason"] for game in match["game_list"]} <= {"line", "full board"}
    wrong = run("match", f"{PROGRAM} good", f"{PROGRAM} says:P@z1", *MATCH)
    assert_one_sentence(wrong, "column 26 (25 counted from 0) is not on the board")


@needs_fairy
def test_fairy_stockfish_is_found_by_its_name() -> None:
    engine = "uci:fairy-stockfish setoption='Skill Level=5, Hash=1'"
    match = run_json("match", engine, "random", "--games", "4", "--limit", "nodes=500")
    assert {game["reason"] for game in match["game_list"]} <= {"line", "full board"}
    assert match["players"][0]["won"] == 4
