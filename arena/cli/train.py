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
    new: bool = option(False, "--new", "Start over; keep the earlier training under another name."),
    plain: bool = option(False, "--plain", "Print lines instead of the live view."),
    quiet: bool = option(False, "--quiet -q", "Print only the result."),
    as_json: bool = option(False, "--json", "Print the result as JSON."),
) -> None:
    """Train an engine by playing, or resume a training.

    The training is saved as often as the file says. Press Ctrl-C once to save and stop, twice to
    stop now. The same command resumes it; with the same seed and one worker, the weights are the
    same as without the interruption.

    The folder of the training has the weights, curve.csv (the measurements by number of games),
    plots and report.md.

    Exit codes: 0 finished, 2 bad input, 3 interrupted, 129 terminal closed, 130 interrupted twice,
    143 terminated. After all but 0 and 2, the same command resumes the training.

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
