"""Names of engines, and what all external bots share: options, limits, boards, commands."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import ClassVar

import pytest

from arena import Choice, Limits, Position, option
from arena.bots import adapter
from arena.bots.adapter import Adapter, read_command
from arena.bots.names import BotName, distinct_titles, side_names
from arena.errors import BadRules, EngineFailure
from arena.game import CONNECT4, SCORE4


@pytest.mark.parametrize(
    ("spec", "short"),
    [
        ("mcts", "mcts"),
        ("bots/mine.py:Bot", "mine.py:Bot"),
        ("kaggle:../a/submission.py", "kaggle:submission.py"),
        ("lines:./bot", "lines:bot"),
        ("aigames:java -cp /x/y Bot", "aigames:java -cp y Bot"),
        ("uci:fairy-stockfish", "uci:fairy-stockfish"),
        ("url:http://localhost:8000/", "url:http://localhost:8000/"),
        ("url:http://localhost:8000/move", "url:http://localhost:8000/move"),
        ("lines:client --log=/tmp/x http://host/y", "lines:client --log=/tmp/x http://host/y"),
    ],
)
def test_folders_are_left_out_and_nothing_else(spec: str, short: str) -> None:
    assert str(BotName.parse(spec).without_folders()) == short


@pytest.mark.parametrize(
    ("spec", "title"),
    [
        ("bots/mine.py:Bot", "Bot"),
        ("kaggle:../a/submission.py", "submission"),
        ("lines:python3 ./a/bot.py", "bot"),
        ("lines:python3 -u 'my bots/my bot.py' -v", "my bot"),
        ("riddles:java -cp bots Bot", "java"),
        ("url:http://localhost:8000/", "localhost"),
        ("openspiel:mcts", "openspiel mcts"),
    ],
)
def test_a_title_is_what_is_played(spec: str, title: str) -> None:
    assert BotName.parse(spec).title == title


@pytest.mark.parametrize(
    ("specs", "titles"),
    [
        (["a/main.py", "b/main.py", "mcts"], ["a/main", "b/main", "mcts"]),
        (["kaggle:x/a/main.py", "kaggle:y/a/main.py"], ["x/a/main", "y/a/main"]),
        (["kaggle:a", "kaggle:b", "kaggle:c/sub.tar.gz"], ["a", "b", "sub"]),
        (["a/main.py", "a/main.py"], ["main", "main"]),
        (["main.py", "b/main.py"], ["main", "b/main"]),
        (["uci:x", "uci:x"], ["x", "x"]),
    ],
)
def test_files_of_one_name_are_told_apart_by_folders(specs: list[str], titles: list[str]) -> None:
    assert distinct_titles([*map(BotName.parse, specs)]) == titles


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        ("kaggle:a/main.py", "kaggle:b/main.py", ("a/main", "b/main")),
        ("a/main.py depth=3", "b/main.py depth=3", ("a/main depth=3", "b/main depth=3")),
        ("a/main.py depth=3", "b/main.py depth=4", ("main.py depth=3", "main.py depth=4")),
        ("mcts", "mcts", ("mcts #1", "mcts #2")),
        ("lines:./bot", "lines:x/bot", ("lines:bot #1", "lines:bot #2")),
    ],
)
def test_opponents_have_different_names(first: str, second: str, names: tuple[str, str]) -> None:
    assert side_names(first, second) == names


def test_a_folder_is_named_by_its_main_in_full(tmp_path: Path) -> None:
    (tmp_path / "bot").mkdir()
    name = BotName.parse("kaggle:bot").in_full(tmp_path)
    assert str(name) == f"kaggle:{tmp_path}/bot/main.py"
    assert str(name.in_short(tmp_path)) == "kaggle:bot/main.py"
    assert name.files == [tmp_path / "bot" / "main.py"]


def test_the_words_of_a_command_that_are_files_are_named_in_full(tmp_path: Path) -> None:
    for file in ("bot.py", "sh"):
        (tmp_path / file).write_text("")
    name = BotName.parse("lines:sh bot.py -v").in_full(tmp_path)
    assert name.command == ("sh", str(tmp_path / "bot.py"), "-v")  # sh is installed
    assert str(name.in_short(tmp_path)) == "lines:sh bot.py -v"


# ---- adapters


class Plain(Adapter):
    """Supports no limits."""

    kind = "plain"

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(position.legal[0])


class Searching(Plain):
    """Supports depth and nodes."""

    kind = "searching"
    supported_limits: ClassVar[frozenset[str]] = frozenset({"nodes", "depth"})
    strength: int = option(3, "how hard it tries", least=1)


@pytest.mark.parametrize(
    "words", ["", "seconds=1", "clock=60+1", "cpu=1", "depth=4 seconds=1", "playouts=9 cpu=1"]
)
def test_the_referee_enforces_time_for_every_bot(words: str) -> None:
    assert Plain("x").check_limits(Limits.parse(words)) is None


def test_unsupported_limits_are_reported() -> None:
    sentence = Plain("x").check_limits(Limits(depth=4, playouts=100))
    assert sentence == "plain bots do not support depth or playouts; use seconds, clock, cpu"
    sentence = Searching("x").check_limits(Limits(playouts=100))
    expected = "searching bots do not support playouts; use depth, nodes, seconds, clock, cpu"
    assert sentence == expected
    assert Searching("x").check_limits(Limits(playouts=100, nodes=5)) is None


def test_boards_in_space_are_refused() -> None:
    Plain("x").check_rules(CONNECT4)
    with pytest.raises(BadRules, match="plain bots play on flat boards, not on 4x4x4"):
        Plain("x").check_rules(SCORE4)


def test_a_command_has_words_some_of_them_in_quotes() -> None:
    words = read_command(f"'{sys.executable}' -c 'print(1)' \"a b\"")
    assert words == [sys.executable, "-c", "print(1)", "a b"]


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
def test_commands_that_start_nothing(line: str, sentence: str) -> None:
    with pytest.raises(EngineFailure, match=sentence):
        read_command(line)


def test_a_script_that_is_not_executable(tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.write_text("print(3)\n")
    for line, folder in ((str(script), ""), ("./bot.py", str(tmp_path))):
        with pytest.raises(EngineFailure, match="is not executable; start a script by its"):
            read_command(line, folder)
    script.chmod(0o755)
    assert read_command("./bot.py -v", str(tmp_path)) == [str(script), "-v"]
