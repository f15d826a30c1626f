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

    The first line of a new file names a schema that is written beside it: an editor with the YAML
    language server, such as VS Code, then completes its keys and marks mistakes.

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

    A file with a method is a training. Nothing is played or written. The exit code is 0 if all
    files are right and 2 if one is not.

    Example: arena validate tournaments/*.yaml
    """
    from arena.cli.actions.tournament_files import check_files

    if not check_files(files, skip_missing, as_json):
        raise typer.Exit(BAD_INPUT)


def figures(as_json: AsJson = False) -> None:
    """List the figures that files can measure.

    A figure is one key: what is measured, with of whom as its value. Under `expect:` the same
    mapping says what is expected: at_least, at_most, between, more_than or less_than, with
    `confidence: 95%` beyond the luck of the games. Under `published:` it has the value and the
    source of somebody else's, and under `figures:` it is told alone.

    Example: arena figures

    Example of a line below expect: - {score: my_bot against random, at_least: 90%, points: 2}
    """
    from arena.cli.actions.figures import print_figures

    print_figures(as_json)


def schema(
    training: bool = option(False, "--training", "That of training files."),
) -> None:
    """Print the JSON Schema of tournament or training files.

    With the YAML extension of VS Code, for example: save it as tournament.schema.json and begin a
    tournament with the line `# yaml-language-server: $schema=tournament.schema.json`.

    Example: arena schema > tournament.schema.json
    """
    from arena.cli.actions.tournament_files import print_schema

    print_schema(training)
