"""`arena check`: whether engines keep the contract, in ticks and crosses."""

from __future__ import annotations

import typer

from arena.cli import completing
from arena.cli.options import AsJson, argument


def check(
    engines: list[str] = argument(
        ...,
        "ENGINE [NAME=VALUE]... [ENGINE ...]",
        "A name, FILE.py, or FILE.py:Class, each with options to set.",
        completing.engines,
    ),
    as_json: AsJson = False,
) -> None:
    """Check that engines are valid.

    The exit code is 0 if all engines are valid, 1 if one is not, and 2 if one cannot be loaded.

    Example: arena check my_bot.py depth=6

    Example: arena check bots/*.py
    """
    from arena.cli.actions.check import check_engines

    code = check_engines(engines, as_json)
    if code:
        raise typer.Exit(code)
