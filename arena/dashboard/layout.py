"""Where everything goes: from a snapshot and the size of a window to the lines of a frame.

A header; below it standings and crosstable at the left, the tables at the right, and what happened
last wherever there is room: beside the tables, below them, or below the standings. What a window is
too small for is left out, the least important first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from arena.dashboard.blocks import EDGES, Block, Frame, above, beside, sized
from arena.dashboard.board import USUAL, Scale, scales
from arena.dashboard.news import (
    LEAST_CAUSE,
    LEAST_NEWS,
    SOME_NEWS,
    News,
    news_panel,
    width_of_games,
)
from arena.dashboard.panels import header, help_over, table_panel, table_size
from arena.dashboard.results import results_column, rows_of_results
from arena.dashboard.selection import Selection
from arena.dashboard.tables import crosstable_width, standings_width

if TYPE_CHECKING:
    from arena.dashboard.glyphs import Glyphs
    from arena.dashboard.snapshot import LiveTable, Snapshot
    from arena.game.rules import Rules

NARROWEST = 34  # columns of the standings beside tables
NEWS_WIDTH, MOST_NEWS = 46, 66  # columns of a panel with the last games beside tables
STRETCH = 14  # columns that a table may have more than it needs


def arrange(
    snapshot: Snapshot,
    rules: Rules,
    width: int,
    height: int,
    glyphs: Glyphs,
    selection: Selection | None = None,
) -> Frame:
    """The frame for a window of this size, with what is selected in it."""
    chosen = selection or Selection()
    top = min(height, 1 if height < 8 else 3 if snapshot.test else 2)
    room = Room(snapshot, rules, width, height - top, glyphs, chosen)
    lines = above([header(snapshot, width, top, glyphs, chosen), room.body()])
    return Frame(help_over(lines, width, glyphs) if chosen.help else lines)


@dataclass
class Room:
    """What is left of a window below the header."""

    snapshot: Snapshot
    rules: Rules
    width: int
    height: int
    glyphs: Glyphs
    selection: Selection
    scale: Scale = USUAL

    def body(self) -> Block:
        """Everything below the header."""
        if self.height < 3 or self.width < 12:
            return sized([], self.width, self.height, self.glyphs)
        self.scale = self._scale()
        wide, high = self._table_size(self.scale)
        if self.snapshot.tables and self.height >= high and self.width >= NARROWEST + wide:
            return self._columns(wide, high)
        return self._stack(wide, high)

    def _table_size(self, scale: Scale) -> tuple[int, int]:
        return table_size(self.snapshot, self.rules, scale)

    def _scale(self) -> Scale:
        """The largest boards for which all tables have room, and some news below them."""
        smallest, *larger = scales(self.rules)
        for scale in reversed(larger):
            wide, high = self._table_size(scale)
            rows = (self.height - SOME_NEWS) // high
            if (self.width - self._wanted) // wide * rows >= len(self.snapshot.tables):
                return scale
        return smallest

    def _stack(self, wide: int, high: int) -> Block:
        """One column: standings, news, and below them tables if there is room."""
        across = min(self.width // wide, len(self.snapshot.tables))
        tables: Block = []
        if across and self.height >= high + LEAST_NEWS:
            each = min(wide + STRETCH, self.width // across)
            tables = sized(self._tables(across, 1, each, high), self.width, high, self.glyphs)
        return above([self._left(self.width, self.height - len(tables), "both"), tables])

    def _columns(self, wide: int, high: int) -> Block:
        """Standings at the left, tables at the right, and the news where there is room."""
        left, across = self._split(wide, high)
        right = self.width - left
        rows = min(self.height // high, -(-len(self.snapshot.tables) // across))
        is_narrow = left < self._games  # games have no room beside the tables, but below them
        if rows > 1 and is_narrow and self.height - rows * high < SOME_NEWS:
            rows -= 1
        below = self.height - rows * high
        least = LEAST_NEWS if is_narrow else SOME_NEWS
        if below >= least and right < self._games + LEAST_CAUSE:
            return self._over_news(right // across, across, rows, high)
        spare = right - across * wide
        free = self.height - rows_of_results(self.snapshot, left, self.height, "none", self.glyphs)
        if below >= SOME_NEWS and free >= SOME_NEWS and right // across >= NEWS_WIDTH:
            each = right // across
            tables = self._tables(across, rows, each, high)
            column = above([tables, self._news("games", each * across, below)])
            return beside([self._left(self.width - each * across, self.height, "events"), column])
        if spare < max(NEWS_WIDTH, self._games):
            return self._with_news_below(left, right, across, rows, high)
        each = min(wide + STRETCH, (right - min(MOST_NEWS, spare)) // across)
        news = right - across * each
        if below < SOME_NEWS:
            tables = self._tables(across, rows, each, high, below)
            events = max(LEAST_NEWS, self.height // 3)
            column = above([self._news("games", news, self.height - events),
                            self._news("events", news, events)])  # fmt: skip
            return beside([self._left(left, self.height, "none"), tables, column])
        tables = self._tables(across, rows, each, high)
        upper = beside([tables, self._news("events", news, rows * high)])
        lower = self._news("games", right, below)
        return beside([self._left(left, self.height, "none"), above([upper, lower])])

    def _over_news(self, each: int, across: int, rows: int, high: int) -> Block:
        """Tables beside standings, and news as wide as the window below both."""
        tables = self._tables(across, rows, each, high)
        left = self.width - each * across
        upper = beside([self._left(left, len(tables), "none"), tables])
        return above([upper, self._news("both", self.width, self.height - len(tables))])

    def _with_news_below(self, left: int, right: int, across: int, rows: int, high: int) -> Block:
        """Tables as wide as their column; what is left of it for news."""
        each = right // across
        left += right - each * across
        right = each * across
        tables = self._tables(across, rows, each, high)
        below = self.height - len(tables)
        if below < SOME_NEWS:
            tables = self._tables(across, rows, each, high, below)
            return beside([self._left(left, self.height, "both"), tables])
        events = min(right // 2, right - self._games)
        if events >= NEWS_WIDTH:
            sides = [
                self._news("games", right - events, below),
                self._news("events", events, below),
            ]
            return beside([self._left(left, self.height, "none"), above([tables, beside(sides)])])
        taken = rows_of_results(self.snapshot, left, self.height, "events", self.glyphs)
        here: News = "games" if self.height - taken >= LEAST_NEWS else "both"
        there: News = "events" if here == "games" else "none"
        column = above([tables, self._news(here, right, below)])
        return beside([self._left(left, self.height, there), column])

    def _split(self, wide: int, high: int) -> tuple[int, int]:
        """The width of the standings, and how many tables stand side by side."""
        count, wanted = len(self.snapshot.tables), self._wanted
        rows = self.height // high
        most = (self.width - NARROWEST) // wide
        across = min(most, count, max(-(-count // rows), (self.width - wanted) // wide, 1))
        if count <= across * rows:  # the same number in each row, as far as that goes
            across = -(-count // -(-count // across))
        return max(NARROWEST, min(wanted, self.width - across * wide)), across

    @cached_property
    def _games(self) -> int:
        """How wide a panel must be to name games and players in whole."""
        return width_of_games(self.snapshot)

    @cached_property
    def _wanted(self) -> int:
        """How wide standings and crosstable want to be."""
        widths = [standings_width(self.snapshot, self.glyphs), NARROWEST - EDGES]
        players = len(self.snapshot.standings)
        cross = crosstable_width(self.snapshot)
        if cross <= self.width // 2 and 2 * (players + 3) <= self.height:
            widths.append(cross)
        return max(widths) + EDGES

    def _tables(self, across: int, rows: int, each: int, high: int, spare: int = 0) -> Block:
        """As many tables as fit, with spare rows shared among them; the last one names the rest."""
        room = across * rows
        here = self.selection.tables(room, len(self.snapshot.tables))
        tables: list[LiveTable | None] = [*self.snapshot.tables[here.start : here.stop]]
        tables += [None] * (room - len(tables))
        lines = []
        for row in range(rows):
            last = row == rows - 1
            more = max(0, len(self.snapshot.tables) - room) if last else 0
            side_by_side = tables[row * across : (row + 1) * across]
            lines.append(self._row(side_by_side, each, high + (spare + row) // rows, more))
        return above(lines)

    def _row(self, tables: list[LiveTable | None], each: int, high: int, more: int) -> Block:
        """Tables side by side, and how many more there are."""
        words = [""] * (len(tables) - 1) + [f"and {more} more" if more else ""]
        return beside(
            [
                sized([], each, high, self.glyphs)
                if table is None
                else table_panel(table, each, high, self.scale, self.glyphs, foot)
                for table, foot in zip(tables, words, strict=True)
            ]
        )

    def _left(self, width: int, height: int, news: News) -> Block:
        return results_column(self.snapshot, width, height, news, self.glyphs, self.selection)

    def _news(self, news: News, width: int, height: int) -> Block:
        return news_panel(self.snapshot, news, width, height, self.glyphs)
