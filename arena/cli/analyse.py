"""`arena analyse`: every move of a game judged, or the accuracy of a journal's engines."""

from __future__ import annotations

from pathlib import Path

from arena.cli import completing
from arena.cli.options import AsJson, argument, option


def analyse(
    what: str = argument(
        ...,
        "JOURNAL|GAME",
        "A journal, its directory, or a tournament file; or the moves of a game.",
        completing.journals,
    ),
    number: int | None = argument(None, "NUMBER", "One game of the journal."),
    game: str | None = option(
        None, "--game GAME", "The board of the moves, by name or size.  [default: connect4]"
    ),
    seconds: float = option(
        60.0,
        "--seconds SECONDS",
        "Processor seconds of each core; for a journal, the next call continues.",
        min=0.001,
        max=1e7,
    ),
    plot: Path | None = option(
        None, "--plot FILE", "Plot the value of the game, or the accuracies."
    ),
    blunders: str | None = option(
        None, "--blunders ENGINE", "List every blunder of this engine, with its position."
    ),
    openings: Path | None = option(
        None, "--openings FILE", "Write the positions of these blunders as an opening file."
    ),
    as_json: AsJson = False,
) -> None:
    """Judge the moves of a game or a journal exactly.

    For one game, it lists every move with its verdict (best, a slower win, a faster loss, or a
    blunder) and draws the value by ply. For a journal, it measures the accuracy of each engine, on
    as many games as the time allows. The judgements are kept beside the journal.

    Example: arena analyse reports/quickstart 12

    Example: arena analyse reports/quickstart --blunders mcts --openings blunders.txt

    Example: arena analyse 4444453535332 --plot game.svg
    """
    from arena.cli.actions.analyse import analyse_what

    analyse_what(what, number, game, seconds, plot, as_json, blunders, openings)
