"""The column of results: standings, then crosstable and ratings if there is room, then news."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from arena.dashboard.blocks import EDGES, Block, above, panel
from arena.dashboard.glyphs import FRAME, WARNING
from arena.dashboard.intervals import interval_lines, intervals_fit
from arena.dashboard.news import LEAST_NEWS, SOME_NEWS, News, news_panel
from arena.dashboard.selection import Selection
from arena.dashboard.tables import crosstable_lines, crosstable_size, standings_lines

if TYPE_CHECKING:
    from arena.dashboard.glyphs import Glyphs
    from arena.dashboard.snapshot import Snapshot

FRAME_ROWS = 3  # of a table: two borders and the headings
PART = 6  # players that make a crosstable worth showing where not all have room


class Panel(NamedTuple):
    """A panel, the rows it wants, and how its lines are made for a width and a height."""

    title: str
    rows: int
    lines: Callable[[int, int], Block]
    foot: str = ""


def results_column(
    snapshot: Snapshot, width: int, height: int, news: News, glyphs: Glyphs, selection: Selection
) -> Block:
    """The whole column; the last panel takes what is left."""
    panels = _panels(snapshot, width, height, news, glyphs, selection)
    spare = height - sum(part.rows for part in panels)
    if news == "none" or spare < 3:
        panels[-1] = panels[-1]._replace(rows=panels[-1].rows + spare)
        spare = 0
    blocks = [
        panel(
            part.title,
            part.lines(width - EDGES, part.rows - 2),
            width,
            part.rows,
            glyphs,
            part.foot,
            foot_style=WARNING if snapshot.is_late else FRAME,
        )
        for part in panels
    ]
    if spare:
        blocks.append(news_panel(snapshot, news, width, spare, glyphs))
    return above(blocks)


def rows_of_results(snapshot: Snapshot, width: int, height: int, news: News, glyphs: Glyphs) -> int:
    """The rows that are taken before the news."""
    panels = _panels(snapshot, width, height, news, glyphs, Selection())
    return sum(part.rows for part in panels)


def _panels(
    snapshot: Snapshot, width: int, height: int, news: News, glyphs: Glyphs, selection: Selection
) -> list[Panel]:
    """Standings always, the others if all of them that matters fits beside the news."""
    players = len(snapshot.standings)
    kept = _kept(height, news)
    rows = min(players + FRAME_ROWS, max(4, height - kept), height)

    def standings(wide: int, high: int) -> Block:
        return standings_lines(snapshot, wide, high, glyphs, selection)

    found = [Panel("standings", rows, standings, snapshot.time)]
    room = height - rows - kept
    cross = crosstable_size(snapshot, width - EDGES, room - 2)
    if cross == players or cross >= PART:
        words = "crosstable, %" if cross == players else f"crosstable of the first {cross}, %"
        lines = crosstable_lines(snapshot, cross, glyphs)
        found.append(Panel(words, cross + FRAME_ROWS, lambda w, h: lines))
        room -= cross + FRAME_ROWS
    if players + FRAME_ROWS <= room and intervals_fit(snapshot, width - EDGES):
        found.append(
            Panel(
                "ratings, 95 %",
                players + FRAME_ROWS,
                lambda w, h: interval_lines(snapshot, w, glyphs),
            )
        )
    return found


def _kept(height: int, news: News) -> int:
    """The rows that are kept for news."""
    wanted = {"none": 0, "events": LEAST_NEWS}.get(news, SOME_NEWS)
    if height >= 14:
        return wanted
    return min(wanted, LEAST_NEWS if height >= 10 else 0)
