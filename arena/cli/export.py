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
        None, "--seconds", "Of every move; else what actTimeout allows.", min=0.01, max=1e6
    ),
    force: bool = option(False, "--force", "Replace a file that is no submission of ours."),
    untried: bool = option(False, "--untried", "Write the file without playing a move with it."),
    as_json: AsJson = False,
) -> None:
    """Write an engine as a submission to Kaggle's ConnectX: one file, with all that it needs.

    What it needs is found by letting it play: modules of ours or beside FILE.py, networks, books
    and files that its options name. Python 3.11 or later and packages of others, such as numpy and
    numba, must be there where it runs. It plays on any board of up to 64 cells that the
    configuration gives.

    At Kaggle the first move waits for the compiler, and what it takes beyond the limit of a move
    comes from a bank of 60 seconds. On a quiet machine that is 2 seconds for ntuple, 6 for mcts,
    9 for alphabeta and 20 for perfect. It is measured here, before the file is written.

    Example: arena export kaggle mcts playouts=1000 -o submission.py
    """
    from arena.cli.actions.export import export_to_kaggle

    export_to_kaggle(engine, output, seconds, force, untried, as_json)
