"""Ratings as intervals on one scale, so that one sees at a glance who is surely ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.dashboard.blocks import Block
from arena.dashboard.glyphs import FRAME, QUIET, STRONG, Glyphs
from arena.dashboard.tables import label_width, name_label
from arena.show.board import Line

if TYPE_CHECKING:
    from arena.dashboard.snapshot import Snapshot

LEAST_SCALE = 20  # columns
NOTHING_KNOWN = (-100.0, 100.0)  # the scale before the first game
COLOUR = "cyan"


def intervals_fit(snapshot: Snapshot, width: int) -> bool:
    """Whether there is room for a scale beside the names."""
    return width - label_width(snapshot) - 1 >= LEAST_SCALE


def interval_lines(snapshot: Snapshot, width: int, glyphs: Glyphs) -> Block:
    """The scale, and a line for each player: the interval with the rating in it."""
    bounds = [
        (standing.elo - standing.error, standing.elo + standing.error)
        for standing in snapshot.standings
        if standing.elo is not None and standing.error is not None
    ] or [NOTHING_KNOWN]
    low, high = min(bound[0] for bound in bounds), max(bound[1] for bound in bounds)
    label = label_width(snapshot)
    room = width - label - 1
    lines: Block = [[(" " * (label + 1), ""), *_scale(low, high, room)]]
    for place, standing in enumerate(snapshot.standings, start=1):
        line = [*name_label(snapshot, place, standing, glyphs), (" ", "")]
        if standing.elo is None or standing.error is None:
            lines.append([*line, (glyphs.none, QUIET)])
            continue
        points = (standing.elo - standing.error, standing.elo, standing.elo + standing.error)
        left, at, right = (_column(elo, low, high, room) for elo in points)
        lines.append([*line, *_interval(left, at, right, glyphs)])
    return lines


def _column(elo: float, low: float, high: float, room: int) -> int:
    """Where a rating stands on the scale."""
    return round((elo - low) / max(1e-9, high - low) * (room - 1))


def _interval(left: int, at: int, right: int, glyphs: Glyphs) -> Line:
    return [
        (" " * left, ""),
        (glyphs.across * (at - left), FRAME),
        (glyphs.needle, f"{STRONG} {COLOUR}"),
        (glyphs.across * (right - at), FRAME),
    ]


def _scale(low: float, high: float, room: int) -> Line:
    """The ends of the scale, and zero between them where there is room."""
    ends = f"{low:+z.0f}", f"{high:+z.0f}"
    line = list(ends[0].ljust(room - len(ends[1])) + ends[1])
    zero = _column(0.0, low, high, room)
    if len(ends[0]) < zero < room - len(ends[1]) - 1:
        line[zero] = "0"
    return [("".join(line), QUIET)]
