"""Where everything goes: from the content of a frame and the size of a window to its lines.

A header; below it standings and crosstable at the left, the tables at the right, and what happened
last wherever there is room: beside the tables, below them, or below the standings. A small window
leaves parts out, the least important first.
"""

from __future__ import annotations

from functools import cached_property

from arena.dashboard.cells import EDGES, Block, beside, sized
from arena.dashboard.content import FrameContent
from arena.dashboard.panels import (
    MIN_CAUSE,
    MIN_NEWS,
    SOME_NEWS,
    News,
    header,
    help_over,
    news_panel,
    table_panel,
    table_size,
    width_of_games,
)
from arena.dashboard.results import FRAME_ROWS, ResultsColumn
from arena.show.board import Scale, scales

MIN_STANDINGS = 34  # columns of the standings beside tables
MIN_FOR_HOSTS = 20  # rows of a window in which hosts have a line
NEWS_WIDTH, MAX_NEWS = 46, 66  # columns of a panel with the last games beside tables
STRETCH = 14  # columns that a table may have more than it needs


def draw(content: FrameContent, width: int, height: int) -> Block:
    """The frame for a window of this size."""
    snapshot = content.snapshot
    more = bool(snapshot.test) + bool(snapshot.hosts and height >= MIN_FOR_HOSTS)
    top = min(height, 1 if height < 8 else 2 + more)
    lines = header(content, width, top) + Room(content, width, height - top).body()
    return help_over(lines, width, content.glyphs) if content.selection.help else lines


class Room:
    """The window below the header."""

    def __init__(self, content: FrameContent, width: int, height: int) -> None:
        self.content, self.tables, self.glyphs = content, content.snapshot.tables, content.glyphs
        self.width, self.height = width, height
        self.results = ResultsColumn(content)

    def body(self) -> Block:
        """Everything below the header."""
        if self.height < 3 or self.width < 12:
            return sized([], self.width, self.height, self.glyphs)
        wide, high = table_size(self.content, self._scale)
        if self.tables and self.height >= high and self.width >= MIN_STANDINGS + wide:
            return self._columns(wide, high)
        return self._stack(wide, high)

    @cached_property
    def _scale(self) -> Scale:
        """The largest boards for which all tables have room, and some news below them."""
        smallest, *larger = scales(self.content.snapshot.rules)
        for scale in reversed(larger):
            wide, high = table_size(self.content, scale)
            rows = (self.height - SOME_NEWS) // high
            if (self.width - self._wanted) // wide * rows >= len(self.tables):
                return scale
        return smallest

    @cached_property
    def _wanted(self) -> int:
        """How wide standings and crosstable want to be."""
        widths = [self.results.standings_width, MIN_STANDINGS - EDGES]
        cross = self.results.crosstable_width
        if cross <= self.width // 2 and 2 * (self.results.players + FRAME_ROWS) <= self.height:
            widths.append(cross)
        return max(widths) + EDGES

    def _stack(self, wide: int, high: int) -> Block:
        """One column: standings, news, and below them tables if there is room."""
        across = min(self.width // wide, len(self.tables))
        tables: Block = []
        if across and self.height >= high + MIN_NEWS:
            each = min(wide + STRETCH, self.width // across)
            tables = sized(self._tables(across, 1, each, high), self.width, high, self.glyphs)
        return self.results.draw(self.width, self.height - len(tables), "both") + tables

    def _columns(self, wide: int, high: int) -> Block:
        """Standings at the left, tables at the right, and the news where there is room."""
        left, across = self._split(wide, high)
        right = self.width - left
        rows = min(self.height // high, -(-len(self.tables) // across))
        games = width_of_games(self.content)  # so wide must a panel be to name games in whole
        is_narrow = left < games  # games have no room beside the tables, but below them
        if rows > 1 and is_narrow and self.height - rows * high < SOME_NEWS:
            rows -= 1
        below = self.height - rows * high
        least = MIN_NEWS if is_narrow else SOME_NEWS
        if below >= least and right < games + MIN_CAUSE:
            tables = self._tables(across, rows, right // across, high)
            upper = beside(self.results.draw(left + right % across, len(tables), "none"), tables)
            return upper + self._news("both", self.width, below)
        spare = right - across * wide
        free = self.height - self.results.rows(left, self.height, "none")
        if below >= SOME_NEWS and free >= SOME_NEWS and right // across >= NEWS_WIDTH:
            each = right // across
            tables = self._tables(across, rows, each, high)
            news = self._news("games", each * across, below)
            return beside(self._left(self.width - each * across, "events"), tables + news)
        if spare < max(NEWS_WIDTH, games):
            return self._with_news_below(left, across, rows, high, games)
        each = min(wide + STRETCH, (right - min(MAX_NEWS, spare)) // across)
        return self._with_news_beside(left, each, across, rows, high)

    def _split(self, wide: int, high: int) -> tuple[int, int]:
        """The width of the standings, and how many tables stand side by side."""
        count, wanted = len(self.tables), self._wanted
        rows = self.height // high
        most = (self.width - MIN_STANDINGS) // wide
        across = min(most, count, max(-(-count // rows), (self.width - wanted) // wide, 1))
        if count <= across * rows:  # the same number in each row, as far as that goes
            across = -(-count // -(-count // across))
        return max(MIN_STANDINGS, min(wanted, self.width - across * wide)), across

    def _with_news_beside(self, left: int, each: int, across: int, rows: int, high: int) -> Block:
        """News at the right of the tables; of games below them, where there is room."""
        right = self.width - left
        width, below = right - across * each, self.height - rows * high
        if below < SOME_NEWS:
            tables = self._tables(across, rows, each, high, below)
            events = max(MIN_NEWS, self.height // 3)
            games = self._news("games", width, self.height - events)
            return beside(
                self._left(left, "none"), tables, games + self._news("events", width, events)
            )
        tables = self._tables(across, rows, each, high)
        upper = beside(tables, self._news("events", width, rows * high))
        return beside(self._left(left, "none"), upper + self._news("games", right, below))

    def _with_news_below(self, left: int, across: int, rows: int, high: int, games: int) -> Block:
        """Tables as wide as their column, with news below them."""
        each = (self.width - left) // across
        right = each * across
        left = self.width - right
        below = self.height - rows * high
        if below < SOME_NEWS:
            return beside(self._left(left, "both"), self._tables(across, rows, each, high, below))
        tables = self._tables(across, rows, each, high)
        events = min(right // 2, right - games)
        if events >= NEWS_WIDTH:
            news = beside(self._news("games", right - events, below),
                          self._news("events", events, below))  # fmt: skip
            return beside(self._left(left, "none"), tables + news)
        has_room = self.height - self.results.rows(left, self.height, "events") >= MIN_NEWS
        news = self._news("games" if has_room else "both", right, below)
        return beside(self._left(left, "events" if has_room else "none"), tables + news)

    def _tables(self, across: int, rows: int, each: int, high: int, spare: int = 0) -> Block:
        """As many tables as fit, with spare rows shared among them; the last one names the rest."""
        room, count = across * rows, len(self.tables)
        here = iter(self.content.selection.tables(room, count))
        block: Block = []
        for row in range(rows):
            height = high + (spare + row) // rows
            panels = []
            for place in range(row * across, (row + 1) * across):
                more = f"and {count - room} more" if place == room - 1 and count > room else ""
                number = next(here, None)
                panels.append(
                    sized([], each, height, self.glyphs)
                    if number is None
                    else table_panel(
                        self.tables[number], each, height, self._scale, self.glyphs, more
                    )
                )
            block += beside(*panels)
        return block

    def _left(self, width: int, news: News) -> Block:
        return self.results.draw(width, self.height, news)

    def _news(self, news: News, width: int, height: int) -> Block:
        return news_panel(self.content, news, width, height)
