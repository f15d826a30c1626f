"""Warm-up: everything is compiled and loaded before a clock runs.

Numba keeps compiled kernels on disk. A file there that was cut short, by a full disk or a killed
process, breaks every later start, so a cache that cannot be read is thrown away and made anew.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from arena.engine.contract import Engine
from arena.engine.errors import sentence
from arena.errors import ArenaError, EngineFailure
from arena.game.rules import Rules

Report = Callable[[str, int, int], None]  # a name, its number from 1, how many there are

CACHING_MODULE = str(Path("numba", "core", "caching.py"))


def warm_up(
    engines: Sequence[tuple[str, Engine]], rules: Rules, report: Report | None = None
) -> None:
    """Make each engine ready for its first move on this board, telling which one is next.

    An engine that does not play on this board, or breaks here already, raises an ArenaError.
    """
    for number, (name, engine) in enumerate(engines, start=1):
        if report is not None:
            report(name, number, len(engines))
        try:
            retry_with_clean_cache(partial(engine.get_ready, rules))
        except ArenaError as error:
            error.args = (f"engine {name}: {error}",)
            raise
        except Exception as error:
            raise EngineFailure(f"engine {name}: {sentence(error, engine)}") from error


def retry_with_clean_cache(load: Callable[[], object]) -> None:
    """Call what loads kernels; if their cache cannot be read, clear it and call once more."""
    try:
        load()
    except Exception as error:
        if not _comes_from_cache(error):
            raise
        clear_cache()
        load()


def clear_cache() -> int:
    """Remove the compiled kernels of this version from disk; how many files there were."""
    directory = os.environ.get("NUMBA_CACHE_DIR")
    if not directory:
        return 0
    files = [file for pattern in ("*.nbi", "*.nbc") for file in Path(directory).rglob(pattern)]
    for file in files:
        file.unlink(missing_ok=True)
    return len(files)


def _comes_from_cache(error: BaseException | None) -> bool:
    """Whether numba was reading its cache when this, or what led to it, went wrong.

    What unpickling a damaged file raises can be almost any exception, so the place decides.
    """
    while error is not None:
        frames = traceback.extract_tb(error.__traceback__)
        if any(frame.filename.endswith(CACHING_MODULE) for frame in frames):
            return True
        error = error.__cause__ or error.__context__
    return False
