"""Fingerprints of the tournament and training files that come with the arena."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from warnings import catch_warnings

from arena.learning.canonical import fingerprint as training_fingerprint
from arena.learning.reading import is_training
from arena.learning.reading import understand as read_training
from arena.tournament.identity import fingerprint
from arena.tournament.load import (
    FULL,
    STUDENT,
    in_full_length,
    is_grading,
    understand,
    with_student,
)
from arena.tournament.mistakes import BadSpec
from arena.tournament.yaml import Document, read
from tests.support.golden import TOP

PACKAGES = ("arena", "engines", "tournaments")
MISSING = "-"  # a file with engines that may not be installed


def shipped_files() -> list[Path]:
    """Every YAML file of the repository that users run or train."""
    return sorted(file for name in PACKAGES for file in (TOP / name).rglob("*.yaml"))


def fingerprints(file: Path) -> Iterator[tuple[str, str]]:
    """The fingerprint of a file, and that of its full variant, by name."""
    name, document = file.relative_to(TOP).as_posix(), read(file)
    if is_training(document):
        yield name, training_fingerprint(read_training(document))
        return
    if is_grading(document):
        document = with_student(document, "random", STUDENT, Path())
    yield name, _tournament_fingerprint(document)
    if isinstance(document.data.get(FULL), dict):
        yield f"{name} --full", _tournament_fingerprint(in_full_length(document))


def _tournament_fingerprint(document: Document) -> str:
    try:
        return fingerprint(understand(document, False))
    except BadSpec:
        with catch_warnings(action="ignore"):
            understand(document, True)  # raises unless something is only not installed
        return MISSING
