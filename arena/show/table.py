"""A table: rows of plain values under headings, for a screen, a page, a spreadsheet, a program.

A table keeps numbers as they are, for files; `text` writes them as people read them. Nothing is
escaped here: that is for whoever knows the language that the table is put into. Where there is
little room, texts and names are cut.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any

from rich import box
from rich.cells import cell_len, set_cell_size
from rich.console import JustifyMethod
from rich.table import Table as RichTable
from rich.text import Text

from arena.errors import ArenaError
from arena.show.numbers import UNKNOWN
from arena.text import printable

Cell = str | int | float | None
Show = Callable[[float], str]

NARROW = 8  # characters of a heading that is broken into lines
LEAST = 8  # cells of a name that is cut in its middle; less room keeps its beginning alone
WORDS = {"±": "Elo error"}  # headings for programs
NO_PANDAS = "pandas is not installed; pip install 'connect-arena[pandas]' installs it"
GAP = 2  # characters between two columns of a ruled table, and at both its edges


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

    def without(self, *names: str) -> Table:
        """All but these columns."""
        return self.only(self.title, [name for name in self.headings() if name not in names])

    def text(self) -> list[tuple[str, ...]]:
        """All cells as people read them; what is not known is a dash."""
        return [
            tuple(_text(column, cell) for column, cell in zip(self.columns, row, strict=True))
            for row in self.rows
        ]

    def records(self, names: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
        """The rows for other programs: values by heading, or by these names for headings."""
        keys = [(names or {}).get(name, name.replace(" ", "_")) for name in self.headings()]
        return [dict(zip(keys, row, strict=True)) for row in self.rows]

    def to_pandas(self) -> Any:
        """The rows as a data frame of pandas, numbers as they are."""
        try:
            from pandas import DataFrame
        except ImportError:
            raise ArenaError(NO_PANDAS) from None
        names = [WORDS.get(name, name) for name in self.headings()]
        return DataFrame(list(self.rows), columns=names)

    def __repr__(self) -> str:
        return f"<{self.title or 'Table'}: {len(self.rows)} rows of {', '.join(self.headings())}>"

    def _repr_html_(self) -> str:
        from arena.show.html import table_html, titled

        return titled(self.title, table_html(self))

    def screen(
        self, *, ruled: bool = True, padding: int | None = None, broken: bool = False,
        styles: Sequence[str] = (),
    ) -> RichTable:  # fmt: skip
        """The table on a screen: with a rule below its headings, or quiet ones without.

        Broken headings stand in several lines where their column is narrow. Rows may have a style.
        """
        table = RichTable(
            title=Text(printable(self.title)) if self.title else None,
            title_justify="left",
            box=box.SIMPLE_HEAD if ruled else None,
            pad_edge=False,
            padding=(0, (1 if ruled else 2) if padding is None else padding, 0, 0),
            header_style="table.header" if ruled else "dim",
        )
        rows = [[printable(cell) for cell in row] for row in self.text()]
        for place, column in enumerate(self.columns):
            widths = [len(row[place]) for row in rows]
            name = column.name
            if broken:
                name = fill(name, max([*widths, *map(len, name.split()), NARROW]))
            justify: JustifyMethod = "left" if column.show is None else "right"
            table.add_column(name, justify=justify, no_wrap=True)
        for place, row in enumerate(rows):
            table.add_row(*map(Text, row), style=styles[place] if styles else "")
        return table

    def screen_width(self) -> int:
        """How many characters a ruled table takes on a screen."""
        cells = zip(self.headings(), *self.text(), strict=True)
        return sum(max(map(cell_len, column)) + GAP for column in cells) + GAP


def _text(column: Column, cell: Cell) -> str:
    if cell is None:
        return UNKNOWN
    return column.show(cell) if column.show and not isinstance(cell, str) else str(cell)


def cut(text: str, width: int, mark: str = "…") -> str:
    """A text of at most so many cells, with a mark where its end is missing."""
    if cell_len(text) <= width:
        return text
    if width <= len(mark):
        return set_cell_size(text, max(0, width))
    return set_cell_size(text, width - len(mark)).rstrip() + mark


def cut_name(name: str, width: int, mark: str = "…") -> str:
    """A name of at most so many cells, cut in its middle: ends tell variants apart."""
    name = printable(name)
    room = width - len(mark)
    if cell_len(name) <= width or room < LEAST:
        return cut(name, width, mark)
    tail = set_cell_size(name[::-1], room // 3)[::-1]
    return set_cell_size(name, room - room // 3) + mark + tail
