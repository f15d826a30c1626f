"""`arena report`: where the report is, and the standings."""

from __future__ import annotations

from pathlib import Path

from arena.game.rules import Rules
from arena.journal import Journal
from arena.report.data import judging_seconds
from tests.cli.running import assert_one_sentence, run, run_json
from tests.journal.examples import fill, make_header


def test_standings_and_where_the_report_is(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 12)
    result = run("report", str(tmp_path), "--no-plots")
    assert result.exit_code == 0, result.output
    assert "example: 12 games of 7x6 connect 4, 3 engines." in result.stdout
    for word in ("engine", "Elo", "±", "alpha", "beta", "gamma"):
        assert word in result.stdout
    assert result.stdout.splitlines()[-1] == str(tmp_path / "report.md")
    assert (tmp_path / "report.md").is_file()


def test_elsewhere_and_as_a_page(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 3)
    out = tmp_path / "out"
    words = ("report", str(tmp_path / "games.db"), "--out", str(out), "--html", "--no-plots")
    lines = run(*words).stdout.splitlines()
    assert lines[-2:] == [str(out / "report.md"), str(out / "report.html")]
    assert (out / "report.html").is_file()
    assert not (tmp_path / "report.md").exists()


def test_tables_for_latex_and_the_answer_on_the_terminal(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 12)
    result = run("report", str(tmp_path), "--no-plots", "--latex")
    assert "came first of 3 engines" in result.stdout
    assert result.stdout.splitlines()[-1] == str(tmp_path / "latex")
    assert (tmp_path / "latex" / "standings.tex").is_file()


def test_only_the_sections_that_are_named(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 12)
    words = ("report", str(tmp_path), "--no-plots", "--sections")
    result = run(*words, "openings,STANDINGS,learning")
    assert result.exit_code == 0, result.output
    assert "arena: no data for Learning" in result.stderr
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        "## Standings",
        "## Openings",
    ]
    assert_one_sentence(run(*words, "opnings"), "unknown section 'opnings'; did you mean 'Open")
    assert_one_sentence(run(*words, "xyz"), "expected one of all, Standings, Expectations")
    assert_one_sentence(run(*words, " , "), "no section is named; expected all or some")


def test_main_figures_as_json(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 12)
    told = run_json("report", str(tmp_path), "--no-plots")
    assert told["games"] == 12
    assert [row["place"] for row in told["standings"]] == [1, 2, 3]
    assert {"elo", "elo_ci95", "score", "limits"} <= told["standings"][0].keys()
    assert told["answer"].startswith(f"{told['standings'][0]['engine']} came first of 3 engines")
    assert all(Path(file).is_file() for file in told["files"])


def test_a_tournament_file_stands_for_its_journal(tmp_path: Path) -> None:
    file = tmp_path / "cup.yaml"
    file.write_text(f"engines: [random, reflex]\noutput: {tmp_path}/out\n")
    assert_one_sentence(run("report", str(file)), "has not been run")
    fill(tmp_path / "out" / "games.db", 2)
    assert run("report", str(file), "--no-plots").exit_code == 0
    assert (tmp_path / "out" / "report.md").is_file()


def test_a_journal_without_games(tmp_path: Path) -> None:
    Journal.open(tmp_path, make_header()).close()
    result = run("report", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert "0 games" in result.stdout


def test_moves_are_judged_for_as_long_as_one_says(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 2, "4x4")
    result = run("report", str(tmp_path), "--no-plots", "--accuracy", "30")
    assert result.exit_code == 0, result.output
    assert "Judged all 2 games by exact scores" in result.stdout
    assert "## Accuracy" in (tmp_path / "report.md").read_text(encoding="utf-8")
    told = run_json("report", str(tmp_path), "--no-plots", "--accuracy", "30")
    assert told["accuracy"]["judged_games"] == 2
    again = run_json("report", str(tmp_path), "--no-plots", "--accuracy", "0")
    assert {**again["accuracy"], "seconds": 30} == told["accuracy"], "judged already, and shown"
    (tmp_path / "games.judged").unlink()
    assert "accuracy" not in run_json("report", str(tmp_path), "--no-plots", "--accuracy", "0")
    assert_one_sentence(run("report", str(tmp_path), "--accuracy", "-1"), "--accuracy")


def test_by_default_boards_are_judged_on_which_that_says_something() -> None:
    def seconds(game: str, asked: float | None) -> float | None:
        return judging_seconds(Rules.named(game), asked)

    assert seconds("connect4", None) == seconds("4x4", None) == 10
    assert seconds("connect4", 0) == seconds("8x7", None) == seconds("score4", None) == 0
    assert seconds("8x7", 3) == seconds("score4", 3) == 3
    assert seconds("9x7", 3) is None


def test_mistakes_are_one_sentence(tmp_path: Path) -> None:
    assert_one_sentence(run("report", str(tmp_path)), "there is no journal")
    fill(tmp_path / "games.db", 1)
    (tmp_path / "file").touch()
    out = str(tmp_path / "file" / "x")
    assert_one_sentence(run("report", str(tmp_path), "--out", out), "cannot be written")
