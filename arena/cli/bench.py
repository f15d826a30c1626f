"""`arena bench`: how fast the arena is on this machine."""

from __future__ import annotations

from pathlib import Path

import typer

from arena.cli import completing
from arena.cli.commands import LightGroup
from arena.cli.exits import FOUND
from arena.cli.options import AsJson, CsvFile, GameName, argument, option

app = typer.Typer(cls=LightGroup)


@app.callback(invoke_without_command=True)
def bench(context: typer.Context) -> None:
    """Measure speed and strength on this machine."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def kernels(
    seconds: float = option(1.0, "--seconds", "Processor seconds for a row.", min=0.01, max=1e7),
    repeats: int = option(5, "--repeats", "In how many repeats.", min=1, max=1_000_000),
    as_json: AsJson = False,
) -> None:
    """Measure playouts, searches, trees and networks by processor time.

    Example: arena bench kernels --seconds 0.2
    """
    from arena.bench.kernels import bench_kernels

    bench_kernels(seconds, repeats, as_json)


@app.command()
def harness(
    games: int = option(5000, "--games", "Games for each measurement.", min=100, max=10_000_000),
    as_json: AsJson = False,
) -> None:
    """Measure what the harness costs around the engines.

    Random plays against random, with telemetry and journal.

    Example: arena bench harness --games 2000
    """
    from arena.bench.harness import bench_harness

    bench_harness(games, as_json)


@app.command()
def cluster(
    games: int = option(20_000, "--games", "Games for each measurement.", min=100, max=10_000_000),
    as_json: AsJson = False,
) -> None:
    """Measure what a game of a cluster costs at home.

    Random plays against random on 1, 2 and 4 workers of this machine, with journal. The processor
    time at home is that of the client and of its scheduler: it tells how many games a second
    one client can take in, however many workers there are. Games that last a second or more travel
    alone, which costs more: that tells how many workers one client can feed with them.

    Example: arena bench cluster --games 5000
    """
    from arena.bench.cluster import bench_cluster

    bench_cluster(games, as_json)


@app.command()
def strength(
    engines: list[str] | None = argument(
        None,
        "[ENGINE]...",
        'Names with options: "alphabeta depth=6"; by default all that are installed.',
        completing.engines,
    ),
    budget: list[str] | None = option(
        None,
        "--budget LIMITS",
        'For a move, as often as you like: "nodes=10000", "seconds=0.1".',
        completing.limits,
    ),
    positions: int = option(120, "--positions", "Questions of the exam.", min=3, max=1_000_000),
    games: int = option(
        0,
        "--games",
        "Against perfect play from the empty board, and as many from drawn openings; "
        "35 to 380 make intervals of under 10 points.",
        min=0,
        max=1_000_000,
    ),
    game: GameName = "connect4",
    seed: int = option(1, "--seed", "For positions, openings and engines."),
    plot: Path | None = option(None, "--plot FILE", "Draw strength against time, as .svg or .png."),
    csv: CsvFile = None,
    as_json: AsJson = False,
) -> None:
    """Measure how strong engines are, by the exact solver.

    Every engine answers the same positions. With --games it also plays against perfect play:
    moving first on the empty board, and from both sides of openings that are a draw; scores are
    shown where that was often enough to say something. Without a budget each gets 100, 1,000 and
    10,000 nodes a move; then all but the times is the same on every machine.

    Example: arena bench strength alphabeta mcts --budget seconds=0.01 --budget seconds=0.1
    """
    from arena.bench.strength_tables import Output, bench_strength

    output = Output(plot, csv, as_json)
    bench_strength(engines or [], budget or [], game, positions, games, seed, output)


@app.command()
def solver(
    sets: Path | None = option(
        None, "--sets DIR", "Where the well-known sets Test_* are; else seeded ones."
    ),
    empty: bool = option(False, "--empty", "The empty 7x6 board, exactly."),
    boards: bool = option(False, "--boards", "Who wins on other boards."),
    space: bool = option(False, "--space", "Endgames on 4x4x4."),
    seconds: float = option(60.0, "--seconds", "For each of the other boards.", min=0.1, max=1e7),
    memory: int = option(128, "--memory", "Megabytes of our table.", min=1, max=1_000_000),
    as_json: AsJson = False,
) -> None:
    """Measure the exact solver beside a public one.

    Without a part named, the sets are measured; with --empty, --boards or --space those parts, and
    the sets too if --sets says where they are. The exit code is 1 if a score is wrong.

    Example: arena bench solver --sets benchmarks --empty
    """
    from arena.bench.solver_tables import bench_solver

    wanted = {"empty": empty, "boards": boards, "space": space}
    parts = [part for part, is_wanted in wanted.items() if is_wanted]
    if not bench_solver(sets, parts, seconds, memory, as_json):
        raise typer.Exit(FOUND)


@app.command()
def clocks(
    engines: list[str] | None = argument(
        None,
        "[ENGINE]...",
        "Two or more; by default those that use all the time they have.",
        completing.engines,
    ),
    limit: str = option("seconds=0.1", "--limit LIMITS", '"seconds=0.1", or "cpu=0.1".'),
    games: int = option(2, "--games", "For each pair, at each load.", min=1, max=10**6),
    busy: list[int] | None = option(
        None, "--busy", "Busy loops beside the tables; as often as you like.", min=0, max=1000
    ),
    workers: int | None = option(
        None, "--workers", "Tables; by default one a core.", min=1, max=4096
    ),
    game: GameName = "connect4",
    as_json: AsJson = False,
) -> None:
    """Measure how well engines keep their time on a busy machine.

    They play each other on tables, first as the machine is, then beside twice as many busy loops
    as there are cores. Lateness is by the clock on the wall, against the limit: below 0 is early.
    A game is lost on time when an answer is later than the margin, what the engine had to wait
    for a processor not counted.

    Example: arena bench clocks iterative mcts --limit seconds=0.05 --busy 4
    """
    from arena.bench.clocks import bench_clocks

    bench_clocks(engines, limit, games, busy, workers, game, as_json)
