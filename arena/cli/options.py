"""How options and arguments are declared, those that several commands share, and completions.

A command declares an option of its own as `games: int = option(10, "--games", "Games to play.")`.
An option of several commands is a type, `as_json: AsJson = False`: one name, one meaning, one help.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from glob import escape, iglob
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from arena.errors import BadOption

Completion = Callable[[str], list[str]]
Value = TypeVar("Value")

MAX_WORKERS = 4096
MAX_SECONDS = 1e7
MAX_FILES = 200  # offered as completions
TOURNAMENTS, JOURNALS = (".yaml", ".yml"), (".db",)


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
    """An option; `usage` has its flags and the name of the value: "--output -o FILE".

    The default of a shared type is `...`, as each command sets its own.
    """
    flags = [word for word in usage.split() if word.startswith("-")]
    metavar = " ".join(usage.split()[len(flags) :]) or None
    parameter: Value = typer.Option(
        default, *flags, metavar=metavar, help=help, autocompletion=complete, min=min, max=max,
        envvar=envvar,
    )  # fmt: skip
    return parameter


def seconds(
    default: Value, usage: str, help: str, *, least: float = 0.001, envvar: str | None = None
) -> Value:
    """An option for a time: a number of seconds, or a text such as 100ms or 10m."""

    def read(text: str | float) -> float:
        from arena.engine.limits import read_duration

        time = read_duration(str(text))
        if time is None:
            with suppress(ValueError):
                time = float(text)
        if time is None or not least <= time <= MAX_SECONDS:
            bounds = f"from {least:g} to {MAX_SECONDS:g}"
            raise typer.BadParameter(f"found {text}; expected seconds {bounds}, or a time as 100ms")
        return time

    flag, *metavar = usage.split()
    parameter: Value = typer.Option(
        default, flag, metavar=" ".join(metavar) or None, help=help, parser=read, envvar=envvar
    )
    return parameter


def argument(default: Any, metavar: str, help: str, complete: Completion | None = None) -> Any:
    """An argument; one with the default `...` is required."""
    return typer.Argument(default, metavar=metavar, help=help, autocompletion=complete)


def refuse(mode: str, **unused: object) -> None:
    """Refuse options that a mode does not use; the keywords are their names, FILE of arguments."""
    for name, value in unused.items():
        if value not in (None, False, [], ()):
            shown = name if name.isupper() else f"--{name.strip('_').replace('_', '-')}"
            raise BadOption(f"{shown} cannot be used {mode}")


# ---- completions: names and files, found without loading an engine


def complete_engines(incomplete: str) -> list[str]:
    """Installed engines, and Python files."""
    from arena.engine.registry import names

    return [*_beginning(incomplete, names()), *_files(incomplete, (".py",), deeper=False)]


def complete_tournaments(incomplete: str) -> list[str]:
    """Tournament files here or one folder down, and the names of bundled ones."""
    return [*_files(incomplete, TOURNAMENTS), *complete_bundled(incomplete)]


def complete_bundled(incomplete: str) -> list[str]:
    """The names of bundled files."""
    from arena.tournament.bundled import bundled_names

    return _beginning(incomplete, bundled_names())


def complete_journals(incomplete: str) -> list[str]:
    """Journals, also those in reports/, and tournament files."""
    files = _files(incomplete, JOURNALS + TOURNAMENTS)
    files += _files("reports/", JOURNALS) if "reports/".startswith(incomplete) else []
    return list(dict.fromkeys(files))


def complete_levels(incomplete: str) -> list[str]:
    """The levels of opponents."""
    from arena.human.levels import AS_IT_IS, LEVELS

    return _beginning(incomplete.lower(), [*LEVELS, AS_IT_IS])


def _beginning(incomplete: str, words: Iterable[str]) -> list[str]:
    return [word for word in words if word.startswith(incomplete)]


def _files(incomplete: str, endings: tuple[str, ...], deeper: bool = True) -> list[str]:
    start = escape(incomplete)
    files = (
        path
        for pattern in (f"{start}*", f"{start}*/*")[: 1 + deeper]
        for path in iglob(pattern)
        if path.endswith(endings) and os.path.isfile(path)
    )
    return sorted(islice(files, MAX_FILES))


# ---- shared options and arguments

AsJson = Annotated[bool, option(..., "--json", "Print JSON.")]

NewRun = Annotated[bool, option(..., "--new", "Start over; earlier games are kept, renamed.")]

Plain = Annotated[bool, option(..., "--plain", "Print lines instead of the live view.")]

Quiet = Annotated[bool, option(..., "--quiet -q", "Print only the result.")]

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

Workers = Annotated[
    int | None,
    option(
        ...,
        "--workers",
        "Games played in parallel; by default as the file says, or one per core.",
        min=1,
        max=MAX_WORKERS,
    ),
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
    option(..., "--game GAME", "A game by name or size: 7x6, 4x4x4, 9x6c5, 9x7+pie."),
]

LimitsText = Annotated[
    str,
    option(..., "--limit LIMITS", 'Limits of a move: "depth=4", "seconds=100ms", "clock=60".'),
]

Seed = Annotated[int, option(..., "--seed", "Seed; the same seed gives the same games.")]

PositionText = Annotated[
    str, argument(..., "POSITION", 'Moves ("4453"), a drawn board, or - to read one from stdin.')
]

JOURNAL = argument(
    ..., "JOURNAL", "A journal, its folder, or a tournament file.", complete_journals
)
JournalPath = Annotated[Path, JOURNAL]
OptionalJournal = Annotated[Path | None, JOURNAL]

SectionNames = Annotated[
    str | None,
    option(
        ...,
        "--sections NAMES",
        "Write only these sections, separated by commas: standings,time-and-search; or all.",
    ),
]

AccuracySeconds = Annotated[
    float | None,
    seconds(
        ...,
        "--accuracy TIME",
        "Processor time of each core to judge moves exactly: 30, 10m; by default "
        "10 s on flat boards up to 7x7; 0 shows earlier judgements only.",
        least=0,
        envvar="ARENA_ACCURACY",
    ),
]
