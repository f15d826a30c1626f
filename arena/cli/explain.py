"""`arena explain`: a position as an engine sees it, column by column, and why."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli import completing
from arena.cli.options import AsJson, GameName


def explain(
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION", help='Moves ("4453"), a drawn board, or - to read one from stdin.'
        ),
    ] = "",
    engine: Annotated[
        str,
        typer.Option(
            "--engine",
            metavar="ENGINE",
            help="Whose opinion to ask, with options.",
            autocompletion=completing.engines,
        ),
    ] = "alphabeta",
    game: GameName = "connect4",
    evaluation: Annotated[
        str | None,
        typer.Option(
            "--evaluation",
            metavar="EVALUATION",
            help="What to break down; unless given, the engine's own, if it uses one.",
            autocompletion=completing.evaluations,
        ),
    ] = None,
    limit: Annotated[
        str,
        typer.Option(
            "--limit",
            metavar="LIMITS",
            help='Of the search: "depth=4", "playouts=1000".',
            autocompletion=completing.limits,
        ),
    ] = "",
    seed: Annotated[int, typer.Option(help="For all chance in the engine.")] = 1,
    tree: Annotated[bool, typer.Option("--tree", help="Show two plies of the search.")] = False,
    as_json: AsJson = False,
) -> None:
    """Explain how an engine sees a position, and why.

    Example: arena explain 4453 --engine "alphabeta depth=8" --tree
    """
    from arena.cli.actions.explain import explain_position

    explain_position(position, engine, game, evaluation, limit, seed, tree, as_json)
