"""`arena doctor`: what it finds in a healthy place, and in places that are not."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from arena.doctor import Diagnosis, setup
from tests.cli.running import run, run_apart


@pytest.fixture(autouse=True)
def _no_child(monkeypatch: pytest.MonkeyPatch) -> None:
    """No process is started from here: tables of other tests come from a server of their own."""
    monkeypatch.setattr(setup, "child_answers", lambda method: 0.1)


def test_a_healthy_place() -> None:
    """In a process of its own, with everything."""
    done = run_apart("doctor", "--json")
    assert done.returncode == 0, done.stdout
    told = json.loads(done.stdout)
    assert told["ok"]
    found = {each["topic"]: each for each in told["findings"]}
    assert len(found) == len(told["findings"])  # no topic twice
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
    assert lines[-1] == "Next: arena run quickstart"


def ill(monkeypatch: pytest.MonkeyPatch, *diagnoses: Diagnosis) -> None:
    monkeypatch.setattr("arena.cli.doctor._setup", lambda: iter(diagnoses))


def test_a_problem_has_exit_code_1_and_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    well = Diagnosis("arena", "ok", "0.1.0")
    bad = Diagnosis("numba", "problem", "0.1, needed >=0.61", "get a new one")
    ill(monkeypatch, well, Diagnosis("load", "warning", "9.0", "wait"), bad)
    result = run("doctor")
    assert result.exit_code == 1
    assert "  ✗ numba          0.1, needed >=0.61" in result.stdout
    assert "remedy: get a new one" in result.stdout
    assert "Not ready: 1 problem, 1 warning." in result.stdout
    assert result.stdout.endswith("Next: arena doctor, once the problems are gone\n")
    told = run("doctor", "--json")
    assert told.exit_code == 1
    assert json.loads(told.stdout)["ok"] is False
    ill(monkeypatch, well, Diagnosis("load", "warning", "9.0", "wait"))
    assert run("doctor").exit_code == 0


def test_without_the_compiler_the_rest_is_still_looked_at() -> None:
    script = "import sys; sys.modules['numba'] = None; from arena.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", script, "doctor"], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (1, "")
    for part in ("✗ compiler", "✓ cores", "✓ terminal", "more do not load", "Not ready"):
        assert part in done.stdout
