"""`arena bench`: how fast the arena is on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli import completing
from arena.cli.commands import LightGroup
from arena.cli.exits import FOUND
from arena.cli.options import AsJson, GameName

app = typer.Typer(cls=LightGroup)


@app.callback(invoke_without_command=True)
def bench(context: typer.Context) -> None:
    """Measure how fast the arena is on this machine."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def kernels(
    seconds: Annotated[
        float, typer.Option(min=0.01, max=1e7, help="Processor seconds for a row.")
    ] = 1.0,
    repeats: Annotated[int, typer.Option(min=1, max=1_000_000, help="In how many repeats.")] = 5,
    as_json: AsJson = False,
) -> None:
    """Measure playouts, searches and trees by processor time.

    Example: arena bench kernels --seconds 0.2
    """
    from arena.bench.kernels import bench_kernels

    bench_kernels(seconds, repeats, as_json)


@app.command()
def harness(
    games: Annotated[
        int, typer.Option(min=100, max=10_000_000, help="Games for each measurement.")
    ] = 5000,
    as_json: AsJson = False,
) -> None:
    """Measure what the harness costs around the engines.

    Random plays against random, with telemetry and journal.

    Example: arena bench harness --games 2000
    """
    from arena.bench.harness import bench_harness

    bench_harness(games, as_json)


@app.command()
def strength(
    engines: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ENGINE]...",
            help='Names with options: "alphabeta depth=6"; by default all that are installed.',
            autocompletion=completing.engines,
        ),
    ] = None,
    budget: Annotated[
        list[str] | None,
        typer.Option(
            "--budget",
            metavar="LIMITS",
            help='For a move, as often as you like: "nodes=10000", "seconds=0.1".',
            autocompletion=completing.limits,
        ),
    ] = None,
    positions: Annotated[
        int, typer.Option(min=3, max=1_000_000, help="Questions of the exam.")
    ] = 120,
    games: Annotated[
        int,
        typer.Option(
            min=0,
            max=1_000_000,
            help="Against perfect play from the empty board, and as many from drawn openings; "
            "35 to 380 make intervals of under 10 points.",
        ),
    ] = 0,
    game: GameName = "connect4",
    seed: Annotated[int, typer.Option(help="For positions, openings and engines.")] = 1,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw strength against time, as .svg or .png."),
    ] = None,
    csv: Annotated[
        str | None, typer.Option("--csv", metavar="FILE", help="Write CSV; - prints it.")
    ] = None,
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
    sets: Annotated[
        Path | None,
        typer.Option(
            "--sets", metavar="DIR", help="Where the well-known sets Test_* are; else seeded ones."
        ),
    ] = None,
    empty: Annotated[bool, typer.Option("--empty", help="The empty 7x6 board, exactly.")] = False,
    ablation: Annotated[
        bool, typer.Option("--ablation", help="Each feature switched off or on.")
    ] = False,
    boards: Annotated[bool, typer.Option("--boards", help="Who wins on other boards.")] = False,
    space: Annotated[bool, typer.Option("--space", help="Endgames on 4x4x4.")] = False,
    seconds: Annotated[
        float, typer.Option(min=0.1, max=1e7, help="For each of the other boards.")
    ] = 60.0,
    memory: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="Megabytes of our table.")
    ] = 128,
    as_json: AsJson = False,
) -> None:
    """Measure the exact solver beside a public one.

    Without a part named, the sets are measured; with --empty, --ablation, --boards or --space those
    parts, and the sets too if --sets says where they are. The exit code is 1 if a score is wrong.

    Example: arena bench solver --sets benchmarks --empty
    """
    from arena.bench.solver_tables import bench_solver

    wanted = {"empty": empty, "ablation": ablation, "boards": boards, "space": space}
    parts = [part for part, is_wanted in wanted.items() if is_wanted]
    if not bench_solver(sets, parts, seconds, memory, as_json):
        raise typer.Exit(FOUND)


@app.command()
def clocks(
    engines: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ENGINE]...",
            help="Two or more; by default those that use all the time they have.",
            autocompletion=completing.engines,
        ),
    ] = None,
    limit: Annotated[
        str, typer.Option("--limit", metavar="LIMITS", help='"seconds=0.1", or "cpu=0.1".')
    ] = "seconds=0.1",
    games: Annotated[int, typer.Option(min=1, max=10**6, help="For each pair, at each load.")] = 2,
    busy: Annotated[
        list[int] | None,
        typer.Option(
            "--busy", min=0, max=1000, help="Busy loops beside the tables; as often as you like."
        ),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, max=4096, help="Tables; by default one a core.")
    ] = None,
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
