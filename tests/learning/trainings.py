"""Trainings of the method td for tests, as a file would describe them."""

from __future__ import annotations

from pathlib import Path

import yaml

from arena.learning.linear import LinearLearner
from arena.learning.reading import load, load_text

READY = Path(__file__).resolve().parents[2] / "tournaments" / "training"


def learner(**keys: object) -> LinearLearner:
    """A learner of the method td with these keys in its file."""
    return LinearLearner(load_text(yaml.safe_dump({"method": "td", **keys})))


def ready(name: str) -> LinearLearner:
    """The learner of a ready file, before its first game."""
    return LinearLearner(load(READY / name))
