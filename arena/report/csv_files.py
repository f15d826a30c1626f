"""The numbers of a tournament as CSV files (RFC 4180, UTF-8), for spreadsheets and statistics.

Numbers are written in full; what is not known is an empty cell. Words that a spreadsheet would run
as a formula get an apostrophe in front. Games and moves are written as they are read.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable, Iterator
from math import isfinite
from pathlib import Path
from types import NoneType
from typing import Any

from arena.journal import Journal
from arena.journal.forms import FIELDS, harmless, summary
from arena.journal.header import Header
from arena.play.record import MoveRecord
from arena.play.row import GameRow
from arena.report.tables import Table, head_to_head, standings, timing
from arena.standings.collect_moves import has_telemetry
from arena.standings.rating import Ratings
from arena.standings.results import Results

MOVE_FIELDS = ("game", "ply", "player", "column", "seconds", "cpu", "score", "depth", "nodes")
WORDS = {"±": "Elo error"}  # headings for programs
SAFE = (int, NoneType)  # written as they are

Cells = Iterable[Any]


def write_csv_files(
    folder: Path, journal: Journal, results: Results, ratings: Ratings, moves: bool = True
) -> list[Path]:
    """Write standings, crosstable, timing and games, and moves if wanted; tell the files.

    A row for each move makes moves.csv large: some 60 bytes a move.
    """
    folder.mkdir(parents=True, exist_ok=True)
    order = ratings.order
    header = journal.header
    files: dict[str, Callable[[], Iterator[Cells]]] = {
        "standings.csv": lambda: table_lines(standings(results, ratings)),
        "crosstable.csv": lambda: table_lines(head_to_head(results, order)),
        "timing.csv": lambda: table_lines(timing(results, order)),
        "games.csv": lambda: game_lines(journal.rows(telemetry=False), header),
    }
    if moves:
        files["moves.csv"] = lambda: move_lines(journal.rows(), header)
    return [write_lines(folder / name, lines()) for name, lines in files.items()]


def table_lines(table: Table) -> Iterator[Cells]:
    """A table with its headings."""
    yield [WORDS.get(name, name) for name in table.headings()]
    yield from table.rows


def game_lines(rows: Iterable[GameRow], header: Header) -> Iterator[Cells]:
    """A line for each game, under the names that `arena games --csv` uses."""
    yield FIELDS
    for row in rows:
        yield summary(row, header).values()


def move_lines(rows: Iterable[GameRow], header: Header) -> Iterator[Cells]:
    """A line for each move that an engine chose; plies and columns count from 1."""
    yield MOVE_FIELDS
    for row in rows:
        names = header.names[row.first], header.names[row.second]
        told = row.move_records() if has_telemetry(row) else None
        start = len(row.opening)
        for place, column in enumerate(row.moves[start:]):
            ply = start + place
            who = (row.number, ply + 1, names[ply % 2], column + 1)
            yield (*who, *([None] * 5 if told is None else _figures(told[place])))


def write_lines(path: Path, lines: Iterable[Cells]) -> Path:
    """Write a file under another name first, so that a half-written one is never taken for it."""
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("w", encoding="utf-8", newline="") as out:
            table = csv.writer(out, lineterminator="\r\n")
            for cells in lines:
                table.writerow([c if type(c) in SAFE else _plain(c) for c in cells])
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    return path


def _plain(cell: Any) -> Any:
    """A cell that every program reads: no formula, no nan, no infinity."""
    if isinstance(cell, float) and not isfinite(cell):
        return None
    return harmless(cell)


def _figures(move: MoveRecord) -> Cells:
    return _known(move.seconds), _known(move.cpu), move.score, move.depth, move.nodes


def _known(figure: float) -> float | None:
    """A time with the digits that its 4 bytes hold; None if it is not known."""
    return float(f"{figure:.7g}") if figure >= 0 else None
