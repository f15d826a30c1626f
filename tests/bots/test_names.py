"""Engines in full and in short, by the files that they are played from."""

from __future__ import annotations

import pytest

from arena.bots.names import BotName


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
