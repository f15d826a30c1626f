"""`arena bench strength`: tables, CSV, JSON and a picture of the same figures."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from arena.bench.strength import Score, Strength
from arena.bench.strength_tables import print_games
from arena.show.terminal import console
from arena.standings.games import WDL
from tests.cli.running import assert_one_sentence, run

WORDS = ("bench", "strength", "random", "alphabeta", "--game", "5x4", "--positions", "15",
         "--games", "2", "--budget", "nodes=20", "--budget", "nodes=2000")  # fmt: skip


def figures(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if not name.endswith("_seconds")}


def test_all_forms_tell_the_same(tmp_path: Path) -> None:
    plot, table = tmp_path / "strength.svg", tmp_path / "strength.csv"
    result = run(*WORDS, "--plot", str(plot), "--csv", str(table), "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert (told["rules"], told["positions"], told["seed"]) == ("connect4-5x4", 15, 1)
    assert [(row["engine"], row["budget"]) for row in told["engines"]] == [
        ("random", None), ("alphabeta", "nodes=20"), ("alphabeta", "nodes=2000"),
    ]  # fmt: skip
    for row in told["engines"]:
        exam = row["exam"]["all"]
        assert exam["positions"] == 15
        assert exam["value_low"] <= exam["value_accuracy"] <= exam["value_high"]
        assert exam["kept_score"] <= exam["kept_value"]
        assert row["from_start"]["games"] == row["from_draws"]["games"] == 2
    with table.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["all_kept_value"] for row in rows] == [
        str(row["exam"]["all"]["kept_value"]) for row in told["engines"]
    ]
    assert rows[1]["from_draws_lost"] == str(told["engines"][1]["from_draws"]["lost"])
    assert plot.read_bytes().startswith(b"<?xml")
    again = json.loads(run(*WORDS, "--json").stdout)
    assert list(map(figures, again["engines"])) == list(map(figures, told["engines"]))


def test_as_a_table() -> None:
    result = run(*WORDS)
    assert result.exit_code == 0
    assert "Exam: 15 positions on 5x4 connect 4" in result.stdout
    assert "Games against perfect play" not in result.stdout, "two games say nothing"
    assert "games are enough for one who always loses" in " ".join(result.stdout.split())
    lines = [line for line in result.stdout.splitlines() if line.startswith("alphabeta")]
    assert len(lines) == 2
    assert "nodes=2000" in lines[1]
    assert "nan" not in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 100


def test_scores_are_shown_where_games_were_enough(capsys: pytest.CaptureFixture[str]) -> None:
    def row(engine: str, start: Score, draws: Score) -> Strength:
        return Strength(engine, None, {}, 0.1, 0.1, start, draws)

    many, even = Score(WDL(lost=60)), Score(WDL(won=15, lost=15))
    print_games([row("weak", many, even), row("strong", even, even)], console())
    shown = " ".join(capsys.readouterr().out.split("\n"))
    assert "first, empty board" in shown
    assert "drawn openings" not in shown, "nobody has played enough of them"
    assert "+0 =0 -60" in shown
    assert "+15" not in shown
    assert "are left out" in shown
    for score in (many, even):
        low, high = score.wdl.interval
        assert score.says_something == (high - low < 0.1)
    print_games([row("weak", many, many)], console())
    assert "are left out" not in capsys.readouterr().out


def test_csv_on_stdout_is_all_that_is_printed() -> None:
    result = run(*WORDS[:-4], "--csv", "-")
    assert result.stdout.startswith("engine,budget,mean_seconds")
    assert "Exam:" not in result.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("alphbeta",), "did you mean 'alphabeta'?"),
        (("random", "--game", "4x4x4"), "in space"),
        (("random", "--game", "9x7"), "too large"),
        (("random", "--budget", "node=3"), "did you mean 'nodes'?"),
        (("random", "--plot", "x.pdf"), "expected a file that ends in .svg or .png"),
        (("random", "--csv", "-", "--json"), "both want stdout"),
        (("random", "--plot", "no/where.svg"), "there is no directory no"),
        (("random", "--csv", "no/where.csv"), "there is no directory no"),
        (("random", "--game", "3x3c3", "--positions", "999"), "has only"),
    ],
)
def test_bad_input_is_told_before_anything_is_measured(words: tuple[str, ...], told: str) -> None:
    assert_one_sentence(run("bench", "strength", *words), told)
