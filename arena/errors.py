"""All errors for users; the command line prints one sentence and exits with 2.

Others of this tree: BadSpec (arena/tournament/mistakes.py) and JournalError with BadJournal,
JournalBusy and JournalChanged (arena/journal/errors.py).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from difflib import get_close_matches
from types import FrameType
from warnings import warn

PACKAGE = os.path.join(os.path.dirname(__file__), "")
MAX_NAME_LENGTH = 60  # characters of a wrong name that a message repeats
CHANGED = "has changed since game 1"  # a file that decides the games of a tournament


class ArenaError(Exception):
    """A mistake that one sentence explains."""

    def _render_traceback_(self) -> list[str]:
        """The message in a notebook, with the engine's own lines if it broke."""
        trace = getattr(self, "trace", "")
        return [f"{type(self).__name__}: {self}", *([trace] if trace else [])]


class ArenaWarning(UserWarning):
    """A warning; the command line prints one sentence."""


def warn_caller(words: str) -> None:
    """Warn at the line that called this package."""
    level = depth = 1
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        if frame.f_code.co_filename.startswith(PACKAGE):
            level = depth
        frame, depth = frame.f_back, depth + 1
    warn(words, ArenaWarning, stacklevel=level + 1)


class BadRules(ArenaError):
    """A board that cannot be played on."""


class BadNotation(ArenaError):
    """Text that is not a position or a move."""


class IllegalMove(ArenaError):
    """A column that cannot be dropped into, or a game that is over."""


class BadOption(ArenaError):
    """An option, limit or evaluation of a wrong name, type or range."""


class BadFile(ArenaError):
    """A book or a training file that is damaged, or does not fit."""


class ClusterFailure(ArenaError):
    """A cluster that cannot be reached, or a worker that cannot play."""


class UnknownName(ArenaError):
    """An unknown game, engine or evaluation; the sentence suggests a similar name."""

    def __init__(self, kind: str, name: str, choices: Iterable[str]) -> None:
        short = name if len(name) <= MAX_NAME_LENGTH else name[: MAX_NAME_LENGTH - 3] + "..."
        super().__init__(f"unknown {kind} {short!r}{suggestion(name, sorted(choices))}")

    def __reduce__(self) -> tuple[object, ...]:
        return ArenaError.__new__, (type(self), str(self))


class EngineFailure(ArenaError):
    """An engine that could not be loaded or broke the contract; `trace` has its own lines."""

    def __init__(self, sentence: str = "", trace: str = "") -> None:
        super().__init__(sentence)
        self.trace = trace


class NotInstalled(EngineFailure):
    """A program or package that an engine needs is missing."""


def suggestion(name: str, choices: Iterable[str]) -> str:
    """The end of a message about a wrong name: the nearest choice, or all of them."""
    choices = list(choices)
    lower = {choice.lower(): choice for choice in choices}
    near = get_close_matches(name.lower(), lower, n=1, cutoff=0.6)
    if near:
        return f"; did you mean {lower[near[0]]!r}?"
    return f"; expected one of {', '.join(choices)}" if choices else ""
