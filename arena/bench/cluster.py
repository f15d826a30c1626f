"""The cost of a cluster for its client: random engines on workers of this machine, with journal."""

from __future__ import annotations

import time
from collections.abc import Iterator

from arena.bench.measurements import Measurement, show_measurements
from arena.bench.tables import fresh_agenda, journal, record, seating
from arena.errors import EngineFailure
from arena.table.cluster import cluster_at
from arena.table.dask import MAX_GAMES, DaskRunner

WORKERS = (1, 2, 4)
FED_AIM = 2000.0  # games per second that one client can record


def figures(games: int) -> Iterator[Measurement]:
    """Games per second, and the cost of a game for this process, by number of workers."""
    for workers in WORKERS:
        rate, cost = on_workers(games, workers)
        words = f"{workers} worker{'s' if workers > 1 else ''}"
        yield Measurement(f"games on {words}", "/s", (rate,))
        yield Measurement(f"client processor time per game, {words}", "s", (cost,), 1 / FED_AIM)
    yield Measurement("games one client can record", "/s", (1 / cost,), FED_AIM)
    _, alone = on_workers(games // 10, 2, max_games=1)
    yield Measurement("client processor time per game sent alone", "s", (alone,))
    yield Measurement("workers one client can serve with one-second games", "", (1 / alone,))


def on_workers(games: int, workers: int, max_games: int = MAX_GAMES) -> tuple[float, float]:
    """Games per second, and processor seconds per game of this process with its scheduler.

    The first quarter of the games is not measured: the size of chunks adapts in it.
    """
    with cluster_at(f"local:{workers}") as cluster, journal() as written:
        runner, agenda = DaskRunner(cluster, seating(), max_games=max_games), fresh_agenda(games)
        counted, before, begun, spent = 0, 0, 0.0, 0.0
        try:
            for checked in runner.check():
                if checked.wrong is not None:
                    raise EngineFailure(checked.wrong.partition("\n")[0])
            for events in runner.play(agenda):
                counted += record(events, written, agenda)
                if not begun and counted >= games // 4:
                    begun, spent, before = time.perf_counter(), time.process_time(), counted
            rest = counted - before
            return rest / (time.perf_counter() - begun), (time.process_time() - spent) / rest
        finally:
            runner.close()


def bench_cluster(games: int, as_json: bool) -> None:
    """Measure every figure and print it beside its aim."""
    show_measurements(figures(games), 2 * len(WORKERS) + 3, as_json)
