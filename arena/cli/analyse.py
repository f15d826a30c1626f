"""`arena analyse`: every move of a game judged exactly, or the accuracy of a journal's engines."""

from __future__ import annotations

from pathlib import Path

from arena.cli.options import AsJson, argument, complete_journals, option, refuse, seconds
from arena.errors import BadOption


def analyse(
    what: str = argument(
        ...,
        "JOURNAL|GAME",
        "A journal, its directory, or a tournament file; or the moves of a game.",
        complete_journals,
    ),
    number: int | None = argument(None, "NUMBER", "One game of the journal."),
    game: str | None = option(
        None, "--game GAME", "The board of the moves, by name or size.  [default: connect4]"
    ),
    seconds: float = seconds(
        60.0,
        "--seconds TIME",
        "Processor time of each core: 30, 10m; for a journal, the next call continues.",
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
    from arena.cli import judged
    from arena.library.analysis import game_from_moves, is_notation

    if plot is not None:
        judged.check_plot(plot)
    if not is_notation(what) and number is None:
        refuse("with a journal, which knows its game", game=game)
        judged.analyse_journal(Path(what), seconds, plot, as_json, blunders, openings)
        return
    refuse("with one game", blunders=blunders, openings=openings)
    if is_notation(what):
        if number is not None:
            raise BadOption(f"{what} is a game already; only a journal has a game {number}")
        analysis = game_from_moves(what, game or "connect4", seconds)
    else:
        refuse("with a journal, which knows its game", game=game)
        analysis = judged.game_of_journal(Path(what), number or 0, seconds)
    judged.show(analysis, plot, as_json)
