"""Dashboard frames of moments in imaginary runs."""

from __future__ import annotations

from arena.dashboard.cells import ASCII, UNICODE
from arena.dashboard.content import FrameContent, Selection
from arena.dashboard.frame import draw
from arena.show.board import as_plain
from tests.dashboard.samples import SAMPLES


def frame(case: str) -> str:
    """A frame by its name: "running 80x24", "running 80x24 ascii", "many 80x24 scrolled"."""
    name, size, *how = case.split()
    width, height = (int(number) for number in size.split("x"))
    selection = Selection(keys=True, standing=20, table=3) if "scrolled" in how else Selection()
    content = FrameContent(SAMPLES[name], ASCII if "ascii" in how else UNICODE, selection)
    return as_plain(draw(content, width, height)) + "\n"
