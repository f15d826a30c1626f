"""The terminal while a dashboard is on it, and its return to what it was before.

The alternate screen is used, the cursor is hidden and typed keys are not echoed; all of that is
undone when the screen is closed, and while the program is stopped by Ctrl-Z.
"""

from __future__ import annotations

import os
import signal
import sys
import termios
import time
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING, Any

from rich.console import ConsoleDimensions
from rich.live import Live

from arena.dashboard.keys import pressed
from arena.dashboard.pen import Pen

if TYPE_CHECKING:
    from rich.console import Console

    from arena.dashboard.blocks import Block, Frame

WHOLE_EVERY = 5.0  # seconds; somebody else may have written on the screen
RESTORE = "\x1b[?25h\x1b[?1049l"  # the cursor, and the screen as it was


def is_in_front(terminal: int) -> bool:
    """Whether this process may draw: another one may have the terminal now."""
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except (OSError, AttributeError):
        return True


def keyboard_of(terminal: int) -> int | None:
    """The standard input, if it is the same terminal: keys pressed there are meant for us."""
    try:
        keyboard = sys.stdin.fileno()
        same = os.ttyname(keyboard) == os.ttyname(terminal)
    except (OSError, ValueError, AttributeError):  # closed, no terminal, or no such thing here
        return None
    return keyboard if same else None


class Screen:
    """A terminal that shows one frame after the other."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.terminal = console.file.fileno()
        self.live: Live | None = None
        self.pen = Pen(console)
        self.lines: Block = []  # on the screen now
        self.drawn: tuple[int, int] | None = None  # of this size
        self.due = 0.0  # when all of them are drawn again
        self.keyboard = keyboard_of(self.terminal)
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

    def show(self, frame: Frame, size: tuple[int, int]) -> None:
        """Draw a frame of this size: all of it at first, and now and then.

        In between only lines that have changed are painted, which costs far less.
        """
        if self.live is None:
            self.open()
        assert self.live is not None
        shown, self.lines = self.lines, frame.lines
        before, self.drawn = self.drawn, size
        now = time.monotonic()
        if before != size or now >= self.due:
            self.console.size = ConsoleDimensions(*size)
            self.due = now + WHOLE_EVERY
            self.live.update(frame, refresh=True)
            return
        changed = [
            f"\x1b[{row};1H{self.pen(line)}"
            for row, (line, old) in enumerate(zip(frame.lines, shown, strict=True), start=1)
            if line != old
        ]
        if changed:
            self.console.file.write("".join(changed))
            self.console.file.flush()

    def open(self) -> None:
        """Take the terminal."""
        self._mute()
        self._listen()
        self.live = Live(
            console=self.console,
            screen=True,
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self.live.start()

    def close(self) -> None:
        """Give the terminal back; a second time does nothing."""
        live, self.live, self.drawn = self.live, None, None
        if live is None:
            return
        try:
            live.stop()
        except Exception:  # then by hand, if there still is a terminal
            with suppress(OSError):
                os.write(self.terminal, RESTORE.encode())
        finally:
            self._unmute()
            self._unlisten()

    def rest(self) -> None:
        """If Ctrl-Z was pressed, leave the terminal to others until the program goes on."""
        if self.stop_asked:
            self.stop_asked = False
            self.close()
            os.kill(os.getpid(), signal.SIGTSTP)

    def pressed(self) -> list[str]:
        """The keys pressed since the last look; only while the screen is open."""
        if self.keyboard is None or self.modes is None:
            return []
        return pressed(self.keyboard)

    def _mute(self) -> None:
        """Typed keys must not be drawn over the frame, and come one by one if they are heard."""
        with suppress(termios.error, OSError):
            self.modes = termios.tcgetattr(self.terminal)
            modes = termios.tcgetattr(self.terminal)
            modes[3] &= ~termios.ECHO
            if self.keyboard is not None:
                modes[3] &= ~termios.ICANON
            termios.tcsetattr(self.terminal, termios.TCSADRAIN, modes)

    def _unmute(self) -> None:
        if self.modes is not None and is_in_front(self.terminal):
            with suppress(termios.error, OSError):
                termios.tcsetattr(self.terminal, termios.TCSADRAIN, self.modes)
        self.modes = None

    def _listen(self) -> None:
        with suppress(ValueError):  # not in the main thread: nobody can be told
            self.stop_before = signal.signal(signal.SIGTSTP, self._ask_to_stop)

    def _unlisten(self) -> None:
        if self.stop_before is not None:
            signal.signal(signal.SIGTSTP, self.stop_before)
        self.stop_before = None

    def _ask_to_stop(self, number: int, frame: FrameType | None) -> None:
        self.stop_asked = True
