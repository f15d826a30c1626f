"""`arena export`: engines as files for other programs."""

from __future__ import annotations

from pathlib import Path

import typer

from arena.cli import completing
from arena.cli.commands import LightGroup
from arena.cli.options import AsJson, argument, option

app = typer.Typer(cls=LightGroup)


@app.callback(invoke_without_command=True)
def export(context: typer.Context) -> None:
    """Write an engine as one file for another platform."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def kaggle(
    engine: list[str] = argument(
        ..., "ENGINE [NAME=VALUE]...", "A name, or FILE.py:Class, with options.", completing.engines
    ),
    output: Path = option(Path("submission.py"), "--output -o FILE", "The file to write."),
    seconds: float | None = option(
        None, "--seconds", "Time for a move; by default what actTimeout allows.", min=0.01, max=1e6
    ),
    force: bool = option(False, "--force", "Replace a file that Arena did not write."),
    untried: bool = option(False, "--untried", "Do not test the file by playing a move."),
    as_json: AsJson = False,
) -> None:
    """Write an engine as one file for Kaggle's ConnectX.

    The file holds Arena's engines, networks and books, the folder of FILE.py and the files that
    options name. It needs Python 3.11 or later and third-party packages such as numpy and numba
    where it runs. It plays on any board of up to 64 cells.

    At Kaggle, the first move waits for the compiler. Time beyond the limit of a move comes from a
    bank of 60 seconds. On a quiet machine the first move takes 2 seconds for ntuple, 6 for mcts, 9
    for alphabeta and 20 for perfect. Arena measures it before it writes the file.

    Example: arena export kaggle mcts playouts=1000 -o submission.py
    """
    from arena.cli.actions.export import export_to_kaggle

    export_to_kaggle(engine, output, seconds, force, untried, as_json)
