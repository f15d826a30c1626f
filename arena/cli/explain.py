"""`arena explain`: a position as an engine sees it, column by column, and why."""

from __future__ import annotations

from arena.cli import completing
from arena.cli.options import AsJson, GameName, PositionText, option


def explain(
    position: PositionText = "",
    engine: str = option(
        "alphabeta", "--engine ENGINE", "The engine to ask, with options.", completing.engines
    ),
    game: GameName = "connect4",
    evaluation: str | None = option(
        None,
        "--evaluation EVALUATION",
        "Evaluation to break down; by default the engine's own, if it has one.",
    ),
    limit: str = option("", "--limit LIMITS", 'Limits of the search: "depth=4", "playouts=1000".'),
    seed: int = option(1, "--seed", "Seed of the engine."),
    tree: bool = option(False, "--tree", "Show two plies of the search."),
    as_json: AsJson = False,
) -> None:
    """Show how an engine sees a position.

    Example: arena explain 4453 --engine "alphabeta depth=8" --tree
    """
    from arena.cli.actions.explain import explain_position

    explain_position(position, engine, game, evaluation, limit, seed, tree, as_json)
