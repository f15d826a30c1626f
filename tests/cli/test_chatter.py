"""What an engine prints, however it does so, never reaches the stdout of a command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

BOT = '''
import os, sys
from arena import Choice, Engine

def chat():
    print("chatter")
    sys.__stdout__.write("chatter without an end")
    os.write(1, b"chatter past Python\\n")

chat()
os.system("echo chatter of a child")

class Chatty(Engine):
    """Talks all the time."""

    def __init__(self, **options):
        super().__init__(**options)
        chat()

    def warm_up(self):
        chat()

    def new_game(self):
        super().new_game()
        chat()

    def choose(self, position, limits):
        chat()
        return Choice(position.legal[0], score=0.5)

    def opinions(self, position, limits):
        chat()
        return {column: 0.0 for column in position.legal}
'''
FILE = """
name: talk
game: {size: 4x4}
games: 2
engines: [bot.py:Chatty, reflex]
"""
QUICK = ["--game", "4x4", "--games", "2", "--opening-plies", "0"]
SHOW = ["bot.py", "reflex", "--game", "4x4", "--no-history"]


@pytest.mark.parametrize(
    "words",
    [
        ["match", "bot.py", "reflex", *QUICK, "--json"],
        ["match", "bot.py", "reflex", *QUICK, "--workers", "1", "--json"],
        ["check", "bot.py", "--json"],
        ["explain", "11", "--engine", "bot.py", "--game", "4x4", "--json"],
        ["check", "talk.yaml", "--json"],
        ["engines", "bot.py", "--json"],
        ["play", *SHOW, "--pause", "0", "--seed", "1"],
    ],
    ids=lambda words: " ".join(words[:1] + [word for word in words if word == "--workers"]),
)
def test_nothing_that_an_engine_prints_is_on_stdout(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    (tmp_path / "talk.yaml").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    result = run(*words, input="")
    assert result.exit_code == 0, result.output
    assert "chatter" not in result.output
    assert capfd.readouterr() == ("", "")
    if "--json" in words:
        json.loads(result.stdout)
