"""`arena replay`: one game of a journal, move by move."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.options import AsJson, JournalPath


def replay(
    journal: JournalPath,
    game: Annotated[int, typer.Argument(metavar="GAME", help="The number of the game.")],
    ply: Annotated[
        int | None, typer.Option(min=0, help="Only the position after so many moves.")
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Print it all and ask nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Step through a game, move by move.

    It shows the board after each move, and what the engine said about it. Enter or an arrow goes
    on, b goes back, a number and Enter jump to that move, q quits.

    Example: arena replay reports/quickstart 12
    """
    from arena.cli.actions.replay import show_game

    show_game(journal, game, ply, plain, as_json)
