"""`arena check`: whether engines are valid, in ticks and crosses."""

from __future__ import annotations

import typer

from arena.cli import completing
from arena.cli.options import AsJson, argument, option


def check(
    engines: list[str] = argument(
        ...,
        "ENGINE [NAME=VALUE]... [ENGINE ...]",
        "A name, FILE.py, FILE.py:Class or KIND:.., each with options to set.",
        completing.engines,
    ),
    game: str | None = option(
        None, "--game GAME", "Check on this board only, such as 8x7 or 9x7+pie."
    ),
    limit: str | None = option(None, "--limit LIMITS", "Check with these limits only: seconds=2."),
    quick: bool = option(False, "--quick", "Check on one board, in at most 30 seconds."),
    as_json: AsJson = False,
) -> None:
    """Check that engines are valid.

    Bots of other systems are checked by their own rules: on 7x6 with 2 s a move for Kaggle, on
    9x7 with the pie rule for CodinGame. A check takes at most 2 minutes; what did not fit is named.

    The exit code is 0 if all engines are valid, 1 if one is not, and 2 if one cannot be loaded.

    Example: arena check my_bot.py depth=6 --limit seconds=0.5

    Example: arena check bots/*.py --quick
    """
    from arena.cli.actions.check import check_engines

    code = check_engines(engines, game, limit, quick, as_json)
    if code:
        raise typer.Exit(code)
