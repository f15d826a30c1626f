"""`arena games`: the games of a journal, listed, filtered, exported, and read back."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from arena.cli import completing
from arena.cli.options import JOURNAL
from arena.errors import BadOption, UnknownName
from arena.show.numbers import how_many

if TYPE_CHECKING:
    from arena.journal import Journal
    from arena.play.record import GameRow

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
    _one_at_most(
        {
            "--json": as_json,
            "--csv": csv,
            "--export": export,
            "--transcript": transcript is not None,
        }
        | {"--import": source}
    )
    if source is not None or into is not None:
        return _import(journal, source, into)
    if journal is None:
        raise BadOption(
            "missing argument 'JOURNAL': a journal, its directory, or a tournament file"
        )
    from arena.cli.journals import open_journal
    from arena.cli.reading import is_silent, passed
    from arena.show.progress import Progress

    with open_journal(journal) as opened:
        if transcript is not None:
            from arena.journal.forms import transcript as written

            return print(written(opened.row(transcript), opened.header), end="")
        wanted = _filters(opened, player, opponent, result, reason)
        wanted |= {"round": round_, "bad": bad, "limit": limit}
        rows = opened.rows(**wanted, telemetry=export is not None)
        with Progress("writing games") as progress:
            shown = passed(rows, progress, opened.count()) if is_silent(csv or export) else rows
            return _show(opened, shown, as_json, csv, export)


def _show(
    journal: Journal, rows: Iterator[GameRow], as_json: bool, csv: str | None, export: str | None
) -> None:
    """Print or write the games in the form that was asked for."""
    from arena.engine.errors import read_last_words
    from arena.files import writing
    from arena.journal.exchange import export as write_export
    from arena.journal.forms import summary, write_csv

    if as_json:
        for row in rows:
            data = {**summary(row, journal.header), "trace": read_last_words(row.log)[0]}
            print(json.dumps(data, ensure_ascii=False))
    elif csv is not None:
        with writing(csv) as out:
            count = write_csv(rows, journal.header, out)
        _tell(csv, count)
    elif export is not None:
        with writing(export) as out:
            count = write_export(journal, out, rows)
        _tell(export, count)
    else:
        from arena.cli.views.games import list_games

        list_games(journal, rows)


def _filters(
    journal: Journal,
    player: str | None,
    opponent: str | None,
    result: str | None,
    reason: str | None,
) -> dict[str, Any]:
    """What to look for, by name, as the journal knows it."""
    from arena.play.record import Reason

    header = journal.header
    if result is not None and result not in RESULTS:
        raise UnknownName("result", result, RESULTS)
    if result in ("win", "loss") and player is None:
        raise BadOption(f"--result {result} needs --player: whose {result}?")
    if reason is not None and reason not in get_args(Reason):
        raise UnknownName("reason", reason, get_args(Reason))
    return {
        "player": None if player is None else header.player(player),
        "opponent": None if opponent is None else header.player(opponent),
        "result": None if result is None else RESULTS[result],
        "reason": reason,
    }


def _import(journal: Path | None, source: Path | None, into: Path | None) -> None:
    from arena.journal.exchange import import_journal
    from arena.show.progress import Progress, size_of

    if source is None or into is None:
        raise BadOption("--import FILE and --into NEW belong together")
    if journal is not None:
        raise BadOption(f"--import takes no journal besides --into, but {journal} was given")
    with Progress("importing", size_of(source), in_percent=True) as progress:
        count = import_journal(source, into, progress.at)
    print(f"{into} holds {how_many(count, 'game')}", file=sys.stderr)


def _one_at_most(chosen: dict[str, Any]) -> None:
    given = [name for name, value in chosen.items() if value]
    if len(given) > 1:
        raise BadOption(f"{' and '.join(given)} do not go together; choose one")


def _tell(target: str, count: int) -> None:
    if target != "-":
        print(f"{how_many(count, 'game')} written to {target}", file=sys.stderr)
