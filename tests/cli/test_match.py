"""`arena match`: games as they end, the score, and which engine is stronger."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import assert_one_sentence, run, run_json

MATCH = ["match", "random", "reflex", "--games", "4", "--seed", "2"]
QUICK = ("--game", "5x4", "--opening-plies", "3", "--workers", "1")
TEST = ("--sprt", "0,100")


def notations(data: Any) -> list[str]:
    return [game["notation"] for game in data["game_list"]]


def test_a_match_prints_games_a_board_and_the_score() -> None:
    result = run(*MATCH)
    assert result.exit_code == 0
    for part in ("random against reflex", "4 games", "the last game", "95 %", "Elo", "ended by"):
        assert part in result.stdout
    assert any("[X]" in line or "[O]" in line for line in result.stdout.splitlines())
    assert "\x1b" not in result.stdout


def test_the_same_seed_plays_the_same_match_on_any_number_of_workers() -> None:
    one, two = (run_json(*MATCH, "--workers", workers) for workers in ("1", "2"))
    assert notations(one) == notations(two)
    assert notations(one) != notations(run_json(*MATCH[:-1], "3"))


def test_a_match_in_numbers() -> None:
    data = run_json("match", "random", "random", "--games", "4", "--game", "score4")
    assert data["rules"] == "score4"
    assert data["games"] == len(data["game_list"]) == 4
    assert [player["player"] for player in data["players"]] == ["random #1", "random #2"]
    assert sum(player["points"] for player in data["players"]) == 4
    assert 0 < data["difference"]["los"] < 1  # four games from two openings prove nothing
    assert data["game_list"][0]["players"] == ["random #1", "random #2"]
    assert data["game_list"][1]["players"] == ["random #2", "random #1"]


def test_a_forfeit_has_its_reason() -> None:
    result = run("match", "tests/support/bots/bad.py:RaisesLate", "random", "--games", "2")
    assert result.exit_code == 0
    assert result.stdout.count("exception") == 2
    assert "bad.py:RaisesLate: ValueError: too many discs (bad.py:" in result.stdout


def test_limits_for_both_or_for_each() -> None:
    data = run_json(*MATCH, "--limit", "depth=2", "--limit", "seconds=1 depth=3")
    assert [player["limits"] for player in data["players"]] == ["depth=2", "depth=3 seconds=1"]


def test_copies_are_reported() -> None:
    words = ["match", "alphabeta depth=1", "alphabeta depth=2", "--games", "4"]
    result = run(*words, "--opening-plies", "0", COLUMNS="80")
    assert "depth=1" in result.stdout
    assert "only 2 games are different" in result.stdout


def test_a_match_says_which_engine_is_stronger() -> None:
    data = run_json("match", "random", "reflex", "--games", "20", "--seed", "3", *QUICK)
    assert sum(data["pairs"]) == 10
    assert data["decision"] == "weaker"
    assert data["verdict"].startswith("reflex is stronger than random: ")
    assert data["sprt"] is None


def test_the_test_stops_a_match_and_the_estimate_allows_for_it() -> None:
    data = run_json("match", "reflex", "random", "--games", "200", *QUICK, *TEST)
    assert (data["stopped"], data["sprt"]["verdict"], data["decision"]) == (True, "H1", "stronger")
    assert data["games"] < 200
    assert data["after_stop"]["elo_low"] > 0
    assert data["verdict"].startswith("reflex is stronger than random: +")


@pytest.mark.parametrize(
    ("sides", "more", "code"),
    [
        (("random", "reflex"), (), 1),
        (("reflex", "random"), (), 0),
        (("random", "reflex"), TEST, 1),
        (("random", "reflex"), ("--sprt=-100,0",), 1),
        (("reflex", "random"), ("--sprt=-100,0",), 0),
    ],
)
def test_a_weaker_engine_fails_if_asked(
    sides: tuple[str, str], more: tuple[str, ...], code: int
) -> None:
    words = ("match", *sides, "--games", "60", *QUICK, *more, "--quiet")
    assert run(*words, "--fail-if-weaker").exit_code == code


def test_a_match_can_keep_its_journal(tmp_path: Path) -> None:
    assert run(*MATCH, "--keep", str(tmp_path)).exit_code == 0
    assert len(run("games", str(tmp_path), "--json").stdout.splitlines()) == 4


def test_an_odd_number_of_games_is_refused() -> None:
    assert_one_sentence(run("match", "random", "reflex", "--games", "3"), "expected an even number")
