"""The files of a class, and the tournament that each of them plays."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from arena.bots.names import KINDS
from arena.errors import ArenaError, UnknownName
from arena.text import printable
from arena.tournament.games import STAND_IN
from arena.tournament.load import understand, with_student
from arena.tournament.spec import Tournament
from arena.tournament.yaml import Document

IGNORED = ("_", ".")  # first characters of files that are nobody's bot


@dataclass(frozen=True)
class Submission:
    """A student's file under a unique name."""

    name: str
    file: Path


def submissions(folder: Path, pattern: str = "*.py") -> list[Submission]:
    """The files of a folder that match a pattern, by name; a single file is a class of one."""
    if folder.is_file():
        return [Submission(printable(folder.stem), folder)]
    if not folder.is_dir():
        raise ArenaError(f"{folder} is no folder; expected one with a file for each student")
    found = [file for file in folder.glob(pattern) if file.is_file() and _counts(file, folder)]
    if not found:
        raise ArenaError(f"no file of {folder} fits {pattern!r}; --files says which to take")
    students: dict[str, Submission] = {}
    for file in sorted(found):
        student = Submission(_name(file, folder), file)
        other = students.setdefault(student.name, student)
        if other is not student:
            both = f"{printable(str(other.file))} and {printable(str(file))}"
            raise ArenaError(f"two students would be called {student.name!r}: {both}; rename one")
    return [*students.values()]


def _counts(file: Path, folder: Path) -> bool:
    parts = file.relative_to(folder).parts
    return not any(part.startswith(IGNORED) for part in parts)


def _name(file: Path, folder: Path) -> str:
    """The file without its ending; one in a folder of its own with that folder's name."""
    return printable("-".join(file.relative_to(folder).with_suffix("").parts))


def grading_tournament(
    document: Document, submission: Submission, output: Path, kind: str = ""
) -> Tournament:
    """The tournament of one student, in a folder of its own."""
    engine = str(submission.file.resolve())
    engine = f"{kind}:{engine}" if kind else engine
    own = output / submission.name
    return understand(with_student(document, engine, submission.name, own))


def grading_plan(document: Document, kind: str = "") -> Tournament:
    """The tournament of a grading file, with `random` as the student; refuses a wrong file."""
    if kind and kind not in KINDS:
        raise UnknownName("kind of bot", kind, KINDS)
    return understand(with_student(document, STAND_IN))
