"""A terminal on which a run draws its dashboard."""

from __future__ import annotations

import re

from rich.cells import cell_len

from tests.terminal import CODES, ENTER, HOME, LEAVE, Terminal, plain

HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"


class DashboardTerminal(Terminal):
    """Knows whole frames, and how a dashboard has to leave."""

    def wait_for_frame(self, columns: int, rows: int) -> None:
        """Wait until a whole frame of this size is drawn."""
        self.wait_until(lambda: shape(self.text) == (rows, {columns}), f"{columns} x {rows}")

    def after_the_dashboard(self) -> str:
        """What stands on the terminal when the dashboard is gone; its codes must be in order."""
        assert self.text.count(ENTER) == self.text.count(LEAVE) > 0
        assert self.text.rindex(ENTER) < self.text.rindex(LEAVE)
        assert self.text.rindex(HIDE) < self.text.rindex(SHOW)
        assert self.is_as_before
        return plain(self.text[self.text.rindex(LEAVE) :])


def shape(text: str) -> tuple[int, set[int]]:
    """How many lines the last whole frame in a text has, and how wide they are."""
    whole = text[text.rindex(HOME) :]
    drawn = re.split(r"\x1b\[\d+;1H", whole)[0]  # up to the first line that is drawn again
    lines = CODES.sub("", drawn).split("\r\n")
    return len(lines), {cell_len(line) for line in lines}
