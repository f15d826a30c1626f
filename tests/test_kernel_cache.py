"""The cache of compiled kernels: never stale, never wiped, wherever it lies."""

from __future__ import annotations

import ast
import importlib
import os
import pkgutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import arena
from arena import kernel_cache
from arena.jit import gather, kernel, nanoseconds, popcount
from arena.kernel_cache import Sources

compiled = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled"
)
LIMIT = 3
TABLE = np.arange(4)


@kernel
def helper(x: int) -> int:
    return x + LIMIT


@kernel
def caller(x: int) -> int:
    """A kernel that depends on another, on a table and on an instruction."""
    return helper(x) + popcount(TABLE[1])  # type: ignore[no-any-return]


@kernel
def raising(x: int) -> int:
    if x < 0:
        raise ValueError("below 0")
    return x


def stamp(kernel: Any) -> str:
    return Sources(getattr(kernel, "py_func", kernel)).digest.hexdigest()


def kernels() -> Iterator[tuple[FunctionType, set[str]]]:
    """Every kernel of the arena, with the names that are read in its source."""
    for found in pkgutil.walk_packages(arena.__path__, "arena."):
        spec = find_spec(found.name)
        if spec is None or spec.origin is None or "arena.dask" in found.name:
            continue
        text = Path(spec.origin).read_text(encoding="utf-8")
        if "\n@kernel" not in text and "\n@inlined" not in text:
            continue
        module = importlib.import_module(found.name)
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef) and any(
                isinstance(each, ast.Name) and each.id in ("kernel", "inlined")
                for each in node.decorator_list
            ):
                function = getattr(module, node.name)
                function = getattr(function, "py_func", function)
                names = {
                    each.id
                    for line in node.body
                    for each in ast.walk(line)
                    if isinstance(each, ast.Name)
                }
                yield function, names - {*function.__code__.co_varnames, "Any"}


def test_the_stamp_of_every_kernel_covers_the_constants_and_kernels_that_it_uses() -> None:
    count, missing = 0, []
    for function, names in kernels():
        before = stamp(function)
        for name in names & function.__globals__.keys():
            count += 1
            with pytest.MonkeyPatch.context() as patch:
                patch.setitem(function.__globals__, name, "another value")
                if stamp(function) == before:
                    missing.append(f"{function.__module__}.{function.__qualname__}: {name}")
    assert missing == []
    assert count > 500


@compiled
@pytest.mark.parametrize(
    ("name", "value"),
    [("LIMIT", 4), ("TABLE", np.arange(1, 5)), ("popcount", gather), ("helper", nanoseconds)],
)
def test_what_a_called_kernel_uses_counts_too(
    name: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = stamp(caller)
    monkeypatch.setitem(globals(), name, value)
    assert stamp(caller) != before


def function_of(text: str) -> FunctionType:
    names: dict[str, Any] = {"__name__": __name__}
    exec(compile(text, "bot.py", "exec"), names)
    function: FunctionType = names["f"]
    return function


def test_comments_docstrings_and_places_do_not_count() -> None:
    one = function_of('def f(x):\n    """One."""\n    return x + 1\n')
    two = function_of('# more\n\n\ndef f(x):\n    """Two."""\n    # why\n    return x + 1\n')
    assert stamp(one) == stamp(two)
    assert stamp(function_of("def f(x): return x + 2")) != stamp(function_of("def f(x): return x"))


def test_places_count_where_a_traceback_can_show_them() -> None:
    text = "def f(x):\n    if x:\n        raise ValueError\n    return x\n"
    assert stamp(function_of(text)) != stamp(function_of(f"\n{text}"))


BOT = """
from arena import Choice, Engine
from arena.jit import kernel
from {helper} import favourite


@kernel
def column(n):
    return favourite(n) + {plus}


class Bot(Engine):
    def choose(self, position, limits):
        return Choice(int(column(0)))
"""
HELPER = """
from arena.jit import kernel

COLUMN = {column}


@kernel
def favourite(n):
    return n + COLUMN
"""
PLAY = """
import sys
from arena import Limits, Position
from arena.engine.registry import find
for bot in sys.argv[1:]:
    print(find(bot).build().choose(Position(), Limits()).column, end=" ")
"""


class Bots:
    """Two bots with one jitted helper, in a folder of their own, and a cache of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        self.foreign = self.cache / "another_project" / "theirs.nbc"
        self.foreign.parent.mkdir(parents=True)
        self.foreign.write_bytes(b"theirs")
        self.write("my_eval.py", HELPER.format(column=2))
        self.write("one.py", BOT.format(helper="my_eval", plus=0))
        self.write("two.py", BOT.format(helper="my_eval", plus=1))

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env={**os.environ, "NUMBA_CACHE_DIR": str(self.cache)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def columns(self, *bots: str) -> str:
        return self.run("-c", PLAY, *(bots or ("one.py", "two.py"))).strip()

    def kernels(self) -> set[Path]:
        assert self.foreign.read_bytes() == b"theirs"
        return {file for file in self.cache.rglob("*.nbc") if file != self.foreign}


@pytest.fixture
def bots(tmp_path: Path) -> Bots:
    return Bots(tmp_path)


@compiled
def test_an_edit_of_a_helper_reaches_the_bots_that_use_it(bots: Bots) -> None:
    assert bots.columns() == "2 3"
    before = bots.kernels()
    bots.write("my_eval.py", HELPER.format(column=4))
    assert bots.columns() == "4 5"
    assert before < bots.kernels()


@compiled
def test_bots_that_share_a_helper_leave_the_cache_whole(bots: Bots) -> None:
    assert bots.columns() == "2 3"
    before = bots.kernels()
    assert bots.columns("two.py", "one.py") == "3 2"
    assert bots.kernels() == before
    bots.write("one.py", BOT.format(helper="my_eval", plus=3))
    assert bots.columns() == "5 3"
    assert before < bots.kernels()


@compiled
def test_an_edit_reaches_a_bot_in_its_own_process(bots: Bots) -> None:
    match = ("-m", "arena", "match", "one.py", "random", "--games", "2")
    assert "is not on the board" not in bots.run(*match)
    bots.write("my_eval.py", HELPER.format(column=9))
    with pytest.raises(AssertionError, match=r"column 10 \(9 counted from 0\)"):
        bots.run(*match)


@compiled
@pytest.mark.parametrize("damage", ["cut", "flipped"])
def test_a_damaged_kernel_is_compiled_again_and_no_other(bots: Bots, damage: str) -> None:
    assert bots.columns() == "2 3"
    (file,) = (file for file in bots.kernels() if file.name.startswith("one"))
    data = file.read_bytes()
    half = len(data) // 2
    flipped = data[:half] + bytes([data[half] ^ 1]) + data[half + 1 :]
    damaged = data[:20] if damage == "cut" else flipped
    file.write_bytes(damaged)
    others = {each: each.stat().st_mtime_ns for each in bots.kernels()}
    assert bots.columns("one.py") == "2"
    assert file.read_bytes() != damaged
    assert bots.kernels() == others.keys()


@compiled
def test_a_recursive_kernel_that_is_called_with_a_number_loads_from_disk(tmp_path: Path) -> None:
    """Numba's form for the number alone would lack the form that the recursion needs."""
    (tmp_path / "count.py").write_text(
        "from arena.kernels import kernel\n\n"
        "@kernel\ndef count(x, depth, low):\n"
        "    return x + low if depth == 0 else -count(x + 1, depth - 1, -low)\n\n"
        "@kernel\ndef top(x):\n    return count(x, 3, 7)\n\nprint(top(1))\n"
    )
    for _ in range(2):
        done = run("import count", PYTHONPATH=str(tmp_path), NUMBA_CACHE_DIR=str(tmp_path))
        assert (done.returncode, done.stdout) == (0, "3\n")


def run(script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", script]
    variables = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"} | environment
    return subprocess.run(command, env=variables, capture_output=True, text=True, timeout=60)


SHOW = "from arena.kernel_cache import CACHE; print(CACHE)"


def test_the_cache_moves_to_a_temporary_directory_when_the_users_cannot_be_written(
    tmp_path: Path,
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a directory", encoding="utf-8")
    (tmp_path / "tmp").mkdir()
    done = run(SHOW, XDG_CACHE_HOME=str(blocked), TMPDIR=str(tmp_path / "tmp"))
    assert Path(done.stdout.strip()).is_relative_to(tmp_path / "tmp")
    assert done.stderr == ""


def test_a_directory_that_the_user_has_chosen_is_used_and_not_filled_by_others(
    tmp_path: Path,
) -> None:
    done = run(SHOW, NUMBA_CACHE_DIR=str(tmp_path))
    assert done.stdout.strip() == str(tmp_path / "connect-arena" / "kernels")


def test_kernels_of_other_projects_in_the_users_directory_stay(tmp_path: Path) -> None:
    others = [tmp_path / "other_1" / "a.nbi", tmp_path / "connect-arena" / "a.1.nbc"]
    ours = tmp_path / "connect-arena" / "kernels" / "arena.jit.one-1.nbc"
    for file in (*others, ours):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"x")
    words = "'doctor', '--clear-cache', '--all'"
    clear = f"import sys; from arena.cli import main; sys.argv[1:] = {words}; main()"
    assert run(clear, NUMBA_CACHE_DIR=str(tmp_path)).stdout == "1 file removed, 1 B freed\n"
    assert [file.exists() for file in (*others, ours)] == [True, True, False]


def test_without_any_directory_there_is_one_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(blocked))
    with pytest.warns(UserWarning, match="kernels are recompiled on every run"):
        assert kernel_cache._choose_cache() is None


@compiled
def test_a_full_disk_only_costs_compiling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(path: Path, data: bytes) -> Path:
        raise OSError("no space left on device")

    monkeypatch.setattr(kernel_cache, "write_atomic", fails)
    fresh = kernel(function_of("def f(x): return x + 12345"))
    assert fresh(1) == 12346
