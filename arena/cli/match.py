"""`arena match`: two engines against each other, and which one is stronger."""

from __future__ import annotations

from pathlib import Path

import typer

from arena.cli.exits import PROBLEM
from arena.cli.options import (
    AsJson,
    GameName,
    LogFile,
    Quiet,
    Seed,
    Workers,
    argument,
    complete_engines,
    option,
)


def match(
    first: str = argument(
        ..., "ENGINE", 'A name with options: "alphabeta depth=6".', complete_engines
    ),
    second: str = argument(
        ..., "ENGINE", "The other one: a name, FILE.py:Class, or KIND:TARGET.", complete_engines
    ),
    games: int = option(20, "--games", "How many games to play.", min=1, max=1_000_000),
    game: GameName = "connect4",
    limit: list[str] | None = option(
        None,
        "--limit LIMITS",
        'Limits of a move: "depth=4", "seconds=100ms"; give it twice for both engines.',
    ),
    seed: Seed = 1,
    opening_plies: int | None = option(
        None, "--opening-plies", "Random plies before each pair of games; by default 4.", min=0
    ),
    workers: Workers = None,
    sprt: str | None = option(
        None,
        "--sprt ELO0,ELO1",
        'Stop when this test is decided: "0,20", or "0,20 alpha=0.01 model=normalized".',
    ),
    fail_if_weaker: bool = option(
        False, "--fail-if-weaker", "Exit with code 1 if the first engine is significantly weaker."
    ),
    trust: bool = option(
        False, "--trust", "Run files in the worker processes: faster, but not isolated."
    ),
    keep: Path | None = option(None, "--keep DIR", "Keep the journal in this folder."),
    quiet: Quiet = False,
    log: LogFile = None,
    as_json: AsJson = False,
) -> None:
    """Play a match between two engines, and say which one is stronger.

    Each opening is played from both sides. With depth, node or playout limits, the games are the
    same for any number of workers. Bots run in processes of their own.

    With --sprt, the match ends when the test between two Elo differences is decided, and the
    estimate allows for the early stop. --fail-if-weaker counts the first engine as weaker if its
    95 % interval is below 0, or if the test accepts ELO0 and ELO1 is 0 or less.

    Example: arena match my_bot.py mcts --games 100 --limit playouts=1000

    Example: arena match new.py old.py --sprt=-20,0 --games 2000 --fail-if-weaker
    """
    from arena.cli.match_view import play_match
    from arena.log import log_to

    with log_to(log, "match"):
        decision = play_match(
            (first, second), games, game, limit or [], seed, opening_plies, workers, sprt, trust,
            keep, is_silent=quiet, as_json=as_json,
        )  # fmt: skip
    if fail_if_weaker and decision == "weaker":
        raise typer.Exit(PROBLEM)
