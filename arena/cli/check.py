"""`arena check`: whether engines keep the contract, in ticks and crosses."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli import completing
from arena.cli.options import AsJson


def check(
    engines: Annotated[
        list[str],
        typer.Argument(
            metavar="ENGINE [NAME=VALUE]... [ENGINE ...]",
            help="A name, FILE.py, or FILE.py:Class, each with options to set.",
            autocompletion=completing.engines,
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Check that engines keep the contract: one in all detail, several in a line each.

    The exit code is 0 if all do, 1 if one does not, and 2 if one cannot be loaded.

    Example: arena check my_bot.py depth=6

    Example: arena check bots/*.py
    """
    from arena.cli.actions.check import check_engines

    code = check_engines(engines, as_json)
    if code:
        raise typer.Exit(code)
