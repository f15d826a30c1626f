"""A table: rows of values under headings, for a screen, a page, a paper, a program.

A table keeps numbers as they are, for files; `text` writes them as people read them. Every column
has a heading for people and a key for programs, in snake_case and with its unit. Where there is
little room, texts and names are cut.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape as escaped
from math import isfinite
from textwrap import fill
from typing import Any

from rich import box
from rich.cells import cell_len, set_cell_size
from rich.console import Console, JustifyMethod
from rich.table import Table as RichTable
from rich.text import Text

from arena.errors import ArenaError
from arena.show.numbers import UNKNOWN
from arena.standings.evidence import Interval, ends_of
from arena.text import printable, visible

Cell = str | int | float | Interval | None
Value = str | int | float | None  # of a cell for programs, which get both ends of an interval
Show = Callable[[Any], str]

NARROW = 8  # characters of a heading that is broken into lines
LEAST = 8  # cells of a name that is cut in its middle; less room keeps its beginning alone
NO_PANDAS = "pandas is not installed; pip install 'connect-arena[pandas]' installs it"
GAP = 2  # characters between two columns of a ruled table, and at both its edges

# Signs that mean something to TeX, that fonts lack, or that would belong to the end of a line.
SIGNS: dict[str, str | int | None] = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "_": r"\_", "%": r"\%", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"{\char34}",
    "`": r"\textasciigrave{}", "'": r"\textquotesingle{}", "[": "{[}", "]": "{]}", "*": "{*}",
    "±": r"$\pm$", "—": r"\textemdash{}", "–": r"\textendash{}", "½": r"$\frac{1}{2}$",  # noqa: RUF001
    "µ": r"\textmu{}", "“": r"\textquotedblleft{}", "”": r"\textquotedblright{}",
}  # fmt: skip
RUNS = re.compile(r"([-,])(?=\1)")  # two of them would become one sign


@dataclass(frozen=True)
class Column:
    """A heading, how the cells below it are written, and its key for programs.

    Cells without `show` are words. The key is the heading in snake_case unless another is given;
    programs get an interval as two columns, KEY_low and KEY_high.
    """

    name: str
    show: Show | None = None
    key: str = ""
    is_interval: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of its columns in files and data frames."""
        key = self.key or re.sub(r"\W+", "_", self.name.lower()).strip("_")
        return (f"{key}_low", f"{key}_high") if self.is_interval else (key,)

    def values(self, cell: Cell) -> tuple[Value, ...]:
        """A cell as programs get it."""
        if self.is_interval:
            assert cell is None or isinstance(cell, Interval)
            return ends_of(cell)
        assert not isinstance(cell, Interval)
        return (cell,)


@dataclass(frozen=True)
class Table:
    """A title, and rows of values under the columns' headings.

    A page that has no room shows only the `brief` columns, and a link to a file with all of them.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    brief: tuple[str, ...] = ()  # the headings of these columns; none: all
    file: str = ""  # with all of it; tables/TITLE.csv unless a name is given

    def headings(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    def headers(self) -> tuple[str, ...]:
        """The names of the columns in files and data frames."""
        return tuple(key for column in self.columns for key in column.keys)

    def only(self, title: str, names: Sequence[str]) -> Table:
        """Some of its columns under another title."""
        places = [self.headings().index(name) for name in names]
        rows = tuple(tuple(row[place] for place in places) for row in self.rows)
        columns = tuple(self.columns[place] for place in places)
        brief = tuple(name for name in self.brief if name in names)
        return replace(self, title=title, columns=columns, rows=rows, brief=brief)

    def without(self, *names: str) -> Table:
        """All but these columns."""
        return self.only(self.title, [name for name in self.headings() if name not in names])

    def beside(self, heading: str, column: Column, cells: Mapping[str, Cell]) -> Table:
        """The table with a column after another one, whose words its cells are found by."""
        place = self.headings().index(heading) + 1
        columns = (*self.columns[:place], column, *self.columns[place:])
        rows = ((*row[:place], cells.get(str(row[place - 1])), *row[place:]) for row in self.rows)
        return replace(self, columns=columns, rows=tuple(rows))

    def text(self) -> list[tuple[str, ...]]:
        """All cells as people read them; what is not known is a dash."""
        return [
            tuple(_text(column, cell) for column, cell in zip(self.columns, row, strict=True))
            for row in self.rows
        ]

    def values(self) -> list[tuple[Value, ...]]:
        """The rows for programs, under `headers`."""
        return [
            tuple(
                value
                for column, cell in zip(self.columns, row, strict=True)
                for value in column.values(cell)
            )
            for row in self.rows
        ]

    def records(self) -> list[dict[str, Value]]:
        """The rows for programs, each with its keys."""
        return [dict(zip(self.headers(), row, strict=True)) for row in self.values()]

    def to_pandas(self) -> Any:
        """The rows as a data frame of pandas, numbers as they are."""
        try:
            from pandas import DataFrame
        except ImportError:
            raise ArenaError(NO_PANDAS) from None
        return DataFrame(self.values(), columns=self.headers())

    def latex(self) -> str:
        """The table between rules, for a paper; it needs the package booktabs."""
        sides = "".join("l" if column.show is None else "r" for column in self.columns)
        lines = [f"% {visible(self.title)}; needs booktabs"]
        lines += [rf"\begin{{tabular}}{{@{{}}{sides}@{{}}}}", r"\toprule"]
        lines += [_tex_row(map(tex, self.headings())), r"\midrule"]
        lines += [_tex_row(map(_tex_cell, self.columns, row)) for row in self.text()]
        return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])

    def __str__(self) -> str:
        """The table as a terminal shows it, as wide as it needs and without colours."""
        screen = Console(width=self.screen_width(), color_system=None)
        with screen.capture() as captured:
            screen.print(self.screen())
        return "\n".join(map(str.rstrip, captured.get().splitlines())).strip("\n")

    def __repr__(self) -> str:
        return f"<{self.title or 'Table'}: {len(self.rows)} rows of {', '.join(self.headings())}>"

    def _repr_html_(self) -> str:
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
    if cell is None or (isinstance(cell, Interval) and not any(map(isfinite, cell))):
        return UNKNOWN
    return column.show(cell) if column.show and not isinstance(cell, str) else str(cell)


def escape(text: str) -> str:
    """Untrusted text for a page, without invisible characters."""
    return escaped(visible(text))


def table_html(table: Table, sorted_by_hand: bool = False) -> str:
    """The table; its headings are buttons where a script of the page sorts by them."""
    lines = ["<table>\n<thead><tr>"]
    for column in table.columns:
        name, kind = escape(column.name), "" if column.show is None else ' class="number"'
        name = f'<button type="button">{name}</button>' if sorted_by_hand else name
        lines.append(f'<th scope="col"{kind}>{name}</th>')
    lines.append("</tr></thead>\n<tbody>")
    for row, text in zip(table.rows, table.text(), strict=True):
        lines.append(f"<tr>{''.join(map(_html_cell, table.columns, row, text))}</tr>")
    return "\n".join([*lines, "</tbody></table>"])


def _html_cell(column: Column, value: Cell, text: str) -> str:
    """A cell; a number also has its exact value, to sort by."""
    if column.show is None:
        return f"<td>{escape(text)}</td>"
    number = value.low if isinstance(value, Interval) else value
    is_number = isinstance(number, int | float) and isfinite(number)
    key = f' data-v="{number}"' if is_number else ""
    return f'<td class="number"{key}>{escape(text)}</td>'


def titled(title: str, *parts: str) -> str:
    """Parts below a title, as a notebook shows them."""
    heading = f"<strong>{escape(title)}</strong>" if title else ""
    return f"<div>{heading}{''.join(parts)}</div>"


def tex(text: str) -> str:
    """Untrusted text for TeX: no command, no comment, no formula, no line break."""
    text = " ".join(visible(text).split())
    text = RUNS.sub(r"\1{}", text.translate(str.maketrans(SIGNS)))
    return text.replace(r" \%", r"~\%")


def _tex_cell(column: Column, words: str) -> str:
    text = tex(words)
    negative = column.show is not None and text.startswith("-")
    return f"$-${text[1:]}" if negative else text


def _tex_row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def cut(text: str, width: int, mark: str = "…") -> str:
    """A text cut to a width in cells, with a mark where its end is missing."""
    if cell_len(text) <= width:
        return text
    if width <= len(mark):
        return set_cell_size(text, max(0, width))
    return set_cell_size(text, width - len(mark)).rstrip() + mark


def cut_name(name: str, width: int, mark: str = "…") -> str:
    """A name cut to a width in cells, in its middle: variants differ at their ends."""
    name = printable(name)
    room = width - len(mark)
    if cell_len(name) <= width or room < LEAST:
        return cut(name, width, mark)
    tail = set_cell_size(name[::-1], room // 3)[::-1]
    return set_cell_size(name, room - room // 3) + mark + tail
