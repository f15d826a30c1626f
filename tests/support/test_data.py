"""Reference data may be missing on a stranger's machine, but not where its folder is set."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import data
from tests.support.data import VARIABLE, data_file


def test_a_file_is_read_from_the_folder_that_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    (tmp_path / "scores").touch()
    assert data_file("scores") == tmp_path / "scores"
    with pytest.raises(AssertionError, match=f"set {VARIABLE} to its folder"):
        data_file("other")


def test_without_data_a_test_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(data, "TOP", tmp_path / "repository")
    with pytest.raises(pytest.skip.Exception, match="no reference data"):
        data_file("scores")
    (tmp_path / "shared" / "data").mkdir(parents=True)
    (tmp_path / "shared" / "data" / "scores").touch()
    assert data_file("scores").parent == tmp_path / "shared" / "data"
