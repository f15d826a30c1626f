"""The numbers of a tournament as CSV files (RFC 4180, UTF-8), for spreadsheets and statistics.

Numbers are written in full; what is not known is an empty cell. Words that a spreadsheet would run
as a formula get an apostrophe in front. Games and moves are written as they are read.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import Any

from arena.files import replacing
from arena.game.notation import move_data
from arena.journal import Journal
from arena.journal.export import FIELDS, game_lines
from arena.journal.records import Header
from arena.report.accuracy import accuracy_table, decided_table
from arena.report.blocks import FILES
from arena.report.content import Content
from arena.report.limits import with_limits
from arena.report.tables import head_to_head, timing
from arena.show.standings import standings_table
from arena.show.table import WORDS, Table
from arena.standings.accuracy import Accuracy
from arena.standings.rating import Ratings
from arena.standings.results import Results
from arena.table.game import Game
from arena.text import harmless

MOVE_FIELDS = ("game", "ply", "player", "column", "seconds", "cpu", "score", "depth", "nodes")

Cells = Iterable[Any]


def write_csv_files(
    folder: Path,
    journal: Journal,
    results: Results,
    ratings: Ratings,
    accuracy: Accuracy | None = None,
    moves: bool = True,
) -> list[Path]:
    """Write standings, crosstable, timing and games, and moves if wanted; tell the files.

    A row for each move makes moves.csv large: some 60 bytes a move.
    """
    folder.mkdir(parents=True, exist_ok=True)
    order = ratings.order
    header = journal.header
    tables = {
        "standings.csv": with_limits(standings_table(results.scoreboard, ratings), header.players),
        "crosstable.csv": head_to_head(results, order),
        "timing.csv": with_limits(timing(results, order), header.players),
    }
    files = [write_table(folder / name, table) for name, table in tables.items()]
    games = chain([FIELDS], game_lines(journal.rows(telemetry=False), header))
    files.append(write_lines(folder / "games.csv", games, plain=True))
    if moves:
        files.append(write_lines(folder / "moves.csv", move_lines(journal.rows(), header)))
    if accuracy is not None:
        files.append(write_table(folder / "accuracy.csv", accuracy_table(accuracy, order)))
        files.append(write_table(folder / "decided.csv", decided_table(accuracy)))
    return files


def write_folds(folder: Path, content: Content) -> list[Path]:
    """A file for each table of which the page shows only a part."""
    files = []
    for fold in content.folds:
        if fold.file not in FILES.values():
            path = folder / fold.file
            path.parent.mkdir(exist_ok=True)
            files.append(write_table(path, fold.whole))
    return files


def write_table(path: Path, table: Table) -> Path:
    """Write a table with its headings."""
    headings = [WORDS.get(name, name) for name in table.headings()]
    return write_lines(path, [headings, *table.rows])


def move_lines(rows: Iterable[Game], header: Header) -> Iterator[Cells]:
    """A line for each move that an engine chose; plies and columns count from 1."""
    yield MOVE_FIELDS
    for row in rows:
        names = header.names[row.first], header.names[row.second]
        moves = row.move_records() if row.has_telemetry else None
        start = len(row.opening)
        for place, column in enumerate(row.moves[start:]):
            ply = start + place
            who = (row.number, ply + 1, names[ply % 2], move_data(column))
            if moves is None:
                yield (*who, *[None] * 5)
            else:
                move = moves[place]
                times = _seconds(move.seconds), _seconds(move.cpu)
                yield (*who, *times, move.score, move.depth, move.nodes)


def write_lines(path: Path, lines: Iterable[Cells], plain: bool = False) -> Path:
    """Write a CSV file, whole or not at all.

    Cells are made plain unless they are said to be so.
    """
    ready = lines if plain else ([_plain(cell) for cell in line] for line in lines)
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out, lineterminator="\r\n").writerows(ready)
    return path


def _plain(cell: Any) -> Any:
    """A cell that every program reads: no formula, no nan, no infinity."""
    if isinstance(cell, float):
        return cell if isfinite(cell) else None
    return harmless(cell) if isinstance(cell, str) else cell


def _seconds(figure: float) -> float | None:
    """A time with the digits that its 4 bytes hold; None if it is not known."""
    return float(f"{figure:.7g}") if figure >= 0 else None
