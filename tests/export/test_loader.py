"""Archives are unpacked once, and their packages disturb nobody."""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from arena.export.loader import CACHE, OwnPackages, unpack


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


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


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


@pytest.fixture
def outer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package of the same name that is installed, and loaded already."""
    folder = write(tmp_path / "outer", {"twin/__init__.py": "IS = 'outer'", "twin/only.py": ""})
    monkeypatch.syspath_prepend(folder)
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "twin"]:
        del sys.modules[name]


def test_own_packages_win_while_they_are_in_use(tmp_path: Path, outer: None) -> None:
    files = {"code/twin/__init__.py": "IS = 'own'", "code/twin/late.py": "from twin import IS"}
    own = OwnPackages(write(tmp_path / "own", files), ["twin"])
    before, settings, path = importlib.import_module("twin"), dict(os.environ), [*sys.path]
    importlib.import_module("twin.only")
    for _ in range(2):
        with own.in_use():
            assert importlib.import_module("twin").IS == "own"
            with pytest.raises(ModuleNotFoundError):
                importlib.import_module("twin.only")
            assert os.environ[CACHE] == str(tmp_path / "own" / "kernels")
        assert importlib.import_module("twin") is before
        assert importlib.import_module("twin.only")
        with pytest.raises(ModuleNotFoundError):
            importlib.import_module("twin.late")
    with own.in_use():
        assert importlib.import_module("twin.late").IS == "own"
    assert own not in sys.meta_path
    assert dict(os.environ) == settings
    assert sys.path == path


def test_what_was_there_comes_back_after_a_mistake(tmp_path: Path, outer: None) -> None:
    own = OwnPackages(write(tmp_path / "own", {"code/twin/__init__.py": "1 / 0"}), ["twin"])
    before = importlib.import_module("twin")
    with pytest.raises(ZeroDivisionError), own.in_use():
        importlib.import_module("twin")
    assert importlib.import_module("twin") is before
    assert own.modules == {}


def test_numba_keeps_its_cache_where_it_was(tmp_path: Path) -> None:
    from numba.core import config

    before = vars(config)["CACHE_DIR"]
    with OwnPackages(tmp_path, ["twin"]).in_use():
        assert vars(config)["CACHE_DIR"] == str(tmp_path / "kernels")
    assert vars(config)["CACHE_DIR"] == before
