"""`arena compare`: is the new one stronger?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli import completing
from arena.cli.options import AsJson, GameName, LimitsOfEach, MatchSeed, OpeningPlies, Workers


def compare(
    one: Annotated[
        str,
        typer.Argument(
            metavar="A",
            help="A journal, a player, or an engine.",
            autocompletion=completing.sides,
        ),
    ],
    other: Annotated[
        str,
        typer.Argument(
            metavar="B", help="What it is compared with.", autocompletion=completing.sides
        ),
    ],
    journal: Annotated[
        Path | None,
        typer.Option(
            "--in",
            metavar="JOURNAL",
            help="Where A and B are players.",
            autocompletion=completing.journals,
        ),
    ] = None,
    games: Annotated[
        int, typer.Option(min=2, max=1_000_000, help="Games to play, if A and B are engines.")
    ] = 200,
    game: GameName = "connect4",
    limit: LimitsOfEach = None,
    seed: MatchSeed = 1,
    opening_plies: OpeningPlies = 4,
    workers: Workers = None,
    sprt: Annotated[
        bool, typer.Option("--sprt", help="Stop as soon as the SPRT decides; --games at most.")
    ] = False,
    fail_if_weaker: Annotated[
        bool, typer.Option("--fail-if-weaker", help="Exit code 1 if A is shown to be weaker.")
    ] = False,
    elo0: Annotated[float, typer.Option(help="SPRT: no stronger than this.")] = 0.0,
    elo1: Annotated[float, typer.Option(help="SPRT: as strong as this.")] = 10.0,
    alpha: Annotated[float, typer.Option(help="SPRT: risk of taking elo0 for elo1.")] = 0.05,
    beta: Annotated[float, typer.Option(help="SPRT: risk of taking elo1 for elo0.")] = 0.05,
    model: Annotated[
        str,
        typer.Option(
            "--model",
            metavar="MODEL",
            help="SPRT: logistic or normalized Elo.",
            autocompletion=completing.models,
        ),
    ] = "logistic",
    as_json: AsJson = False,
) -> None:
    """Tell whether A is stronger than B, and how sure that is.

    A and B are two engines, which then play a match here; or two players of one journal, named
    with --in; or two journals (a .db, a directory, a tournament file): then the ratings of the
    players they share are compared.

    With --sprt the match ends when the test between --elo0 and --elo1 is decided, and the Elo
    that is told allows for that. A is shown to be weaker where the 95 % interval lies below 0, or
    where the test accepts elo0 against an elo1 of 0 or less.

    Example: arena compare mcts alphabeta --games 100

    Example: arena compare new.py old.py --sprt --elo0=-20 --elo1=0 --games 2000 --fail-if-weaker

    Example: arena compare mcts oracle --in reports/quickstart

    Example: arena compare reports/before reports/after
    """
    from arena.cli.actions.compare import compare_sides, make_test

    test = make_test(elo0, elo1, alpha, beta, model)
    compare_sides(
        (one, other), journal, test,
        stop_early=sprt, fail_if_weaker=fail_if_weaker, as_json=as_json, games=games, game=game,
        limits=limit or [], seed=seed, opening_plies=opening_plies, workers=workers,
    )  # fmt: skip
