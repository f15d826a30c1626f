"""How things are shown: data on stdout, messages on stderr, colours only where they are wanted."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.console import Console

PAGE = 100  # columns, where no terminal says how wide it is


def console(stderr: bool = False) -> Console:
    """Where to print: as wide as the terminal, or a page where there is none."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else PAGE
    return Console(file=stream, highlight=False, markup=False, emoji=False, width=width)


def colour_wanted() -> bool | None:
    """What the environment says about colours; None leaves it to the terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    return True if os.environ.get("FORCE_COLOR") else None


def is_live(stream: TextIO) -> bool:
    """Whether a line that was printed can be drawn again: forced colours make no terminal."""
    return stream.isatty() and os.environ.get("TERM", "").lower() not in ("dumb", "unknown")


def print_json(data: Any) -> None:
    """Print data for other programs to read."""
    import json

    print(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False, default=str))


def symbol(good: str, plain: str) -> str:
    """A symbol, or its plain twin where the output cannot show it."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        good.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return plain
    return good


tick = partial(symbol, "✓", "ok")
cross = partial(symbol, "✗", "NO")
dot = partial(symbol, "·", "-")
dash = partial(symbol, "\N{EN DASH}", "-")


def duration(seconds: float | None) -> str:
    """A time in the unit that suits it."""
    if seconds is None:
        return dash()
    if seconds >= 0.9995:
        return f"{seconds:.2f} s"
    if seconds >= 0.0009995:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds * 1e6:.3g} {symbol('µs', 'us')}"


def amount(number: float | None) -> str:
    """A large number, rounded, with k, M or G."""
    if number is None:
        return dash()
    for unit, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= 0.9995 * unit:
            return f"{number / unit:.3g}{letter}"
    return f"{number:.3g}"


def in_bytes(number: float) -> str:
    """A size in bytes, rounded."""
    return f"{amount(number)}{'' if number >= 999.5 else ' '}B"


def value(number: float) -> str:
    """A score with its sign, with as few decimals as it needs."""
    text = f"{number:+.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("+0", "-0") else text
