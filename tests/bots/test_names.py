"""Names of engines and their parts: kinds, files, commands, titles."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bots.names import BotName, distinct_titles, side_names


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
    ("spec", "file", "other"),
    [
        ("bots/*.py", "bots/*.py", "x.py"),
        ("bots/*.py:Bot", "bots/*.py", "x.py:Bot"),
        ("kaggle:a.py", "a.py", "kaggle:x.py"),
        ("openspiel:a.py:Bot", "a.py", "openspiel:x.py:Bot"),
        ("openspiel:mcts", None, "openspiel:mcts"),
        ("lines:python3 a.py", None, "lines:python3 a.py"),
        ("url:http://x/a.py", None, "url:http://x/a.py"),
        ("mcts", None, "mcts"),
    ],
)
def test_the_file_of_an_engine_can_be_another(spec: str, file: str | None, other: str) -> None:
    name = BotName.parse(spec)
    assert (name.file or None) == file
    if file is not None:
        assert str(name.rename(lambda _: "x.py")) == other


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
    assert name.with_files({str(tmp_path / "bot.py"): "/x/y.py"}).command[1] == "/x/y.py"
