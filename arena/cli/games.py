"""`arena games`: the games of a journal, listed, filtered, exported, and read back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli import completing
from arena.cli.options import JOURNAL

RESULTS = {"win": 1, "draw": 0, "loss": -1}


def games(
    journal: Annotated[Path | None, JOURNAL] = None,
    player: Annotated[str | None, typer.Option(help="Only games of this player.")] = None,
    opponent: Annotated[str | None, typer.Option(help="Only games against this one.")] = None,
    result: Annotated[
        str | None,
        typer.Option(
            "--result",
            metavar="RESULT",
            help="Only games with this result of the player: win, draw, loss.",
            autocompletion=completing.results,
        ),
    ] = None,
    reason: Annotated[
        str | None,
        typer.Option(
            "--reason",
            metavar="REASON",
            help='Only games that ended so: "time".',
            autocompletion=completing.reasons,
        ),
    ] = None,
    round_: Annotated[int | None, typer.Option("--round", help="Only games of this round.")] = None,
    bad: Annotated[bool, typer.Option("--bad", help="Only games lost by a fault.")] = False,
    limit: Annotated[int | None, typer.Option(min=0, help="No more games than this.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
    csv: Annotated[
        str | None, typer.Option("--csv", metavar="FILE", help="Write CSV; - prints it.")
    ] = None,
    export: Annotated[
        str | None,
        typer.Option("--export", metavar="FILE", help="Write all there is as JSON lines."),
    ] = None,
    transcript: Annotated[
        int | None,
        typer.Option("--transcript", metavar="GAME", help="Print one game as FourPlay wrote it."),
    ] = None,
    source: Annotated[
        Path | None, typer.Option("--import", metavar="FILE", help="Read an export ...")
    ] = None,
    into: Annotated[
        Path | None, typer.Option("--into", metavar="NEW", help="... into a new file.")
    ] = None,
) -> None:
    """List, filter and export the games of a journal.

    An export has everything that the journal knows; --import reads it back.

    Example: arena games reports/quickstart --player mcts --result loss

    Example: arena games reports/quickstart --csv games.csv
    """
    from arena.cli.actions.games import Output, import_games, show_games

    output = Output(as_json, csv, export, transcript)
    output.check(importing=source is not None)
    if source is not None or into is not None:
        import_games(journal, source, into)
        return
    show_games(
        journal, output, player=player, opponent=opponent, result=result, reason=reason,
        round=round_, bad=bad, limit=limit,
    )  # fmt: skip
