"""`arena replay`: one game of a journal, move by move."""

from __future__ import annotations

from arena.cli.options import AsJson, JournalPath, argument, option


def replay(
    journal: JournalPath,
    game: int = argument(..., "GAME", "The number of the game."),
    ply: int | None = option(None, "--ply", "Show only the position after this many moves.", min=0),
    plain: bool = option(False, "--plain", "Print the whole game without keys."),
    as_json: AsJson = False,
) -> None:
    """Step through a game.

    It shows the board after each move, with what the engine reported. Enter or an arrow key goes
    on, b goes back, a number and Enter jump to that move, q quits.

    Example: arena replay reports/quickstart 12
    """
    from arena.cli.actions.replay import show_game

    show_game(journal, game, ply, plain, as_json)
