"""A method that needs no kernels, in place of one that does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arena.learning.methods import METHODS
from arena.learning.reading import load_text
from arena.learning.spec import Training
from tests.support.counting import Counting

FILE = """
method: td
game: 4x4c3
games: 60
step: {from: 0.5, shape: 1/game}
save: 7 games
measure: {every: 20, perfect: 2, exam: 3, against: [random], games: 2}
"""


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The method td is one that counts."""
    monkeypatch.setitem(METHODS, "td", Counting)


@pytest.fixture
def training(counting: None, tmp_path: Path) -> Training[Any]:
    """A training of a moment."""
    return load_text(f"{FILE}\noutput: {tmp_path / 'out'}", tmp_path / "t.yaml")


@pytest.fixture
def file(training: Training[Any]) -> Path:
    """The same on disk."""
    training.path.write_text(training.text, encoding="utf-8")
    return training.path
