"""`arena export`, as its user sees it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import assert_one_sentence, run, run_json
from tests.export.playing import ask


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_submission_is_tried_and_written_and_its_size_told(tmp_path: Path) -> None:
    result = run("export", "random", "--seconds", "0.5")
    assert result.exit_code == 0, result.output
    first, second = result.stdout.splitlines()
    size = (tmp_path / "submission.py").stat().st_size
    assert first.startswith(f"submission.py: {size / 1000 / 1000:.3g} MB, ")
    assert "Kaggle allows 2 s and a bank of 60 s" in second
    assert 0 <= ask(tmp_path / "submission.py", [""])[0] < 7


def test_what_was_written_as_json(tmp_path: Path) -> None:
    data = run_json("export", "reflex", "-o", "a.py", "--untried")
    assert data["bytes"] == (tmp_path / "a.py").stat().st_size
    assert any(place.endswith("/engines/reflex.py") for place in data["contents"])
    assert data["first_move"] is None
    assert run_json("export", "random", "-o", "a.py")["first_move"] > 0  # ours: replaced


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["randum"], ["unknown engine 'randum'", "did you mean 'random'"]),
        (["random", "depth=3"], ["engine random", "unknown option 'depth'"]),
        (["random", "fast"], ["'fast' is not an option; expected NAME=VALUE"]),
        ([""], ["the engine has an empty name"]),
        (["none.py:Bot"], ["none.py", "No such file"]),
        (["uci:stockfish"], ["uci:stockfish is an external bot"]),
        (["random", "-o", "none/a.py"], ["there is no directory none"]),
        (["random", "--seconds", "0"], ["0.01"]),
    ],
)
def test_bad_input_is_one_sentence_and_writes_nothing(
    tmp_path: Path, words: list[str], parts: list[str]
) -> None:
    assert_one_sentence(run("export", *words), *parts)
    assert [*tmp_path.iterdir()] == []


def test_a_file_of_somebody_else_stays(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("precious = 1\n")
    words = ("export", "random", "-o", "mine.py", "--untried")
    assert_one_sentence(run(*words), "mine.py exists", "--force replaces it")
    assert (tmp_path / "mine.py").read_text() == "precious = 1\n"
    assert run(*words, "--force").exit_code == 0
