"""`arena train`: an engine learns by playing, from a training file to weights and a report."""

from __future__ import annotations

from pathlib import Path

import typer

from arena.cli import completing
from arena.cli.options import argument, option
from arena.errors import BadOption


def train(
    file: Path | None = argument(
        None, "FILE", "A training in YAML, or the name of a bundled one.", completing.tournaments
    ),
    ready: bool = option(False, "--list", "List the bundled training files instead."),
    new: bool = option(False, "--new", "Set an earlier training aside and start afresh."),
    plain: bool = option(False, "--plain", "Lines instead of a live view, as without a terminal."),
    quiet: bool = option(False, "--quiet -q", "Only what became of it."),
    as_json: bool = option(False, "--json", "Print what became of it as JSON."),
) -> None:
    """Train an engine by playing, or resume a training.

    The state is saved as often as the file says: interrupt it, kill it, switch the machine off,
    and the same command goes on from there; with the same seed and one worker to the same weights.
    One Ctrl-C saves and stops, a second stops at once.

    The folder of the training then has its weights, for engines; curve.csv, what was measured
    after how many games; plots and report.md.

    Exit codes: 0 finished, 2 bad input, 3 interrupted and ready to go on, 129 terminal closed,
    130 broken off, 143 terminated; after each but 2 the same command goes on.

    Example: arena train --list
    """
    from arena.cli.actions.train import list_ready, train_file

    if ready:
        if file is not None:
            raise BadOption("--list stands alone; leave the file out")
        list_ready(as_json)
        return
    if file is None:
        raise BadOption("name a training file; arena train --list lists the bundled ones")
    code = train_file(file, new=new, plain=plain, quiet=quiet, as_json=as_json)
    if code:
        raise typer.Exit(code)
