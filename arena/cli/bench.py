"""`arena bench`: how fast the arena is on this machine."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.group import LightGroup

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
    seconds: Annotated[float, typer.Option(min=0.01, help="Processor seconds for a row.")] = 1.0,
    repeats: Annotated[int, typer.Option(min=1, help="In how many repeats.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure playouts, searches and trees by processor time.

    Example: arena bench kernels --seconds 0.2
    """
    from arena.bench import every_workload, measure
    from arena.cli.show import console, print_json
    from arena.cli.warming import reporting

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
    games: Annotated[int, typer.Option(min=100, help="Games for each measurement.")] = 5000,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure what the harness costs around the engines.

    Random plays against random, with telemetry and journal.

    Example: arena bench harness --games 2000
    """
    from rich.table import Table

    from arena.bench.harness import figures
    from arena.cli.progress import Progress
    from arena.cli.show import amount, console, cross, duration, print_json, tick

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

    from arena.cli.show import amount, duration

    shown = f"{amount(rate.median)}/s" if rate.unit == "per second" else duration(rate.median)
    if rate.aim is None:
        return Text(shown)
    part = rate.median / rate.aim if rate.unit == "per second" else rate.aim / rate.median
    return Text(shown, style="green" if part >= 1 else "yellow" if part >= NEAR else "red")


def _aim(rate: Rate) -> str:
    from arena.cli.show import amount, cross, duration, tick

    if rate.aim is None:
        return ""
    shown = f"{amount(rate.aim)}/s" if rate.unit == "per second" else duration(rate.aim)
    return f"{shown} {tick() if rate.reached else cross()}"


def _as_data(rate: Rate) -> dict[str, Any]:
    return {**asdict(rate), "median": rate.median, "spread": rate.spread, "reached": rate.reached}
