"""`arena solve`: the exact score of a position, column by column."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli import completing
from arena.cli.options import AsJson


def solve(
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION", help='Moves ("4453"), a drawn board, or - to read one from stdin.'
        ),
    ] = "",
    game: Annotated[
        str,
        typer.Option(
            "--game",
            "--board",
            metavar="GAME",
            help="A game by name or size: 6x5, 9x6c5, score4.",
            autocompletion=completing.games,
        ),
    ] = "connect4",
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds",
            metavar="SECONDS",
            min=0.001,
            help="What is left then stays open; 30 in space, else no limit.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Solve a position exactly: who wins, when, and with which columns.

    A score counts from the end: +3 wins with two discs of one's own left after the winning one,
    -3 loses so, 0 is a draw. Discs are counted over both players. Early positions of large
    boards may take very long, and in space only the last part of a game can be solved.

    Example: arena solve 4453
    """
    from arena.cli.actions.solve import solve_position

    solve_position(position, game, seconds, as_json)
