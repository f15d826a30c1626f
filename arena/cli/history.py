"""`arena history`: the games people have played here, who beat whom, and a leaderboard."""

from __future__ import annotations

from arena.cli.options import AsJson, option

LISTED = 20


def history(
    player: str | None = option(None, "--player", "List only games of this player."),
    board: str | None = option(None, "--board GAME", "Only games on this board: 7x6, score4."),
    limit: int = option(LISTED, "--limit", "List at most this many games.", min=0),
    game: int | None = option(None, "--game NUMBER", "Show one game: its board and moves."),
    step: bool = option(False, "--step", "With --game: step through it, move by move."),
    as_json: AsJson = False,
) -> None:
    """Show your games and a leaderboard.

    These are the games of `arena play`. Each board has its own ratings, for people and engines
    together. Games in which somebody asked for a hint or an opinion, or took back a move, are
    listed but not rated.

    Example: arena history --player Anna --board 7x6
    """
    from arena.cli.actions.history import show_games

    show_games(player, board, limit, game, step=step, as_json=as_json)
