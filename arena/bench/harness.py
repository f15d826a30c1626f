"""The overhead of the harness: random against random, with telemetry and journal."""

from __future__ import annotations

import resource
import time
import tracemalloc
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from arena.bench import aim_cell, machine
from arena.bench.seats import SLOWEST_AIM, plies
from arena.bench.tables import fresh_agenda, heartbeat, journal, on_tables, record, seating
from arena.machine import usable_cores
from arena.show.numbers import amount, duration
from arena.show.progress import Progress
from arena.show.table import Column, Table
from arena.show.terminal import console, print_json
from arena.table.game import Game
from arena.table.local import NAP
from arena.table.runner import GameOver
from arena.table.table_process import TableEngines, play

PLY_AIM, GAMES_AIM, TABLES_AIM, MEMORY_AIM = 10e-6, 3000.0, 1.85, 300.0
MILLION = 1_000_000
REPEATS, TURNS = 10, 5
FIGURES = 18


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value with its unit and its aim."""

    name: str
    value: float
    unit: str
    aim: float | None = None
    more_is_better: bool = True

    @property
    def reached(self) -> bool | None:
        """True if the aim is met; None without an aim."""
        if self.aim is None:
            return None
        return self.value >= self.aim if self.more_is_better else self.value <= self.aim


def figures(games: int) -> Iterator[Figure]:
    """Measure and yield one figure after the other."""
    yield from in_process(games)
    yield from in_seats(max(10, games // 10))
    yield from at_tables(games)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield Figure("memory of this process", peak, "MB", MEMORY_AIM, more_is_better=False)
    yield from a_million()


def in_process(games: int) -> Iterator[Figure]:
    """Play and record in one process: the overhead of table and owner, without the engines' time.

    Games that end at nearly the same time share a commit, as they do in a run.
    """
    engines = TableEngines(seating(), heartbeat())
    with journal() as written:
        agenda = fresh_agenda(games)
        overheads, rates = [], []
        for _ in range(REPEATS):
            rows: list[Game] = []
            recorded = 0
            begin = time.process_time()
            moment = time.monotonic() + NAP
            while len(rows) < games // REPEATS and (game := agenda.take()) is not None:
                played = play(game, engines)
                assert isinstance(played, Game)
                rows.append(played)
                if time.monotonic() >= moment or len(rows) == games // REPEATS:
                    events = [GameOver(0, row) for row in rows[recorded:]]
                    recorded += record(events, written, agenda)
                    moment = time.monotonic() + NAP
            spent = time.process_time() - begin
            rates.append(len(rows) / spent)
            thought = sum(move.cpu for row in rows for move in row.move_records())
            overheads.append((spent - thought) / sum(len(row.moves) for row in rows))
    overhead, rate = median(overheads), median(rates)
    yield Figure("overhead per ply", overhead, "s", PLY_AIM, more_is_better=False)
    yield Figure("games in one process, by processor time", rate, "/s", GAMES_AIM)


def in_seats(games: int) -> Iterator[Figure]:
    """Time a ply from question to recorded move: in this process, and through a pipe."""
    for name, usual, slowest, aim in plies(games):
        slowest_aim = SLOWEST_AIM if aim else None
        yield Figure(f"ply of {name}, median", usual, "s", aim or None, more_is_better=False)
        yield Figure(f"ply of {name}, 99th percentile", slowest, "s", slowest_aim, False)


def at_tables(games: int) -> Iterator[Figure]:
    """Compare one table with two, taking turns; one process owns them and keeps the journal."""
    measured = [(on_tables(games, 1), on_tables(2 * games, 2)) for _ in range(TURNS)]
    yield Figure("games on one table", median(one.rate for one, _ in measured), "/s", GAMES_AIM)
    yield Figure("games on two tables", median(two.rate for _, two in measured), "/s")
    ratio = median(two.rate / one.rate for one, two in measured)
    aim = TABLES_AIM if usable_cores() > 1 else None
    yield Figure("two tables against one", ratio, "times", aim)
    owner = [two for _, two in measured]
    yield Figure("main process, per game", median(each.whole for each in owner), "s")
    yield Figure("  journal", median(each.journal for each in owner), "s")
    yield Figure("  schedule", median(each.schedule for each in owner), "s")
    yield Figure("  pipes and events", median(each.rest for each in owner), "s")


def a_million() -> Iterator[Figure]:
    """The cost of scheduling a million games, before the first is played."""
    begin = time.process_time()
    fresh_agenda(MILLION).take()
    spent = time.process_time() - begin
    tracemalloc.start()  # not earlier: tracing is slow
    fresh_agenda(MILLION).take()
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    yield Figure("scheduling a million games", spent, "s")
    yield Figure("memory of that schedule", peak, "MB")


def bench_harness(games: int, as_json: bool) -> None:
    """Measure every figure and print it beside its aim."""
    measured = []
    with Progress("measuring", FIGURES, at_once=True) as progress:
        for figure in figures(games):
            measured.append(figure)
            progress.at(len(measured))
            progress.show(len(measured))
    if as_json:
        print_json({"machine": machine(), "figures": as_data(measured)})
    else:
        print_figures(measured)


def as_data(measured: Sequence[Figure]) -> list[dict[str, Any]]:
    """Convert figures for JSON."""
    return [{**asdict(figure), "reached": figure.reached} for figure in measured]


def print_figures(measured: Sequence[Figure]) -> None:
    """Print figures beside their aims."""
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
