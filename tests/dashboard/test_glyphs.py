"""Characters that every terminal can show."""

from __future__ import annotations

from arena.dashboard.glyphs import ASCII, COLOURLESS, UNICODE, glyphs_for


def test_the_characters_suit_the_terminal() -> None:
    assert glyphs_for("utf-8") is UNICODE
    assert glyphs_for("utf-8", colour=False) is COLOURLESS
    assert glyphs_for("ascii") is ASCII
    assert glyphs_for("latin-1") is ASCII
    assert glyphs_for("no such encoding") is ASCII
