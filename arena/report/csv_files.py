"""The numbers of a tournament as CSV files (RFC 4180, UTF-8), for spreadsheets and statistics.

Headings are in snake_case with units, numbers have six digits, unknown values are empty cells.
Words that a spreadsheet would run as a formula get an apostrophe in front. Games and moves are
written while the journal is read. docs/results.md lists all columns.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from math import isfinite
from pathlib import Path
from typing import Any

from arena.files import replacing
from arena.game.notation import move_data
from arena.journal.export import FIELDS, game_lines
from arena.journal.records import Header
from arena.judge.game import Judged
from arena.report.accuracy import blunders_table, decided_table, group_table
from arena.report.conditions import with_limits, with_options
from arena.report.data import ReportData
from arena.report.scores import head_to_head
from arena.report.search import timing
from arena.show.standings import standings_table
from arena.show.table import Table
from arena.standings.accuracy import Accuracy
from arena.standings.results import Listener
from arena.table.game import Game
from arena.text import harmless

GAMES, MOVES = "games.csv", "moves.csv"
MOVE_FIELDS = ("game", "ply", "engine", "column", "time_s", "cpu_s", "score", "depth", "nodes",
               "verdict", "score_lost")  # fmt: skip
DIGITS = 6

Cells = Iterable[Any]


def data_tables(data: ReportData) -> dict[str, Table]:
    """The tables that every report writes, by file."""
    results, order, players = data.results, data.order, data.header.players
    standings = with_options(standings_table(results.scoreboard, data.ratings), players)
    files = {
        "standings.csv": with_limits(standings, players),
        "crosstable.csv": head_to_head(results, order),
        "timing.csv": with_limits(timing(results, order), players),
    }
    if data.accuracy is not None:
        files["accuracy.csv"] = group_table("Accuracy", data.accuracy, order)
        files["decided.csv"] = decided_table(data.accuracy)
        files["blunders.csv"] = blunders_table(data.accuracy)
    return files


def write_table(path: Path, table: Table) -> Path:
    """Write a table with its keys, into a folder that need not be there."""
    path.parent.mkdir(exist_ok=True)
    return write_lines(path, [table.headers(), *table.values()])


def write_lines(path: Path, lines: Iterable[Cells]) -> Path:
    """Write a CSV file, whole or not at all."""
    with csv_writer(path) as write:
        write(lines)
    return path


@contextmanager
def csv_writer(path: Path, plain: bool = False) -> Iterator[Callable[[Iterable[Cells]], None]]:
    """A function that writes some lines of a CSV file, which is there when the block ends well.

    Cells are changed into plain ones unless `plain` says that they are.
    """
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as out:
        write = csv.writer(out, lineterminator="\r\n").writerows
        yield write if plain else lambda lines: write(map(_plain, line) for line in lines)


def game_writers(
    files: ExitStack, folder: Path, header: Header, moves: bool, accuracy: Accuracy | None
) -> list[Listener]:
    """Listeners that write games, and every move if wanted, as the games are read.

    A row for each move makes moves.csv large: some 60 bytes a move.
    """
    write_games = files.enter_context(csv_writer(folder / GAMES, plain=True))
    write_games([FIELDS])
    listeners: list[Listener] = [lambda batch: write_games(game_lines(batch.games, header))]
    if moves:
        judged = judged_by_number(accuracy)
        write_moves = files.enter_context(csv_writer(folder / MOVES))
        write_moves([MOVE_FIELDS])
        listeners.append(lambda batch: write_moves(move_lines(batch.games, header, judged)))
    return listeners


def judged_by_number(accuracy: Accuracy | None) -> dict[int, Judged]:
    """The judged games by their numbers."""
    return {} if accuracy is None else {game.number: game.judged for game, _ in accuracy.games}


def move_lines(
    games: Iterable[Game], header: Header, judged: Mapping[int, Judged] | None = None
) -> Iterator[tuple[Any, ...]]:
    """A line for each move that an engine chose; plies and columns count from 1."""
    for game in games:
        names = header.names[game.first], header.names[game.second]
        moves = game.move_records() if game.has_telemetry else None
        own = (judged or {}).get(game.number)
        start = len(game.opening)
        for place, column in enumerate(game.moves[start:]):
            ply = start + place
            figures: tuple[Any, ...] = (None,) * 5
            if moves is not None:
                move = moves[place]
                times = (time if time >= 0 else None for time in (move.seconds, move.cpu))
                figures = (*times, move.score, move.depth, move.nodes)
            verdict = None if own is None else own.verdict(ply, header.rules)
            kind = (None, None) if verdict is None else (verdict.kind, verdict.loss)
            yield (game.number, ply + 1, names[ply % 2], move_data(column), *figures, *kind)


def _plain(cell: Any) -> Any:
    """A cell that every program reads: no formula, no nan, no infinity, no needless digits."""
    if isinstance(cell, float):
        return float(f"{cell:.{DIGITS}g}") if isfinite(cell) else None
    return harmless(cell) if isinstance(cell, str) else cell
