"""`arena games`: the games of a journal, listed, filtered, exported, and read back."""

from __future__ import annotations

from pathlib import Path

from arena.cli.options import CsvFile, OptionalJournal, option

RESULTS = {"win": 1, "draw": 0, "loss": -1}


def games(
    journal: OptionalJournal = None,
    player: str | None = option(None, "--player", "Only games of this player."),
    opponent: str | None = option(None, "--opponent", "Only games against this one."),
    result: str | None = option(
        None, "--result RESULT", "Only games with this result of the player: win, draw, loss."
    ),
    reason: str | None = option(
        None, "--reason REASON", 'Only games that ended for this reason: "time".'
    ),
    round_: int | None = option(None, "--round", "Only games of this round."),
    bad: bool = option(False, "--bad", "Only games lost by a fault."),
    limit: int | None = option(None, "--limit", "Show at most this many games.", min=0),
    as_json: bool = option(False, "--json", "Print JSON lines."),
    csv: CsvFile = None,
    export: str | None = option(
        None, "--export FILE", "Write everything as JSON lines, or a table if FILE ends in .csv."
    ),
    transcript: int | None = option(
        None, "--transcript GAME", "Print one game as a transcript in FourPlay's format."
    ),
    source: Path | None = option(None, "--import FILE", "Read an export, or transcripts."),
    into: Path | None = option(None, "--into NEW", "The new file for --import."),
    game: str | None = option(None, "--game GAME", "The board of transcripts, if it is not 4x4x4."),
) -> None:
    """List, filter, export or import games.

    An export has everything in the journal; --import reads it back. --import also reads
    transcripts: a file with one or several, or a folder of them.

    Example: arena games reports/quickstart --player mcts --result loss

    Example: arena games reports/quickstart --csv games.csv

    Example: arena games --import game_transcripts --into fourplay.db
    """
    from arena.cli.actions.games import Output, import_games, show_games

    output = Output(as_json, csv, export, transcript)
    output.check(importing=source is not None)
    if source is not None or into is not None or game is not None:
        import_games(journal, source, into, game)
        return
    show_games(
        journal, output, player=player, opponent=opponent, result=result, reason=reason,
        round=round_, bad=bad, limit=limit,
    )  # fmt: skip
