"""Command lines, and what is told of those that start nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from arena.bots import adapter
from arena.bots.adapter import read_command
from arena.errors import EngineFailure


def test_a_command_has_words_some_of_them_in_quotes() -> None:
    words = read_command(f"'{sys.executable}' -c 'print(1)' \"a b\"")
    assert words == [sys.executable, "-c", "print(1)", "a b"]


def test_a_program_is_looked_for_where_commands_are() -> None:
    assert Path(read_command("env python")[0]).is_file()


def test_games_are_found_wherever_the_system_keeps_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "my-fish"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setattr(adapter, "GAMES", (str(tmp_path),))
    assert read_command("my-fish --quiet") == [str(program), "--quiet"]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "the command is empty; expected a program and its arguments"),
        ("  ", "the command is empty"),
        ("''", "the command is empty"),
        ("no-such-fish", "the program 'no-such-fish' is not installed"),
        ("./no/such/fish", "there is no program './no/such/fish'"),
        ("fish 'unfinished", "is not a command: no closing quotation"),
        ("/", "'/' is a folder; expected a program"),
    ],
)
def test_what_starts_nothing_is_told(line: str, sentence: str) -> None:
    with pytest.raises(EngineFailure, match=sentence):
        read_command(line)


def test_a_script_that_is_no_program_is_told(tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.write_text("print(3)\n")
    for line, folder in ((str(script), ""), ("./bot.py", str(tmp_path))):
        with pytest.raises(EngineFailure, match="is not executable; start a script by its"):
            read_command(line, folder)
    script.chmod(0o755)
    assert read_command("./bot.py -v", str(tmp_path)) == [str(script), "-v"]
