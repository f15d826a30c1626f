"""`arena engines`: the engines with their options, or one of them in detail."""

from __future__ import annotations

from arena.cli.options import AsJson, argument, complete_engines


def engines(
    name: str | None = argument(
        None, "NAME", "The engine to explain: a name, or FILE.py:Class.", complete_engines
    ),
    as_json: AsJson = False,
) -> None:
    """List engines and their options, or explain one.

    Example: arena engines

    Example: arena engines mcts
    """
    from arena.cli.engine_list import show_engine, show_engines

    if name is None:
        show_engines(as_json)
    else:
        show_engine(name, as_json)
