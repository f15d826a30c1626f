"""Words of engines reach no terminal, table or file as they are."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.engine.errors import sentence
from arena.text import printable, printable_lines
from tests.cli.running import run, run_apart
from tests.support.bots.rude import RED, Mute

RUDE = Path(__file__).parent / "support" / "bots" / "rude.py"
SPELT = "\\x1b[31mred\\x1b]0;title\\x07 \\x9b2J \\u202eturned\\u2066 \\x7f \\x08 over next"


def is_clean(text: str) -> bool:
    return all(char.isprintable() for line in text.split("\n") for char in line)


@given(st.text())
def test_any_text_becomes_one_line_without_control_characters(text: str) -> None:
    assert is_clean(printable_lines(text))
    assert printable(text).isprintable()
    assert printable(text) == text or not text.isprintable()
    assert printable_lines(text).count("\n") == text.count("\n")


def test_what_is_not_shown_is_spelt_out() -> None:
    assert printable(RED) == SPELT
    assert printable("ä 漢 \ud800\t\u3000.") == "ä 漢 \\ud800  ."


def test_an_error_that_cannot_be_reported_is_reported_nevertheless() -> None:
    assert sentence(Mute()) == "Mute"
    assert sentence(ValueError(RED)) == f"ValueError: {SPELT}"
    assert sentence(type(RED, (Exception,), {})("x")) == f"{SPELT}: x"


@pytest.mark.parametrize("bot", ["Shouts", "Mumbles", "Answers", "Refuses"])
def test_commands_that_ask_an_engine_print_none_of_its_control_characters(
    bot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.print", _only_ours(print))
    words = f"{RUDE}:{bot}"
    for command in (
        ["match", words, "random", "--games", "2"],
        ["check", words],
        ["explain", "4453", "--engine", words],
        ["engines", words],
    ):
        result = run(*command)
        assert is_clean(result.output), command
        assert "Traceback" not in result.output


def _only_ours(real: object) -> object:
    """What a bot itself prints into our process is not ours to mend."""

    def print_(*words: object, **how: object) -> None:
        if RED not in words:
            real(*words, **how)  # type: ignore[operator]

    return print_


def test_a_run_and_all_that_is_read_from_its_journal_are_clean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rude.yaml").write_text(
        f"engines: [random, '{RUDE}:Shouts']\ngame: 5x4\ngames: 2\nworkers: 1\noutput: out\n"
    )
    done = run_apart("run", "rude.yaml", "--plain", "--no-report", "--events", "events.jsonl")
    assert done.returncode == 0, done.stderr
    assert is_clean(done.stdout + done.stderr)
    assert f"ValueError: {SPELT}" in done.stderr
    assert is_clean(Path("events.jsonl").read_text(encoding="utf-8"))
    for command in (
        ["games", "out"],
        ["games", "out", "--bad"],
        ["games", "out", "--json"],
        ["games", "out", "--csv", "-"],
        ["games", "out", "--export", "-"],
        ["games", "out", "1", "--plain"],
        ["report", "out", "--accuracy", "0", "--no-plots", "--html"],
    ):
        result = run(*command)
        assert result.exit_code == 0, result.output
        assert is_clean(result.output), command
    exported = [
        json.loads(line) for line in run("games", "out", "--export", "-").stdout.split("\n") if line
    ]
    logs = [game["log"] for game in exported if game["record"] == "game"]
    assert len(logs) == 2
    assert all(SPELT in log for log in logs)
    with (tmp_path / "out" / "games.csv").open(encoding="utf-8", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert any(SPELT in cell for cell in cells)
    assert is_clean("".join(cells))


@pytest.mark.parametrize("name", ["=1+1", "+a", "-a", "@a"])
def test_a_name_that_a_spreadsheet_would_run_is_kept_from_it(name: str) -> None:
    from arena.text import harmless

    assert harmless(name) == f"'{name}"
    assert harmless(f"{name}\x1b[0m") == f"'{name}\\x1b[0m"
    assert harmless("mcts c=-1") == "mcts c=-1"
    assert harmless(-1) == -1
