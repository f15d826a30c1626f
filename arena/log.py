"""A log of what the workers of a run do, to send with a bug report.

Arena writes to the logger "arena" of Python's logging. `arena run --log FILE` appends it to a file.
A program that uses Arena as a library adds handlers of its own.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.files import disk_errors

FORMAT = "%(asctime)s %(levelname)s run=%(run)s worker=%(worker)s game=%(game)s %(message)s"
NONE = "-"

LOG = logging.getLogger("arena")
LOG.addHandler(logging.NullHandler())  # or Python prints warnings on stderr


class _FileHandler(logging.FileHandler):
    """Appends to a file; a full disk does not disturb the run."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # its name there
        pass


@contextmanager
def log_to(file: Path | None, run: str) -> Iterator[None]:
    """Append the log to a file, with the name of the run in each line."""
    if file is None:
        yield
        return
    with disk_errors(file):
        handler = _FileHandler(file, encoding="utf-8")
    defaults = {"run": run.replace(" ", "_"), "worker": NONE, "game": NONE}
    handler.setFormatter(logging.Formatter(FORMAT, defaults=defaults))
    level = LOG.level
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    try:
        yield
    finally:
        LOG.removeHandler(handler)
        LOG.setLevel(level)
        handler.close()


def is_logging() -> bool:
    """Whether messages below a warning are read."""
    return LOG.isEnabledFor(logging.INFO)


def log(text: str, worker: int | None = None, game: int = 0, level: int = logging.INFO) -> None:
    """Log each line of a text; `worker` counts from 1, `game` 0 is none."""
    if LOG.isEnabledFor(level):
        about = {"worker": NONE if worker is None else worker, "game": game or NONE}
        for line in text.splitlines():
            LOG.log(level, "%s", line, extra=about)
