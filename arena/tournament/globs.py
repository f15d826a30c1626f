"""Engines that are written as a pattern, such as students/*.py: a player of each file.

A file is called by its name without the ending. Where two would be called the same, or another
engine is called so, more of their folders are named until they differ. All else is as if each file
stood in the list of engines.
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
from typing import NamedTuple

from arena.bots.names import BotName, distinct_titles
from arena.tournament.mistakes import Trail, excerpt
from arena.tournament.parts import EngineEntry
from arena.tournament.validation import Faults

MAX_PLAYERS = 1000
MAGIC = re.compile(r"[*?[]")
HIDDEN = "_"  # how the names of files begin that are no bots; glob leaves out those with a dot


class Listed(NamedTuple):
    """An engine of a file with its place in it; one of several files is called by its `title`."""

    at: Trail
    entry: EngineEntry
    title: str = ""


@dataclass
class Match:
    """A file that a pattern stands for, and how much of its path it is called by."""

    file: str  # as it is seen from the folder of the tournament's file
    shown: int  # parts at the end of `steps` that belong to its name
    steps: tuple[str, ...]  # its path, without the parts that every file of the pattern ends in

    def title(self, name: str | None) -> str:
        """What it is called; a name that is given comes first."""
        own = "/".join(self.steps[-self.shown :])
        return own if name is None else f"{name} {own}"

    def lengthen(self) -> bool:
        """Call it by one more folder; False if there is none."""
        self.shown += 1
        return self.shown <= len(self.steps)


def expand_patterns(entries: Iterable[Listed], folder: Path, faults: Faults) -> list[Listed]:
    """All entries with patterns replaced by files; one that no file matches is a mistake."""
    listed: list[tuple[Listed, Match | None]] = []
    for each in entries:
        pattern = _pattern_of(each.entry.engine, folder)
        if pattern is None:
            listed.append((each, None))
            continue
        files = sorted(islice(_matches(pattern, folder), MAX_PLAYERS + 1), key=lambda f: f.steps)
        listed += [(each, match) for match in files]
        if not files:
            faults.add((*each.at, "engine"), _no_match(pattern, folder))
    _tell_apart(listed)
    expanded = [each if match is None else _of_file(each, match) for each, match in listed]
    unnamed = [n for n, each in enumerate(expanded) if not (each.title or each.entry.name)]
    bots = [BotName.parse(expanded[n].entry.engine) for n in unnamed]
    for n, bot, title in zip(unnamed, bots, distinct_titles(bots), strict=True):
        if title != bot.title:  # files of equal names in different folders
            expanded[n] = expanded[n]._replace(title=title)
    return expanded


def _of_file(each: Listed, match: Match) -> Listed:
    engine = str(BotName.parse(each.entry.engine).rename(lambda _: match.file))
    entry = each.entry.model_copy(update={"engine": engine})
    return Listed(each.at, entry, match.title(each.entry.name))


def _pattern_of(engine: str, folder: Path) -> str | None:
    """The pattern that an engine is written as; None if it is a name, a command or a file."""
    file = BotName.parse(engine).file
    return file if MAGIC.search(file) and not os.path.isfile(folder / file) else None


def _matches(pattern: str, folder: Path) -> Iterator[Match]:
    """The files of a pattern, without names that begin with _ unless the pattern asks for them."""
    parts = Path(pattern).parts
    fixed = [MAGIC.search(part) is None for part in parts]
    before, after = fixed.index(False), fixed[::-1].index(False)
    asks = any(part.startswith(HIDDEN) for part in parts[before:])
    for name in iglob(pattern, root_dir=folder, recursive=True):
        path = Path(name)
        steps = path.with_suffix("").parts[: len(path.parts) - after]
        is_shown = asks or not any(step.startswith(HIDDEN) for step in steps[before:])
        if is_shown and os.path.isfile(folder / path):
            yield Match(path.as_posix(), max(1, len(steps) - before), steps)


def _tell_apart(listed: Sequence[tuple[Listed, Match | None]]) -> None:
    """Call files of the same title by more of their folders, as long as that helps."""
    taken = {
        each.entry.name or BotName.parse(each.entry.engine).title
        for each, match in listed
        if match is None
    }
    files = [(match, each.entry.name) for each, match in listed if match is not None]
    while True:
        titles = Counter(match.title(name) for match, name in files)
        alike = [
            match
            for match, name in files
            if titles[match.title(name)] > 1 or match.title(name) in taken
        ]
        if not [match for match in alike if match.lengthen()]:
            return


def _no_match(pattern: str, folder: Path) -> str:
    """What was looked for, and where."""
    steps = Path(pattern).parts
    fixed = [MAGIC.search(step) is None for step in steps].index(False)
    place = Path(os.path.abspath(folder)).joinpath(*steps[:fixed])
    if not place.is_dir():
        return f"no file matches {excerpt(pattern)!r}; there is no folder {place}"
    beyond = excerpt(Path(*steps[fixed:]).as_posix())
    names = "with names that do not begin with _"
    return f"no file matches {excerpt(pattern)!r}; expected {beyond} in {place}, {names}"
