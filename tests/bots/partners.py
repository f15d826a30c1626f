"""Programs for tests: bots of ours in the languages that are there, and Fairy-Stockfish."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from shlex import join
from tempfile import mkdtemp

import pytest

from arena.bots.uci_words import variant_name, variants_file
from arena.engine.contract import Choice, Engine, Limits
from arena.game import Rules
from arena.game.position import Position

BOTS = Path(__file__).parents[1] / "support" / "programs"
LANGUAGES = ("python", "c")


def sensible_bot(language: str, *words: str) -> str:
    """The command of the bot that wins, blocks or plays near the middle."""
    if language == "c":
        return join([compiled(BOTS / "sensible.c"), *words])
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


# ---- Fairy-Stockfish, without our adapter

# Debian keeps games apart, where not everybody looks for commands.
FAIRY = shutil.which("fairy-stockfish", path=f"{os.environ.get('PATH', '')}:/usr/games")

needs_fairy = pytest.mark.skipif(FAIRY is None, reason="fairy-stockfish is not installed")


class Fairy:
    """A running program."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def ask(self, *lines: str, until: str) -> list[str]:
        """Send lines; the answer up to a line that begins with this."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()
        answer: list[str] = []
        while not answer or not answer[-1].startswith(until):
            line = self.process.stdout.readline()
            assert line, f"it ended before {until!r}: {answer}"
            answer.append(line.rstrip("\n"))
        return answer

    def perft(self, game: str, plies: int) -> int:
        """How many games of so many plies go on from here."""
        answer = self.ask(f"position {game}", f"go perft {plies}", until="Nodes searched")
        return int(answer[-1].split()[-1])


@contextmanager
def fairy(rules: Rules, folder: Path) -> Iterator[Fairy]:
    """The program with a board of ours."""
    file, name = folder / "variants.ini", variant_name(rules)
    file.write_text(variants_file(rules, name))
    assert FAIRY is not None
    with subprocess.Popen(
        [FAIRY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        program = Fairy(process)
        program.ask(f"setoption name VariantPath value {file}", "isready", until="readyok")
        program.ask(f"setoption name UCI_Variant value {name}", until="info string variant")
        yield program
        program.process.communicate("quit\n", timeout=10)
