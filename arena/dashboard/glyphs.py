"""The characters and colours a frame is drawn with, for terminals that have them or not."""

from __future__ import annotations

from dataclasses import dataclass, replace

DISC_STYLES = ("red", "yellow")  # as on all boards of the arena
FRAME, QUIET, STRONG, TITLE = "dim", "dim", "bold", "bold cyan"
GOOD, BAD, WARNING, MARK = "green", "red", "yellow", "reverse"


@dataclass(frozen=True)
class Glyphs:
    """One set of characters."""

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
    none: str  # what is not known
    draw: str


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
        "".join("".join(part) for part in vars(wanted).values()).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return wanted
