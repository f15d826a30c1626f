"""Whose mistake an exception is: told in one sentence, and by the engine's own lines of code."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from traceback import FrameSummary, StackSummary, TracebackException

from arena.engine.contract import Engine
from arena.engine.registry import build
from arena.errors import ArenaError, BadOption, EngineFailure
from arena.printable import printable, printable_lines

OURS = os.path.join(os.path.dirname(os.path.dirname(__file__)), "")
FROZEN = "<frozen "  # Python's own import system
MOST_FRAMES, MOST_WORDS = 30, 4096  # of a trace: frames, and characters
PYTHONS_HEADING = "Traceback (most recent call last):"
HEADING = "The engine's own lines (most recent call last):"
PRINTED = "Printed by the engines:"


def build_engine(engine: str | Callable[[], Engine]) -> Engine:
    """An engine from words, as `registry.build`, or from what builds it.

    Whatever the engine's own code raises becomes one sentence.
    """
    name = engine if isinstance(engine, str) else getattr(engine, "__name__", repr(engine))
    if not name.strip():
        raise BadOption("an engine has an empty name; expected a name or FILE.py:Class")
    try:
        return build(engine) if isinstance(engine, str) else engine()
    except ArenaError:
        raise
    except Exception as error:
        raise EngineFailure(f"engine {name} cannot be built: {sentence(error)}") from error


def sentence(error: BaseException, engine: Engine | type[Engine] | None = None) -> str:
    """The kind of error, its message, and the line of the engine where it came up."""
    message = " ".join(printable(_message(error)).split())
    told = printable(type(error).__name__) + (f": {_short(message)}" if message else "")
    place = _place(error, engine)
    return f"{told} ({place})" if place else told


def trace(error: BaseException) -> str:
    """The engine's own way to an error, as Python tells it, without a frame of ours.

    An error that came up in no line of the engine, such as a call that does not fit, has none.
    """
    try:
        told = TracebackException.from_exception(error)
        own = [_keep_own(each) for each in _chain(told)]
        text = "".join(told.format()).rstrip() if any(own) else ""
    except Exception:  # errors of others may do anything when they are looked at
        return ""
    if not text:
        return ""
    if len(text) > MOST_WORDS:
        text = f"{text[: MOST_WORDS // 2]}\n...\n{text[-MOST_WORDS // 2 :]}"
    text = printable_lines(text).replace(PYTHONS_HEADING, HEADING)
    return text if text.startswith(HEADING) else f"{HEADING}\n{text}"


def trace_behind(error: BaseException) -> str:
    """The trace of an engine's error, also of one that was turned into a sentence of ours."""
    if not isinstance(error, ArenaError):
        return trace(error)
    if isinstance(error, EngineFailure) and error.trace:
        return error.trace
    return "" if error.__cause__ is None else trace(error.__cause__)


def last_words(told: str, printed: str) -> str:
    """A trace and what the engines printed, as one text."""
    return f"{told}\n{PRINTED}\n{printed}" if told and printed else told or printed


def read_last_words(text: str) -> tuple[str, str]:
    """The trace, if there is one, and what the engines printed."""
    if not text.startswith(HEADING):
        return "", text
    told, _, printed = text.partition(f"\n{PRINTED}\n")
    return told, printed


def _chain(told: TracebackException) -> Iterator[TracebackException]:
    """An error and those it came from."""
    following: TracebackException | None = told
    while following is not None:
        yield following
        shown = None if following.__suppress_context__ else following.__context__
        following = following.__cause__ or shown


def _keep_own(told: TracebackException) -> bool:
    """Leave only the frames that are not ours; tell whether there are any."""
    frames = [frame for frame in told.stack if not _is_ours(frame)]
    for frame in frames:
        _ = frame.line  # read before the file gets its short name
        frame.filename = _seen_from_here(frame.filename)
    told.stack = StackSummary.from_list(frames)
    if len(frames) > MOST_FRAMES:
        left_out = f"{len(frames) - MOST_FRAMES} frames left out"
        between = FrameSummary("...", 0, left_out, lookup_line=False, line="")
        head, tail = frames[: MOST_FRAMES // 3], frames[MOST_FRAMES // 3 - MOST_FRAMES :]
        told.stack = StackSummary.from_list([*head, between, *tail])
    if told.exc_type is not None and issubclass(told.exc_type, SyntaxError) and told.filename:
        told.filename = _seen_from_here(told.filename)
        return True
    return bool(frames)


def _is_ours(frame: FrameSummary) -> bool:
    return frame.filename.startswith((OURS, FROZEN))


def _seen_from_here(file: str) -> str:
    """A file as a reader finds it: from the working directory, or by its name alone."""
    try:
        return str(Path(file).relative_to(Path.cwd()))
    except (ValueError, OSError):
        return Path(file).name


def _place(error: BaseException, engine: Engine | type[Engine] | None) -> str:
    """The innermost line of the engine or of a file beside it; of any file but ours if none is."""
    told = traceback.extract_tb(error.__traceback__)
    frames = [frame for frame in told if not _is_ours(frame)]
    own = [frame for frame in frames if _folder(engine) in Path(frame.filename).parents]
    for frame in reversed(own or frames):
        return printable(f"{Path(frame.filename).name}:{frame.lineno}")
    return ""


def _folder(engine: Engine | type[Engine] | None) -> Path | None:
    kind = engine if isinstance(engine, type) else type(engine)
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return None if file is None else Path(file).parent


def _message(error: BaseException) -> str:
    """What an error says; one that cannot even say it says nothing."""
    try:
        return str(error)
    except Exception:
        return ""


def _short(message: str) -> str:
    return message if len(message) <= 160 else message[:157] + "..."
