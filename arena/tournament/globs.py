"""Engines that are written as a pattern, such as students/*.py: an entry for each file.

A player of a pattern is called after what the pattern leaves open: anna of students/*.py, and of
students/*/bot.py as well. Where that is taken, folders come before it until it is not.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from glob import iglob
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from arena.bots.names import BotName, distinct_titles
from arena.tournament.engine_entry import EngineEntry
from arena.tournament.mistakes import Trail, excerpt
from arena.tournament.validation import Draft

MAGIC = re.compile(r"[*?[]")
PASSED_OVER = "_"  # what a file's name begins with that is no bot; a dot is passed over anyway
MOST_FILES = 1001  # one more than there may be players


class Written(NamedTuple):
    """An engine of the file with its place in it; one of a pattern is called by its `title`."""

    trail: Trail
    entry: EngineEntry
    title: str = ""


@dataclass
class Match:
    """A file that a pattern stands for, and how much of its path it is called by."""

    file: str  # as it is seen from the folder of the tournament's file
    open_: int  # parts at the end of `steps` that the pattern leaves open, or more of them
    steps: tuple[str, ...]  # its path, without what every file of the pattern ends in

    def title(self, name: str | None) -> str:
        """What it is called; a name that is given comes first."""
        own = "/".join(self.steps[-self.open_ :])
        return own if name is None else f"{name} {own}"

    def lengthen(self) -> bool:
        """Call it by one more folder; False if there is none."""
        self.open_ += 1
        return self.open_ <= len(self.steps)


def write_out(draft: Draft[Any], entries: Iterable[tuple[int, EngineEntry]]) -> list[Written]:
    """All entries with patterns replaced by files; one that no file matches is a mistake."""
    folder = draft.document.path.parent
    listed: list[tuple[Trail, EngineEntry, Match | None]] = []
    for number, entry in entries:
        trail, pattern = ("engines", number), pattern_of(entry.engine, folder)
        if pattern is None:
            listed.append((trail, entry, None))
            continue
        files = sorted(islice(matches(pattern, folder), MOST_FILES), key=lambda each: each.steps)
        listed += [(trail, entry, match) for match in files]
        if not files:
            draft.wrong((*trail, "engine"), no_match(pattern, folder))
    taken = {
        entry.name or BotName.parse(entry.engine).title for _, entry, match in listed if not match
    }
    tell_apart([(match, entry.name) for _, entry, match in listed if match], taken)
    return _named_by_folders([_written(*each) for each in listed])


def _named_by_folders(entries: list[Written]) -> list[Written]:
    """Name files of equal names by their folders as well, where no name is given."""
    unnamed = [n for n, each in enumerate(entries) if not (each.title or each.entry.name)]
    bots = [BotName.parse(entries[n].entry.engine) for n in unnamed]
    for n, bot, title in zip(unnamed, bots, distinct_titles(bots), strict=True):
        if title != bot.title:
            entries[n] = entries[n]._replace(title=title)
    return entries


def _written(trail: Trail, entry: EngineEntry, match: Match | None) -> Written:
    if match is None:
        return Written(trail, entry)
    engine = str(BotName.parse(entry.engine).rename(lambda _: match.file))
    return Written(trail, entry.model_copy(update={"engine": engine}), match.title(entry.name))


def pattern_of(engine: str, folder: Path) -> str | None:
    """The pattern that an engine is written as; None if it is a name, a command or a file."""
    file = BotName.parse(engine).file
    if not file or not MAGIC.search(file) or os.path.isfile(folder / file):
        return None
    return file


def matches(pattern: str, folder: Path) -> Iterator[Match]:
    """The files of a pattern, seen from a folder, in no particular order.

    What begins with _ or a dot is passed over, unless the pattern asks for it.
    """
    parts = Path(pattern).parts
    fixed = [MAGIC.search(part) is None for part in parts]
    before, after = fixed.index(False), fixed[::-1].index(False)
    asks = any(part.startswith(PASSED_OVER) for part in parts[before:])
    for name in iglob(pattern, root_dir=folder, recursive=True):
        path = Path(name)
        steps = path.with_suffix("").parts[: len(path.parts) - after]
        is_own = asks or not any(step.startswith(PASSED_OVER) for step in steps[before:])
        if is_own and os.path.isfile(folder / path):
            yield Match(path.as_posix(), max(1, len(steps) - before), steps)


def tell_apart(files: Sequence[tuple[Match, str | None]], taken: set[str]) -> None:
    """Call files of the same title by more of their folders, as long as that helps."""
    while True:
        titles = Counter(match.title(name) for match, name in files)
        alike = [
            match
            for match, name in files
            if titles[match.title(name)] > 1 or match.title(name) in taken
        ]
        if not [match for match in alike if match.lengthen()]:
            return


def no_match(pattern: str, folder: Path) -> str:
    """What was looked for, and where."""
    steps = Path(pattern).parts
    fixed = [MAGIC.search(step) is None for step in steps].index(False)
    place = Path(os.path.abspath(folder)).joinpath(*steps[:fixed])
    if not place.is_dir():
        return f"no file matches {excerpt(pattern)!r}; there is no folder {place}"
    beyond = Path(*steps[fixed:]).as_posix()
    return (
        f"no file matches {excerpt(pattern)!r}; expected {excerpt(beyond)} in {place}, with names "
        "that do not begin with _"
    )
