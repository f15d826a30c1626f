"""Whose mistake an exception is: told in one sentence that names a line of the engine's file."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from arena.engine import Engine
from arena.errors import ArenaError, BadOption, EngineFailure
from arena.registry import build


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
    message = " ".join(str(error).split())
    told = type(error).__name__ + (f": {_short(message)}" if message else "")
    place = _place(error, engine)
    return f"{told} ({place})" if place else told


def _place(error: BaseException, engine: Engine | type[Engine] | None) -> str:
    """The innermost line of the engine's own file; of any file if none of it is the engine's."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename == _file(engine)]
    for frame in reversed(own or frames):
        return f"{Path(frame.filename).name}:{frame.lineno}"
    return ""


def _file(engine: Engine | type[Engine] | None) -> str | None:
    if engine is None:
        return None
    kind = engine if isinstance(engine, type) else type(engine)
    return getattr(sys.modules.get(kind.__module__), "__file__", None)


def _short(message: str) -> str:
    return message if len(message) <= 160 else message[:157] + "..."
