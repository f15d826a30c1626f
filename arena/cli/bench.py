"""`arena bench`: how fast the arena is on this machine."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli import completing
from arena.cli.commands import LightGroup
from arena.cli.exits import FOUND
from arena.cli.options import AsJson, GameName

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from arena.bench import Rate

BUSY = 1.25  # wall time over processor time, from which on the machine was doing something else
NEAR = 0.8  # of the aim
HARNESS_FIGURES = 8

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
    from arena.bench import every_workload, measure
    from arena.show.terminal import console, print_json
    from arena.show.warming import reporting

    planned = list(every_workload())
    rates: list[Rate] = []
    out = console()
    with reporting("measuring") as report:
        for number, workload in enumerate(planned, start=1):
            report(f"{workload.name} {workload.board}", number, len(planned))
            rates.append(measure(workload, seconds, repeats))
    if as_json:
        print_json({"machine": machine(), "rates": [_as_data(rate) for rate in rates]})
    else:
        _print(out, rates)


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
    from rich.table import Table

    from arena.bench.harness import figures
    from arena.show.progress import Progress
    from arena.show.terminal import amount, console, cross, duration, print_json, tick

    found = []
    with Progress("measuring", HARNESS_FIGURES, at_once=True) as progress:
        for figure in figures(games):
            found.append(figure)
            progress.at(len(found))
            progress.show(len(found))
    if as_json:
        data = [{**asdict(figure), "reached": figure.reached} for figure in found]
        print_json({"machine": machine(), "figures": data})
        return

    def shown(value: float, unit: str) -> str:
        return duration(value) if unit == "s" else f"{amount(value)} {unit}".replace(" /s", "/s")

    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("")
    table.add_column("measured", justify="right")
    table.add_column("aim", justify="right")
    for figure in found:
        mark = {None: "", True: tick(), False: cross()}[figure.reached]
        aim = "" if figure.aim is None else f"{shown(figure.aim, figure.unit)} {mark}"
        table.add_row(figure.name, shown(figure.value, figure.unit), aim)
    console().print(table)


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
    from arena.bench.strength import BUDGETS, every_engine
    from arena.cli.views.bench_strength import Output, measured
    from arena.engine.contract import Limits

    output = Output(plot, csv, as_json)
    budgets = [Limits.parse(text) for text in budget or []] or BUDGETS
    output.show(*measured(engines or every_engine(), budgets, game, positions, games, seed))


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
    from arena.bench.solver import REPEATS, SHORT
    from arena.cli.views.bench_solver import measure_parts, show, show_json

    parts = {"empty": empty, "ablation": ablation, "boards": boards, "space": space}
    found = measure_parts(sets, [part for part, wanted in parts.items() if wanted], seconds, memory)
    if as_json:
        show_json(found, machine())
    else:
        show(found, SHORT, REPEATS)
    if found.faults:
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
    from arena.cli.views.bench_clocks import measured, show
    from arena.machine import usable_cores

    cores = usable_cores()
    loads = [0, 2 * cores] if busy is None else busy
    found = measured(engines, limit, games, loads, workers or cores, game)
    show(found, machine(), as_json)


def machine() -> dict[str, str]:
    """What the rates depend on: the processor and the versions."""
    import os
    import platform
    from importlib.metadata import version

    import llvmlite.binding

    return {
        "processor": f"{llvmlite.binding.get_host_cpu_name()}, {os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: version(name) for name in ("numba", "llvmlite", "numpy")},
    }


def _print(out: Console, rates: list[Rate]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for heading in ("", "board"):
        table.add_column(heading, no_wrap=True)
    for heading in ("median", "spread", "aim"):
        table.add_column(heading, justify="right", no_wrap=True)
    for rate in rates:
        table.add_row(rate.name, rate.board, _median(rate), f"{rate.spread:.0%}", _aim(rate))
    out.print(table)
    out.print(f"\n{', '.join(f'{name} {value}' for name, value in machine().items())}", style="dim")
    wall, cpu = sum(rate.wall for rate in rates), sum(rate.cpu for rate in rates)
    if wall > BUSY * cpu:
        note = f"the machine was busy: {wall:.0f} s on the wall for {cpu:.0f} s of the processor"
        out.print(
            f"{note}; rates are by processor time, and still lower than at rest", style="yellow"
        )


def _median(rate: Rate) -> Text:
    from rich.text import Text

    from arena.show.terminal import amount, duration

    shown = f"{amount(rate.median)}/s" if rate.unit == "per second" else duration(rate.median)
    if rate.aim is None:
        return Text(shown)
    part = rate.median / rate.aim if rate.unit == "per second" else rate.aim / rate.median
    return Text(shown, style="green" if part >= 1 else "yellow" if part >= NEAR else "red")


def _aim(rate: Rate) -> str:
    from arena.show.terminal import amount, cross, duration, tick

    if rate.aim is None:
        return ""
    shown = f"{amount(rate.aim)}/s" if rate.unit == "per second" else duration(rate.aim)
    return f"{shown} {tick() if rate.reached else cross()}"


def _as_data(rate: Rate) -> dict[str, Any]:
    return {**asdict(rate), "median": rate.median, "spread": rate.spread, "reached": rate.reached}
