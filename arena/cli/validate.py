"""`arena validate`: whether tournament files are right, and all that is wrong with them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli import completing
from arena.cli.exits import BAD_INPUT
from arena.cli.options import AsJson


def validate(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE", help="Tournaments in YAML.", autocompletion=completing.tournaments
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Check tournament files, and tell all mistakes in them.

    Nothing is played or written. The exit code is 0 if all files are right and 2 if one is not.

    Example: arena validate tournaments/*.yaml
    """
    from arena.cli.actions.tournament_files import check_files

    if not check_files(files, as_json):
        raise typer.Exit(BAD_INPUT)
