"""How options and arguments are written, and those that several commands share.

What one command has is `games: int = option(10, "--games", "How many games to play.")`; what
several have is a type, `as_json: AsJson = False`: one name, one meaning, one help.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from arena.cli import completing

Completion = Callable[[str], list[str]]
Value = TypeVar("Value")


def option(
    default: Value,
    usage: str,
    help: str,
    complete: Completion | None = None,
    *,
    min: float | None = None,
    max: float | None = None,
    envvar: str | None = None,
) -> Value:
    """An option; `usage` has its flags and what stands for the value: "--output -o FILE".

    In a shared type the default is `...`, for each command sets its own.
    """
    flags = [word for word in usage.split() if word.startswith("-")]
    metavar = " ".join(usage.split()[len(flags) :]) or None
    parameter: Value = typer.Option(
        default, *flags, metavar=metavar, help=help, autocompletion=complete, min=min, max=max,
        envvar=envvar,
    )  # fmt: skip
    return parameter


def argument(default: Any, metavar: str, help: str, complete: Completion | None = None) -> Any:
    """An argument; with the default `...` it has to be given."""
    return typer.Argument(default, metavar=metavar, help=help, autocompletion=complete)


AsJson = Annotated[bool, option(..., "--json", "Print JSON.")]

SkipMissing = Annotated[
    bool,
    option(..., "--skip-missing", "Leave out engines whose program or package is not installed."),
]

JUnitFile = Annotated[
    Path | None,
    option(..., "--junit FILE", "Write the verdicts on expectations as JUnit XML, for CI."),
]

LogFile = Annotated[
    Path | None,
    option(..., "--log FILE", "Append what workers do to a log, for a bug report."),
]

ClusterAddress = Annotated[
    str | None,
    option(
        ...,
        "--cluster ADDRESS",
        "Play on a Dask cluster: tls://HOST:PORT, or local:4 for 4 workers here.",
    ),
]

CsvFile = Annotated[str | None, option(..., "--csv FILE", "Write CSV; - prints it.")]

GameName = Annotated[
    str,
    option(..., "--game GAME", "A game by name or size: score4, 8x7, 9x6c5, 9x7+pie."),
]

LimitsOfEach = Annotated[
    list[str] | None,
    option(
        ...,
        "--limit LIMITS",
        'Limits: "depth=4", "seconds=0.1", "cpu=0.1 on=reference", "clock=60"; twice for both.',
    ),
]

Workers = Annotated[
    int | None,
    option(
        ...,
        "--workers",
        "Games played in parallel; by default one, in this process.",
        min=1,
        max=4096,
    ),
]

Trusted = Annotated[
    bool,
    option(
        ...,
        "--trust",
        "Run files and plugins in this process: faster, but at your own risk.",
    ),
]

OpeningPlies = Annotated[
    int | None,
    option(
        ...,
        "--opening-plies",
        "Random plies before each pair; default 2, in a comparison 4, with the pie rule 0.",
        min=0,
    ),
]

MatchSeed = Annotated[int, option(..., "--seed", "Seed; the same seed gives the same games.")]

PositionText = Annotated[
    str, argument(..., "POSITION", 'Moves ("4453"), a drawn board, or - to read one from stdin.')
]

JOURNAL = argument(
    ..., "JOURNAL", "A journal, its directory, or a tournament file.", completing.journals
)
JournalPath = Annotated[Path, JOURNAL]
OptionalJournal = Annotated[Path | None, JOURNAL]

SectionNames = Annotated[
    str | None,
    option(
        ...,
        "--sections NAMES",
        "Write only these sections, separated by commas: standings,time-and-search.",
    ),
]

AccuracySeconds = Annotated[
    float | None,
    option(
        ...,
        "--accuracy SECONDS",
        "Processor seconds of each core to judge moves by exact scores. The default is "
        "10 on flat boards up to 7x7; 0 shows only earlier judgements.",
        min=0,
        max=1e7,
        envvar="ARENA_ACCURACY",
    ),
]
