"""Make untrusted text safe to print: of an engine, of its file, of a journal from somebody else.

Escape sequences move the cursor and change colours, and marks of direction turn a line around; both
could make a terminal or a table say what nobody measured.
"""

from __future__ import annotations

from typing import Any

RISKY = ("=", "+", "-", "@", "\t", "\r", "\n")  # what a spreadsheet takes for a formula


def printable(text: str) -> str:
    """The text in one line: every kind of space is a space, every control character spelt out."""
    return text if text.isprintable() else "".join(map(_spelt, text))


def quote(text: str, limit: int = 60) -> str:
    """The text in quotes for a message, printable and cut to this many characters."""
    text = printable(text.strip())
    return repr(text if len(text) <= limit else f"{text[: limit - 3]}...")


def printable_lines(text: str) -> str:
    """The text made printable line by line: lines stay lines."""
    return "\n".join(map(printable, text.split("\n")))


def _spelt(char: str) -> str:
    if char.isprintable():
        return char
    return " " if char.isspace() else char.encode("unicode_escape").decode("ascii")


def harmless(cell: Any) -> Any:
    """Text without control characters; what a spreadsheet would run gets an apostrophe in front."""
    if not isinstance(cell, str):
        return cell
    text = printable_lines(cell)
    return f"'{text}" if cell.startswith(RISKY) else text


def visible(text: str) -> str:
    """Words of others without characters that nobody sees, and without line breaks."""
    return "".join(char if char.isprintable() else " " for char in text)
