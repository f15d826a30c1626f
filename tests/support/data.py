"""Reference data that is not part of the repository: solver scores, SPRT values, recorded games."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.golden import TOP

VARIABLE = "ARENA_TEST_DATA"


def data_path(name: str) -> Path:
    """Where a file of reference data should be."""
    return Path(os.environ.get(VARIABLE) or TOP.parent / "shared" / "data") / name


def data_file(name: str) -> Path:
    """A file of reference data; skips the test if it is missing, or fails if the folder is set."""
    path = data_path(name)
    if not path.exists():
        message = f"no reference data: {path} does not exist; set {VARIABLE} to its folder"
        assert not os.environ.get(VARIABLE), message
        pytest.skip(message)
    return path
