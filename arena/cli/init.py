"""`arena init`: a tournament file to start from."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from arena.errors import ArenaError

STARTER = "starter.yaml"  # in arena/tournament
SCHEMA = "arena.schema.json"  # beside the file
SCHEMA_LINE = f"# yaml-language-server: $schema={SCHEMA}"


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
    from importlib.resources import files

    text = files("arena.tournament").joinpath(STARTER).read_text(encoding="utf-8")
    try:
        with file.open("w" if force else "x", encoding="utf-8") as out:
            out.write(f"{SCHEMA_LINE}\n{text}")
    except OSError as error:
        if isinstance(error, FileExistsError) and file.is_file():
            raise ArenaError(f"{file} exists; --force overwrites it") from None
        raise ArenaError(f"{file} cannot be written: {error.strerror or error}") from None
    schema = _write_schema(file.with_name(SCHEMA), force)
    print(f"wrote {file}{schema}\nplay it with: arena run {quote(str(file))}", file=sys.stderr)


def _write_schema(path: Path, force: bool) -> str:
    """Put the schema beside the file, in words; somebody else's file of that name is left alone."""
    from arena.engine.registry import names
    from arena.tournament.spec.schema import TITLE, json_schema

    try:
        if path.exists() and not force and TITLE not in path.read_text(encoding="utf-8"):
            return f"; {path} is not ours and was left as it is"
        text = json.dumps(json_schema(names()), indent=2, ensure_ascii=False)
        path.write_text(text + "\n", encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return f"; {path} for editors cannot be written: {getattr(error, 'strerror', error)}"
    return f" and {path} for editors"
