"""Colour themes: what the discs of both sides look like, and what they are called."""

from __future__ import annotations

from dataclasses import dataclass

from arena.errors import UnknownName


@dataclass(frozen=True)
class Theme:
    """The first side's look, then the second's; `frame` is the colour of the board."""

    colours: tuple[str, str]
    styles: tuple[str, str]
    discs: tuple[str, str]
    frame: str


THEMES = {
    "classic": Theme(("red", "yellow"), ("bright_red", "bright_yellow"), ("●", "●"), "blue"),
    "blue-red": Theme(("blue", "red"), ("bright_blue", "bright_red"), ("●", "●"), "white"),
    "contrast": Theme(
        ("yellow", "blue"),
        ("bold black on bright_yellow", "bold bright_white on blue"),
        ("X", "O"),
        "bright_white",
    ),
    "mono": Theme(("X", "O"), ("bold", "bold"), ("X", "O"), "dim"),
}


def theme_named(name: str) -> Theme:
    """A theme, or a sentence with the names there are."""
    if name.lower() not in THEMES:
        raise UnknownName("theme", name, THEMES)
    return THEMES[name.lower()]
