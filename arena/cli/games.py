"""`arena games`: the games of a journal or your own, listed, shown, exported, and read back."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from arena.cli.options import AsJson, CsvFile, argument, complete_journals, option, refuse
from arena.errors import BadOption, UnknownName
from arena.files import writing
from arena.show.numbers import how_many
from arena.show.progress import Progress, size_of
from arena.show.terminal import console, dot
from arena.text import printable

if TYPE_CHECKING:
    from arena.journal import Header, Journal
    from arena.table.game import Game

RESULTS = {"win": 1, "draw": 0, "loss": -1}


def games(
    journal: str | None = argument(
        None,
        "JOURNAL",
        "A journal, its folder, or a tournament file; by default your own games.",
        complete_journals,
    ),
    number: int | None = argument(None, "NUMBER", "Show this game."),
    ply: int | None = option(None, "--ply", "Show only the position after this many moves.", min=0),
    plain: bool = option(False, "--plain", "Print the whole game without keys."),
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
    game: str | None = option(None, "--game GAME", "Only your own games on this board: 7x6."),
    most: int | None = option(None, "--most", "Show at most this many games.", min=0),
    csv: CsvFile = None,
    export: str | None = option(
        None, "--export FILE", "Write everything as JSON lines, or a table if FILE ends in .csv."
    ),
    source: Path | None = option(None, "--import FILE", "Read an export, or transcripts."),
    into: Path | None = option(None, "--into NEW", "The new file for --import."),
    as_json: AsJson = False,
) -> None:
    """List games, show one, export or import them.

    With NUMBER, it shows one game: on a terminal, Enter or an arrow key goes on, b goes back, a
    number and Enter jump to that move, q quits. Without JOURNAL, the games are those of `arena
    play`, with a leaderboard for each board; games with hints or moves taken back are not rated.

    An export has everything in the journal; --import reads it back. --import also reads
    transcripts (a file with one or several, or a folder of them), on --game.

    Example: arena games reports/quickstart 12

    Example: arena games reports/quickstart --player mcts --result loss --csv lost.csv
    """
    filters = {"player": player, "opponent": opponent, "result": result, "reason": reason,
               "round": round_, "bad": bad, "most": most}  # fmt: skip
    outputs = {"--json": as_json, "--csv": csv, "--export": export, "--import": source is not None}
    if len(given := [name for name, value in outputs.items() if value]) > 1:
        raise BadOption(f"{' and '.join(given)} do not go together; choose one")
    if source is not None or into is not None:
        refuse("with --import", JOURNAL=journal, ply=ply, plain=plain, **filters)
        _import_games(source, into, game)
        return
    if journal is not None and number is None and _is_number(journal):
        number, journal = int(journal), None
    if number is not None:
        refuse("with one game", csv=csv, export=export, game=game, **filters)
    else:
        refuse("without NUMBER", ply=ply, plain=plain)
    if journal is None:
        from arena.cli.history import show_game, show_history

        refuse("for your own games", opponent=opponent, result=result, reason=reason,
               round=round_, bad=bad, csv=csv, export=export)  # fmt: skip
        if number is None:
            show_history(player, game, most, as_json)
        else:
            show_game(number, ply, plain, as_json)
        return
    refuse("with a journal", game=game)

    from arena.cli.journals import open_journal

    with open_journal(Path(journal)) as opened:
        if number is None:
            _show(opened, filters, as_json, csv, export)
        else:
            from arena.cli import replay

            replay.show_game(replay.Replay(opened.header, opened.row(number)), ply, plain, as_json)


def _is_number(text: str) -> bool:
    return text.isdecimal() and text.isascii() and not Path(text).exists()


def _show(
    journal: Journal, filters: dict[str, Any], as_json: bool, csv: str | None, export: str | None
) -> None:
    """Print or write the games that meet the filters."""
    from arena.cli.journals import is_silent, with_progress
    from arena.journal.export import export as export_journal
    from arena.journal.export import summary, write_csv

    table = export if export is not None and export.lower().endswith(".csv") else csv
    lines = None if table == export else export
    wanted = _wanted(journal.header, filters)
    rows = journal.rows(**wanted, telemetry=lines is not None)
    with Progress("writing games") as progress:
        if is_silent(table or lines):
            rows = with_progress(rows, progress, journal.count())
        if as_json:
            for row in rows:
                data = {**summary(row, journal.header), "trace": row.trace}
                print(json.dumps(data, ensure_ascii=False))
        elif table is not None:
            with writing(table) as out:
                count = write_csv(rows, journal.header, out)
            _say_written(table, count)
        elif lines is not None:
            with writing(lines) as out:
                count = export_journal(journal, out, rows)
            _say_written(lines, count)
        else:
            _list(journal, rows)


def _wanted(header: Header, filters: dict[str, Any]) -> dict[str, Any]:
    """The filters as the journal knows them: players by number, results for the player."""
    from arena.table.game import Reason

    player, opponent = filters["player"], filters["opponent"]
    result, reason = filters["result"], filters["reason"]
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
        "round": filters["round"],
        "bad": filters["bad"],
        "limit": filters["most"],
    }


def _say_written(target: str, count: int) -> None:
    if target != "-":
        print(f"{how_many(count, 'game')} written to {printable(target)}", file=sys.stderr)


def _list(journal: Journal, rows: Iterator[Game]) -> None:
    """Print a heading, the games, and their number."""
    from rich.text import Text

    from arena.show.games import GameLines

    out, header = console(), journal.header
    total, count = journal.count(), 0
    lines = GameLines(header.names, header.rules, out.width)
    out.print(f"{printable(header.name)} {dot()} {header.rules}\n", style="dim", soft_wrap=True)
    out.print(lines.heading(), style="dim", soft_wrap=True)
    for row in rows:
        count += 1
        for line in lines.lines(row):
            if out.is_terminal:
                out.print(line, soft_wrap=True)
            else:
                print(line.plain.rstrip())  # rich is slow for a million lines
    for words in lines.mistakes.repeated():
        out.print(Text(f"\n{words}", style="red"), soft_wrap=True)
    part = "" if count == total else f"{count:,} of "
    out.print(f"\n{part}{how_many(total, 'game')}" if total else "no games yet", style="dim")


def _import_games(source: Path | None, into: Path | None, game: str | None) -> None:
    """Read an export, or transcripts, into a new journal."""
    from arena.game.rules import Rules
    from arena.journal.imports import files_of, import_journal

    if source is None or into is None:
        raise BadOption("--import FILE and --into NEW belong together")
    rules = None if game is None else Rules.named(game)
    notices: list[str] = []
    size = sum(map(size_of, files_of(source)))
    with Progress("importing", size, in_percent=True) as progress:
        count = import_journal(source, into, progress.at, rules=rules, notice=notices.append)
    for notice in notices:
        print(printable(notice), file=sys.stderr)
    print(f"{printable(str(into))} holds {how_many(count, 'game')}", file=sys.stderr)
