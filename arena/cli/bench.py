"""`arena bench`: the speed of this machine and the strength of engines."""

from __future__ import annotations

from pathlib import Path

import typer

from arena.cli.exits import PROBLEM
from arena.cli.options import (
    MAX_WORKERS,
    AsJson,
    GameName,
    argument,
    complete_engines,
    option,
    seconds,
)


def bench(context: typer.Context) -> None:
    """Measure speed and strength on this machine."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def kernels(
    only: str = option("", "--only WORDS", "Measure only rows with this in their name."),
    seconds: float = seconds(1.0, "--seconds TIME", "Processor time per row.", least=0.01),
    repeats: int = option(5, "--repeats", "Number of repeats.", min=1, max=1_000_000),
    as_json: AsJson = False,
) -> None:
    """Measure the speed of playouts, searches, trees and networks.

    Example: arena bench kernels --only "fixed cost" --seconds 0.2
    """
    from arena.bench.kernels import bench_kernels

    bench_kernels(only, seconds, repeats, as_json)


def harness(
    games: int = option(5000, "--games", "Games for each measurement.", min=100, max=10_000_000),
    as_json: AsJson = False,
) -> None:
    """Measure the overhead of the harness.

    Random engines play each other, with telemetry and journal.

    Example: arena bench harness --games 2000
    """
    from arena.bench.harness import bench_harness

    bench_harness(games, as_json)


def cluster(
    games: int = option(20_000, "--games", "Games for each measurement.", min=100, max=10_000_000),
    as_json: AsJson = False,
) -> None:
    """Measure what cluster games cost the client.

    Random engines play each other on 1, 2 and 4 workers of this machine, with a journal. The
    processor time of the client and its scheduler limits the games per second that one client can
    record, however many workers there are. Games of a second or more are sent one by one, which
    costs more and limits the number of workers that one client can serve.

    Example: arena bench cluster --games 5000
    """
    from arena.bench.cluster import bench_cluster

    bench_cluster(games, as_json)


def strength(
    engines: list[str] | None = argument(
        None,
        "[ENGINE]...",
        'Engines with options: "alphabeta depth=6"; by default all installed ones.',
        complete_engines,
    ),
    budget: list[str] | None = option(
        None, "--budget LIMITS", 'Limit of a move: "nodes=10000", "seconds=0.1"; may be repeated.'
    ),
    positions: int = option(120, "--positions", "Number of exam positions.", min=3, max=1_000_000),
    games: int = option(
        0,
        "--games",
        "Games against perfect play from the empty board, and as many from drawn openings; "
        "35 to 380 games give intervals of under 10 points.",
        min=0,
        max=1_000_000,
    ),
    game: GameName = "connect4",
    seed: int = option(1, "--seed", "Seed of positions, openings and engines."),
    as_json: AsJson = False,
) -> None:
    """Measure the strength of engines with the exact solver.

    Every engine answers the same positions. With --games, it also plays against perfect play, as
    first player on the empty board and from both sides of drawn openings. Scores are shown if there
    are enough games. Without --budget, each engine gets 100, 1,000 and 10,000 nodes a move, and
    everything except the times is the same on every machine.

    Example: arena bench strength alphabeta mcts --budget seconds=0.01 --budget seconds=0.1
    """
    from arena.bench.strength_tables import bench_strength

    bench_strength(engines or [], budget or [], game, positions, games, seed, as_json)


def solver(
    sets: Path | None = option(
        None, "--sets DIR", "Folder of the public sets Test_*; by default, seeded sets."
    ),
    empty: bool = option(False, "--empty", "Solve the empty 7x6 board."),
    memory: int = option(128, "--memory", "Megabytes of Arena's table.", min=1, max=1_000_000),
    as_json: AsJson = False,
) -> None:
    """Measure the exact solver, beside a public one.

    With --empty, the sets are measured only if --sets is given. The exit code is 1 if a score is
    wrong.

    Example: arena bench solver --sets benchmarks --empty
    """
    from arena.bench.solver_tables import bench_solver

    if not bench_solver(sets, empty, memory, as_json):
        raise typer.Exit(PROBLEM)


def clocks(
    engines: list[str] | None = argument(
        None,
        "[ENGINE]...",
        "Two or more engines; by default those that use all their time.",
        complete_engines,
    ),
    limit: str = option(
        "seconds=0.1", "--limit LIMITS", 'Limit of a move: "seconds=0.1" or "cpu=0.1".'
    ),
    games: int = option(2, "--games", "Games for each pair, at each load.", min=1, max=10**6),
    busy: list[int] | None = option(
        None, "--busy", "Number of busy loops; may be repeated.", min=0, max=1000
    ),
    workers: int | None = option(
        None,
        "--workers",
        "Games played in parallel; by default one per core.",
        min=1,
        max=MAX_WORKERS,
    ),
    game: GameName = "connect4",
    as_json: AsJson = False,
) -> None:
    """Measure how well engines keep their time on a busy machine.

    The engines play each other, first on the machine as it is, then beside twice as many busy loops
    as there are cores. Lateness is time relative to the limit, by the wall or, for cpu, by the
    processor; negative values are early. An answer later than the margin loses the game on time;
    time spent waiting for a processor is not counted.

    Example: arena bench clocks iterative mcts --limit seconds=0.05 --busy 4
    """
    from arena.bench.clocks import bench_clocks

    bench_clocks(engines, limit, games, busy, workers, game, as_json)


BENCHMARKS = (kernels, harness, cluster, strength, solver, clocks)
