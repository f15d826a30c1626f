"""What a report over a million games takes: `python -m tests.benchmarks.report_million [GAMES]`.

Games of six engines are made up at random, legal and with telemetry for every move, in a folder
that is removed afterwards. `arena report` then runs in a process of its own, on one core, with
plots. After it, the ratings of a thousand engines.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arena.engine.contract import Limits
from arena.journal import Contestant, Header, Journal
from arena.standings.batch import telemetry_layout
from arena.standings.rating import rate
from arena.table.game import Game

GAMES, BATCH, OPENING = 1_000_000, 50_000, 2
ENGINES = ("random", "reflex", "minimax", "alphabeta", "iterative", "mcts")
NODES = (0, 10, 2_800, 600, 20_000, 2_000)
DEPTH = (-1, 2, 4, 4, 9, -1)
COLUMNS, ROWS, CELLS = 7, 6, 42
LINE = "(1,1) (2,1) (3,1) (4,1)"
FULL_COLUMN = ROWS + 1  # bits of a column, one of them always empty

Numbers = NDArray[np.int64]
Words = NDArray[np.uint64]


def make_header() -> Header:
    """Six engines, as a tournament file names them."""
    players = tuple(
        Contestant(name, name, {} if depth < 0 else {"depth": depth}, str(Limits()))
        for name, depth in zip(ENGINES, DEPTH, strict=True)
    )
    return Header("million", "connect4", 1, "name: million\n", {}, "0" * 64, players, {}, 1.7e9)


def play(count: int, random: np.random.Generator) -> tuple[NDArray[np.uint8], Numbers, Numbers]:
    """Games at random to their end: columns, plies, and the results of the first player.

    Two in a row have the same opening.
    """
    moves = np.zeros((count, CELLS), np.uint8)
    heights = np.zeros((count, COLUMNS), np.int64)
    discs: list[Words] = [np.zeros(count, np.uint64) for _ in range(2)]
    plies, result = np.full(count, CELLS), np.zeros(count, np.int64)
    openings = np.repeat(random.integers(0, COLUMNS, (count // 2 + 1, OPENING)), 2, axis=0)
    going = np.arange(count)
    for ply in range(CELLS):
        wishes = np.where(heights[going] < ROWS, random.random((len(going), COLUMNS)), -1.0)
        column = openings[going, ply] if ply < OPENING else wishes.argmax(axis=1)
        place = column * FULL_COLUMN + heights[going, column]
        moves[going, ply] = column
        heights[going, column] += 1
        own = discs[ply % 2]
        own[going] |= np.uint64(1) << place.astype(np.uint64)
        won = has_line(own[going])
        result[going[won]] = 1 if ply % 2 == 0 else -1
        plies[going[won]] = ply + 1
        going = going[~won]
    return moves, plies, result


def has_line(discs: Words) -> NDArray[np.bool_]:
    """Whether four discs of a board stand in a line."""
    found = np.zeros(len(discs), bool)
    for step in (1, FULL_COLUMN - 1, FULL_COLUMN, FULL_COLUMN + 1):
        two = discs & (discs >> np.uint64(step))
        found |= (two & (two >> np.uint64(2 * step))) != 0
    return found


def make_rows(count: int, random: np.random.Generator) -> Iterator[Game]:
    """So many games in the order of their numbers; two in a row are a pair with swapped seats."""
    for start in range(0, count, BATCH):
        size = min(BATCH, count - start)
        moves, plies, result = play(size, random)
        pair = (start + np.arange(size)) // 2
        one = pair % len(ENGINES)
        other = (one + 1 + pair // len(ENGINES) % (len(ENGINES) - 1)) % len(ENGINES)
        swapped = (start + np.arange(size)) % 2 == 1
        seats = np.stack([np.where(swapped, other, one), np.where(swapped, one, other)], axis=1)
        told = make_telemetry(seats, plies - OPENING, random)
        whole = zip(seats.tolist(), plies.tolist(), result.tolist(), strict=True)
        for place, ((first, second), length, points) in enumerate(whole):
            number, columns = start + place, moves[place, :length].tobytes()
            name = ENGINES[first if points > 0 else second]
            yield Game(
                number, number // 60, first, second, columns[:OPENING], columns, points,
                "line" if points else "full board", f"{name} made a row {LINE}" if points else "",
                number * 7919, 1.7e9 + number / 50, 0.25, told[place],
            )  # fmt: skip


def make_telemetry(seats: Numbers, lengths: Numbers, random: np.random.Generator) -> list[bytes]:
    """Figures for each move as a journal keeps them: fewer nodes as the board fills."""
    told = [b""] * len(seats)
    nodes_of, depth_of = np.array(NODES), np.array(DEPTH)
    for length in np.unique(lengths).tolist():
        chosen = np.flatnonzero(lengths == length)
        player = seats[chosen][:, (np.arange(length) + OPENING) % 2]
        shape = player.shape
        spread = random.lognormal(0, 0.4, shape) * np.exp(-np.arange(length) / 25)
        data = np.zeros(len(chosen), telemetry_layout(length))
        data["nodes"] = np.where(nodes_of[player] > 0, nodes_of[player] * spread, -1)
        data["depth"] = depth_of[player]
        data["score"] = random.normal(0, 20, shape)
        data["cpu"] = 1e-5 + 1e-7 * nodes_of[player] * spread
        data["time"] = data["cpu"] * 1.05
        packed, size = data.tobytes(), data.itemsize
        for place, game in enumerate(chosen.tolist()):
            told[game] = packed[place * size : (place + 1) * size]
    return told


def write_journal(path: Path, count: int) -> None:
    """A journal with so many games."""
    random = np.random.default_rng(1)
    with Journal.open(path, make_header()) as journal:
        journal.begin_session("arena run million.yaml", 2)
        with journal.together():
            for row in make_rows(count, random):
                journal.write(row)
        journal.end_session("all games are played")


def report(journal: Path, out: Path) -> dict[str, float]:
    """Write a report in a process of its own, which may use one core; tell what it took."""
    command = [sys.executable, "-c", "from arena.cli import main; main()", "report", str(journal)]
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([*command, "--out", str(out)], check=True, env={**os.environ, **threads})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "CPU seconds": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "wall seconds": time.perf_counter() - start,
        "memory, MB": after.ru_maxrss / 1024,
    }


def many_ratings(engines: int = 1000, games: int = 1_000_000) -> float:
    """Processor time for the ratings of many engines that met at random."""
    random = np.random.default_rng(2)
    strength = random.normal(0, 1, engines)
    first, second = random.integers(0, engines, (2, games))
    won = random.random(games) < 1 / (1 + np.exp(strength[second] - strength[first]))
    outcomes = np.zeros((engines, engines, 3), np.int64)
    other = first != second
    np.add.at(outcomes, (first[other], second[other], 2 * won[other].astype(int)), 1)
    start = time.process_time()
    rate(outcomes, names=[str(number) for number in range(engines)])
    return time.process_time() - start


def main() -> None:
    """Make the journal, write the report, print the figures."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "games.db"
        write_journal(journal, count)
        print(f"{count:,} games, {journal.stat().st_size / 2**20:.0f} MB")
        for name, value in report(journal, Path(folder) / "report").items():
            print(f"{name:14} {value:8.1f}")
    print(f"ratings of 1,000 engines: {many_ratings():.1f} CPU seconds")


if __name__ == "__main__":
    main()
