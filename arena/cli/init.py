"""`arena init`: a tournament file to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def init(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it.")] = Path(
        "tournament.yaml"
    ),
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that exists.")] = False,
) -> None:
    """Write a tournament file with comments, to start from.

    Its first line names a schema that is written beside it: an editor with the YAML language
    server, such as VS Code, then completes its keys and marks mistakes.

    Example: arena init cup.yaml
    """
    from arena.cli.actions.tournament_files import write_starter

    write_starter(file, force)
