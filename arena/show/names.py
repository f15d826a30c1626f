"""Names of engines where there is little room, and with the limits that tell them apart."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size

from arena.journal import Contestant
from arena.printable import printable

LEAST = 8  # cells of a name that is cut in its middle; less room keeps its beginning alone


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


def names_with_limits(players: Sequence[Contestant]) -> tuple[str, ...]:
    """The names of engines, with their limits where these are not the same for all.

    A name that says its limit already is left as it is. An engine need not use all it may.
    """
    if len({player.limits for player in players}) < 2:
        return tuple(player.name for player in players)
    return tuple(
        player.name
        if not player.limits or player.limits in player.name
        else f"{player.name} ({_as_a_limit(limits_in_words(player.limits))})"
        for player in players
    )


def _as_a_limit(words: str) -> str:
    return words if words.startswith("a clock") else f"limit {words}"


def limits_in_words(limits: str) -> str:
    """ "depth=4 nodes=20000" as people say it: 4 plies, 20,000 nodes; strange ones as they are."""
    return " and ".join(map(_limit_in_words, limits.split())) if "=" in limits else limits


def _limit_in_words(limit: str) -> str:
    name, _, value = limit.partition("=")
    if name == "clock":
        start, _, more = value.partition("+")
        return f"a clock of {start} s" + (f" and {more} s a move" if more not in ("", "0") else "")
    if name in ("seconds", "cpu"):
        return f"{value} s" + (" of processor time" if name == "cpu" else "")
    unit = {"depth": "ply" if value == "1" else "plies", "nodes": "nodes"}.get(name, name)
    return f"{int(value):,} {unit}" if value.isdecimal() else limit
