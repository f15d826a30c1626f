"""The content of a frame: a snapshot of the run, and the part of it that the user selected."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from rich.cells import cell_len

from arena.dashboard.cells import Glyphs
from arena.dashboard.state import Snapshot

KEYS = {
    "up, down": "scroll the standings, also k and j",
    "page up, page down": "the same, by a page",
    "home, end": "to the first and the last engine",
    "left, right": "show other tables",
    "1 to 9": "show this table first",
    "p or space": "pause the display; games continue",
    "? or h": "this help; any key closes it",
    "Ctrl-C": "let running games end, then stop",
}


@dataclass
class Selection:
    """The part that the user selected by keys; drawing keeps it within the room there is."""

    keys: bool = False  # whether there is a keyboard
    standing: int = 0  # the first visible engine
    table: int = 0  # the first visible table
    page: int = 10  # engines that have room
    paused: bool = False
    help: bool = False

    def press(self, key: str, players: int, tables: int) -> None:
        """Handle a key."""
        if self.help:
            self.help = False
            return
        steps = {"up": -1, "k": -1, "down": 1, "j": 1, "page up": -self.page,
                 "page down": self.page, "home": -players, "end": players}  # fmt: skip
        if key in steps:
            self.standing = window(self.standing + steps[key], 1, players)
        elif key in ("left", "right"):
            self.table = window(self.table + (1 if key == "right" else -1), 1, tables)
        elif key.isdecimal() and key != "0":
            self.table = window(int(key) - 1, 1, tables)
        elif key in ("p", " "):
            self.paused = not self.paused
        elif key in ("?", "h"):
            self.help = True

    def engines(self, room: int, count: int) -> range:
        """The visible ones of `count` engines where `room` of them fit."""
        self.page, self.standing = max(1, room), window(self.standing, room, count)
        return range(self.standing, min(count, self.standing + room))

    def tables(self, room: int, count: int) -> range:
        """The visible ones of `count` tables where `room` of them fit."""
        self.table = window(self.table, room, count)
        return range(self.table, min(count, self.table + room))


def window(first: int, room: int, count: int) -> int:
    """The first visible one of `count` things where `room` fit, `first` if possible."""
    return max(0, min(first, count - room))


@dataclass(frozen=True)
class FrameContent:
    """A snapshot, the characters to draw it with, and the selected part."""

    snapshot: Snapshot
    glyphs: Glyphs
    selection: Selection = field(default_factory=Selection)

    @cached_property
    def longest_name(self) -> int:
        """Cells of the longest name of a player."""
        return max(map(cell_len, self.snapshot.names), default=0)
