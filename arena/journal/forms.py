"""Games for other programs: plain data, CSV, and the transcripts of FourPlay."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, TextIO

from arena.game.notation import write_moves
from arena.journal.header import Header
from arena.play.record import GameRow
from arena.printable import printable_lines

FIELDS = (
    "number", "round", "first", "second", "result", "winner", "plies", "reason", "detail",
    "opening", "moves", "seed", "started", "seconds",
)  # fmt: skip
RISKY = ("=", "+", "-", "@", "\t", "\r", "\n")  # what a spreadsheet takes for a formula


def summary(row: GameRow, header: Header) -> dict[str, Any]:
    """A game without its telemetry: names for players, notation for moves, a date for its time."""
    first, second = header.names[row.first], header.names[row.second]
    values = (
        row.number, row.round, first, second, row.result, winner(row, header), len(row.moves),
        row.reason, row.detail, write_moves(row.opening, header.rules),
        write_moves(row.moves, header.rules), row.seed, date(row.started), row.seconds,
    )  # fmt: skip
    return dict(zip(FIELDS, values, strict=True))


def winner(row: GameRow, header: Header) -> str | None:
    """The name of the winner; None for a draw."""
    seat = {1: row.first, 0: None, -1: row.second}[row.result]
    return None if seat is None else header.names[seat]


def date(seconds: float) -> str:
    """A time as people and programs read it: ISO 8601, UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def write_csv(rows: Iterable[GameRow], header: Header, out: TextIO) -> int:
    """Write a table of games; tell how many."""
    table = csv.writer(out, lineterminator="\n")
    table.writerow(FIELDS)
    count = 0
    for row in rows:
        table.writerow([harmless(value) for value in summary(row, header).values()])
        count += 1
    return count


def harmless(cell: Any) -> Any:
    """Text without control characters; what a spreadsheet would run gets an apostrophe in front."""
    if not isinstance(cell, str):
        return cell
    text = printable_lines(cell)
    return f"'{text}" if cell.startswith(RISKY) else text


def transcript(row: GameRow, header: Header) -> str:
    """One game as FourPlay wrote it: who played, who won, how long, then `player, x, y`.

    x and y count from 0; y is always 0 on a flat board.
    """
    names = [_in_one_cell(header.names[player]) for player in (row.first, row.second)]
    won = winner(row, header)
    lines = [
        f"level: {names[0]} against {names[1]}",
        f"winner: {'draw' if won is None else _in_one_cell(won)}",
        f"time: {row.seconds:.6f}",
    ]
    for ply, column in enumerate(row.moves):
        x, y = divmod(column, header.rules.depth)
        lines.append(f"{names[ply % 2]}, {x}, {y}")
    return "\n".join(lines) + "\n"


def _in_one_cell(name: str) -> str:
    """A name without what separates cells and lines."""
    return " ".join(name.replace(",", ";").split())
