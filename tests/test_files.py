"""Files that appear whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import ArenaError
from arena.files import replacing, write_atomic, writing


def test_a_file_takes_its_name_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old", encoding="utf-8")
    with replacing(path) as part:
        part.write_text("new", encoding="utf-8")
        assert path.read_text(encoding="utf-8") == "old"
    assert path.read_text(encoding="utf-8") == "new"
    assert write_atomic(path, b"newer").read_bytes() == b"newer"
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_a_mistake_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with pytest.raises(ZeroDivisionError), writing(str(path)) as out:
        out.write(str(1 // 0))
    assert [*tmp_path.iterdir()] == []


def test_a_database_is_never_overwritten_by_text(tmp_path: Path) -> None:
    (tmp_path / "games.db").write_bytes(b"SQLite format 3\0and more")
    with (
        pytest.raises(ArenaError, match="is a journal or database"),
        writing(f"{tmp_path}/games.db"),
    ):
        pass
    with pytest.raises(ArenaError, match="is a directory"), writing(str(tmp_path)):
        pass
