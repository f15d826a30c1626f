"""The body of `arena games`: the games of a journal listed, written for others, and read back."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from rich.text import Text

from arena.cli.actions.journals import is_silent, open_journal, with_progress
from arena.cli.games import RESULTS
from arena.engine.errors import EngineMistakes
from arena.errors import BadOption, UnknownName
from arena.files import writing
from arena.game.notation import write_moves
from arena.game.rules import Rules
from arena.journal import Header, Journal
from arena.journal.export import export, summary, write_csv
from arena.journal.imports import files_of, import_journal
from arena.journal.transcripts import write_transcript
from arena.show.numbers import UNKNOWN, duration, how_many
from arena.show.progress import Progress, size_of
from arena.show.table import cut_name
from arena.show.terminal import console, dot, symbol
from arena.table.game import GOOD_ENDS, Game, Reason
from arena.text import printable

OTHER_COLUMNS = 62  # of a line, without the names


@dataclass(frozen=True)
class Output:
    """In which form games are asked for; a table on the screen if in none of these."""

    as_json: bool = False
    csv: str | None = None  # where to
    export: str | None = None
    transcript: int | None = None  # of this game

    @property
    def table(self) -> str | None:
        """The file that gets a table: of --csv, or of --export if its name ends in .csv."""
        return self.export if _is_csv(self.export) else self.csv

    @property
    def lines(self) -> str | None:
        """The file that gets JSON lines."""
        return None if _is_csv(self.export) else self.export

    def check(self, importing: bool) -> None:
        """One form at most, and none while games are imported."""
        options = {
            "--json": self.as_json,
            "--csv": self.csv,
            "--export": self.export,
            "--transcript": self.transcript is not None,
            "--import": importing,
        }
        given = [name for name, value in options.items() if value]
        if len(given) > 1:
            raise BadOption(f"{' and '.join(given)} do not go together; choose one")


def _is_csv(target: str | None) -> bool:
    return target is not None and Path(target).suffix.lower() == ".csv"


def show_games(
    journal: Path | None,
    output: Output,
    *,
    player: str | None,
    opponent: str | None,
    result: str | None,
    reason: str | None,
    **others: Any,
) -> None:
    """Print or write the games that are asked for."""
    if journal is None:
        raise BadOption(
            "missing argument 'JOURNAL': a journal, its directory, or a tournament file"
        )
    with open_journal(journal) as opened:
        if output.transcript is not None:
            print(write_transcript(opened.row(output.transcript), opened.header), end="")
            return
        wanted = _filters(opened.header, player, opponent, result, reason)
        rows = opened.rows(**wanted, **others, telemetry=output.lines is not None)
        with Progress("writing games") as progress:
            if is_silent(output.table or output.lines):
                rows = with_progress(rows, progress, opened.count())
            _show(opened, rows, output)


def import_games(
    journal: Path | None, source: Path | None, into: Path | None, game: str | None
) -> None:
    """Read an export or transcripts into a new journal."""
    if source is None and into is None:
        raise BadOption("--game is the board of transcripts, and goes with --import")
    if source is None or into is None:
        raise BadOption("--import FILE and --into NEW belong together")
    if journal is not None:
        raise BadOption(f"--import takes no journal besides --into, but {journal} was given")
    rules = None if game is None else Rules.named(game)
    notices: list[str] = []
    size = sum(map(size_of, files_of(source)))
    with Progress("importing", size, in_percent=True) as progress:
        count = import_journal(source, into, progress.at, rules=rules, notice=notices.append)
    for notice in notices:
        print(printable(notice), file=sys.stderr)
    print(f"{printable(str(into))} holds {how_many(count, 'game')}", file=sys.stderr)


def _filters(
    header: Header,
    player: str | None,
    opponent: str | None,
    result: str | None,
    reason: str | None,
) -> dict[str, Any]:
    """What to look for, by name, as the journal knows it."""
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


def _show(journal: Journal, rows: Iterator[Game], output: Output) -> None:
    """The games in the form that was asked for."""
    if output.as_json:
        for row in rows:
            data = {**summary(row, journal.header), "trace": row.trace}
            print(json.dumps(data, ensure_ascii=False))
    elif output.table is not None:
        with writing(output.table) as out:
            count = write_csv(rows, journal.header, out)
        _tell_written(output.table, count)
    elif output.lines is not None:
        with writing(output.lines) as out:
            count = export(journal, out, rows)
        _tell_written(output.lines, count)
    else:
        _list_games(journal, rows)


def _tell_written(target: str, count: int) -> None:
    if target != "-":
        print(f"{how_many(count, 'game')} written to {printable(target)}", file=sys.stderr)


def _list_games(journal: Journal, rows: Iterable[Game]) -> None:
    """Print a heading, the games, and how many of all they are."""
    out = console()
    total, count = journal.count(), 0
    lines = _Lines(journal, out.width)
    for heading in lines.heading():
        out.print(heading, style="dim", soft_wrap=True)
    for row in rows:
        count += 1
        for line in lines.game(row):
            if out.is_terminal:
                out.print(line, soft_wrap=True)
            else:
                print(line.plain.rstrip())
    for words in lines.mistakes.repeated():
        out.print(Text(f"\n{words}", style="red"), soft_wrap=True)
    part = "" if count == total else f"{count:,} of "
    out.print(f"\n{part}{how_many(total, 'game')}" if total else "no games yet", style="dim")


class _Lines:
    """Lines of a table whose names are as wide as the line-up asks and the screen allows."""

    def __init__(self, journal: Journal, screen: int) -> None:
        self.header = journal.header
        self.rules = journal.header.rules
        self.mistakes = EngineMistakes()
        self.names = [printable(name) for name in journal.header.names]
        longest = max(map(len, self.names), default=0)
        room = (screen - OTHER_COLUMNS) // 2
        self.width = max(len("second (O)"), min(longest, room))

    def heading(self) -> Iterator[Text]:
        """What is listed, and the names of the columns."""
        yield Text(f"{printable(self.header.name)} {dot()} {self.rules}\n")
        names = f"{'first (X)':{self.width}}  {'second (O)':{self.width}}"
        yield Text(f"{'game':>7}  round  {names}  result  plies  opening      time  ended by")

    def game(self, row: Game) -> Iterator[Text]:
        """A game on its line, and on the next what went wrong, if something did."""
        line = Text(f"{row.number:>7}  {row.round:>5}  ")
        for player, won in ((row.first, row.result > 0), (row.second, row.result < 0)):
            name = cut_name(self.names[player], self.width)
            line.append(f"{name:{self.width}}  ", style="bold green" if won else "")
        line.append(f"{result_words(row.result):^6}  {len(row.moves):>5}  ")
        opening = write_moves(row.opening, self.rules) or UNKNOWN
        line.append(f"{opening:7}  ", style="dim").append(f"{duration(row.seconds):>8}  ")
        bad = row.reason not in GOOD_ENDS
        yield line.append(printable(row.reason), style="red" if bad else "")
        if bad and row.detail:
            for words in self.mistakes.add(row.number, row.detail, row.log).lines():
                yield Text(f"{'':9}{words}", style="red")


def result_words(result: int) -> str:
    """The result as players write it."""
    return {1: "1-0", 0: symbol("½-½", "draw"), -1: "0-1"}[result]
