"""Times, rates, results and causes in as few characters as a reader needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.play.record import GOOD_ENDS

if TYPE_CHECKING:
    from arena.dashboard.glyphs import Glyphs
    from arena.play.row import GameRow

DRAWS = {"full board": "full board", "max plies": "ply limit"}


def span(seconds: float) -> str:
    """A length of time: 0:45, 12:03, 1:02:03, 3 d 4 h."""
    whole = max(0, round(seconds))
    minutes, second = divmod(whole, 60)
    hours, minute = divmod(minutes, 60)
    if hours >= 48:
        return f"{hours // 24} d {hours % 24} h"
    return f"{hours}:{minute:02d}:{second:02d}" if hours else f"{minute}:{second:02d}"


def clock(seconds: float, fine: bool = True) -> str:
    """A player's time: tenths, from a minute on seconds, and milliseconds if it is so exact."""
    seconds = max(0.0, seconds)
    if fine and seconds < 0.0995:
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


def result(outcome: int, glyphs: Glyphs) -> str:
    """A result as it is written between two names."""
    return {1: "1-0", 0: glyphs.draw, -1: "0-1"}[outcome]


def cause(row: GameRow) -> str:
    """Why a game ended so: the kind of line, why it is a draw, or what went wrong."""
    if row.reason == "line":
        made = row.detail.rpartition(" made a ")[2]
        return made.partition(" (")[0] or "line"
    return DRAWS.get(row.reason, row.reason)


def at_fault(row: GameRow) -> bool:
    """Whether an engine's fault ended the game."""
    return row.reason not in GOOD_ENDS


def how_many(count: int, one: str, several: str = "") -> str:
    """A number with its noun."""
    return f"{count} {one if count == 1 else several or one + 's'}"
