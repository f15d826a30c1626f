"""Lines of an exact width, and rectangles of such lines, of which frames consist.

Every rectangle has the size it was asked for, whatever is in it, so that nothing can overflow.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass, replace
from functools import cached_property

from rich.cells import cell_len

from arena.show.board import COLOURS, Line, Look, Run
from arena.show.table import cut, cut_name

FRAME, QUIET, STRONG, TITLE = "dim", "dim", "bold", "bold cyan"
GOOD, BAD, WARNING = "green", "red", "yellow"
MARK = f"{STRONG} reverse"  # of the last disc and of winning lines
EDGES = 4  # columns that a panel needs for its frame: a border and a space on each side

Block = list[Line]


@dataclass(frozen=True)
class Glyphs:
    """The characters a frame is drawn with."""

    discs: tuple[str, str]
    empty: str
    corners: tuple[str, str, str, str]  # top left, top right, bottom left, bottom right
    across: str
    down: str
    full: str  # of a bar, done and left
    left: str
    gauge: tuple[str, str, str]  # left end, middle, right end
    needle: str
    thinking: str
    more: str  # where a text is cut
    error: str  # before the half width of an interval
    dot: str  # between words
    none: str  # an unknown value
    draw: str

    @cached_property
    def look(self) -> Look:
        """How boards are drawn."""
        return Look(
            self.discs, COLOURS, self.empty, QUIET, around="", around_last="", around_winning="",
            last_style=MARK, winning_style=MARK,
        )  # fmt: skip


UNICODE = Glyphs(
    discs=("●", "●"), empty="·", corners=("╭", "╮", "╰", "╯"), across="─", down="│",
    full="━", left="━", gauge=("├", "─", "┤"), needle="◆", thinking="▸", more="…",
    error="±", dot="·", none="\N{EN DASH}", draw="½-½",
)  # fmt: skip
COLOURLESS = replace(UNICODE, discs=("●", "○"), left="─")
ASCII = Glyphs(
    discs=("X", "O"), empty=".", corners=("+", "+", "+", "+"), across="-", down="|",
    full="#", left=".", gauge=("|", "-", "|"), needle="*", thinking=">", more="~",
    error="+-", dot="-", none="-", draw="1/2",
)  # fmt: skip


def glyphs_for(encoding: str, colour: bool = True) -> Glyphs:
    """The best set that this encoding can write."""
    wanted = UNICODE if colour else COLOURLESS
    try:
        "".join("".join(part) for part in astuple(wanted)).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return wanted


def width_of(line: Line) -> int:
    """How many cells a line takes on the screen."""
    width = 0
    for text, _ in line:
        width += len(text) if text.isascii() else cell_len(text)
    return width


def padded_name(name: str, width: int, glyphs: Glyphs) -> str:
    """A player's name that is exactly so wide."""
    name = cut_name(name, width, glyphs.more)
    return name + " " * max(0, width - cell_len(name))


def fit(line: Line, width: int, glyphs: Glyphs) -> Line:
    """A line that is exactly so wide: filled up with spaces, or cut."""
    used = width_of(line)
    if used > width:
        fitted: Line = []
        room = width
        for text, style in line:
            fitted.append((cut(text, room, glyphs.more), style))
            room -= cell_len(text)
            if room <= 0:
                break
        line, used = fitted, width_of(fitted)
    return [*line, (" " * (width - used), "")] if used < width else line


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
    title: Run, lines: Block, width: int, height: int, glyphs: Glyphs, foot: Run = ("", FRAME)
) -> Block:
    """A framed rectangle with a title, and words at the foot, of this size in all."""
    if width < EDGES or height < 2:
        return sized([], width, height, glyphs)
    top_left, top_right, bottom_left, bottom_right = ((sign, FRAME) for sign in glyphs.corners)
    edge = (glyphs.down, FRAME)
    inside = sized(lines, width - EDGES, height - 2, glyphs)
    return [
        [top_left, *_rule(title, width - 2, glyphs), top_right],
        *([edge, (" ", ""), *line, (" ", ""), edge] for line in inside),
        [bottom_left, *_rule(foot, width - 2, glyphs), bottom_right],
    ]


def _rule(words: Run, width: int, glyphs: Glyphs) -> Line:
    """A part of the frame with words in it."""
    text, style = words
    room = width - 4
    if not text or room < 1:
        return [(glyphs.across * width, FRAME)]
    text = cut(text, room, glyphs.more)
    rest = glyphs.across * (width - 3 - cell_len(text))
    return [(glyphs.across, FRAME), (f" {text} ", style), (rest, FRAME)]


def beside(*blocks: Block) -> Block:
    """Rectangles of the same height, side by side."""
    return [[run for line in lines for run in line] for lines in zip(*blocks, strict=True)]
