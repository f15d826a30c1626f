"""Lines painted by hand are what rich would write."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from arena.dashboard.blocks import Frame
from arena.dashboard.glyphs import UNICODE
from arena.dashboard.layout import arrange
from arena.dashboard.pen import Pen
from tests.dashboard.samples import SAMPLES


@pytest.mark.parametrize("system", ["standard", "256", "truecolor", None])
@pytest.mark.parametrize("no_color", [False, True])
def test_the_pen_writes_as_a_console_does(system: str | None, no_color: bool) -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, color_system=system, no_color=no_color,  # type: ignore[arg-type]
                      width=100, height=30, legacy_windows=False)  # fmt: skip
    pen = Pen(console)
    for snapshot, rules in SAMPLES.values():
        frame = arrange(snapshot, rules, 100, 30, UNICODE)
        out.seek(0)
        out.truncate()
        console.print(Frame(frame.lines), end="")
        assert "\n".join(map(pen, frame.lines)) == out.getvalue()
