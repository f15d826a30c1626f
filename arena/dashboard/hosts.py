"""The hosts of a cluster: the workers and tables on each, in one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from arena.dashboard.cells import QUIET, STRONG, TITLE, Glyphs, width_of
from arena.show.board import Line
from arena.show.numbers import amount, how_many
from arena.table.runner import TableView
from arena.text import printable


@dataclass(frozen=True, slots=True)
class HostState:
    """A host of a cluster: its workers and tables now, and its games of this run."""

    name: str
    workers: int
    tables: int
    games: int
    speed: float | None = None  # positions a second, where games depend on it


def hosts_of(tables: Sequence[TableView], games: Mapping[str, int]) -> tuple[HostState, ...]:
    """The hosts of these tables and of these games, by their names; none without a cluster."""
    places = [table for table in tables if table.host]
    names = sorted({place.host for place in places} | set(games))
    by_host = {name: [place for place in places if place.host == name] for name in names}
    return tuple(
        HostState(
            name,
            len({place.worker for place in own}),
            len(own),
            games.get(name, 0),
            max((place.speed for place in own if place.speed), default=None),
        )
        for name, own in by_host.items()
    )


def short_host(name: str) -> str:
    """The name of a host without its domain."""
    first = printable(name).partition(".")[0]
    return printable(name) if first.isdecimal() else first  # of an address no part tells anything


def hosts_line(hosts: Sequence[HostState], width: int, glyphs: Glyphs) -> Line:
    """The hosts of a cluster in a line, as many as fit, and the number of others."""
    line: Line = [(" hosts ", TITLE)]
    for number, host in enumerate(hosts):
        name, rest = short_host(host.name), hosts[number + 1 :]
        words = f" {host_in_words(host)} "
        more = f"{glyphs.dot} {len(rest)} more" if rest else ""
        if number and width_of(line) + cell_len(name) + cell_len(words) + 1 + len(more) > width:
            return [*line, (f"{glyphs.dot} {len(rest) + 1} more", QUIET)]
        dot = f"{glyphs.dot} " if number else ""
        line += [(dot, QUIET), (name, STRONG if host.tables else QUIET), (words, QUIET)]
    return line


def host_in_words(host: HostState) -> str:
    """A host in words: its workers and tables, and its games of this run."""
    there = "gone"
    if host.tables:
        there = f"{how_many(host.workers, 'worker')}, {how_many(host.tables, 'table')}"
    speed = "" if host.speed is None else f", {amount(host.speed)}/s"
    return f"{there}, {how_many(host.games, 'game')}{speed}"
