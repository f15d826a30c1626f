"""News of compiling: a host tells when numba is at work, as that is not the engine's own time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

EVENTS = "numba.core.event"  # the module in which numba tells what it is doing


class CompilingNews(MetaPathFinder):
    """Says when compiling begins and ends; it listens as soon as numba is imported."""

    def __init__(self, tell: Callable[[bool], None]) -> None:
        self.tell = tell
        self.depth = 0  # of kernels that are compiled for the sake of others
        if EVENTS in sys.modules:
            self.listen(sys.modules[EVENTS])
        else:
            sys.meta_path.insert(0, self)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find the module of numba's events as Python does, and listen once it is there."""
        if name != EVENTS:
            return None
        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_and_listen(module: ModuleType) -> None:
                execute(module)
                self.listen(module)

            spec.loader.exec_module = execute_and_listen  # type: ignore[method-assign]
        return spec

    def listen(self, events: Any) -> None:
        """Hear of every kernel that is compiled from now on."""
        if hasattr(events, "register") and hasattr(events, "Listener"):
            events.register("numba:compile", _listener(events, self))

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
