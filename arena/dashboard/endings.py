"""How a game ended, in as few characters as a reader needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.play.record import GOOD_ENDS

if TYPE_CHECKING:
    from arena.dashboard.glyphs import Glyphs
    from arena.play.record import GameRow

DRAWS = {"full board": "full board", "max plies": "ply limit"}


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
