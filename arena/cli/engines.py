"""`arena engines`: what can play, and with which options."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli import completing
from arena.cli.options import AsJson


def engines(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="One to explain: a name, or FILE.py:Class.",
            autocompletion=completing.engines,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List all engines and their options, or explain one.

    Example: arena engines mcts
    """
    from arena.cli.actions.engines import show_engine, show_engines

    if name is None:
        show_engines(as_json)
    else:
        show_engine(name, as_json)
