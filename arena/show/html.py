"""A table and a board as HTML: of a report's page, and of a notebook that shows them itself."""

from __future__ import annotations

from html import escape as escaped
from math import isfinite

from arena.game.position import Position
from arena.show.board import Board, Look, level_names
from arena.show.table import Cell, Column, Table
from arena.standings.evidence import Interval
from arena.text import visible

DISCS = {"X": "#d64545", "O": "#e0b020", ".": "#8886"}  # the colours of a board in a notebook


def escape(text: str) -> str:
    """Words of others as text of a page, without characters that nobody sees."""
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
        lines.append(f"<tr>{''.join(map(_cell, table.columns, row, text))}</tr>")
    return "\n".join([*lines, "</tbody></table>"])


def _cell(column: Column, value: Cell, text: str) -> str:
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


def board_html(position: Position) -> str:
    """A board in colours; discs of a line are underlined."""
    rules = position.rules
    lines = [[(level_names(rules.width * 2 - 1, range(rules.height)), "")]] * (not rules.is_flat)
    rows = Board(position, Look(around="", around_last="", around_winning="")).rows(" ")
    text = "\n".join("".join(map(_run, *zip(*line, strict=True))) for line in [*lines, *rows])
    if rules.is_flat:
        text += "\n" + " ".join(str(column % 10) for column in range(1, rules.columns + 1))
    return f'<pre style="line-height: 1.3">{text}</pre>'


def _run(characters: str, style: str) -> str:
    colour = DISCS.get(characters)
    if colour is None:
        return escaped(characters)
    line = "; text-decoration: underline" if "bold" in style else ""
    disc = "·" if characters == "." else "●"
    return f'<span style="color: {colour}{line}">{disc}</span>'
