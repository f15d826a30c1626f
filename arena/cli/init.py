"""`arena init`: a tournament file to start from."""

from __future__ import annotations

import sys
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from arena.errors import ArenaError

STARTER = "starter.yaml"  # in arena/tournament


def init(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it.")] = Path(
        "tournament.yaml"
    ),
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that exists.")] = False,
) -> None:
    """Write a tournament file with comments, to start from.

    Example: arena init cup.yaml
    """
    from importlib.resources import files

    text = files("arena.tournament").joinpath(STARTER).read_text(encoding="utf-8")
    try:
        with file.open("w" if force else "x", encoding="utf-8") as out:
            out.write(text)
    except OSError as error:
        if isinstance(error, FileExistsError) and file.is_file():
            raise ArenaError(f"{file} exists; --force overwrites it") from None
        raise ArenaError(f"{file} cannot be written: {error.strerror or error}") from None
    print(f"wrote {file}\nplay it with: arena run {quote(str(file))}", file=sys.stderr)
