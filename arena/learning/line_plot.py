"""A line as a few rows of characters: eight dots a cell where they can be shown, else one star."""

from __future__ import annotations

from collections.abc import Sequence

BLANK = 0x2800  # the braille cell without dots
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # by row of the cell and column
STAR = "*"


def line_plot(
    points: Sequence[tuple[float, float]], width: int, height: int, *, fine: bool = True
) -> list[str]:
    """So many rows of so many characters; x from the first point to the last, y from 0 to 1.

    Points are joined by straight lines. `fine` draws with dots, of which a terminal needs the
    characters; without it a cell is full or empty.
    """
    across, down = (2, 4) if fine else (1, 1)
    dots: set[tuple[int, int]] = set()
    columns, rows = width * across, height * down
    first, last = points[0][0], points[-1][0]
    span = (last - first) or 1.0
    places = [((x - first) / span * (columns - 1), (1 - y) * (rows - 1)) for x, y in points]
    for (x0, y0), (x1, y1) in zip([places[0], *places], places, strict=False):
        steps = max(1, round(max(abs(x1 - x0), abs(y1 - y0))))
        for step in range(steps + 1):
            x, y = x0 + (x1 - x0) * step / steps, y0 + (y1 - y0) * step / steps
            dots.add((round(x), min(rows - 1, max(0, round(y)))))
    return [_row(dots, row, width, across, down) for row in range(height)]


def _row(dots: set[tuple[int, int]], row: int, width: int, across: int, down: int) -> str:
    """One row of characters."""
    text = ""
    for column in range(width):
        inside = [
            DOTS[y][x]
            for y in range(down)
            for x in range(across)
            if (column * across + x, row * down + y) in dots
        ]
        if across == 1:
            text += STAR if inside else " "
        else:
            text += chr(BLANK + sum(inside)) if inside else " "
    return text
