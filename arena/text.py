"""Make untrusted text safe to print: from engines, their files, and journals of others.

Escape sequences move the cursor and change colours, and direction marks reverse a line; both could
fake results in a terminal or a table.
"""

from __future__ import annotations

from typing import Any

RISKY = ("=", "+", "-", "@", "\t", "\r", "\n")  # the first character of a formula


def printable(text: str) -> str:
    """The text in one line, with plain spaces and escaped control characters."""
    return text if text.isprintable() else "".join(map(_escape, text))


def quote(text: str, limit: int = 60) -> str:
    """The text in quotes for a message, printable and cut to this many characters."""
    text = printable(text.strip())
    return repr(text if len(text) <= limit else f"{text[: limit - 3]}...")


def printable_lines(text: str) -> str:
    """The text made printable line by line."""
    return "\n".join(map(printable, text.split("\n")))


def _escape(char: str) -> str:
    if char.isprintable():
        return char
    return " " if char.isspace() else char.encode("unicode_escape").decode("ascii")


def harmless(cell: Any) -> Any:
    """A cell without control characters; a formula gets an apostrophe in front."""
    if not isinstance(cell, str):
        return cell
    text = printable_lines(cell)
    return f"'{text}" if cell.startswith(RISKY) else text


def visible(text: str) -> str:
    """The text with a space for each invisible character and line break."""
    return "".join(char if char.isprintable() else " " for char in text)
