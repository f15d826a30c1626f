"""`arena solve`: the exact score of a position, column by column."""

from __future__ import annotations

from arena.cli import completing
from arena.cli.options import AsJson, PositionText, option


def solve(
    position: PositionText = "",
    game: str = option(
        "connect4",
        "--game --board GAME",
        "A game by name or size: 6x5, 9x6c5, score4.",
        completing.games,
    ),
    seconds: float | None = option(
        None,
        "--seconds SECONDS",
        "What is left then stays open; 30 in space, else no limit.",
        min=0.001,
    ),
    as_json: AsJson = False,
) -> None:
    """Solve a position exactly.

    A score counts from the end: +3 wins with two discs of one's own left after the winning one,
    -3 loses so, 0 is a draw. Discs are counted over both players. Early positions of large
    boards may take very long, and in space only the last part of a game can be solved.

    Example: arena solve 4453
    """
    from arena.cli.actions.solve import solve_position

    solve_position(position, game, seconds, as_json)
