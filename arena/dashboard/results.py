"""The column of results: standings, then crosstable and ratings if there is room, then news."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from rich.cells import cell_len

from arena.dashboard.cells import (
    BAD,
    EDGES,
    FRAME,
    GOOD,
    QUIET,
    STRONG,
    TITLE,
    WARNING,
    Block,
    padded_name,
    panel,
)
from arena.dashboard.content import FrameContent
from arena.dashboard.panels import MIN_NEWS, SOME_NEWS, News, news_panel
from arena.show.board import Line, Run
from arena.standings.ranking import Standing

FRAME_ROWS = 3  # of a table: two borders and the headings
PART = 6  # players that make a crosstable worth showing where not all have room
MIN_NAME, MAX_NAME = 8, 20
CELL = 4  # columns of a cell of the crosstable: 100 and a space
NEAR = 0.05  # so near to one half nobody is ahead
MIN_SCALE = 20  # columns
NOTHING_RATED = (-100.0, 0.0, 100.0)  # the scale before the first game


class StandingsColumn(NamedTuple):
    """A column of the standings: its heading, a text for each player, and its width."""

    heading: str
    texts: list[str]
    style: str
    priority: int  # columns with a high number go first where there is no room
    width: int


class ResultsPanel(NamedTuple):
    """A panel, the rows it wants, and how its lines are made for a width and a height."""

    title: str
    rows: int
    lines: Callable[[int, int], Block]


class ResultsColumn:
    """The results so far, as many of them as fit."""

    def __init__(self, content: FrameContent) -> None:
        self.content, self.snapshot, self.glyphs = content, content.snapshot, content.glyphs
        self.players = len(self.snapshot.standings)
        self.places = len(str(self.players)) + 1  # cells of a place
        self.longest = max(cell_len(standing.name) for standing in self.snapshot.standings)
        self.name = max(MIN_NAME, min(MAX_NAME, self.longest))  # cells of a name

    @property
    def label(self) -> int:
        """The width of place and name."""
        return self.places + self.name

    @property
    def standings_width(self) -> int:
        """How wide the standings are if nothing is left out."""
        return self.label + sum(column.width for column in self._columns)

    @property
    def crosstable_width(self) -> int:
        """How wide the whole crosstable is."""
        return self.label + CELL * len(self.snapshot.crosstable)

    def draw(self, width: int, height: int, news: News) -> Block:
        """The whole column; the last panel takes the rest of the height."""
        panels = self._panels(width, height, news)
        spare = height - sum(part.rows for part in panels)
        if news == "none" or spare < 3:
            panels[-1] = panels[-1]._replace(rows=panels[-1].rows + spare)
            spare = 0
        foot = (self.snapshot.time, WARNING if self.snapshot.is_late else FRAME)
        block: Block = []
        for title, rows, lines_for in panels:
            lines = lines_for(width - EDGES, rows - 2)
            block += panel((title, TITLE), lines, width, rows, self.glyphs, foot)
            foot = ("", FRAME)
        return block + news_panel(self.content, news, width, spare) if spare else block

    def rows(self, width: int, height: int, news: News) -> int:
        """The rows that are taken before the news."""
        return sum(part.rows for part in self._panels(width, height, news))

    def _panels(self, width: int, height: int, news: News) -> list[ResultsPanel]:
        """Standings always, the others if all of them that matters fits beside the news."""
        kept = {"none": 0, "events": MIN_NEWS}.get(news, SOME_NEWS)
        if height < 14:
            kept = min(kept, MIN_NEWS if height >= 10 else 0)
        whole = self.players + FRAME_ROWS
        rows = min(whole, max(4, height - kept), height)
        panels = [ResultsPanel("standings", rows, self.standings)]
        room = height - rows - kept
        fitting = ((width - EDGES - self.label) // CELL, room - 3, len(self.snapshot.crosstable))
        cross = max(0, min(fitting))
        if cross == self.players or cross >= PART:
            of = "" if cross == self.players else f" of the first {cross}"
            title, rows = f"crosstable{of}, %", cross + FRAME_ROWS
            panels.append(ResultsPanel(title, rows, lambda *_: self.crosstable(cross)))
            room -= rows
        if whole <= room and self.has_room_for_ratings(width - EDGES):
            panels.append(ResultsPanel("ratings, 95 %", whole, self.ratings))
        return panels

    @cached_property
    def _columns(self) -> list[StandingsColumn]:
        """All columns in their order, with widths that seldom change in a run."""
        none, standings = self.glyphs.none, self.snapshot.standings
        scores = [standing.score for standing in standings]
        games = len(f"{2 * self.snapshot.total // max(1, self.players)}")  # of each player, about
        columns = [
            ("elo", [none if s.elo is None else f"{s.elo:+z.0f}" for s in standings], STRONG, 2, 5),
            (self.glyphs.error, ["" if s.error is None else f"{s.error:.0f}" for s in standings],
             QUIET, 3, 4),
            ("score", [_percent(wdl.share) if wdl.games else none for wdl in scores], "", 1, 5),
            ("games", [str(wdl.games) for wdl in scores], QUIET, 4, games),
            ("+", [str(wdl.won) for wdl in scores], GOOD, 5, games),
            ("=", [str(wdl.drawn) for wdl in scores], "", 5, games),
            ("-", [str(wdl.lost) for wdl in scores], BAD, 5, games),
        ]  # fmt: skip
        return [
            StandingsColumn(
                heading, texts, style, priority, 1 + max(usual, *map(len, (heading, *texts)))
            )
            for heading, texts, style, priority, usual in columns
        ]

    def _columns_that_fit(self, width: int) -> list[StandingsColumn]:
        """The columns that matter most beside names, those of one priority all or none.

        A whole name matters more than all but the score.
        """
        for most in range(5, 0, -1):
            columns = [column for column in self._columns if column.priority <= most]
            least = self.name if most > 1 else MIN_NAME
            if sum(column.width for column in columns) <= width - least:
                return columns
        return []

    def standings(self, width: int, height: int) -> Block:
        """The visible players, with as many columns as fit, and the number of others."""
        columns = self._columns_that_fit(width - self.places)
        room = width - self.places - sum(column.width for column in columns)
        name = min(room, max(MIN_NAME, self.longest))
        heads = "".join(f"{column.heading:>{column.width}}" for column in columns)
        lines: Block = [[(" " * (self.places + name) + heads, QUIET)]]
        rows = self.players if self.players < height else max(0, height - 2)
        here = self.content.selection.engines(rows, self.players)
        for place in here:
            is_out = self.snapshot.standings[place].out
            cells = (
                (f"{column.texts[place]:>{column.width}}", QUIET if is_out else column.style)
                for column in columns
            )
            lines.append([*self._label(place, name), *cells])
        if rows < self.players:
            dots = self.glyphs.more if self.glyphs.more != "~" else "..."
            more = f"{self.players - len(here)} more"
            if here.start:
                more = f"{here.start} above, {self.players - here.stop} below"
            lines.append([(f"{' ' * self.places}{dots} {more}", QUIET)])
        return lines

    def _label(self, place: int, width: int) -> Line:
        """Place and name of a player."""
        standing = self.snapshot.standings[place]
        style = QUIET if standing.out else STRONG if place == 0 and standing.score.games else ""
        name = padded_name(standing.name, width, self.glyphs)
        return [(f"{place + 1:>{self.places - 1}} ", QUIET), (name, style)]

    def crosstable(self, count: int) -> Block:
        """The share of the points that each of the first has made against each, in percent."""
        heads = "".join(f"{place:>{CELL}}" for place in range(1, count + 1))
        lines: Block = [[(" " * self.label + heads, QUIET)]]
        for place, shares in enumerate(self.snapshot.crosstable[:count]):
            cells = (self._share(share, k == place) for k, share in enumerate(shares[:count]))
            lines.append([*self._label(place, self.name), *cells])
        return lines

    def _share(self, share: float | None, is_self: bool) -> Run:
        if share is None:
            return f"{self.glyphs.none if is_self else self.glyphs.empty:>{CELL}}", QUIET
        style = GOOD if share > 0.5 + NEAR else BAD if share < 0.5 - NEAR else ""
        return f"{100 * share:>{CELL}.0f}", style

    def has_room_for_ratings(self, width: int) -> bool:
        """Whether there is room for a scale beside the names."""
        return width - self.label - 1 >= MIN_SCALE

    def ratings(self, width: int, height: int) -> Block:
        """Ratings as intervals on one scale, so that one sees who is surely ahead."""
        intervals = [_interval(standing) for standing in self.snapshot.standings]
        rated = [interval for interval in intervals if interval is not None] or [NOTHING_RATED]
        low, high = min(ends[0] for ends in rated), max(ends[-1] for ends in rated)
        room = width - self.label - 1

        def place_of(elo: float) -> int:
            return round((elo - low) / max(1e-9, high - low) * (room - 1))

        left, right = f"{low:+z.0f}", f"{high:+z.0f}"
        scale = list(left.ljust(room - len(right)) + right)
        if len(left) < place_of(0.0) < room - len(right) - 1:
            scale[place_of(0.0)] = "0"
        lines: Block = [[(" " * (self.label + 1), ""), ("".join(scale), QUIET)]]
        for place, interval in enumerate(intervals):
            line = [*self._label(place, self.name), (" ", "")]
            if interval is None:
                lines.append([*line, (self.glyphs.none, QUIET)])
                continue
            begin, at, end = map(place_of, interval)
            before, after = self.glyphs.across * (at - begin), self.glyphs.across * (end - at)
            needle = (self.glyphs.needle, f"{STRONG} cyan")
            lines.append([*line, (" " * begin, ""), (before, FRAME), needle, (after, FRAME)])
        return lines


def _percent(share: float) -> str:
    return "100%" if share == 1 else f"{100 * share:.1f}%"


def _interval(standing: Standing) -> tuple[float, float, float] | None:
    """A rating between the ends of its interval, if there is one."""
    elo, error = standing.elo, standing.error
    return None if elo is None or error is None else (elo - error, elo, elo + error)
