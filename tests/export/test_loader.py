"""Archives are unpacked once."""

from __future__ import annotations

import tempfile
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from arena.export.loader import unpack


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def archive(files: dict[str, str]) -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w") as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    return buffer.getvalue()


def test_an_archive_is_unpacked_once_and_repaired(temporary: Path) -> None:
    packed = archive({"code/a.py": "A = 1\n", "bot/b.txt": "text"})
    folder = unpack(packed)
    stamp = (folder / "code" / "a.py").stat().st_mtime_ns
    (folder / "bot" / "b.txt").unlink()
    assert unpack(packed) == folder
    assert (folder / "code" / "a.py").stat().st_mtime_ns == stamp  # kernels stay compiled
    assert (folder / "bot" / "b.txt").read_text() == "text"
    assert unpack(archive({"code/a.py": "A = 2\n"})) != folder
    assert [each.name for each in folder.rglob(".*")] == []


def test_a_folder_that_others_can_write_to_is_not_trusted(temporary: Path) -> None:
    packed = archive({"code/a.py": "A = 1\n"})
    folder = unpack(packed)
    (folder / "code" / "a.py").write_text("A = 9\n")
    folder.chmod(0o777)
    other = unpack(packed)
    assert other != folder
    assert (other / "code" / "a.py").read_text() == "A = 1\n"
