"""What the harness costs around the engines: random against random, telemetry and journal on."""

from __future__ import annotations

import resource
import tempfile
import time
import tracemalloc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from arena.bench import aim_cell, machine
from arena.bench.seats import SLOWEST_AIM, plies
from arena.engine.contract import Limits
from arena.game.rules import CONNECT4
from arena.journal import Contestant, Header, Journal
from arena.play.heartbeat import Heartbeat
from arena.play.record import GameRow
from arena.play.seating import Seating
from arena.play.table_engines import TableEngines
from arena.play.table_process import play
from arena.runners.local import GameOver, LocalRunner
from arena.show.numbers import amount, duration
from arena.show.progress import Progress
from arena.show.table import Column, Table
from arena.show.terminal import console, print_json
from arena.tournament.agenda import Agenda
from arena.tournament.formats import RoundRobin
from arena.tournament.openings import NoOpenings
from arena.tournament.schedule import Player, Schedule

PLY_AIM, GAMES_AIM, MEMORY_AIM = 10e-6, 3000.0, 300.0
MILLION = 1_000_000
REPEATS = 10
FIGURES = 14
NAMES = ("random 1", "random 2")


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing measured: its value, its unit, and what is aimed for."""

    name: str
    value: float
    unit: str
    aim: float | None = None
    more_is_better: bool = True

    @property
    def reached(self) -> bool | None:
        """Whether the aim is met; None where there is none."""
        if self.aim is None:
            return None
        return self.value >= self.aim if self.more_is_better else self.value <= self.aim


def seating() -> Seating:
    """Two random players."""
    options: dict[str, Any] = {}
    players = tuple(Player(name, "random", options, Limits(depth=1)) for name in NAMES)
    return Seating(CONNECT4, players, margin=0.02, patience=60.0, memory=None, max_plies=None)


def figures(games: int) -> Iterator[Figure]:
    """All measurements, each as soon as it is there."""
    yield from in_process(games)
    yield from in_seats(max(10, games // 10))
    one = on_tables(games, 1)
    yield Figure("games on one table", one, "/s", GAMES_AIM)
    two = on_tables(2 * games, 2)
    yield Figure("games on two tables", two, "/s")
    yield Figure("two tables against one", two / one, "times")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield Figure("memory of this process", peak, "MB", MEMORY_AIM, more_is_better=False)
    yield from a_million()


def in_process(games: int) -> Iterator[Figure]:
    """One process does it all: what a table and the owner spend, engines' own time apart."""
    seated = seating()
    heartbeat = Heartbeat(_Plain())
    engines = TableEngines(seated, heartbeat)
    with journal() as written:
        agenda = fresh_agenda(games)
        overheads, rates = [], []
        for _ in range(REPEATS):
            rows: list[GameRow] = []
            begin = time.process_time()
            while len(rows) < games // REPEATS and (game := agenda.take()) is not None:
                row = play(game, engines)
                written.write(row)
                agenda.done(row.number)
                rows.append(row)
            spent = time.process_time() - begin
            rates.append(len(rows) / spent)
            thought = sum(move.cpu for row in rows for move in row.move_records())
            overheads.append((spent - thought) / sum(len(row.moves) for row in rows))
    overhead, rate = median(overheads), median(rates)
    yield Figure("overhead a ply", overhead, "s", PLY_AIM, more_is_better=False)
    yield Figure("games in one process, by processor time", rate, "/s", GAMES_AIM)


def in_seats(games: int) -> Iterator[Figure]:
    """A ply, from before the question to its record: in this process, and at the end of a pipe."""
    for name, usual, slowest, aim in plies(games):
        slowest_aim = SLOWEST_AIM if aim else None
        yield Figure(f"ply of {name}, median", usual, "s", aim or None, more_is_better=False)
        yield Figure(f"ply of {name}, 99th percentile", slowest, "s", slowest_aim, False)


def on_tables(games: int, workers: int) -> float:
    """Games a second, from the first to the last that is recorded."""
    runner = LocalRunner(seating(), workers)
    with journal() as written:
        agenda = fresh_agenda(games)
        begin, counted = 0.0, 0
        try:
            for event in runner.play(agenda):
                if isinstance(event, GameOver):
                    begin = begin or time.perf_counter()
                    written.write(event.row)
                    agenda.done(event.row.number)
                    counted += 1
            return (counted - 1) / (time.perf_counter() - begin)
        finally:
            runner.close()


def a_million() -> Iterator[Figure]:
    """What a schedule of a million games costs before its first game."""
    begin = time.process_time()
    fresh_agenda(MILLION).take()
    spent = time.process_time() - begin
    tracemalloc.start()  # not before: tracing takes many times as long
    fresh_agenda(MILLION).take()
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    yield Figure("scheduling a million games", spent, "s")
    yield Figure("memory of that schedule", peak, "MB")


def fresh_agenda(games: int) -> Agenda:
    """Two players, so many games, nothing played yet."""
    schedule = Schedule(RoundRobin(), 2, games, True, NoOpenings(), 1)
    return Agenda(schedule, frozenset(), list)


@contextmanager
def journal() -> Iterator[Journal]:
    """A journal that is thrown away."""
    players = tuple(Contestant(name, "random", {}, "depth=1") for name in NAMES)
    header = Header("bench", "connect4", 1, "", {}, "bench", players, {}, time.time())
    with (
        tempfile.TemporaryDirectory() as folder,
        Journal.open(Path(folder) / "games.db", header) as written,
    ):
        yield written


class _Plain:
    """Stands in for a process context where nothing is shared."""

    def RawArray(self, kind: str, size: int) -> list[float]:  # noqa: N802  # its name there
        return [0] * size


def bench_harness(games: int, as_json: bool) -> None:
    """Measure every figure, and print them beside their aims."""
    measured = []
    with Progress("measuring", FIGURES, at_once=True) as progress:
        for figure in figures(games):
            measured.append(figure)
            progress.at(len(measured))
            progress.show(len(measured))
    print_figures(measured, as_json)


def print_figures(measured: Sequence[Figure], as_json: bool) -> None:
    """Figures beside their aims, or as JSON."""
    if as_json:
        data = [{**asdict(figure), "reached": figure.reached} for figure in measured]
        print_json({"machine": machine(), "figures": data})
        return
    cells = tuple(
        (
            figure.name,
            _in_words(figure.value, figure.unit),
            aim_cell(_in_words(figure.aim or 0.0, figure.unit), figure.reached),
        )
        for figure in measured
    )
    table = Table("", (Column(""), Column("measured", str), Column("aim", str)), cells)
    console().print(table.screen(ruled=False))


def _in_words(value: float, unit: str) -> str:
    return duration(value) if unit == "s" else f"{amount(value)} {unit}".replace(" /s", "/s")
