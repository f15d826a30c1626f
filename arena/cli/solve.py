"""`arena solve`: the exact score of a position, column by column."""

from __future__ import annotations

from arena.cli.options import AsJson, PositionText, option


def solve(
    position: PositionText = "",
    game: str = option(
        "connect4", "--game --board GAME", "A game by name or size: 6x5, 9x6c5, score4."
    ),
    seconds: float | None = option(
        None,
        "--seconds SECONDS",
        "Stop after this time; default 30 in 3-D, otherwise no limit.",
        min=0.001,
    ),
    as_json: AsJson = False,
) -> None:
    """Solve a position exactly.

    A score says how early a side wins: +3 is a win with two own discs left to play after the
    winning one, -3 a loss to such a win, 0 a draw. Early positions of large boards may take very
    long. In 3-D, only the end of a game can be solved.

    Example: arena solve 4453
    """
    from arena.cli.actions.solve import solve_position

    solve_position(position, game, seconds, as_json)
