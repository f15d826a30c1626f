"""The blocks of a report: paragraphs, tables, pictures, boards, in plain words, not escaped.

A table too long or too wide for a page is folded when it is written: the page shows a part of it,
and all of it is in a file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from arena.show.table import Table

LONG, FIRST = 16, 10  # rows of a table that stays whole, and rows of a longer one on a page
LONGER = 50  # the same of what a reader came for
ANSWERS = ("Standings", "Expectations", "Published vs measured", "Figures")


@dataclass(frozen=True)
class Words:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Caution:
    """A topic to be careful about, and what there is to know."""

    topic: str
    text: str


@dataclass(frozen=True)
class Code:
    """Text that stays as it is: a board, a command, a file."""

    text: str
    language: str = "text"


@dataclass(frozen=True)
class Picture:
    """A plot by its file name without ending, and what it shows."""

    name: str
    words: str


@dataclass(frozen=True)
class Game:
    """A game with a heading, its final board, and the command that replays it."""

    title: str
    number: int
    story: str
    board: str
    command: str
    ply: int | None = None  # discs on the board where a replay begins; None: the end


@dataclass(frozen=True)
class Link:
    """A file beside the report."""

    file: str
    words: str


Block = Words | Caution | Code | Picture | Game | Link | Table


def fold(table: Table) -> tuple[Table, str]:
    """As much of a table as fits a page, and in words what all of it is; "" if that is all."""
    brief = table.only(table.title, table.brief) if table.brief else table
    if len(table.rows) > (LONGER if table.title in ANSWERS else LONG):
        brief = replace(brief, rows=brief.rows[:FIRST])
    rows, columns = len(table.rows), len(table.columns)
    more = [f"{rows:,} rows"] if rows > len(brief.rows) else []
    more += [f"{columns} columns"] if columns > len(brief.columns) else []
    return brief, f"all {' and '.join(more)}" if more else ""


def file_of(table: Table) -> str:
    """The file with all of a table."""
    return table.file or f"tables/{slug(table.title)}.csv"


def slug(title: str) -> str:
    """A title as the name of a file, or of a place on a page."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
