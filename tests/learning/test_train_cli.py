"""`arena train` on the command line: what it prints, writes and refuses; ready files, schema."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from arena.engine.registry import names
from arena.learning.folder import CURVE
from arena.learning.schema import training_schema
from arena.tournament.yaml import read
from tests.cli.running import assert_one_sentence, run, run_json

TOP = Path(__file__).resolve().parents[2]
TRAININGS = "training"  # the folder of bundled trainings
FILES = sorted((TOP / "tournaments" / TRAININGS).glob("*.yaml"))


def test_a_training_is_told_and_written(file: Path, tmp_path: Path) -> None:
    result = run("train", str(file), "--plain")
    assert result.exit_code == 0, result.output
    assert "Finished: 60 games" in result.stdout
    assert "t: td on 4x4c3, 60 games in self-play" in result.stderr
    assert "after 20 games: perfect play" in result.stderr
    report = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    sections = ("## Untrained and trained", "## Learning curve", "training file, SHA-256")
    for words in (*sections, "plots/exact.svg", "plots/weights.svg", f"arena train {file}"):
        assert words in report
    for name in ("exact", "ladder", "elo", "weights"):
        assert (tmp_path / "out" / "plots" / f"{name}.png").stat().st_size > 1000


@pytest.fixture
def no_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take their time."""
    monkeypatch.setattr("arena.learning.report.can_plot", lambda: False)


def test_json_is_what_the_curve_says(file: Path, tmp_path: Path, no_plots: None) -> None:
    told = run_json("train", str(file), "--quiet")
    assert (told["ending"], told["games"], told["method"]) == ("finished", 60, "td")
    with (tmp_path / "out" / CURVE).open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["games"] for row in rows] == ["0", "20", "40", "60"]
    assert [{name: str(cell) for name, cell in row.items()} for row in told["curve"]] == rows
    again = run_json("train", str(file), "--quiet")
    assert again["curve"] == told["curve"]


def test_nothing_is_written_for_what_cannot_be_trained(file: Path, tmp_path: Path) -> None:
    text = (
        file.read_text(encoding="utf-8")
        .replace("4x4c3", "4x4x4")
        .replace("perfect: 2", "perfect: 0")
    )
    text = text.replace("exam: 3", "exam: 0")
    file.write_text(f"{text}\nopponent: perfect", encoding="utf-8")
    assert_one_sentence(run("train", str(file)), "engine perfect: the exact solver plays on flat")
    assert not (tmp_path / "out").exists()


def test_a_folder_with_something_else_is_refused(file: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "games.db").touch()
    assert_one_sentence(run("train", str(file)), "holds a tournament; name another folder")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["games.db"]
    (tmp_path / "out" / "games.db").rename(tmp_path / "out" / "report.md")
    for new in ((), ("--new",)):
        sentence = "out holds report.md but no training, and nothing is overwritten; name another"
        assert_one_sentence(run("train", str(file), *new), sentence)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["report.md"]
    assert_one_sentence(run("train"), "missing argument 'FILE'")


def test_a_file_is_no_place_for_a_training(file: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine", encoding="utf-8")
    for new in ((), ("--new",)):
        assert_one_sentence(run("train", str(file), *new), "out is a file; name a folder as output")
    assert (tmp_path / "out").read_text(encoding="utf-8") == "mine"


def test_new_starts_over_where_another_training_was(
    file: Path, tmp_path: Path, no_plots: None
) -> None:
    assert run("train", str(file), "-q").exit_code == 0
    file.write_text(f"{file.read_text(encoding='utf-8')}\nseed: 5", encoding="utf-8")
    assert_one_sentence(run("train", str(file), "-q"), "the training has changed (seed")
    assert run("train", str(file), "-q", "--new").exit_code == 0
    assert (tmp_path / "out-1" / CURVE).is_file()


def test_validate_knows_trainings(file: Path, tmp_path: Path) -> None:
    assert run("check", str(file)).stdout == "ok: t, td on 4x4c3, 60 games\n"
    (told,) = run_json("check", str(file))
    assert (told["ok"], told["games"], told["mistakes"]) == (True, 60, [])
    file.write_text("method: td\ntcl: 3", encoding="utf-8")
    result = run("check", str(file))
    assert result.exit_code == 2
    assert f"{file}:2:1: tcl: is a key of the method ntuple" in result.stdout


def faults(data: Any) -> list[str]:
    """What the schema has against a file."""
    schema = training_schema(names())
    Draft7Validator.check_schema(schema)
    return [error.message for error in Draft7Validator(schema).iter_errors(data)]


def test_the_schema_is_printed_and_tells_the_methods_apart() -> None:
    told = json.loads(run("init", "--schema", "--training").stdout)
    assert told == json.loads(json.dumps(training_schema(names())))
    assert not faults({"method": "td", "features": "rivest", "save": "60s"})
    assert not faults({"method": "ntuple", "tuples": "lines", "epsilon": 0.1})
    assert not faults({"method": "td", "opponent": "random", "measure": "none"})
    for wrong in ({}, {"method": "td", "tcl": True}, {"method": "x"}, {"method": "td", "games": 0}):
        assert faults(wrong)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_bundled_file_fits_the_schema(path: Path) -> None:
    assert not faults(read(path).data)


def test_ready_files_are_listed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    folder = Path("tournaments") / TRAININGS
    folder.mkdir(parents=True)
    text = "# A sentence, of two\n# lines. And more.\n\nmethod: td\ngames: 1234\n"
    (folder / "mine.yaml").write_text(text, encoding="utf-8")
    (folder / "played.yaml").write_text("engines: [random, book]\n", encoding="utf-8")
    listed = {row["file"]: (row["kind"], row["about"]) for row in run_json("run", "--list")}
    assert listed["training/mine"] == ("training", "A sentence, of two lines.")
    assert listed["training/played"][0] == listed["quickstart"][0] == "tournament"
    assert listed["course/grading"][0] == "grading"
    assert "A sentence, of two lines." in run("run", "--list").stdout
