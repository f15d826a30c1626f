"""The overhead of the harness: random against random, with telemetry and journal."""

from __future__ import annotations

import resource
import sys
import time
import tracemalloc
from collections.abc import Iterator

from arena.bench.measurements import Measurement, show_measurements
from arena.bench.seats import SLOWEST_AIM, plies
from arena.bench.tables import fresh_agenda, heartbeat, journal, on_tables, record, seating
from arena.machine import usable_cores
from arena.table.game import Game
from arena.table.local import NAP
from arena.table.runner import GameOver
from arena.table.table_process import TableEngines, play

PLY_AIM, GAMES_AIM, TABLES_AIM, MEMORY_AIM = 10e-6, 3000.0, 1.85, 300.0
MILLION = 1_000_000
REPEATS, TURNS = 10, 5
FIGURES = 18


def figures(games: int) -> Iterator[Measurement]:
    """Measure and yield one figure after the other."""
    yield from in_process(games)
    yield from in_seats(max(10, games // 10))
    yield from at_tables(games)
    yield Measurement("memory of this process", "MB", (peak_memory(),), MEMORY_AIM)
    yield from a_million()


def peak_memory() -> float:
    """The most megabytes that this process has had."""
    unit = 1 if sys.platform == "darwin" else 1024  # bytes of what the system counts
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20


def in_process(games: int) -> Iterator[Measurement]:
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
    yield Measurement("overhead per ply", "s", tuple(overheads), PLY_AIM)
    yield Measurement("games in one process, by processor time", "/s", tuple(rates), GAMES_AIM)


def in_seats(games: int) -> Iterator[Measurement]:
    """Time a ply from question to recorded move: in this process, and through a pipe."""
    for name, usual, slowest, aim in plies(games):
        slowest_aim = SLOWEST_AIM if aim else None
        yield Measurement(f"ply of {name}, median", "s", (usual,), aim or None)
        yield Measurement(f"ply of {name}, 99th percentile", "s", (slowest,), slowest_aim)


def at_tables(games: int) -> Iterator[Measurement]:
    """Compare one table with two, taking turns; one process owns them and keeps the journal."""
    measured = [(on_tables(games, 1), on_tables(2 * games, 2)) for _ in range(TURNS)]
    one, two = (tuple(each.rate for each in side) for side in zip(*measured, strict=True))
    yield Measurement("games on one table", "/s", one, GAMES_AIM)
    yield Measurement("games on two tables", "/s", two)
    ratios = tuple(both / alone for alone, both in zip(one, two, strict=True))
    aim = TABLES_AIM if usable_cores() > 1 else None
    yield Measurement("two tables against one", "times", ratios, aim)
    owners = [times for _, times in measured]
    yield Measurement("main process, per game", "s", tuple(each.whole for each in owners))
    yield Measurement("  journal", "s", tuple(each.journal for each in owners))
    yield Measurement("  schedule", "s", tuple(each.schedule for each in owners))
    yield Measurement("  pipes and events", "s", tuple(each.rest for each in owners))


def a_million() -> Iterator[Measurement]:
    """The cost of scheduling a million games, before the first is played."""
    begin = time.process_time()
    fresh_agenda(MILLION).take()
    spent = time.process_time() - begin
    tracemalloc.start()  # not earlier: tracing is slow
    fresh_agenda(MILLION).take()
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    yield Measurement("scheduling a million games", "s", (spent,))
    yield Measurement("memory of that schedule", "MB", (peak,))


def bench_harness(games: int, as_json: bool) -> None:
    """Measure every figure and print it beside its aim."""
    show_measurements(figures(games), FIGURES, as_json)
