"""Options and arguments that several commands share: one name, one meaning, one help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli import completing

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]

GameName = Annotated[
    str,
    typer.Option(
        "--game",
        metavar="GAME",
        help="A game by name or size: score4, 8x7, 9x6c5.",
        autocompletion=completing.games,
    ),
]

LimitsOfEach = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        metavar="LIMITS",
        help='Of every move: "depth=4", "seconds=0.1", "cpu=0.1", "clock=60+1"; twice: each.',
        autocompletion=completing.limits,
    ),
]

Workers = Annotated[
    int | None,
    typer.Option(
        min=1, max=4096, help="Games at the same time, on tables of their own; else one, here."
    ),
]

OpeningPlies = Annotated[
    int, typer.Option("--opening-plies", min=0, help="Random plies before each pair.")
]

MatchSeed = Annotated[
    int, typer.Option("--seed", help="For openings and engines; same seed, same games.")
]

JOURNAL = typer.Argument(
    metavar="JOURNAL",
    help="A journal, its directory, or a tournament file.",
    autocompletion=completing.journals,
)
JournalPath = Annotated[Path, JOURNAL]

AccuracySeconds = Annotated[
    float | None,
    typer.Option(
        "--accuracy",
        metavar="SECONDS",
        min=0,
        max=1e7,
        envvar="ARENA_ACCURACY",
        help="Judge moves by exact scores for so long, by processor time of each core; "
        "20 on flat boards up to 7x7, 0: show what is judged already.",
    ),
]
