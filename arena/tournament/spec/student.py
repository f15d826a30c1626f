"""Grading files: tournament files in which the engine `student` stands for each file of a class."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.tournament.spec.mistakes import BadSpec
from arena.tournament.spec.yaml import Document

STUDENT = "student"  # the engine that stands for each file in turn, and its name
EXAMPLE = "engines: [student, random, reflex]"


def is_grading(document: Document) -> bool:
    """Whether the student is one of a file's engines."""
    engines = document.data.get("engines")
    return any(_is_student(entry) for entry in (engines if isinstance(engines, list) else ()))


def _is_student(entry: Any) -> bool:
    return (entry.get("engine") if isinstance(entry, Mapping) else entry) == STUDENT


def with_student(document: Document, engine: str, name: str, output: Path) -> Document:
    """The tournament of one student: this engine in the student's place, under a name of its own.

    Unless the file says otherwise, the student meets everybody and nobody else meets; and a bot
    that does not load loses its games.
    """
    if not is_grading(document):
        sentence = f"no engine is the student; expected {EXAMPLE}"
        raise BadSpec([document.mistake(("engines",), sentence)])
    data = deepcopy(document.data)
    seats = [_with_engine(entry, engine) for entry in data["engines"] if _is_student(entry)]
    data.setdefault("format", {"kind": "gauntlet", "heroes": [seat["name"] for seat in seats]})
    data.setdefault("broken", "forfeit")
    entries = [_with_engine(e, engine) if _is_student(e) else e for e in data["engines"]]
    data |= {"engines": entries, "name": name, "output": str(output / name)}
    return replace(document, data=data)


def _with_engine(entry: Any, engine: str) -> dict[str, Any]:
    """The student's entry with a file in its place, under the student's name."""
    written = entry if isinstance(entry, Mapping) else {}
    return {"name": STUDENT, **written, "engine": engine}
