"""News of compiling: a host tells when numba is at work, as that is not the engine's own time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from threading import Event, Thread
from typing import Any

EVENTS = "numba.core.event"  # the module in which numba tells what it is doing
LOOK_EVERY = 0.02  # seconds


class CompilingNews:
    """Says when compiling begins and ends; it listens as soon as the engine has imported numba."""

    def __init__(self, tell: Callable[[bool], None]) -> None:
        self.tell = tell
        self.depth = 0  # of kernels that are compiled for the sake of others
        self._is_ready = Event()
        Thread(target=self._look, name="compiling", daemon=True).start()

    def stop_looking(self) -> None:
        """The engine is ready: what it compiles now is on its clock."""
        self._is_ready.set()

    def _look(self) -> None:
        while not self._is_ready.wait(LOOK_EVERY):
            events: Any = sys.modules.get(EVENTS)
            if hasattr(events, "register") and hasattr(events, "Listener"):
                events.register("numba:compile", _listener(events, self))
                return

    def begin(self) -> None:
        """A kernel is compiled."""
        self.depth += 1
        if self.depth == 1:
            self.tell(True)

    def end(self) -> None:
        """It is ready."""
        self.depth -= 1
        if self.depth == 0:
            self.tell(False)


def _listener(events: Any, news: CompilingNews) -> Any:
    """A listener as numba wants it."""

    class Listener(events.Listener):  # type: ignore[misc]  # a class that is known only now
        def on_start(self, event: Any) -> None:
            news.begin()

        def on_end(self, event: Any) -> None:
            news.end()

    return Listener()
