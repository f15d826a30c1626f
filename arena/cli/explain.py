"""`arena explain`: the exact value of each column of a position, or how an engine sees it."""

from __future__ import annotations

import sys

from arena.cli.options import (
    AsJson,
    GameName,
    LimitsText,
    PositionText,
    complete_engines,
    option,
    refuse,
)


def explain(
    position: PositionText = "",
    engine: str | None = option(
        None, "--engine ENGINE", "Ask this engine instead of the exact solver.", complete_engines
    ),
    game: GameName = "connect4",
    evaluation: str | None = option(
        None,
        "--evaluation EVALUATION",
        "Evaluation to break down; by default the engine's own, if it has one.",
    ),
    limit: LimitsText = "",
    seed: int | None = option(None, "--seed", "Seed of the engine; by default 1."),
    tree: bool = option(False, "--tree", "Show two plies of the engine's search."),
    as_json: AsJson = False,
) -> None:
    """Show the value of each column, exactly or as an engine sees it.

    Without --engine, the position is solved. A score says how early a side wins: +3 is a win with
    two own discs left to play after the winning one, -3 a loss to such a win, 0 a draw. Early
    positions of large boards may take very long; --limit seconds=10 stops the search. In 3-D, only
    the end of a game can be solved.

    Example: arena explain 4453

    Example: arena explain 4453 --engine "alphabeta depth=8" --tree
    """
    from arena.cli import explained
    from arena.game.position import Position
    from arena.game.rules import Rules

    text = sys.stdin.read() if position == "-" else position
    at = Position.parse(text, Rules.named(game))
    if engine is None:
        refuse("without --engine", evaluation=evaluation, seed=seed, tree=tree)
        explained.solve(at, limit, as_json)
    else:
        explained.ask_engine(
            at, engine, evaluation, limit, 1 if seed is None else seed, tree, as_json
        )
