"""`arena cache`: shows and clears what is ours, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena import jit
from arena.doctor.kernels import OURS, directory, every_cache, is_ours, remove
from arena.errors import ArenaError
from tests.cli.running import run, run_json

OLD = time.time() - 3600
STALE = "kernels-0123456789abcdef"


@pytest.fixture
def current() -> str:
    """What the cache of this version is called."""
    return f"kernels-{jit.fingerprint()}"


@pytest.fixture
def root(tmp_path: Path, current: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache directory of its own, with kernels of this version and of another one."""
    root = tmp_path / "connect-arena"
    for name in (current, STALE):
        put(root / name / "arena_1" / "a.nbi", 10)
        put(root / name / "arena_1" / "a.1.nbc", 90)
        put(root / name / "engines_2" / "b.1.nbc", 900)
    age(root)
    monkeypatch.setattr(jit, "cache_roots", lambda: (root, tmp_path / "temporary"))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(root / current))
    return root


def put(file: Path, size: int = 1) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"x" * size)
    return file


def age(folder: Path) -> None:
    """Nobody has written here for an hour."""
    for each in [*folder.rglob("*"), folder]:
        os.utime(each, (OLD, OLD), follow_symlinks=False)


def test_what_there_is_is_shown(root: Path, current: str) -> None:
    told = run("cache", "show").stdout.splitlines()
    assert told[0].split() == [
        str(root / current), "3", "files", "1", "kB", "of", "this", "version",
    ]  # fmt: skip
    assert told[1].split()[-3:] == ["of", "another", "version"]
    assert told[2] == "arena cache clear would free 1 kB."


def test_what_there_is_in_json(root: Path, current: str) -> None:
    told = run_json("cache", "show")
    assert (told["directory"], told["chosen_by_user"]) == (str(root / current), False)
    one, other = told["caches"]
    assert (one["path"], one["current"]) == (str(root / current), True)
    assert (one["files"], one["bytes"], one["newest"]) == (3, 1000, pytest.approx(OLD))
    assert (other["path"], other["current"]) == (str(root / STALE), False)


def test_clearing_takes_the_kernels_of_other_versions(root: Path, current: str) -> None:
    result = run("cache", "clear")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "3 files removed, 1 kB freed\n"
    assert [path.name for path in root.iterdir()] == [current]
    assert len(list((root / current).rglob("*.nb?"))) == 3
    assert run("cache", "clear").stdout == "0 files removed, 0 B freed\n"


def test_clearing_all_takes_those_of_this_version_too(root: Path) -> None:
    assert run("cache", "clear", "--all").stdout == "6 files removed, 2 kB freed\n"
    assert list(root.iterdir()) == []


def test_what_is_not_ours_stays(root: Path) -> None:
    kept = [
        put(root / "notes.txt"),
        put(root / "kernels" / "a.nbc"),
        put(root / "kernels-0123456789ABCDEF" / "a.nbc"),
        put(root / "kernels-0123456789abcdef0" / "a.nbc"),
        put(root / STALE / "arena_1" / "letter.txt"),
        put(root / STALE / "a.nbc.bak"),
    ]
    age(root)
    result = run("cache", "clear", "--all")
    assert result.exit_code == 0
    assert all(file.is_file() for file in kept)
    assert sorted(file for file in root.rglob("*") if file.is_file()) == sorted(kept)
    assert f"{root / STALE}: the folder stays" in result.stderr


def test_links_are_not_followed(root: Path, tmp_path: Path) -> None:
    precious = put(tmp_path / "precious" / "a.nbc")
    (root / "kernels-fedcba9876543210").symlink_to(precious.parent)
    (root / STALE / "link").symlink_to(precious.parent)
    age(root)
    assert run("cache", "clear", "--all").exit_code == 0
    assert precious.is_file()
    assert (root / "kernels-fedcba9876543210").is_symlink()
    with pytest.raises(ArenaError, match="is not a kernel cache"):
        remove(root / "kernels-fedcba9876543210")


@pytest.mark.parametrize("name", ["", ".", "..", "kernels-0123456789abcdef/arena_1", "notes"])
def test_odd_directories_are_refused(root: Path, name: str) -> None:
    with pytest.raises(ArenaError, match="is not a kernel cache of the arena; nothing was removed"):
        remove(root / name)
    with pytest.raises(ArenaError):
        remove(root.parent / STALE)
    assert len(list(root.rglob("*.nb?"))) == 6


def test_a_directory_where_somebody_writes_keeps_its_folders(root: Path) -> None:
    unfinished = put(root / STALE / "arena_1" / "c.1.nbc.tmp.0123456789abcdef")
    result = run("cache", "clear")
    assert result.stdout == "3 files removed, 1 kB freed\n"
    assert "the folder stays" in result.stderr
    assert unfinished.is_file()
    assert (root / STALE / "engines_2").is_dir()
    age(root)
    assert run("cache", "clear").stdout == "1 file removed, 1 B freed\n"
    assert not (root / STALE).exists()


def test_a_directory_that_the_user_has_chosen_is_left_alone(
    root: Path, tmp_path: Path, current: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = put(tmp_path / "mine" / "a.nbc").parent
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(chosen))
    assert run("cache", "show").stdout.startswith(f"{chosen}, as NUMBA_CACHE_DIR says\n")
    assert run_json("cache", "show")["chosen_by_user"]
    result = run("cache", "clear", "--all")
    assert f"{chosen} is left alone: NUMBA_CACHE_DIR names it" in result.stderr
    assert (chosen / "a.nbc").is_file()
    assert list(root.iterdir()) == []


def test_directories_of_others_are_not_looked_at(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getuid", lambda: os.stat(root).st_uid + 1, raising=False)
    assert every_cache() == []


def test_a_file_that_is_gone_already_does_no_harm(root: Path) -> None:
    (root / STALE / "arena_1" / "a.nbi").unlink()
    (root / STALE / "arena_1" / "d.nbi").symlink_to(root / "nowhere")
    age(root)
    assert [cache.files for cache in every_cache()] == [3, 2]
    assert remove(root / STALE)
    assert not (root / STALE).exists()


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="there is no cache")
def test_the_real_cache_is_one_of_ours(tmp_path: Path) -> None:
    """And a process that has loaded its kernels goes on when they are cleared away under it."""
    script = """
import os, subprocess, sys
from arena.doctor.kernels import OURS, directory, every_cache, is_ours, remove
from arena.jit import CLOCK_ADDRESS, CLOCK_KIND, lowest, kernel, nanoseconds
nanoseconds(CLOCK_ADDRESS, CLOCK_KIND)
(cache,) = every_cache()
assert cache.path == directory() and is_ours(cache.path) and cache.current and cache.files == 2
assert len(remove(cache.path)) == 2
from arena.game.kernels import landing  # compiled only now, and kept again
import numpy as np
from arena.game import CONNECT4
from arena.game.tables import board_of
assert landing(board_of(CONNECT4), np.uint64(0), 2) == 4096
(cache,) = every_cache()
assert cache.files >= 2
print("done")
"""
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True
    )
    assert done.stdout == "done\n", done.stderr


def test_without_a_compiler_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "arena.jit", None)
    monkeypatch.delattr("arena.jit")
    with pytest.raises(ArenaError, match=r"the compiler does not load .* arena doctor tells more"):
        directory()


def test_names_of_ours(current: str) -> None:
    assert OURS.fullmatch(current)
    assert not is_ours(Path("/") / current)
