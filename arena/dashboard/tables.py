"""Standings and crosstable, as much of them as there is room for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len

from arena.dashboard.blocks import Block, column
from arena.dashboard.glyphs import BAD, GOOD, QUIET, STRONG, Glyphs
from arena.show.board import Line

if TYPE_CHECKING:
    from arena.dashboard.selection import Selection
    from arena.dashboard.snapshot import Snapshot
    from arena.standings.ranking import Standing

LEAST_NAME, MOST_NAME = 8, 20
CROSS_NAME = 20
CELL = 4  # columns of a cell of the crosstable: 100 and a space
NEAR = 0.05  # so near to one half nobody is ahead


class Figure(NamedTuple):
    """A column of the standings: its heading, how to write it, and its style."""

    heading: str
    write: Callable[[Standing], str]
    style: str
    priority: int  # columns with a high number go first where there is no room


def figures(snapshot: Snapshot, glyphs: Glyphs) -> list[tuple[Figure, int]]:
    """All columns in the order they are shown, with their widths, which seldom change in a run."""
    none, standings = glyphs.none, snapshot.standings
    count = f"{2 * snapshot.total // max(1, len(standings))}"  # games of each player, about
    found = [
        Figure("elo", lambda s: none if s.elo is None else f"{s.elo:+z.0f}", STRONG, 2),
        Figure(glyphs.error, lambda s: "" if s.error is None else f"{s.error:.0f}", QUIET, 3),
        Figure("score", lambda s: _percent(s) if s.games else none, "", 1),
        Figure("games", lambda s: str(s.games), QUIET, 4),
        Figure("+", lambda s: str(s.won), GOOD, 5),
        Figure("=", lambda s: str(s.drawn), "", 5),
        Figure("-", lambda s: str(s.lost), BAD, 5),
    ]
    usual = {"elo": 5, glyphs.error: 4, "score": 5}
    return [
        (
            figure,
            1
            + max(
                usual.get(figure.heading, len(count)),
                len(figure.heading),
                *(len(figure.write(s)) for s in standings),
            ),
        )
        for figure in found
    ]


def _percent(standing: Standing) -> str:
    return "100%" if standing.share == 1 else f"{100 * standing.share:.1f}%"


def standings_width(snapshot: Snapshot, glyphs: Glyphs) -> int:
    """How wide the standings are if nothing is left out."""
    return _label(snapshot.standings) + sum(width for _, width in figures(snapshot, glyphs))


def _label(standings: tuple[Standing, ...], most: int = MOST_NAME) -> int:
    """The width of place and name."""
    longest = max(cell_len(standing.name) for standing in standings)
    return len(str(len(standings))) + 1 + max(LEAST_NAME, min(most, longest))


def standings_lines(
    snapshot: Snapshot, width: int, height: int, glyphs: Glyphs, selection: Selection
) -> Block:
    """The players that are looked at, with as many columns as fit, and how many more there are."""
    standings = snapshot.standings
    places = len(str(len(standings))) + 1
    longest = max(LEAST_NAME, *(min(MOST_NAME, cell_len(s.name)) for s in standings))
    shown = _that_fit(figures(snapshot, glyphs), width - places, longest)
    room = width - places - sum(size for _, size in shown)
    name = min(room, max(LEAST_NAME, *(cell_len(s.name) for s in standings)))
    heads = "".join(f"{figure.heading:>{size}}" for figure, size in shown)
    lines: Block = [[(" " * (places + name) + heads, QUIET)]]
    rows = len(standings) if len(standings) < height else max(0, height - 2)
    here = selection.engines(rows, len(standings))
    for place in here:
        standing = standings[place]
        label = _name(place + 1, standing, places, name, glyphs)
        cells = [(f"{figure.write(standing):>{size}}", figure.style) for figure, size in shown]
        lines.append([*label, *_dimmed(cells, standing.out)])
    if rows < len(standings):
        lines.append([(f"{' ' * places}{_more(here, len(standings), glyphs)}", QUIET)])
    return lines


def _more(here: range, count: int, glyphs: Glyphs) -> str:
    dots = glyphs.more if glyphs.more != "~" else "..."
    if here.start == 0:
        return f"{dots} {count - len(here)} more"
    return f"{dots} {here.start} above, {count - here.stop} below"


def _that_fit(columns: list[tuple[Figure, int]], width: int, name: int) -> list[tuple[Figure, int]]:
    """The columns that matter most beside names, those of one priority all or none.

    A whole name matters more than all but the score.
    """
    for most in range(5, 0, -1):
        shown = [(figure, size) for figure, size in columns if figure.priority <= most]
        least = name if most > 1 else LEAST_NAME
        if sum(size for _, size in shown) <= width - least:
            return shown
    return []


def _name(place: int, standing: Standing, places: int, width: int, glyphs: Glyphs) -> Line:
    style = QUIET if standing.out else STRONG if place == 1 and standing.games else ""
    return [
        (f"{place:>{places - 1}} ", QUIET),
        (column(standing.name, width, glyphs), style),
    ]


def _dimmed(cells: Line, out: bool) -> Line:
    return [(text, QUIET if out else style) for text, style in cells]


def label_width(snapshot: Snapshot) -> int:
    """The width of place and name in crosstable and ratings."""
    return _label(snapshot.standings, CROSS_NAME)


def name_label(snapshot: Snapshot, place: int, standing: Standing, glyphs: Glyphs) -> Line:
    """Place and name of that width."""
    places = len(str(len(snapshot.standings))) + 1
    return _name(place, standing, places, label_width(snapshot) - places, glyphs)


def crosstable_size(snapshot: Snapshot, width: int, height: int) -> int:
    """How many players have room in a crosstable of this size."""
    room = (width - label_width(snapshot)) // CELL
    return max(0, min(room, height - 1, len(snapshot.crosstable)))


def crosstable_width(snapshot: Snapshot) -> int:
    """How wide the whole crosstable is."""
    return label_width(snapshot) + CELL * len(snapshot.crosstable)


def crosstable_lines(snapshot: Snapshot, count: int, glyphs: Glyphs) -> Block:
    """The share of the points that each of the first has made against each, in percent."""
    heads = "".join(f"{place:>{CELL}}" for place in range(1, count + 1))
    lines: Block = [[(" " * label_width(snapshot) + heads, QUIET)]]
    rows = zip(snapshot.standings[:count], snapshot.crosstable, strict=False)
    for place, (standing, shares) in enumerate(rows, start=1):
        name = name_label(snapshot, place, standing, glyphs)
        cells = [_cell(share, k == place, glyphs) for k, share in enumerate(shares[:count], 1)]
        lines.append([*name, *cells])
    return lines


def _cell(share: float | None, is_self: bool, glyphs: Glyphs) -> tuple[str, str]:
    if share is None:
        return f"{glyphs.none if is_self else glyphs.empty:>{CELL}}", QUIET
    style = GOOD if share > 0.5 + NEAR else BAD if share < 0.5 - NEAR else ""
    return f"{100 * share:>{CELL}.0f}", style
