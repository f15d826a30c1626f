"""The files that come with the arena: where they are, and what each says of itself."""

from __future__ import annotations

import re
from itertools import takewhile
from pathlib import Path

import arena
from arena.errors import ArenaError


def ready_folder(name: str) -> Path:
    """A folder of ready files: below where the user is, or where the arena stands."""
    below = Path("tournaments", name)
    for place in (below, Path(arena.__file__).parents[1] / below):
        if place.is_dir():
            return place
    raise ArenaError(f"no folder {below} is here; the ready files are in the arena's repository")


def first_comment(text: str) -> str:
    """The comment that a file begins with, up to its first empty line."""
    lines = takewhile(lambda line: len(line) > 1 and line.startswith("#"), text.splitlines())
    return " ".join(line.lstrip("# ").rstrip() for line in lines)


def first_sentence(text: str) -> str:
    """The first sentence of that comment."""
    return re.split(r"(?<=\.)\s", first_comment(text), maxsplit=1)[0]
