"""`arena engines`: what can play, and with which options."""

from __future__ import annotations

from arena.cli import completing
from arena.cli.options import AsJson, argument


def engines(
    name: str | None = argument(
        None, "NAME", "The engine to explain: a name, or FILE.py:Class.", completing.engines
    ),
    as_json: AsJson = False,
) -> None:
    """List engines and their options, or explain one.

    Example: arena engines mcts
    """
    from arena.cli.actions.engines import show_engine, show_engines

    if name is None:
        show_engines(as_json)
    else:
        show_engine(name, as_json)
