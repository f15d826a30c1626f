"""Lines of exactly so many cells, and rectangles of such lines: what frames are put together from.

Every rectangle has the size it was asked for, whatever is in it, so that nothing can overflow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from arena.dashboard.glyphs import FRAME, TITLE, Glyphs
from arena.show.board import Line
from arena.show.table import cut, cut_name

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions

Block = list[Line]

EDGES = 4  # columns that a panel needs for its frame: a border and a space on each side


class Frame:
    """A rectangle that rich can show."""

    def __init__(self, lines: Block) -> None:
        self.lines = lines

    @property
    def plain(self) -> str:
        """The characters alone."""
        return "\n".join(plain(line) for line in self.lines)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        for number, line in enumerate(self.lines):
            if number:
                yield Segment.line()
            for text, style in line:
                yield Segment(text, _style(style))


@lru_cache(maxsize=256)
def _style(words: str) -> Style:
    return Style.parse(words)


def plain(line: Line) -> str:
    """The characters of a line."""
    return "".join(text for text, _ in line)


def width_of(line: Line) -> int:
    """How many cells a line takes on the screen."""
    width = 0
    for text, _ in line:
        width += len(text) if text.isascii() else cell_len(text)
    return width


def column(name: str, width: int, glyphs: Glyphs) -> str:
    """A player's name that is exactly so wide."""
    name = cut_name(name, width, glyphs.more)
    return name + " " * max(0, width - cell_len(name))


def fit(line: Line, width: int, glyphs: Glyphs) -> Line:
    """A line that is exactly so wide: filled up with spaces, or cut."""
    used = width_of(line)
    if used <= width:
        return [*line, (" " * (width - used), "")] if used < width else line
    fitted: Line = []
    left = width
    for text, style in line:
        room = cell_len(text)
        if room >= left:
            rest = text if room == left else text + " " * (left + 1)
            fitted.append((cut(rest, left, glyphs.more), style))
            break
        fitted.append((text, style))
        left -= room
    used = width_of(fitted)
    return [*fitted, (" " * (width - used), "")] if used < width else fitted


def between(left: Line, right: Line, width: int, glyphs: Glyphs) -> Line:
    """One part at the left, one at the right; the left one is cut if both do not fit."""
    room = width - width_of(right)
    if room < 1:
        return fit(left or right, width, glyphs)
    return [*fit(left, room, glyphs), *right]


def centred(lines: Block, width: int, glyphs: Glyphs) -> Block:
    """Lines in the middle of a wider rectangle, all moved by the same number of cells."""
    widest = max((width_of(line) for line in lines), default=0)
    margin = " " * max(0, (width - widest) // 2)
    return [fit([(margin, ""), *line], width, glyphs) for line in lines]


def sized(lines: Block, width: int, height: int, glyphs: Glyphs) -> Block:
    """These lines as a rectangle: empty ones are added below, those too many left out."""
    block = [fit(line, width, glyphs) for line in lines[:height]]
    return block + [[(" " * width, "")] for _ in range(height - len(block))]


def panel(
    title: str,
    lines: Block,
    width: int,
    height: int,
    glyphs: Glyphs,
    foot: str = "",
    style: str = TITLE,
    foot_style: str = FRAME,
) -> Block:
    """A framed rectangle with a title, and words at the foot, of this size in all."""
    if width < EDGES or height < 2:
        return sized([], width, height, glyphs)
    top_left, top_right, bottom_left, bottom_right = glyphs.corners
    edge = (glyphs.down, FRAME)
    inside = sized(lines, width - EDGES, height - 2, glyphs)
    rows: Block = [[edge, (" ", ""), *line, (" ", ""), edge] for line in inside]
    top = _rule(title, style, width - 2, glyphs)
    bottom = _rule(foot, foot_style, width - 2, glyphs)
    return [
        [(top_left, FRAME), *top, (top_right, FRAME)],
        *rows,
        [(bottom_left, FRAME), *bottom, (bottom_right, FRAME)],
    ]


def _rule(words: str, style: str, width: int, glyphs: Glyphs) -> Line:
    """A part of the frame with words in it."""
    room = width - 4
    if not words or room < 1:
        return [(glyphs.across * width, FRAME)]
    words = cut(words, room, glyphs.more)
    rest = glyphs.across * (width - 3 - cell_len(words))
    return [(glyphs.across, FRAME), (f" {words} ", style), (rest, FRAME)]


def beside(blocks: Sequence[Block]) -> Block:
    """Rectangles of the same height, side by side."""
    return [[run for line in lines for run in line] for lines in zip(*blocks, strict=True)]


def above(blocks: Iterable[Block]) -> Block:
    """Rectangles of the same width, one over the other."""
    return [line for block in blocks for line in block]
