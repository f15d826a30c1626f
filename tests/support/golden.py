"""Golden files: recorded output that a test compares with what the code produces now."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
FOLDER = TOP / "tests" / "golden"
MAX_DIFF_LINES = 60


@dataclass(frozen=True)
class Golden:
    """Compares text with a recorded file, or rewrites the file under `pytest --record`."""

    record: bool

    def __call__(self, path: str | Path, text: str, normalise: Callable[[str], str] = str) -> None:
        """Fail with a diff unless the file has this text; paths start at tests/golden.

        With `normalise`, differences that it removes do not count.
        """
        file = FOLDER / path
        recorded = file.read_text(encoding="utf-8") if file.exists() else ""
        if file.exists() and normalise(text) == normalise(recorded):
            return
        if self.record:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            return
        name = file.relative_to(TOP) if file.is_relative_to(TOP) else file
        raise AssertionError(
            f"{name} differs from what the code produces now. If the change is intended, "
            f"run pytest --record and read the diff.\n{_diff(normalise(recorded), normalise(text))}"
        )


def _diff(recorded: str, text: str) -> str:
    old, new = recorded.splitlines(), text.splitlines()
    lines = list(difflib.unified_diff(old, new, "recorded", "now", lineterm="", n=1))
    if not lines:
        return "(only line endings or the last newline differ)"
    more = len(lines) - MAX_DIFF_LINES
    return "\n".join(lines[:MAX_DIFF_LINES] + ([f"... and {more} more lines"] if more > 0 else []))
