"""The key `full` of a tournament file: what is otherwise where there is time for all of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.tournament.spec.mistakes import Trail, refusal
from arena.tournament.spec.yaml import Document

FULL = "full"  # the key, and the end of the name of such a tournament


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
