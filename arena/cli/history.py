"""`arena history`: the games people have played here, who beat whom, and a leaderboard."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli import completing
from arena.cli.options import AsJson

LISTED = 20


def history(
    player: Annotated[str | None, typer.Option(help="List only games of this player.")] = None,
    board: Annotated[
        str | None,
        typer.Option(
            "--board",
            metavar="GAME",
            help="Only games on this board: 7x6, score4.",
            autocompletion=completing.games,
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="List no more games than this.")] = LISTED,
    game: Annotated[
        int | None,
        typer.Option("--game", metavar="NUMBER", help="Show one game: its board and moves."),
    ] = None,
    step: Annotated[
        bool, typer.Option("--step", help="With --game: step through it, move by move.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List your games, who beat whom, and a leaderboard.

    These are the games of arena play. Ratings are board by board, over people and engines alike.
    Games in which somebody asked for a hint or an opinion, or took a move back, are listed but
    not rated.

    Example: arena history --player Anna --board 7x6
    """
    from arena.cli.actions.history import show_games

    show_games(player, board, limit, game, step=step, as_json=as_json)
