"""`arena doctor`: what it finds in a healthy place, and in places that are not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from importlib.metadata import EntryPoint, PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest

from arena.cli import doctorkernels, doctormachine, doctorplace, doctorsoftware
from arena.cli.doctorfinding import Finding, State
from arena.cli.doctorsoftware import meets, needed
from arena.errors import EngineFailure
from tests.cli.running import run, run_apart


@pytest.fixture(autouse=True)
def _no_child(monkeypatch: pytest.MonkeyPatch) -> None:
    """No process is started from here: tables of other tests come from a server of their own."""
    monkeypatch.setattr(doctormachine, "child_answers", lambda method: 0.1)


def test_a_healthy_place() -> None:
    """In a process of its own, with everything."""
    done = run_apart("doctor", "--json")
    assert done.returncode == 0, done.stdout
    told = json.loads(done.stdout)
    assert told["ok"]
    found = {each["topic"]: each for each in told["findings"]}
    assert {each["state"] for each in told["findings"]} <= {"ok", "warning"}
    assert all(bool(each["remedy"]) == (each["state"] != "ok") for each in told["findings"])
    packages = "numba llvmlite numpy multiprocess pyyaml rich typer"
    assert set(f"arena Python {packages} cores memory processes".split()) <= found.keys()
    assert {"compiler", "engines", "terminal"} <= found.keys()
    assert found["processes"]["data"]["start_method"] in ("forkserver", "spawn")
    assert found["engines"]["data"]["loaded"] > 10
    assert found["numba"]["data"]["wanted"].startswith(">=")
    assert told["next"]


def test_the_findings_are_lines_with_a_verdict_and_what_to_do_next() -> None:
    result = run("doctor")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].split()[:2] == ["✓", "arena"]
    assert any(line.startswith("Ready") for line in lines)
    assert lines[-1] == "Next: arena run tournaments/quickstart.yaml"


def ill(monkeypatch: pytest.MonkeyPatch, *found: Finding) -> None:
    monkeypatch.setattr("arena.cli.doctor.findings", lambda: iter(found))


def test_a_problem_has_exit_code_1_and_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    well = Finding("arena", "ok", "0.1.0")
    bad = Finding("numba", "problem", "0.1, needed >=0.61", "get a new one")
    ill(monkeypatch, well, Finding("load", "warning", "9.0", "wait"), bad)
    result = run("doctor")
    assert result.exit_code == 1
    assert "  ✗ numba          0.1, needed >=0.61" in result.stdout
    assert "remedy: get a new one" in result.stdout
    assert "Not ready: 1 problem, 1 warning." in result.stdout
    assert result.stdout.endswith("Next: arena doctor, once the problems are gone\n")
    told = run("doctor", "--json")
    assert told.exit_code == 1
    assert json.loads(told.stdout)["ok"] is False
    ill(monkeypatch, well, Finding("load", "warning", "9.0", "wait"))
    assert run("doctor").exit_code == 0


def test_without_the_compiler_the_rest_is_still_looked_at() -> None:
    script = "import sys; sys.modules['numba'] = None; from arena.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", script, "doctor"], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (1, "")
    for part in ("✗ compiler", "✓ cores", "✓ terminal", "more do not load", "Not ready"):
        assert part in done.stdout


@pytest.mark.parametrize(
    ("found", "wanted", "enough"),
    [
        ("2.0", ">=2.0", True),
        ("2", ">=2.0", True),
        ("2.0.0", ">=2.0", True),
        ("1.26.4", ">=2.0", False),
        ("0.9", ">=0.61", False),
        ("0.100", ">=0.61", True),
        ("0.50.0", "<0.51,>=0.50.0dev0", True),
        ("0.51.0", "<0.51,>=0.50.0dev0", False),
        ("0.51.0rc1", "<0.51,>=0.50.0dev0", False),
        ("0.49.9", "<0.51,>=0.50.0dev0", False),
        ("3.11.7", ">=3.11", True),
        ("1.2", "==1.2", True),
        ("1.2", "!=1.2", False),
        ("1.2", ">1.2", False),
        ("1.2", "<=1.2", True),
        ("1.2+local", ">=1.2", True),
        ("unknown", "", True),
        ("unknown", ">=1", False),
    ],
)
def test_versions(found: str, wanted: str, enough: bool) -> None:
    assert meets(found, wanted) is enough


def test_what_is_needed_is_what_is_declared_and_what_the_compiler_stands_on() -> None:
    import tomllib

    declared = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    expected = {line.split(">=")[0] for line in declared["project"]["dependencies"]}
    found = dict(needed())
    assert found.keys() == expected | {"llvmlite"}
    assert all(">=" in wanted for wanted in found.values())


def versions(monkeypatch: pytest.MonkeyPatch, **known: str) -> None:
    def version(name: str) -> str:
        if name not in known:
            raise PackageNotFoundError(name)
        return known[name]

    monkeypatch.setattr(doctorsoftware, "version", version)


def test_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    versions(monkeypatch, numba="0.60", rich="15.0")
    old = doctorsoftware.package("numba", ">=0.61")
    assert (old.state, old.detail) == ("problem", "0.60, needed >=0.61")
    assert old.remedy == "python -m pip install --upgrade 'numba>=0.61'"
    assert doctorsoftware.package("rich", ">=14.3").state == "ok"
    assert doctorsoftware.package("numpy", ">=2.0").state == "problem"
    plots = doctorsoftware.package("matplotlib", ">=3.10")
    assert (plots.state, plots.detail) == ("warning", "not installed: reports have no plots")


def test_an_arena_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    versions(monkeypatch)
    found = doctorsoftware.arena_itself()
    assert found.state == "problem"
    assert "pip install -e ." in found.remedy
    versions(monkeypatch, **{"connect-arena": "0.0.1"})
    assert doctorsoftware.arena_itself().state == "warning"


def test_an_old_python() -> None:
    found = doctorsoftware.python(">=99.1")
    assert found.state == "problem"
    assert "needed >=99.1" in found.detail
    assert doctorsoftware.python().state == "ok"


def engines(monkeypatch: pytest.MonkeyPatch, found: dict[str, object]) -> list[Finding]:
    monkeypatch.setattr("arena.cli.engines.load_all", lambda: found)
    return list(doctorsoftware.engines())


def test_engines_that_do_not_load(monkeypatch: pytest.MonkeyPatch) -> None:
    broken: dict[str, object] = {name: EngineFailure("no\nmodule") for name in ("random", "x")}
    sound, one, other = engines(monkeypatch, {"mcts": object(), **broken})
    assert (sound.state, sound.detail) == ("ok", "1 can play")
    assert (one.state, one.detail) == ("problem", "random: no module")
    assert one.remedy == "reinstall or remove connect-arena"
    assert other.remedy == "reinstall or remove the package that offers it"
    assert [each.state for each in engines(monkeypatch, {})] == ["problem"]
    many = {f"e{number}": EngineFailure("no") for number in range(9)}
    assert engines(monkeypatch, {"mcts": object(), **many})[-1].detail == "6 more do not load"


def test_an_engine_that_is_offered_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [EntryPoint("mcts", value, "arena.engines") for value in ("a:A", "b:B", "b:B")]
    monkeypatch.setattr(doctorsoftware, "entry_points", lambda group: points)
    assert engines(monkeypatch, {"mcts": object()})[-1].detail == "mcts is offered as a:A and b:B"


def limits(place: Path, **files: str) -> Path:
    for name, text in files.items():
        file = place / name.replace("__", "/").replace("_dot_", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return place


def test_containers_of_both_kinds(tmp_path: Path) -> None:
    new = limits(tmp_path / "2", cpu_dot_max="150000 100000\n", memory_dot_max="5000",
                 memory_dot_current="2000")  # fmt: skip
    assert doctormachine.cpu_quota(new) == 1.5
    assert doctormachine.memory_left(new, tmp_path / "none") == 3000
    free = limits(tmp_path / "free", cpu_dot_max="max 100000\n", memory_dot_max="max\n",
                  memory_dot_current="1")  # fmt: skip
    assert doctormachine.cpu_quota(free) is None
    assert doctormachine.memory_left(free, tmp_path / "none") is None
    old = limits(
        tmp_path / "1",
        cpu__cpu_dot_cfs_quota_us="-1",
        cpu__cpu_dot_cfs_period_us="100000",
        memory__memory_dot_limit_in_bytes="700",
        memory__memory_dot_usage_in_bytes="900",
    )
    assert doctormachine.cpu_quota(old) is None
    assert doctormachine.memory_left(old, tmp_path / "none") == 0
    (old / "cpu/cpu.cfs_quota_us").write_text("50000")
    assert doctormachine.cpu_quota(old) == 0.5
    told = tmp_path / "meminfo"
    told.write_text("MemTotal: 9 kB\nMemAvailable:       2 kB\n")
    assert doctormachine.memory_left(new, told) == 2048


def test_a_machine_that_is_small_or_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.environment.usable_cores", lambda: 4)
    monkeypatch.setattr(doctormachine, "cpu_quota", lambda: 1.5)
    monkeypatch.setattr(doctormachine, "memory_left", lambda: 700e6)
    monkeypatch.setattr(os, "getloadavg", lambda: (5.0, 1.0, 1.0), raising=False)
    cores, load, memory = doctormachine.cores(), doctormachine.load(), doctormachine.memory()
    assert [each.state for each in (cores, load, memory)] == ["warning"] * 3
    assert "--workers 1" in cores.remedy
    assert "--workers 2" in memory.remedy
    monkeypatch.setattr(doctormachine, "memory_left", lambda: None)
    assert doctormachine.memory().state == "ok"


def test_no_process_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(method: str) -> float:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(doctormachine, "child_answers", fails)
    found = doctormachine.processes()
    assert found.state == "problem"
    assert "Resource temporarily unavailable" in found.detail


SILENT_CHILD = """
import time
from arena.cli import doctormachine
doctormachine._answer = time.sleep  # which does not take a pipe, and so answers nothing
try:
    doctormachine.child_answers("spawn")
except ChildProcessError as error:
    print(error)
"""


def test_a_child_that_does_not_answer_is_told() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SILENT_CHILD], capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "the child has ended without an answer\n"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the doctor thinks that kernels are."""
    root = tmp_path / "connect-arena"
    where = root / "kernels-0123456789abcdef"
    where.mkdir(parents=True)
    monkeypatch.setattr(doctorkernels, "directory", lambda: where)
    monkeypatch.setattr(doctorkernels, "roots", lambda: (root, tmp_path / "other"))
    monkeypatch.setattr(doctorkernels, "every_cache", list)
    monkeypatch.setattr(doctorkernels, "is_ours", lambda path: path == where)
    return where


def stale(size: int) -> list[Any]:
    from arena.cli.cachefiles import KernelCache

    return [KernelCache(Path("x"), False, 3, size, None), KernelCache(Path("y"), True, 7, 10, None)]


def test_caches_in_every_state(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert doctorkernels.cache().detail == f"{cache}, empty as yet"
    monkeypatch.setattr(doctorkernels, "every_cache", lambda: stale(1_000_000))
    found = doctorkernels.cache()
    assert (found.state, found.data["files"]) == ("ok", 7)
    assert found.detail == f"{cache}, 7 files, 1 MB of another version"
    monkeypatch.setattr(doctorkernels, "every_cache", lambda: stale(900_000_000))
    assert doctorkernels.cache().remedy == "arena cache clear frees them"
    monkeypatch.setattr(doctorkernels, "roots", lambda: (cache / "x", cache.parent))
    assert "temporary" in doctorkernels.cache().detail
    monkeypatch.setattr(doctorkernels, "LITTLE", 1e30)
    monkeypatch.setattr(doctorkernels, "roots", lambda: (cache.parent, cache))
    assert "the disk is full" in doctorkernels.cache().detail


def test_a_cache_that_cannot_be_written(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(**where: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(tempfile, "TemporaryFile", fails)
    assert doctorkernels.cache().state == "warning"
    monkeypatch.setattr(doctorkernels, "directory", lambda: None)
    assert doctorkernels.cache().detail.startswith(f"{cache.parent} cannot be written")


def test_a_compiler_that_is_switched_off_or_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    (off,) = doctorkernels.kernels()
    assert (off.state, off.remedy) == ("warning", "unset NUMBA_DISABLE_JIT")
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "0")

    def fails() -> Finding:
        raise RuntimeError("cannot cache function")

    monkeypatch.setattr(doctorkernels, "compiler", fails)
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/nowhere")
    (bad,) = doctorkernels.kernels()
    assert (bad.state, bad.detail) == ("problem", "cannot cache function")
    assert "NUMBA_CACHE_DIR" in bad.remedy
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    assert next(doctorkernels.kernels()).remedy.startswith("python -m pip install")


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_a_kernel_is_compiled_and_one_is_loaded() -> None:
    assert doctorkernels.compiler().data["seconds"] > 0
    assert doctorkernels.one_kernel().state == "ok"


@pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals")
@pytest.mark.parametrize(
    ("columns", "environment", "state", "part"),
    [
        (80, {}, "✓", "80 columns, colours, Unicode"),
        (80, {"NO_COLOR": "1"}, "✓", "80 columns, no colours, Unicode"),
        (40, {}, "!", "make it 80 columns wide"),
        (80, {"TERM": "dumb"}, "!", "set TERM"),
        (80, {"PYTHONIOENCODING": "ascii"}, "!", "no Unicode (ascii)"),
    ],
)
def test_terminals(columns: int, environment: dict[str, str], state: str, part: str) -> None:
    from tests.cli.terminal import run_on_a_terminal

    script = (
        "from arena.cli.doctor import print_finding; from arena.cli.doctorplace import terminal; "
        "from arena.cli.show import console; print_finding(console(), terminal())"
    )
    shown = run_on_a_terminal([sys.executable, "-c", script], environment, columns=columns)
    assert state in shown
    assert part in shown


def test_no_terminal_is_fine() -> None:
    script = "from arena.cli.doctorplace import terminal; print(terminal().detail)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "none: output is plain and stays as it is\n"


def test_the_history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("arena.human.history")
    file = tmp_path / "deep" / "history.db"
    monkeypatch.setenv("ARENA_HISTORY", str(file))
    found = doctorplace.history()
    assert (found.state, found.detail) == ("ok", f"{file}, no games yet")
    assert not file.parent.exists()
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert doctorplace.history().state == "warning"
    file.parent.mkdir()
    file.write_text("words " * 200)
    bad = doctorplace.history()
    assert bad.state == "problem"
    assert "ARENA_HISTORY" in bad.remedy


def test_what_comes_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def after(state: State, files: int) -> list[str]:
        return doctorplace.next_steps([Finding("kernel cache", state, "", data={"files": files})])

    assert after("problem", 9) == ["arena doctor, once the problems are gone"]
    assert "compiles the engines, about half a minute" in after("ok", 0)[0]
    assert after("ok", 9) == [
        "arena match alphabeta mcts",
        "arena init, then arena run tournament.yaml",
    ]
