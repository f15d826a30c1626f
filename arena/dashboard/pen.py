"""Lines as the characters that a terminal takes: text, and the codes of its colours."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rich.color import ColorSystem
from rich.style import Style

if TYPE_CHECKING:
    from rich.console import Console

    from arena.show.board import Line

SYSTEMS = {
    "standard": ColorSystem.STANDARD,
    "256": ColorSystem.EIGHT_BIT,
    "truecolor": ColorSystem.TRUECOLOR,
    "windows": ColorSystem.WINDOWS,
}


class Pen:
    """Writes lines as a console would, run by run, and remembers the runs it has written."""

    def __init__(self, console: Console) -> None:
        system = SYSTEMS.get(console.color_system or "")
        colourless = console.no_color

        @lru_cache(maxsize=4096)
        def painted(text: str, words: str) -> str:
            style = Style.parse(words)
            style = style.without_color if colourless else style
            return style.render(text, color_system=system)

        self.painted = painted

    def __call__(self, line: Line) -> str:
        """One line."""
        return "".join([self.painted(text, style) if style else text for text, style in line])
