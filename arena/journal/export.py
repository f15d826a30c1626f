"""Games for other programs: a journal as JSON lines, games as plain data and as CSV.

Each JSON line is an object whose "record" says what it is: "journal", "session", "event" or "game".
Players are numbers in the line-up, moves are in notation, and the telemetry of the moves after the
opening is a list for each of its figures. `imports` reads all this back.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache, lru_cache
from math import isfinite, modf
from typing import Any, TextIO

from arena.game.notation import write_move, write_moves
from arena.game.rules import Rules
from arena.journal.journal import Journal
from arena.journal.records import COLUMNS, Event, Header
from arena.table.game import Game, telemetry_as_data
from arena.text import harmless

LAYOUT = 1  # of the JSON lines
OPENING_FOUND = "opening found"  # the kind of an event that stands for a solved opening
FIELDS = (
    "number", "round", "first", "second", "result", "winner", "plies", "reason", "detail",
    "opening", "moves", "seed", "started", "seconds",
)  # fmt: skip
DIGITS = b"123456789"  # of columns, where one is enough

Cells = tuple[Any, ...]


def export(journal: Journal, out: TextIO, games: Iterable[Game] | None = None) -> int:
    """Write a journal, or some of its games, as JSON lines; return how many games."""

    def write(record: str, data: dict[str, Any]) -> None:
        out.write(json.dumps({"record": record, **data}, separators=(",", ":")) + "\n")

    header = journal.header
    write("journal", {"layout": LAYOUT, **header.plain()})
    for session in journal.sessions():
        write("session", asdict(session))
    solved = journal.solved_openings()
    openings = [Event(header.created, OPENING_FOUND, str(opening)) for opening in solved]
    for event in [*journal.events(), *openings]:
        write("event", asdict(event))
    count = 0
    for game in journal.rows() if games is None else games:
        data = {name: getattr(game, name) for name in COLUMNS if name != "telemetry"}
        data["opening"] = write_moves(game.opening, header.rules)
        data["moves"] = write_moves(game.moves, header.rules)
        write("game", {**data, "telemetry": telemetry_as_data(game)})
        count += 1
    return count


def game_lines(
    rows: Iterable[Game], header: Header, words: Callable[[str], str] = harmless
) -> Iterator[Cells]:
    """The values of FIELDS for each game without its telemetry, as every program reads them.

    Players have their names, moves are in notation, times are dates, and seeds are hexadecimal: no
    spreadsheet rounds them. There may be millions of games: what they have in common is worked out
    once.
    """
    names = [words(name) for name in header.names]
    write = _moves_writer(header.rules)
    for row in rows:
        first, second, result = names[row.first], names[row.second], row.result
        yield (
            row.number, row.round, first, second, result,
            None if result == 0 else first if result > 0 else second,
            len(row.moves), words(row.reason), words(row.detail),
            write(row.opening), write(row.moves), f"{row.seed:#x}", _when(row.started),
            float(f"{row.seconds:.6g}") if isfinite(row.seconds) else None,
        )  # fmt: skip


def summary(row: Game, header: Header) -> dict[str, Any]:
    """One game by the names of FIELDS, with words and numbers as they are."""
    (cells,) = game_lines([row], header, words=str)
    seconds = row.seconds if isfinite(row.seconds) else None
    return {**dict(zip(FIELDS, cells, strict=True)), "seed": row.seed, "seconds": seconds}


def write_csv(rows: Iterable[Game], header: Header, out: TextIO) -> int:
    """Write a table of games; return how many."""
    table = csv.writer(out, lineterminator="\n")
    table.writerow(FIELDS)
    count = 0
    for cells in game_lines(rows, header):
        table.writerow(cells)
        count += 1
    return count


def date(seconds: float) -> str:
    """A time as people and programs read it: ISO 8601, UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def _when(seconds: float) -> str:
    """The same as `date`, which is asked once for all games of a second."""
    part, whole = modf(seconds)
    micro = round(part * 1e6)
    if not 0 <= micro < 1_000_000:
        return date(seconds)
    return f"{_second(whole)}.{micro // 1000:03}+00:00"


@lru_cache(maxsize=64)
def _second(seconds: float) -> str:
    return date(seconds).partition(".")[0]


@cache
def _moves_writer(rules: Rules) -> Callable[[bytes], str]:
    """The same as `write_moves` for one board, but faster."""
    if rules.columns > len(DIGITS):
        numbers = [write_move(column) for column in range(256)]
        return lambda moves: ",".join([numbers[column] for column in moves])
    table = DIGITS.ljust(256, b"?")

    def write(moves: bytes) -> str:
        text = moves.translate(table).decode()
        return write_moves(moves, rules) if "?" in text else text

    return write
