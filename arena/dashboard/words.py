"""Times, rates and counts in as few characters as a reader needs; the commands use them too."""

from __future__ import annotations


def span(seconds: float) -> str:
    """A length of time: 0:45, 12:03, 1:02:03, 3 d 4 h."""
    whole = max(0, round(seconds))
    minutes, second = divmod(whole, 60)
    hours, minute = divmod(minutes, 60)
    if hours >= 48:
        return f"{hours // 24} d {hours % 24} h"
    return f"{hours}:{minute:02d}:{second:02d}" if hours else f"{minute}:{second:02d}"


def clock(seconds: float) -> str:
    """A player's time: milliseconds, tenths, and from a minute on seconds."""
    seconds = max(0.0, seconds)
    if seconds < 0.0995:
        return f"{1000 * seconds:.0f}ms"
    return f"{seconds:.1f}s" if seconds < 59.95 else span(seconds)


def pace(games_a_second: float) -> str:
    """Games a second, or a minute or an hour where they are few."""
    if games_a_second >= 99.95:
        return f"{games_a_second:.0f} games/s"
    for unit, name in ((1, "s"), (60, "min"), (3600, "h")):
        if games_a_second * unit >= 0.995 or name == "h":
            return f"{games_a_second * unit:.1f} games/{name}"
    raise AssertionError


def how_many(count: int, one: str) -> str:
    """A number with its noun: 1 game, 12,345 games."""
    return f"{count:,} {one}{'' if count == 1 else 's'}"
