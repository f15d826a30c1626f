"""Errors of engines: one sentence, the engine's own lines of code, and how often each happened."""

from __future__ import annotations

import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from traceback import FrameSummary, StackSummary, TracebackException
from typing import Literal, TypeVar

from arena.engine.contract import Engine
from arena.errors import ArenaError, EngineFailure
from arena.text import printable, printable_lines

OURS = os.path.join(os.path.dirname(os.path.dirname(__file__)), "")
FROZEN = "<frozen "  # Python's own import system
MAX_TRACE = 4096  # characters of a trace
PYTHONS_HEADING = "Traceback (most recent call last):"
HEADING = "The engine's own lines (most recent call last):"
PRINTED = "Printed by the engines:"
MAX_PRINTED = 3  # printed lines that are shown with a mistake
MAX_PRINTED_LINE = 160  # characters of such a line
MAX_KINDS = 1000  # different mistakes; later ones are counted with the last
ATTEMPTS = 3  # with an engine whose process is killed from outside
T = TypeVar("T")
FaultReason = Literal["illegal move", "exception", "memory", "time", "crash"]
NUMBER = re.compile(r"\d+(?:\.\d+)?")


class Fault(Exception):
    """The reason why an engine in a process of its own loses a game.

    With `is_from_outside`, a signal that no mistake raises has ended its process.
    """

    def __init__(
        self, reason: FaultReason, detail: str, trace: str = "", is_from_outside: bool = False
    ) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
        self.trace = trace
        self.is_from_outside = is_from_outside

    def in_words(self, detail: str) -> Fault:
        """The same fault in other words."""
        return Fault(self.reason, detail, self.trace, self.is_from_outside)


def retry_if_killed(action: Callable[[], T]) -> T:
    """Repeat an action while the engine's process is killed from outside, a few times."""
    for _ in range(ATTEMPTS):
        try:
            return action()
        except Fault as fault:
            if not fault.is_from_outside:
                raise
            last = fault
    raise last.in_words(repeatedly(last.detail)) from None


def is_from_outside(error: BaseException) -> bool:
    """Check whether an engine failed because its process was killed from outside."""
    fault = error if isinstance(error, Fault) else error.__cause__
    return isinstance(fault, Fault) and fault.is_from_outside


def repeatedly(words: str) -> str:
    """Say how a process was killed, and how often; once, also if it was killed while it started."""
    killed, semicolon, rest = words.partition("; ")
    times = f" {ATTEMPTS} times"
    return f"{killed.removesuffix(times)}{times}{semicolon}{rest}"


def sentence(error: BaseException, engine: Engine | type[Engine] | None = None) -> str:
    """The kind of error, its message, and the line of the engine where it came up."""
    if isinstance(error, Fault):
        return error.detail
    try:
        message = " ".join(printable(str(error)).split())
    except Exception:  # its __str__ is broken
        message = ""
    message = message if len(message) <= 160 else message[:157] + "..."
    words = printable(type(error).__name__) + (f": {message}" if message else "")
    place = _place(error, engine)
    return f"{words} ({place})" if place else words


def trace(error: BaseException) -> str:
    """The traceback of an error with the engine's own frames alone.

    It is empty if no line of the engine was reached, as in a call with wrong arguments.
    """
    if isinstance(error, Fault):
        return error.trace
    try:
        complete = TracebackException.from_exception(error)
        own = []
        following: TracebackException | None = complete
        while following is not None:  # the error, and those it came from
            own.append(_keep_own(following))
            context = None if following.__suppress_context__ else following.__context__
            following = following.__cause__ or context
        text = "".join(complete.format()).rstrip() if any(own) else ""
    except Exception:  # an error of others may raise while it is formatted
        return ""
    if not text:
        return ""
    if len(text) > MAX_TRACE:
        text = f"{text[: MAX_TRACE // 2]}\n...\n{text[-MAX_TRACE // 2 :]}"
    text = printable_lines(text).replace(PYTHONS_HEADING, HEADING)
    return text if text.startswith(HEADING) else f"{HEADING}\n{text}"


def root_trace(error: BaseException) -> str:
    """The trace of an engine's error, also behind an ArenaError."""
    if not isinstance(error, ArenaError):
        return trace(error)
    if isinstance(error, EngineFailure) and error.trace:
        return error.trace
    return "" if error.__cause__ is None else trace(error.__cause__)


def join_log(trace: str, printed: str) -> str:
    """Join a trace and the output of the engines into one text."""
    return f"{trace}\n{PRINTED}\n{printed}" if trace and printed else trace or printed


def split_log(text: str) -> tuple[str, str]:
    """Split a text into the trace, if it has one, and the output of the engines."""
    if not text.startswith(HEADING):
        return "", text
    trace, _, printed = text.partition(f"\n{PRINTED}\n")
    return trace, printed


@dataclass
class EngineMistake:
    """A mistake that an engine made once or several times."""

    player: str  # who made it
    detail: str  # in the words of the first time
    trace: str  # the engine's own frames, where there are some
    first: int  # the game in which it happened first
    count: int = 0
    printed: tuple[str, ...] = ()  # the last lines of it, the first time

    @property
    def is_new(self) -> bool:
        """Check whether this is the first time."""
        return self.count == 1

    @property
    def should_report(self) -> bool:
        """Check whether the count is 1, 2, 5, 10, 20, 50 and so on."""
        return str(self.count).rstrip("0") in ("1", "2", "5")

    @property
    def again(self) -> str:
        """A reference to the first time, with the count; empty for a new mistake."""
        return "" if self.is_new else f"the same as in game {self.first}, {self.count} times now"

    def lines(self) -> list[str]:
        """The mistake with the engine's frames; only a reference if it is not new."""
        if not self.is_new:
            return [f"the same as in game {self.first}"]
        printed = [f"it printed: {line}" for line in self.printed]
        return [printable(line) for line in (self.detail, *self.trace.splitlines(), *printed)]


class EngineMistakes:
    """Counts mistakes; equal ones have the same frames, or the same words but for numbers."""

    def __init__(self) -> None:
        self.kinds: dict[tuple[str, str], EngineMistake] = {}

    def add(self, game: int, detail: str, log: str = "", player: str = "") -> EngineMistake:
        """Count a mistake and return it; the log may hold a trace.

        Where no player is given, its name is what stands before the first colon.
        """
        trace, printed = split_log(log)
        player = player or detail.partition(": ")[0]
        frames, _, words = trace.rpartition("\n")
        what = detail.removeprefix(f"{player}: ")
        kind = f"{frames}\n{words.partition(':')[0]}" if frames else NUMBER.sub("#", what)
        key = player, kind
        if key not in self.kinds and len(self.kinds) >= MAX_KINDS:
            key = next(reversed(self.kinds))
        if key not in self.kinds:
            lines = [line for line in printed.splitlines() if line.strip()][-MAX_PRINTED:]
            ends = [
                f"...{line[-MAX_PRINTED_LINE:]}" if len(line) > MAX_PRINTED_LINE else line
                for line in lines
            ]
            self.kinds[key] = EngineMistake(player, detail, trace, game, printed=tuple(ends))
        mistake = self.kinds[key]
        mistake.count += 1
        return mistake

    def __iter__(self) -> Iterator[EngineMistake]:
        """Iterate over mistakes, the most frequent first."""
        return iter(sorted(self.kinds.values(), key=lambda mistake: -mistake.count))

    def repeated(self) -> list[str]:
        """Each mistake that was made more than once, with a count."""
        return [
            printable(f"{each.count} times, first in game {each.first}: {each.detail}")
            for each in self
            if not each.is_new
        ]


def _keep_own(error: TracebackException) -> bool:
    """Drop our frames; return whether any are left."""
    frames = [frame for frame in error.stack if not _is_ours(frame)]
    for frame in frames:
        _ = frame.line  # read it before the file name is shortened
        frame.filename = _short_name(frame.filename)
    error.stack = StackSummary.from_list(frames)
    if error.exc_type is not None and issubclass(error.exc_type, SyntaxError) and error.filename:
        error.filename = _short_name(error.filename)
        return True
    return bool(frames)


def _is_ours(frame: FrameSummary) -> bool:
    return frame.filename.startswith((OURS, FROZEN))


def _short_name(file: str) -> str:
    """A file relative to the working directory, else its name."""
    try:
        return str(Path(file).relative_to(Path.cwd()))
    except (ValueError, OSError):
        return Path(file).name


def _place(error: BaseException, engine: Engine | type[Engine] | None) -> str:
    """The innermost line of the engine or of a file beside it, else of any file but ours."""
    kind = engine if isinstance(engine, type) else type(engine)
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    folder = None if file is None else Path(file).parent
    stack = traceback.extract_tb(error.__traceback__)
    frames = [frame for frame in stack if not _is_ours(frame)]
    own = [frame for frame in frames if folder in Path(frame.filename).parents]
    for frame in reversed(own or frames):
        return printable(f"{Path(frame.filename).name}:{frame.lineno}")
    return ""
