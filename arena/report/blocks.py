"""What a report is made of: paragraphs, tables, pictures, boards; plain words, not yet escaped.

A table too long or too wide for a page is folded: a part is shown, and all of it is in a file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from arena.report.sections import EXPECTATIONS, FIGURES, PUBLISHED
from arena.show.table import Table

LONG, FIRST = 15, 10  # rows of a table that stays whole, and what is shown of a longer one
LONGER = 50  # the same of what a reader came for
STANDINGS = "Standings"
ANSWERS = (STANDINGS, EXPECTATIONS, PUBLISHED, FIGURES)
FOLDED = (
    "expectations",
    "published-and-here",
    "figures",
    "each-of-one-side-against-each-of-the-other",
    "pairs-of-games",
    "accuracy-of-all-moves",
    "accuracy-in-critical-positions",
    "accuracy-by-phase-of-the-game",
    "accuracy-by-seat",
    "moves-by-what-they-gave-away",
    "where-games-were-decided-by-engine",
    "where-games-were-decided-by-pairing",
    "run-time-from-first-to-last-move",
    "score-by-fifths-of-the-games",
    "nodes-pruned",
    "growth-with-depth",
    "games-lost-by-cause",
    "immediate-wins-missed",
    "lengths-of-games-and-last-evaluations",
    "games-won-by-direction-of-the-line",
    "by-seat",
    "openings",
    "engines",
)  # files of tables that may be too long for a page
FILES = {STANDINGS: "standings.csv", "Head to head": "crosstable.csv",
         "Time and search per move": "timing.csv"}  # those that every report writes  # fmt: skip


@dataclass(frozen=True)
class Words:
    """A paragraph."""

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
    """A game that is shown: a heading, its final board, and how to see the rest."""

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


@dataclass(frozen=True)
class Fold:
    """A table too long or too wide for a page: what is shown of it, all of it, and its file."""

    brief: Table
    whole: Table
    file: str

    @property
    def title(self) -> str:
        """What both are about."""
        return self.whole.title

    @property
    def all_of_it(self) -> str:
        """What unfolding adds, in words."""
        rows, columns = len(self.whole.rows), len(self.whole.columns)
        more = [f"{rows:,} rows"] if rows > len(self.brief.rows) else []
        more += [f"{columns} columns"] if columns > len(self.brief.columns) else []
        return f"all {' and '.join(more)}"


Block = Words | Code | Picture | Game | Link | Table | Fold


def folded(table: Table, names: Sequence[str] | None = None) -> Table | Fold:
    """A table as it is, or if it is too long its first rows; of a wide one only these columns."""
    return shortened(table if names is None else table.only(table.title, names), table)


def shortened(brief: Table, whole: Table) -> Table | Fold:
    """A table, and in its place as much of a narrower one as fits a page."""
    if len(whole.rows) > (LONGER if whole.title in ANSWERS else LONG):
        brief = Table(brief.title, brief.columns, brief.rows[:FIRST])
    file = FILES.get(whole.title, f"tables/{slug(whole.title)}.csv")
    return whole if brief == whole else Fold(brief, whole, file)


def slug(title: str) -> str:
    """A title as the name of a file, or of a place on a page."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
