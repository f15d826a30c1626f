"""The cost of a ply of engines that do not think: built in, a Python bot, and a program in C."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from arena.bots.find import build_engine
from arena.bots.hosted import PipedEngine
from arena.engine.contract import Engine, Limits
from arena.game.rules import CONNECT4
from arena.table.referee import ONE_GAME, Referee

LIMITS = Limits(depth=1)
SEAT_AIM, PROGRAM_AIM, SLOWEST_AIM = 60e-6, 100e-6, 1e-3  # seconds
IN_PYTHON = """
from arena import Choice, Engine


class First(Engine):
    def choose(self, position, limits):
        return Choice(position.legal[0])
"""
IN_C = """
#include <stdio.h>

int main(void) {
    int heights[7] = {0}, column;
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "%d", &column) == 1) heights[column]++;
        for (column = 0; heights[column] == 6; column++);
        heights[column]++;
        printf("%d\\n", column);
        fflush(stdout);
    }
    return 0;
}
"""


def plies(games: int) -> Iterator[tuple[str, float, float, float]]:
    """For each kind of engine: its name, the median and 99th percentile of a ply, and an aim."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "first.py"
        file.write_text(IN_PYTHON)
        yield "a built-in engine", *_measure("random", games), 0.0
        yield "a Python bot", *_measure(f"{file}:First", games), SEAT_AIM
        program = _compile(Path(folder))
        if program is not None:
            yield "a C program", *_measure(f"lines:{program}", games), PROGRAM_AIM


def _measure(engine: str, games: int) -> tuple[float, float]:
    """Seconds of a ply from question to recorded move: median and 99th percentile."""
    engines = build_engine(engine), build_engine(engine)
    for each in engines:
        each.get_ready(CONNECT4)
    seconds = [second for seed in range(games) for second in _game(engines, seed)]
    for each in engines:
        if isinstance(each, PipedEngine):
            each.close()
    return median(seconds), quantiles(seconds, n=100)[-1]


def _game(engines: tuple[Engine, Engine], seed: int) -> list[float]:
    """Seconds of the plies of a game, except the first two, which start programs."""
    referee = Referee(engines, CONNECT4, LIMITS, ONE_GAME._replace(seed=seed))
    seconds, goes_on = [], True
    while goes_on:
        begun = perf_counter()
        goes_on = referee.ask()
        seconds.append(perf_counter() - begun)
    return seconds[2:]


def _compile(folder: Path) -> Path | None:
    """Compile the C program; None without a compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    source, program = folder / "first.c", folder / "first"
    source.write_text(IN_C)
    subprocess.run([compiler, "-O2", "-o", str(program), str(source)], check=True)
    return program
