"""`arena compare`: is the new one stronger?"""

from __future__ import annotations

from pathlib import Path

from arena.cli import completing
from arena.cli.options import (
    AsJson,
    GameName,
    LimitsOfEach,
    MatchSeed,
    OpeningPlies,
    Trusted,
    Workers,
    argument,
    option,
)


def compare(
    one: str = argument(..., "A", "A journal, a player, or an engine.", completing.sides),
    other: str = argument(..., "B", "What it is compared with.", completing.sides),
    journal: Path | None = option(
        None, "--in JOURNAL", "Where A and B are players.", completing.journals
    ),
    games: int = option(
        200, "--games", "Games to play, if A and B are engines.", min=2, max=1_000_000
    ),
    game: GameName = "connect4",
    limit: LimitsOfEach = None,
    seed: MatchSeed = 1,
    opening_plies: OpeningPlies = None,
    workers: Workers = None,
    trust: Trusted = False,
    sprt: bool = option(False, "--sprt", "Stop as soon as the SPRT decides; --games at most."),
    fail_if_weaker: bool = option(
        False, "--fail-if-weaker", "Exit code 1 if A is shown to be weaker."
    ),
    elo0: float = option(0.0, "--elo0", "SPRT: no stronger than this."),
    elo1: float = option(10.0, "--elo1", "SPRT: as strong as this."),
    alpha: float = option(0.05, "--alpha", "SPRT: risk of taking elo0 for elo1."),
    beta: float = option(0.05, "--beta", "SPRT: risk of taking elo1 for elo0."),
    model: str = option(
        "logistic", "--model MODEL", "SPRT: logistic or normalized Elo.", completing.models
    ),
    as_json: AsJson = False,
) -> None:
    """Compare two engines, with confidence.

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
        isolated=not trust,
    )  # fmt: skip
