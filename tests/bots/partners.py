"""The bots of the tests, as commands, in the languages that are there."""

from __future__ import annotations

import atexit
import shutil
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from shlex import join
from tempfile import mkdtemp

import pytest

from arena.engine.contract import Choice, Engine, Limits
from arena.game.position import Position

BOTS = Path(__file__).parents[1] / "support" / "programs"
LANGUAGES = ("python", "c", "javascript")


def sensible_bot(language: str, *words: str) -> str:
    """The command of the bot that wins, blocks or plays near the middle."""
    if language == "c":
        return join([compiled(BOTS / "sensible.c"), *words])
    if language == "javascript":
        node = shutil.which("node")
        if node is None:
            pytest.skip("node is not installed")
        return join([node, str(BOTS / "sensible.js"), *words])
    return join([sys.executable, str(BOTS / "sensible.py"), *words])


def naughty_bot(*words: str) -> str:
    """The command of the bot with a fault."""
    return join([sys.executable, str(BOTS / "naughty.py"), *words])


@lru_cache
def compiled(source: Path) -> str:
    """A program made from its source, once for each process of the tests."""
    compiler = shutil.which("c++" if source.suffix == ".cpp" else "cc")
    if compiler is None:
        pytest.skip(f"there is no compiler for {source.suffix}")
    folder = mkdtemp(prefix="arena-bot-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    program = Path(folder) / source.stem
    subprocess.run([compiler, "-O1", "-o", str(program), str(source)], check=True, timeout=120)
    return str(program)


class Sensible(Engine):
    """What the sensible bots should play, by our own rules."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        middle = position.rules.columns // 2
        columns = sorted(position.legal, key=lambda column: abs(column - middle))
        wins = [column for column in columns if position.wins_with(column)]
        blocks = [column for column in columns if self.would_lose(position, column)]
        return Choice([*wins, *blocks, *columns][0])

    def would_lose(self, position: Position, column: int) -> bool:
        """Whether the opponent would complete a line in this column."""
        other, cell = position.opponent, position.landing(column)
        lines = position.rules.lines_through[cell.bit_length() - 1]
        return any((other | cell) & line == line for line in lines)
