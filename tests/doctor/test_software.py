"""The doctor on software: versions, packages and engines that do and do not load."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint, PackageNotFoundError
from pathlib import Path

import pytest

from arena.doctor import Diagnosis, software
from arena.doctor.software import meets, needed
from arena.errors import EngineFailure


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
    assert needed()


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

    monkeypatch.setattr(software, "version", version)


def test_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    versions(monkeypatch, numba="0.60", rich="15.0")
    old = software.package("numba", ">=0.61")
    assert (old.state, old.detail) == ("problem", "0.60, needed >=0.61")
    assert old.remedy == "python -m pip install --upgrade 'numba>=0.61'"
    assert software.package("rich", ">=14.3").state == "ok"
    assert software.package("numpy", ">=2.0").state == "problem"
    plots = software.package("matplotlib", ">=3.10")
    assert (plots.state, plots.detail) == ("warning", "not installed: reports have no plots")


def test_an_arena_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    versions(monkeypatch)
    found = software.arena_itself()
    assert found.state == "problem"
    assert "pip install -e ." in found.remedy
    versions(monkeypatch, **{"connect-arena": "0.0.1"})
    assert software.arena_itself().state == "warning"


def test_an_old_python() -> None:
    found = software.python(">=99.1")
    assert found.state == "problem"
    assert "needed >=99.1" in found.detail
    assert software.python().state == "ok"


def engines(monkeypatch: pytest.MonkeyPatch, found: dict[str, object]) -> list[Diagnosis]:
    monkeypatch.setattr(software, "load_all", lambda: found)
    return list(software.examine_engines())


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
    monkeypatch.setattr(software, "entry_points", lambda group: points)
    assert engines(monkeypatch, {"mcts": object()})[-1].detail == "mcts is offered as a:A and b:B"
