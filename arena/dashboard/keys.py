"""Keys that are pressed while a dashboard is shown, read without ever waiting for one."""

from __future__ import annotations

import os
import re
import select
from typing import NamedTuple

# Escape sequences of terminals: ESC [ A, ESC O A, ESC [ 5 ~, with modifiers as in ESC [ 1 ; 2 A.
KEY = re.compile(rb"\x1b(?:\[([0-9;]*)([A-Za-z~])|O([A-Za-z]))?|[\x00-\x7f]|[\x80-\xff]+")
LETTERS = {b"A": "up", b"B": "down", b"C": "right", b"D": "left", b"H": "home", b"F": "end"}
NUMBERS = {b"1": "home", b"4": "end", b"5": "page up", b"6": "page down", b"7": "home", b"8": "end"}


class Help(NamedTuple):
    """Keys, and what they do."""

    keys: str
    does: str


HELP = (
    Help("up, down", "scroll the standings, also k and j"),
    Help("page up, page down", "the same, by a page"),
    Help("home, end", "to the first and the last engine"),
    Help("left, right", "show other tables"),
    Help("1 to 9", "show this table first"),
    Help("p or space", "pause drawing; the games go on"),
    Help("? or h", "this help; any key closes it"),
    Help("Ctrl-C", "let running games end, then stop"),
)


def names_of(typed: bytes) -> list[str]:
    """The keys in what was typed, by name; what is not known is "unknown"."""
    return [_name(match) for match in KEY.finditer(typed)]


def _name(match: re.Match[bytes]) -> str:
    parameters, final, application = match.groups()
    if final == b"~":
        return NUMBERS.get(parameters.partition(b";")[0], "unknown")
    if final or application:
        return LETTERS.get(final or application, "unknown")
    key = match[0].decode("ascii", "replace")
    return "escape" if key == "\x1b" else key if key.isascii() and key.isprintable() else "unknown"


def pressed(terminal: int) -> list[str]:
    """The keys pressed since the last look; none if nobody can press any."""
    try:
        if select.select([terminal], [], [], 0)[0]:
            return names_of(os.read(terminal, 1024))
    except (OSError, ValueError):
        pass  # it is gone, or no terminal at all
    return []
