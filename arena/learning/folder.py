"""Where a training is written: its folder, held by one process at a time, and the files in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from arena.errors import ArenaError
from arena.files import disk_errors, write_atomic
from arena.journal import GAMES
from arena.journal.database import Lock
from arena.learning.checkpoint import STATE, set_aside
from arena.learning.curve import Point, csv_bytes, curve_csv
from arena.learning.learner import WEIGHTS, Learner

CURVE, TRAJECTORY, ENDINGS, REPORT = "curve.csv", f"{WEIGHTS}.csv", "endings.csv", "report.md"
BEST, PLOTS = "best", "plots"  # folders: of the best weights, of pictures
WRITTEN = (CURVE, f"{WEIGHTS}.*", ENDINGS, REPORT, BEST, PLOTS)


def check_place(folder: Path) -> None:
    """Refuse a place whose files are not those of a training, before anything is written."""
    if (folder / GAMES).exists():
        raise ArenaError(f"{folder} holds a tournament; name another folder as output")
    if folder.exists() and not folder.is_dir():
        raise ArenaError(f"{folder} is a file; name a folder as output")
    others = [path.name for name in WRITTEN for path in sorted(folder.glob(name))]
    if others and not (folder / STATE).exists():
        raise ArenaError(
            f"{folder} holds {others[0]} but no training, and nothing is overwritten; "
            "name another folder as output"
        )


@contextmanager
def held(folder: Path, new: bool) -> Iterator[Path]:
    """The folder, made if it is not there; with `new`, an earlier one is set aside first."""
    with disk_errors(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
    lock = Lock(folder)
    try:
        check_place(folder)
        if new:
            set_aside(folder)
        with disk_errors(folder):
            folder.mkdir(exist_ok=True)
            for left_over in folder.glob(f".{STATE}-*"):  # by a process that was killed
                left_over.unlink(missing_ok=True)
        yield folder
    finally:
        lock.release()


def write_curve(folder: Path, points: Sequence[Point]) -> Path:
    """The learning curve so far."""
    return put(folder / CURVE, curve_csv(points))


def write_weights(folder: Path, learner: Learner, strength: str = "") -> Path:
    """The weights for engines, and the way they went where there are few."""
    names, steps, weights = learner.trajectory()
    if names:
        rows = ([step, *map(repr, row)] for step, row in zip(steps, weights.tolist(), strict=True))
        put(folder / TRAJECTORY, csv_bytes(["step", *names], rows))
    with disk_errors(folder):
        return learner.save(folder, strength)


def write_best(folder: Path, learner: Learner, strength: str) -> Path:
    """The weights of now, as the best so far."""
    with disk_errors(folder):
        (folder / BEST).mkdir(exist_ok=True)
        return learner.save(folder / BEST, strength)


def put(path: Path, data: bytes) -> Path:
    """A file that appears whole, in a folder that need not be there."""
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        return write_atomic(path, data)
