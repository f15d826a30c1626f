"""The doctor on software and machine: versions, engines, small and busy machines, terminals."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import EntryPoint, PackageNotFoundError
from pathlib import Path

import psutil
import pytest

from arena.doctor import Diagnosis, State, setup
from arena.doctor.setup import meets, requirements
from arena.errors import EngineFailure
from tests.terminal import shown_on_a_terminal


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


def test_without_packaging_any_version_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "packaging.specifiers", None)
    assert meets("0.1", ">=9")
    assert requirements()


def test_what_is_needed_is_what_is_declared_and_what_the_compiler_stands_on() -> None:
    import tomllib

    declared = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    expected = {line.split(">=")[0] for line in declared["project"]["dependencies"]}
    found = dict(requirements())
    assert found.keys() == expected | {"llvmlite"}
    assert all(">=" in wanted for wanted in found.values())


def versions(monkeypatch: pytest.MonkeyPatch, **known: str) -> None:
    def version(name: str) -> str:
        if name not in known:
            raise PackageNotFoundError(name)
        return known[name]

    monkeypatch.setattr(setup, "version", version)


def test_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    versions(monkeypatch, numba="0.60", rich="15.0")
    old = setup.package("numba", ">=0.61")
    assert (old.state, old.detail) == ("problem", "0.60, needed >=0.61")
    assert old.remedy == "python -m pip install --upgrade 'numba>=0.61'"
    assert setup.package("rich", ">=14.3").state == "ok"
    assert setup.package("numpy", ">=2.0").state == "problem"
    plots = setup.package("matplotlib", ">=3.10")
    assert (plots.state, plots.detail) == ("warning", "not installed: reports have no plots")


def test_an_arena_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    versions(monkeypatch)
    found = setup.installation()
    assert found.state == "problem"
    assert "pip install -e ." in found.remedy
    versions(monkeypatch, **{"connect-arena": "0.0.1"})
    assert setup.installation().state == "warning"


def test_an_old_python() -> None:
    found = setup.python(">=99.1")
    assert found.state == "problem"
    assert "needed >=99.1" in found.detail
    assert setup.python().state == "ok"


def engines(monkeypatch: pytest.MonkeyPatch, found: dict[str, object]) -> list[Diagnosis]:
    monkeypatch.setattr(setup, "load_all", lambda: found)
    return list(setup.examine_engines())


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
    monkeypatch.setattr(setup, "entry_points", lambda group: points)
    assert engines(monkeypatch, {"mcts": object()})[-1].detail == "mcts is offered as a:A and b:B"


def test_a_machine_that_is_small_or_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "usable_cores", lambda: 4)
    monkeypatch.setattr(setup, "free_memory", lambda: 700e6)
    monkeypatch.setattr(psutil, "getloadavg", lambda: (5.0, 1.0, 1.0))
    load, memory = setup.load(), setup.memory()
    assert [each.state for each in (load, memory)] == ["warning"] * 2
    assert "--workers 2" in memory.remedy
    monkeypatch.setattr(setup, "free_memory", lambda: 9e9)
    assert setup.memory().state == "ok"


def test_no_process_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(method: str) -> float:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(setup, "child_answers", fails)
    found = setup.processes()
    assert found.state == "problem"
    assert "Resource temporarily unavailable" in found.detail


SILENT_CHILD = """
import time
from arena.doctor import setup
setup._answer = time.sleep  # which does not take a pipe, and so answers nothing
try:
    setup.child_answers("spawn")
except ChildProcessError as error:
    print(error)
"""


def test_a_child_that_does_not_answer_is_told() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SILENT_CHILD], capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "the child has ended without an answer\n"


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
    script = (
        "from arena.cli.doctor import _print_diagnosis; "
        "from arena.doctor.setup import terminal; "
        "from arena.show.terminal import console; _print_diagnosis(console(), terminal())"
    )
    shown = shown_on_a_terminal("-c", script, size=(columns, 24), **environment)
    assert state in shown
    assert part in shown


def test_no_terminal_is_fine() -> None:
    script = "from arena.doctor.setup import terminal; print(terminal().detail)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "none: output is plain and stays as it is\n"


def test_the_history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "deep" / "history.db"
    monkeypatch.setenv("ARENA_HISTORY", str(file))
    found = setup.history()
    assert (found.state, found.detail) == ("ok", f"{file}, no games yet")
    assert not file.parent.exists()
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert setup.history().state == "warning"
    file.parent.mkdir()
    file.write_text("words " * 200)
    bad = setup.history()
    assert bad.state == "problem"
    assert "ARENA_HISTORY" in bad.remedy


def test_what_comes_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def after(state: State, files: int) -> list[str]:
        return setup.next_steps([Diagnosis("kernel cache", state, "", data={"files": files})])

    assert after("problem", 9) == ["arena doctor, once the problems are gone"]
    assert "compiles the engines, about half a minute" in after("ok", 0)[0]
    assert after("ok", 9) == [
        "arena match alphabeta mcts",
        "arena run quickstart",
    ]
