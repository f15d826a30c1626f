"""`arena bench strength`: tables and JSON of the same figures."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arena.bench.strength import Score, Strength
from arena.bench.strength_tables import print_games
from arena.show.terminal import console
from tests.cli.running import assert_one_sentence, run

WORDS = ("bench", "strength", "random", "alphabeta", "--game", "5x4", "--positions", "15",
         "--games", "2", "--budget", "nodes=20", "--budget", "nodes=2000")  # fmt: skip


def figures(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if not name.endswith("_seconds")}


def test_json_is_complete_and_the_same_every_time() -> None:
    result = run(*WORDS, "--json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert (data["rules"], data["positions"], data["seed"]) == ("connect4-5x4", 15, 1)
    assert [(row["engine"], row["budget"]) for row in data["engines"]] == [
        ("random", None), ("alphabeta", "nodes=20"), ("alphabeta", "nodes=2000"),
    ]  # fmt: skip
    for row in data["engines"]:
        exam = row["exam"]["all"]
        assert exam["positions"] == 15
        assert exam["value_low"] <= exam["value_accuracy"] <= exam["value_high"]
        assert exam["kept_score"] <= exam["kept_value"]
        assert row["from_start"]["games"] == row["from_draws"]["games"] == 2
    again = json.loads(run(*WORDS, "--json").stdout)
    assert list(map(figures, again["engines"])) == list(map(figures, data["engines"]))


def test_as_a_table() -> None:
    result = run(*WORDS)
    assert result.exit_code == 0
    assert "Exam: 15 positions on 5x4 connect 4" in result.stdout
    assert "Games against perfect play" not in result.stdout, "two games say nothing"
    assert "games are enough for an engine that always loses" in " ".join(result.stdout.split())
    lines = [line for line in result.stdout.splitlines() if line.startswith("alphabeta")]
    assert len(lines) == 2
    assert "nodes=2000" in lines[1]
    assert "nan" not in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 100


def score_of(results: list[int], copies: bool = False) -> Score:
    """The score of games from openings of their own, or of one game again and again."""
    score = Score()
    for number, result in enumerate(results):
        score.played.append(0, 1, result, bytes([0 if copies else number]), moves=b"\0")
    return score


def test_scores_are_shown_where_games_were_enough(capsys: pytest.CaptureFixture[str]) -> None:
    def row(engine: str, start: Score, draws: Score) -> Strength:
        return Strength(engine, None, {}, 0.1, 0.1, start, draws)

    many, even = score_of([-1] * 60), score_of([-1, 1] * 15)
    print_games([row("weak", many, even), row("strong", even, even)], console())
    shown = " ".join(capsys.readouterr().out.split("\n"))
    assert "first, empty board" in shown
    assert "drawn openings" not in shown, "nobody has played enough of them"
    assert "+0 =0 -60" in shown
    assert "+15" not in shown
    assert "are left out" in shown
    for score in (many, even):
        assert score.estimate is not None
        low, high = score.estimate.interval()
        assert score.is_precise == (high - low < 0.1)
    assert not score_of([-1] * 60, copies=True).is_precise
    print_games([row("weak", many, many)], console())
    assert "are left out" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("alphbeta",), "did you mean 'alphabeta'?"),
        (("random", "--game", "4x4x4"), "in space"),
        (("random", "--game", "9x7"), "too large"),
        (("random", "--budget", "node=3"), "did you mean 'nodes'?"),
        (("random", "--game", "3x3c3", "--positions", "999"), "has only"),
    ],
)
def test_bad_input_is_reported_before_anything_is_measured(
    words: tuple[str, ...], expected: str
) -> None:
    assert_one_sentence(run("bench", "strength", *words), expected)
