"""The dashboard: a run drawn on a terminal, a few times a second, at a small share of one core.

The alternate screen is used, the cursor is hidden and typed keys are not echoed; all of that is
undone when the screen is closed, and while the program is stopped by Ctrl-Z.
"""

from __future__ import annotations

import os
import signal
import termios
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from types import FrameType
from typing import Any

from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style

from arena.dashboard.cells import Block, glyphs_for
from arena.dashboard.content import FrameContent, Selection
from arena.dashboard.frame import draw
from arena.dashboard.plain import PlainLines
from arena.dashboard.state import RunState
from arena.session import Outcome, Watcher
from arena.show.board import Line
from arena.show.terminal import is_in_front, keyboard_of, pressed_keys
from arena.table.runner import TableView

SHARE = 0.03  # of one core; frames that cost more come less often
WHOLE_EVERY = 5.0  # seconds; somebody else may have written on the screen
TAKE = "\x1b[?1049h\x1b[H\x1b[?25l"  # the alternate screen, its first cell, no cursor
RESTORE = "\x1b[?25h\x1b[?1049l"  # the cursor, and the screen as it was

SYSTEMS = {
    "standard": ColorSystem.STANDARD,
    "256": ColorSystem.EIGHT_BIT,
    "truecolor": ColorSystem.TRUECOLOR,
    "windows": ColorSystem.WINDOWS,
}


class AnsiWriter:
    """Writes lines as a console would, run by run, and remembers the runs it has written."""

    def __init__(self, console: Console) -> None:
        system = SYSTEMS.get(console.color_system or "")

        @lru_cache(maxsize=4096)
        def coded(text: str, words: str) -> str:
            style = Style.parse(words)
            style = style.without_color if console.no_color else style
            return style.render(text, color_system=system)

        self.coded = coded

    def __call__(self, line: Line) -> str:
        """One line, with the codes of its colours."""
        return "".join([self.coded(text, style) if style else text for text, style in line])


class Screen:
    """A terminal that shows one frame after the other."""

    def __init__(self, console: Console) -> None:
        self.file = console.file
        self.terminal = console.file.fileno()
        self.keyboard = keyboard_of(self.terminal)
        self.write = AnsiWriter(console)
        self.is_open = False
        self.lines: Block = []  # on the screen now
        self.size_drawn: tuple[int, int] | None = None
        self.due = 0.0  # when all of them are drawn again
        self.modes: list[Any] | None = None
        self.stop_asked = False
        self.stop_before: Any = None

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows, as they are now."""
        try:
            columns, rows = os.get_terminal_size(self.terminal)
        except OSError:
            columns, rows = 0, 0
        return columns or 80, rows or 24

    def show(self, lines: Block, size: tuple[int, int]) -> None:
        """Draw a frame of this size: all of it at first, and now and then.

        In between only lines that have changed are drawn, which costs far less.
        """
        if not self.is_open:
            self.open()
        before, self.lines = self.lines, lines
        now = time.monotonic()
        if self.size_drawn != size or now >= self.due:
            self.size_drawn, self.due = size, now + WHOLE_EVERY
            codes = "\x1b[H" + "\n".join(map(self.write, lines))
        else:
            codes = "".join(
                f"\x1b[{row};1H{self.write(line)}"
                for row, (line, old) in enumerate(zip(lines, before, strict=True), start=1)
                if line != old
            )
        if codes:
            self.file.write(codes)
            self.file.flush()

    def open(self) -> None:
        """Take the terminal: typed keys must not be drawn over the frame, and come one by one."""
        self.is_open = True
        with suppress(termios.error, OSError):
            self.modes = termios.tcgetattr(self.terminal)
            modes = termios.tcgetattr(self.terminal)
            modes[3] &= ~termios.ECHO
            if self.keyboard is not None:
                modes[3] &= ~termios.ICANON
            termios.tcsetattr(self.terminal, termios.TCSADRAIN, modes)
        with suppress(ValueError):  # only the main thread may set handlers
            self.stop_before = signal.signal(signal.SIGTSTP, self._ask_to_stop)
        self.file.write(TAKE)
        self.file.flush()

    def close(self) -> None:
        """Give the terminal back; a second time does nothing."""
        if not self.is_open:
            return
        self.is_open, self.size_drawn = False, None
        try:
            self.file.write(RESTORE)
            self.file.flush()
        except (OSError, ValueError):  # then by hand, if there still is a terminal
            with suppress(OSError):
                os.write(self.terminal, RESTORE.encode())
        if self.modes is not None and is_in_front(self.terminal):
            with suppress(termios.error, OSError):
                termios.tcsetattr(self.terminal, termios.TCSADRAIN, self.modes)
        if self.stop_before is not None:
            signal.signal(signal.SIGTSTP, self.stop_before)
        self.modes = self.stop_before = None

    def _ask_to_stop(self, number: int, frame: FrameType | None) -> None:
        self.stop_asked = True

    def rest(self) -> None:
        """If Ctrl-Z was pressed, give the terminal back until the program continues."""
        if self.stop_asked:
            self.stop_asked = False
            self.close()
            os.kill(os.getpid(), signal.SIGTSTP)

    def pressed(self) -> list[str]:
        """The keys pressed since the last look; only while the screen is open, and ours."""
        if self.keyboard is None or self.modes is None or not is_in_front(self.terminal):
            return []
        return pressed_keys(self.keyboard)


class LiveView(Watcher):
    """Draws the state of a run; if that fails, plain lines take over."""

    def __init__(
        self,
        state: RunState,
        console: Console,
        plain: PlainLines,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.state, self.plain, self.clock = state, plain, clock
        self.plain.is_silent = True
        self.screen = Screen(console)
        self.selection = Selection(keys=self.screen.keyboard is not None)
        colour = console.color_system is not None and not console.no_color
        self.glyphs = glyphs_for(console.encoding, colour)
        self.due = 0.0

    def __enter__(self) -> LiveView:
        return self

    def __exit__(self, *error: object) -> None:
        self.screen.close()

    def checking(self, name: str, number: int, count: int) -> None:
        """Draw the first frame."""
        if self.plain.is_silent:
            self._draw(())

    def tick(self, tables: Sequence[TableView]) -> None:
        """Draw, if it is time to, or if a key was pressed."""
        if not self.plain.is_silent:
            return
        self.screen.rest()
        keys = self.screen.pressed()
        for key in keys:
            self.selection.press(key, len(self.state.progress.names), len(self.state.tables))
        if keys or (self.clock() >= self.due and not self.selection.paused):
            self._draw(tables)

    def ended(self, outcome: Outcome) -> None:
        """Leave the screen."""
        self.screen.close()

    def _draw(self, tables: Sequence[TableView]) -> None:
        """Draw a frame; an error in it must not stop a tournament."""
        self.screen.rest()
        if not is_in_front(self.screen.terminal):
            return
        begin = time.thread_time()
        try:
            size = self.screen.size
            content = FrameContent(self.state.snapshot(tables), self.glyphs, self.selection)
            self.screen.show(draw(content, *size), size)
        except Exception as error:
            self.screen.close()
            self.plain.is_silent = False
            self.plain.say(f"dashboard error, switching to plain output: {error!r}")
        self.due = self.clock() + (time.thread_time() - begin) / SHARE
