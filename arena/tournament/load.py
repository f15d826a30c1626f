"""The tournament of a file, its full variant, and the tournament of a student.

In a grading file, the engine `student` stands for each file of a class.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.tournament.mistakes import BadSpec, Trail, refusal
from arena.tournament.spec import Tournament
from arena.tournament.validation import check
from arena.tournament.yaml import Document, read, read_text

FULL = "full"  # the key, and the end of the name of such a tournament
STUDENT = "student"  # the engine that stands for each file in turn; its name unless one is given
EXAMPLE = "engines: [student, random, reflex]"


def load(path: Path | str, skip_missing: bool = False, full: bool = False) -> Tournament:
    """The tournament of a file, or its full variant; `BadSpec` holds all that is wrong with it.

    Engines that are not installed may be left out, with a warning.
    """
    document = read(Path(path))
    return understand(in_full_length(document) if full else document, skip_missing)


def load_text(text: str, path: Path | str = "tournament.yaml") -> Tournament:
    """The tournament of a text, as if it stood in this file."""
    return understand(read_text(text, Path(path)))


def understand(document: Document, skip_missing: bool = False) -> Tournament:
    """The tournament of a file that was read."""
    if "method" in document.data and "engines" not in document.data:
        raise refusal(document.path, "is a training file; arena train takes it")
    if is_grading(document):
        raise refusal(document.path, "is a grading file; arena grade FOLDER --with it takes it")
    return check(document, Tournament, skip_missing)


def in_full_length(document: Document) -> Document:
    """The tournament as its key `full` has it, under a name and in a folder of its own."""
    given = document.data.get(FULL)
    if not isinstance(given, Mapping):
        raise refusal(document.path, "has no full variant; expected full: {games: 100}, or so")
    name = str(document.data.get("name") or document.path.stem)
    output = str(document.data.get("output") or Path("reports") / name)
    named: dict[str | int, Any] = {"name": f"{name}-{FULL}", "output": f"{output}-{FULL}"}
    rest = {key: value for key, value in document.data.items() if key != FULL}
    moved = {key for key in given if isinstance(key, str)}
    return replace(
        document,
        data={**rest, **named, **given},
        values=_moved(document.values, moved),
        keys=_moved(document.keys, moved),
    )


def _moved(places: Mapping[Trail, Any], keys: set[str]) -> dict[Trail, Any]:
    """Where things stand, with what is below `full` in the place of what it replaces."""
    kept = {trail: mark for trail, mark in places.items() if not trail or trail[0] not in keys}
    inner = {trail[1:]: mark for trail, mark in places.items() if trail[1:] and trail[0] == FULL}
    return {**kept, **inner}


def is_grading(document: Document) -> bool:
    """Whether the student is one of a file's engines."""
    return bool(_places(document))


def _places(document: Document) -> frozenset[int]:
    """Which of a file's engines are the student."""
    engines = document.data.get("engines")
    entries = engines if isinstance(engines, list) else []
    return frozenset(place for place, entry in enumerate(entries) if _is_student(entry))


def _is_student(entry: Any) -> bool:
    return (entry.get("engine") if isinstance(entry, Mapping) else entry) == STUDENT


def with_student(
    document: Document, engine: str, name: str | None = None, output: Path | None = None
) -> Document:
    """The tournament of one student: this engine in the student's place.

    Unless the file says otherwise, the student meets everybody and nobody else meets; and a bot
    that does not load loses its games. The name and the output are the file's by default.
    """
    if not is_grading(document):
        sentence = f"no engine is the student; expected {EXAMPLE}"
        raise BadSpec([document.mistake(("engines",), sentence)])
    data = deepcopy(document.data)
    data.setdefault("broken", "forfeit")
    data["engines"] = [_with_engine(e, engine) if _is_student(e) else e for e in data["engines"]]
    data |= {} if name is None else {"name": name}
    data |= {} if output is None else {"output": str(output)}
    return replace(document, data=data, students=_places(document))


def _with_engine(entry: Any, engine: str) -> dict[str, Any]:
    """The student's entry with a file in its place, under the student's name."""
    written = entry if isinstance(entry, Mapping) else {}
    return {"name": STUDENT, **written, "engine": engine}
