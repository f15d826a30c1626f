"""The tournament of a file."""

from __future__ import annotations

from pathlib import Path

from arena.tournament.documents import in_full_length, is_grading
from arena.tournament.mistakes import refusal
from arena.tournament.spec import Tournament
from arena.tournament.validation import check
from arena.tournament.yaml import Document, read, read_text


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
