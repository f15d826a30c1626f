"""A training on disk: one file that appears whole, from which the same command goes on.

It holds the state of the learner, the curve so far, and what decides the training: a file that says
something else is never gone on with.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.errors import ArenaError, BadFile
from arena.files import disk_errors, replacing
from arena.learning.curve import Point, point_of
from arena.network.network import DAMAGE
from arena.tournament.identity import changes

STATE = "state.npz"
ABOUT = "about"  # the array that is text: all that is not the learner's
LEARNER = "learner/"  # before the names of the learner's arrays
LAYOUT = 3  # a file of another one is not read
START_OVER = "use --new to start over (the old files are kept)"
MOST_CHANGES = 5  # in a sentence


@dataclass(frozen=True)
class Checkpoint:
    """How far a training has come: games, seconds spent in training, the curve, the state."""

    canonical: Mapping[str, Any]
    games: int
    seconds: float
    points: tuple[Point, ...]
    best: Point | None  # the second measurement of the best weights
    state: Mapping[str, NDArray[Any]]

    def save(self, folder: Path) -> Path:
        """Write it into a folder, in place of an earlier one."""
        about = {
            "layout": LAYOUT,
            "training": dict(self.canonical),
            "games": self.games,
            "seconds": self.seconds,
            "points": [point.data() for point in self.points],
            "best": self.best and self.best.data(),
            "arrays": list(self.state),
        }
        text = np.frombuffer(json.dumps(about).encode(), np.uint8)
        arrays: dict[str, Any] = {f"{LEARNER}{name}": each for name, each in self.state.items()}
        path = folder / STATE
        with disk_errors(path), replacing(path) as part, part.open("wb") as file:
            np.savez(file, **{ABOUT: text, **arrays})
        return path


def check_checkpoint(folder: Path, canonical: Mapping[str, Any]) -> None:
    """Refuse the checkpoint of another training, and a damaged one; none at all is fine."""
    with suppress(FileNotFoundError), _sound(folder / STATE) as arrays:
        _about(arrays, folder / STATE, canonical)


def load_checkpoint(folder: Path, canonical: Mapping[str, Any]) -> Checkpoint | None:
    """The checkpoint of a folder, if there is one; that of another training is refused."""
    path = folder / STATE
    try:
        with _sound(path) as arrays:
            about = _about(arrays, path, canonical)
            state = {name: arrays[LEARNER + name] for name in about["arrays"]}
            points = tuple(map(point_of, about["points"]))
            best = about["best"] and point_of(about["best"])
            return Checkpoint(canonical, about["games"], about["seconds"], points, best, state)
    except FileNotFoundError:
        return None


@contextmanager
def _sound(path: Path) -> Iterator[Any]:
    """The arrays of a file; one that cannot be read, or not all of it, is an error of its own."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            if arrays.zip.testzip() is not None:  # as a damaged shape hides its own checksum
                raise ValueError
            yield arrays
    except FileNotFoundError:
        raise
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror or error}") from None
    except (*DAMAGE, TypeError, AttributeError):
        raise BadFile(f"{path} is damaged, or no checkpoint at all; {START_OVER}") from None


def _about(arrays: Any, path: Path, canonical: Mapping[str, Any]) -> dict[str, Any]:
    about: dict[str, Any] = json.loads(bytes(arrays[ABOUT]))
    if about["layout"] != LAYOUT:
        raise BadFile(f"{path} is of another version of the arena; {START_OVER}")
    if about["training"] != canonical:
        raise _changed(path, changes(about["training"], canonical))
    return about


def _changed(path: Path, sentences: Sequence[str]) -> BadFile:
    more = len(sentences) - MOST_CHANGES
    words = "; ".join(sentences[:MOST_CHANGES]) + (f"; and {more} more" if more > 0 else "")
    if any(".over: " in sentence for sentence in sentences):
        words += " (a schedule without over ends with the last game)"
    return BadFile(
        f"cannot resume {path}: the training has changed ({words}); undo the change, or use --new "
        "to start over (the old files are kept)"
    )


def set_aside(folder: Path) -> Path | None:
    """Give a folder that holds a training the next free name; nothing is deleted."""
    if not (folder / STATE).exists():
        return None
    for number in count(1):
        aside = folder.with_name(f"{folder.name}-{number}")
        if not aside.exists():
            break
    try:
        return folder.rename(aside)
    except OSError as error:
        raise ArenaError(f"{folder} cannot be set aside: {error.strerror or error}") from None
