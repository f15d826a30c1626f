"""Limits as people say them, from the words of a journal."""

from __future__ import annotations

ON_REFERENCE = "on=reference"


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
