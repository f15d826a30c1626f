"""A table: rows of plain values under headings, and the words people read.

A table keeps numbers as they are, for files; `shown` writes them as people read them. Nothing is
escaped here: that is for whoever knows the language that the table is put into.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena.show.numbers import UNKNOWN

Cell = str | int | float | None
Show = Callable[[float], str]


@dataclass(frozen=True)
class Column:
    """A heading, and how the numbers below it are written; without that they are words."""

    name: str
    show: Show | None = None


@dataclass(frozen=True)
class Table:
    """A title, and rows of values under the columns' headings."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def headings(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    def only(self, title: str, names: Sequence[str]) -> Table:
        """Some of its columns under another title."""
        places = [self.headings().index(name) for name in names]
        rows = tuple(tuple(row[place] for place in places) for row in self.rows)
        return Table(title, tuple(self.columns[place] for place in places), rows)

    def shown(self) -> list[tuple[str, ...]]:
        """All cells as people read them; what is not known is a dash."""
        return [
            tuple(_cell(column, cell) for column, cell in zip(self.columns, row, strict=True))
            for row in self.rows
        ]


def _cell(column: Column, cell: Cell) -> str:
    if cell is None:
        return UNKNOWN
    return column.show(cell) if column.show and not isinstance(cell, str) else str(cell)
