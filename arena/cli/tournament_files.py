"""`arena init`, `validate`, `figures` and `schema`: files of tournaments and trainings."""

from __future__ import annotations

from pathlib import Path

import typer

from arena.cli import completing
from arena.cli.exits import BAD_INPUT
from arena.cli.options import AsJson, SkipMissing, argument, option
from arena.errors import BadOption


def init(
    file: Path | None = argument(
        None, "FILE", "Where to write it; by default tournament.yaml, or the name after --from."
    ),
    source: str | None = option(
        None, "--from NAME", "Copy this bundled file and the files it uses.", completing.bundled
    ),
    show: bool = option(False, "--list", "List the bundled files instead."),
    force: bool = option(False, "--force", "Overwrite files that exist."),
) -> None:
    """Write a tournament file with comments, or copy a bundled one.

    Arena writes a schema beside a new file. Editors with the YAML language server, such as VS
    Code, then complete the keys and mark mistakes.

    Example: arena init cup.yaml

    Example: arena init --from course/league
    """
    from arena.cli.actions.bundled import copy_bundled, list_bundled
    from arena.cli.actions.tournament_files import write_starter

    if show:
        if file is not None or source is not None:
            raise BadOption("--list stands alone; leave the rest out")
        list_bundled()
    elif source is not None:
        copy_bundled(source, file, force)
    else:
        write_starter(file or Path("tournament.yaml"), force)


def validate(
    files: list[Path] = argument(
        ..., "FILE", "Tournaments or trainings in YAML, or bundled names.", completing.tournaments
    ),
    skip_missing: SkipMissing = False,
    as_json: AsJson = False,
) -> None:
    """Check tournament and training files.

    It also checks training files, which have the key `method`. It plays and writes nothing. The
    exit code is 0 if all files are valid and 2 if one is not.

    Example: arena validate tournaments/*.yaml
    """
    from arena.cli.actions.tournament_files import check_files

    if not check_files(files, skip_missing, as_json):
        raise typer.Exit(BAD_INPUT)


def figures(as_json: AsJson = False) -> None:
    """List the figures that files can measure.

    A figure is one key, such as `score: A against B`. Under `expect:`, the same entry has a bound:
    at_least, at_most, between, more_than or less_than, with `confidence: 95%` if it must hold
    beyond these games. Under `published:`, it has a value and its source. Under `figures:`, it is
    only shown.

    An entry of `expect:`: - {score: my_bot against random, at_least: 90%, points: 2}

    Example: arena figures
    """
    from arena.cli.actions.figures import print_figures

    print_figures(as_json)


def schema(
    training: bool = option(False, "--training", "Print the schema of training files."),
) -> None:
    """Print the JSON Schema of tournament or training files.

    For the YAML extension of VS Code, save it as tournament.schema.json and begin a tournament
    file with `# yaml-language-server: $schema=tournament.schema.json`.

    Example: arena schema > tournament.schema.json
    """
    from arena.cli.actions.tournament_files import print_schema

    print_schema(training)
