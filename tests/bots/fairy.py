"""Fairy-Stockfish as it comes with the system, spoken to without any code of ours between."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.bots.uci_words import variant_name, variants_file
from arena.game import Rules

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
