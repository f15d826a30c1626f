"""What all external bots share: names, limits, boards, command lines."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import ClassVar

import pytest

from arena import Choice, Limits, Position, option
from arena.bots import adapter
from arena.bots.adapter import Adapter, read_command
from arena.errors import BadOption, BadRules, EngineFailure
from arena.game import CONNECT4, SCORE4


class Deaf(Adapter):
    """Supports no limits."""

    kind = "deaf"

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(position.legal[0])


class Searching(Deaf):
    """Supports depth and nodes."""

    kind = "searching"
    supported_limits: ClassVar[frozenset[str]] = frozenset({"nodes", "depth"})
    strength: int = option(3, "how hard it tries", least=1)


def test_an_external_bot_is_named_by_its_kind_and_target() -> None:
    engine = Searching("some command", strength="5")
    assert engine.name == "searching:some command"
    assert engine.settings() == {"strength": 5, "explore": 0.0}


def test_options_are_checked_as_those_of_any_engine() -> None:
    with pytest.raises(BadOption, match="did you mean 'strength'"):
        Searching("x", strengh=5)


@pytest.mark.parametrize(
    "words", ["", "seconds=1", "clock=60+1", "cpu=1", "depth=4 seconds=1", "playouts=9 cpu=1"]
)
def test_the_referee_enforces_time_for_every_bot(words: str) -> None:
    assert Deaf("x").check_limits(Limits.parse(words)) is None


def test_unsupported_limits_are_reported() -> None:
    sentence = Deaf("x").check_limits(Limits(depth=4, playouts=100))
    assert sentence == "deaf bots do not support depth or playouts; use seconds, clock, cpu"
    sentence = Searching("x").check_limits(Limits(playouts=100))
    expected = "searching bots do not support playouts; use depth, nodes, seconds, clock, cpu"
    assert sentence == expected
    assert Searching("x").check_limits(Limits(playouts=100, nodes=5)) is None


def test_boards_in_space_are_refused() -> None:
    Deaf("x").check_rules(CONNECT4)
    with pytest.raises(BadRules, match="deaf bots play on flat boards, not on 4x4x4"):
        Deaf("x").check_rules(SCORE4)


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
