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
    other: str = argument(..., "B", "Another journal, player or engine.", completing.sides),
    journal: Path | None = option(
        None, "--in JOURNAL", "The journal in which A and B are players.", completing.journals
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
    sprt: bool = option(False, "--sprt", "Stop when the SPRT is decided, or after --games."),
    fail_if_weaker: bool = option(
        False, "--fail-if-weaker", "Exit with code 1 if A is significantly weaker."
    ),
    elo0: float = option(0.0, "--elo0", "SPRT: Elo to reject."),
    elo1: float = option(10.0, "--elo1", "SPRT: Elo to accept."),
    alpha: float = option(0.05, "--alpha", "SPRT: risk of accepting elo1 if elo0 is true."),
    beta: float = option(0.05, "--beta", "SPRT: risk of accepting elo0 if elo1 is true."),
    model: str = option("logistic", "--model MODEL", "SPRT: logistic or normalized Elo."),
    as_json: AsJson = False,
) -> None:
    """Compare two engines, with confidence.

    A and B are two engines, which then play a match; or two players of one journal, named with
    --in; or two journals (a .db file, a directory, a tournament file), to compare the ratings of
    the players in both.

    With --sprt, the match ends when the test between --elo0 and --elo1 is decided, and the Elo
    estimate allows for the early stop. --fail-if-weaker counts A as weaker if the 95 % interval is
    below 0, or if the test accepts elo0 and elo1 is 0 or less.

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
