"""A tournament that can pass or fail: exit codes, JUnit, the end of a run, the figures."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from arena.cli.exits import DONE, FAILED
from arena.tournament.figures import MEASURES
from tests.cli.running import run, run_json
from tests.cli.test_run import tournament


@pytest.fixture(autouse=True)
def without_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.report.write.can_plot", lambda: False)


def test_a_run_that_fails_an_expectation_says_so_by_its_exit_code(tmp_path: Path) -> None:
    file = tournament(tmp_path, "expect:\n  - {score: random against reflex, at_least: 99%}\n")
    junit = tmp_path / "verdicts.xml"
    result = run("run", file, "--accuracy", "0", "--junit", str(junit))
    assert result.exit_code == FAILED, result.output
    assert "fails" in result.stdout
    assert "The expectation fails." in result.stdout
    assert "score of random against reflex: at least 99 %" in result.stdout
    assert ElementTree.parse(junit).getroot()[0].get("failures") == "1"

    # the file's expectations may change afterwards; no game is played again
    Path(file).write_text(Path(file).read_text().replace("at_least: 99%", "at_most: 99%"))
    again = run("run", file, "--accuracy", "0")
    assert again.exit_code == DONE, again.output
    assert "all games are played already" in again.stdout
    report = run("report", str(tmp_path / "out"), "--accuracy", "0", "--no-plots")
    assert report.exit_code == DONE
    assert "The expectation holds." in report.stdout


def test_without_a_report_the_verdict_is_the_same(tmp_path: Path) -> None:
    file = tournament(tmp_path, "expect:\n  - {games: all, at_most: 1}\n")
    result = run("run", file, "--no-report")
    assert result.exit_code == FAILED
    assert not (tmp_path / "out" / "report.md").exists()
    assert run("report", str(tmp_path / "out"), "--accuracy", "0").exit_code == FAILED


def test_what_is_not_decided_does_not_fail(tmp_path: Path) -> None:
    text = "expect:\n  - {score: reflex, at_least: 50%, confidence: 99.9%}\n"
    data = run_json("run", tournament(tmp_path, text, games=2), "--accuracy", "0", "--json")
    assert data["expectations"]["not_decided"] == 1


def test_accuracy_is_expected_too(tmp_path: Path) -> None:
    text = "game: 5x4\nexpect:\n  - {accuracy: reflex, at_least: 1%}\n"
    text += "  - {blunders: random, at_least: 0}\n"
    result = run("run", tournament(tmp_path, text, games=4), "--no-report", "--accuracy", "20")
    assert result.exit_code == DONE, result.output
    assert "All 2 expectations hold." in result.stdout


def test_a_run_ends_early_and_stays_ended(tmp_path: Path) -> None:
    text = (
        "stop: {expectations: true}\nexpect:\n  - {score: reflex, at_least: 55%, confidence: 90%}\n"
    )
    text += "openings: {random: 2}\n"
    file = tournament(tmp_path, text, games=200)
    first = run("run", file, "--accuracy", "0")
    assert "Stopped: all expectations are decided: they hold." in first.stdout.replace("\n", " ")
    again = run_json("run", file, "--accuracy", "0", "--json")
    assert again["ending"] == "decided"
    assert 20 <= again["games"] < 40


def test_figures_are_listed_with_an_example_each() -> None:
    result = run("help", "figures")
    assert result.exit_code == 0
    for name, measure in MEASURES.items():
        assert f"{{{name}: {measure.example}}}" in result.stdout
    assert [each["name"] for each in run_json("help", "figures", "--json")] == list(MEASURES)
