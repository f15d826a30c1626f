"""Limits as people say them, from the words of a journal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.bots.find import ignored_limits
from arena.engine.limits import LIMITS, Limits
from arena.journal import Contestant
from arena.show.table import Column, Table

NO_LIMIT = str(Limits())
ON_REFERENCE = "on=reference"


def used_limits(player: Contestant) -> str:
    """The limits that its engine uses, as a journal writes them; "" if it ignores all of them."""
    ignored = ignored_limits(player.engine)
    if not ignored or not player.limits:
        return player.limits
    if ignored == LIMITS:
        return ""
    used = [part for part in player.limits.split() if part.partition("=")[0] not in ignored]
    return " ".join(used) or NO_LIMIT


def limits_differ(players: Sequence[Contestant]) -> bool:
    """Whether engines that use limits had different ones."""
    return len({used_limits(player) for player in players} - {""}) > 1


def with_limits(
    table: Table, players: Sequence[Contestant], show: Callable[[str], str] = str
) -> Table:
    """A table of engines with a column for their limits, beside their names."""
    limits = {player.name: show(used_limits(player)) or None for player in players}
    place = table.headings().index("engine") + 1
    columns = (*table.columns[:place], Column("limits"), *table.columns[place:])
    rows = ((*row[:place], limits[str(row[place - 1])], *row[place:]) for row in table.rows)
    return Table(table.title, columns, tuple(rows))


def limits_in_words(limits: str) -> str:
    """ "depth=4 nodes=20000" as people say it: 4 plies, 20,000 nodes; strange ones as they are."""
    if "=" not in limits:
        return limits
    parts = limits.split()
    whose = " (of a reference core)" if ON_REFERENCE in parts else ""
    return " and ".join(_limit_in_words(each) for each in parts if each != ON_REFERENCE) + whose


def _limit_in_words(limit: str) -> str:
    name, _, value = limit.partition("=")
    if name == "clock":
        start, _, more = value.partition("+")
        return f"a clock of {start} s" + (f" and {more} s a move" if more not in ("", "0") else "")
    if name in ("seconds", "cpu"):
        return f"{value} s" + (" of processor time" if name == "cpu" else "")
    unit = {"depth": "ply" if value == "1" else "plies", "nodes": "nodes"}.get(name, name)
    return f"{int(value):,} {unit}" if value.isdecimal() else limit
