"""Shell completion: what each shell is told by the protocol that its script speaks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli.options import complete_tournaments
from arena.engine.registry import names
from tests.cli.running import run
from tests.cli.walking import everything, words
from tests.test_imports import HEAVY


def completed(*typed: str) -> list[str]:
    """What bash offers for the last of these words."""
    line = " ".join(("arena", *typed))
    asked = {"_ARENA_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(typed))}
    result = run(**asked)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout.split()


def test_commands_are_completed() -> None:
    assert set(completed("")) == {path[0] for path in everything()}
    assert completed("re") == ["report"]
    assert completed("bench", "k") == ["kernels"]


@pytest.mark.parametrize("path", everything(), ids=words)
def test_options_are_completed(path: tuple[str, ...]) -> None:
    offered = set(completed(*path, "--"))
    parameters = everything()[path].params
    options = {option for each in parameters for option in each.opts if option.startswith("--")}
    assert options | {"--help"} <= offered


def test_engines_are_completed_wherever_one_is_named() -> None:
    beginning = [name for name in names() if name.startswith("al")]
    assert beginning
    for typed in (
        ["match", "al"],
        ["match", "random", "al"],
        ["engines", "al"],
        ["check", "al"],
        ["explain", "--engine", "al"],
        ["play", "al"],
    ):
        assert completed(*typed) == beginning, typed


def test_a_file_is_an_engine_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for file in ("zbot.py", "zbot.txt", "zz/deep.py"):
        Path(file).parent.mkdir(exist_ok=True)
        Path(file).touch()
    assert completed("check", "z") == ["zbot.py"]
    assert completed("check", "zz/") == ["zz/deep.py"]
    assert completed("explain", "--engine", "q") == []  # the shell offers its own files


def test_tournaments_and_journals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    here = ("cup.yaml", "cups/a.yml", "cups/b.yaml", "cups/deep/c.yaml", "reports/cup/games.db")
    for file in (*here, "old.db", "cup.txt", "reports/cup/report.md"):
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).touch()
    assert completed("check", "cup") == ["cup.yaml", "cups/a.yml", "cups/b.yaml"]
    assert completed("check", "x.yaml", "cups/d") == ["cups/deep/c.yaml"]
    assert completed("report", "rep") == ["reports/cup/games.db"]
    offered = ["cup.yaml", "cups/a.yml", "cups/b.yaml", "old.db", "reports/cup/games.db"]
    assert completed("games", "") == offered
    assert completed("rate", "o") == ["old.db"]


def test_signs_that_a_pattern_knows_are_taken_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("[x]").mkdir()
    Path("[x]/cup.yaml").touch()
    assert complete_tournaments("[x]/") == ["[x]/cup.yaml"]
    assert complete_tournaments("*") == []


def test_levels_are_completed() -> None:
    assert completed("play", "--level", "e") == ["easy"]


def test_zsh_and_fish_are_told_what_commands_are_for() -> None:
    asked = {"_TYPER_COMPLETE_ARGS": "arena doc", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    told = run(_ARENA_COMPLETE="complete_zsh", **asked)
    assert told.stdout.startswith('_arguments \'*: :(("doctor":"Check your setup')
    told = run(_ARENA_COMPLETE="complete_fish", **asked)
    assert told.stdout.startswith("doctor\tCheck your setup")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_and_where_they_are_installed(
    shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("typer.completion._get_shell_name", lambda: shell)
    monkeypatch.setattr("typer._completion_shared._get_shell_name", lambda: shell)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    shown = run("--show-completion")
    assert shown.exit_code == 0
    assert f"_ARENA_COMPLETE=complete_{shell}" in shown.stdout
    installed = run("--install-completion")
    assert installed.exit_code == 0
    assert f"{shell} completion installed in {tmp_path}" in installed.stdout
    files = [file for file in tmp_path.rglob("*arena*") if file.is_file()]
    assert [shown.stdout.strip() in file.read_text() for file in files] == [True]
    source = run(_ARENA_COMPLETE=f"source_{shell}")
    assert source.stdout.strip() == shown.stdout.strip()


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_itself_completes(tmp_path: Path) -> None:
    arena = tmp_path / "arena"
    arena.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m arena "$@"\n')
    arena.chmod(0o755)
    script = f"""
    export PATH="{tmp_path}:$PATH"
    eval "$(_ARENA_COMPLETE=source_bash arena)"
    COMP_WORDS=(arena match ran) COMP_CWORD=2
    _arena_completion arena
    echo "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        ["bash", "--norc", "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == [name for name in names() if name.startswith("ran")]


def test_completing_engines_loads_none() -> None:
    script = f"""
import sys
from arena.cli.options import complete_engines, complete_journals, complete_tournaments
assert [each("") for each in (complete_engines, complete_journals, complete_tournaments)]
print([module for module in (*{HEAVY!r}, "engines") if module in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=os.environ
    )
    assert done.stdout == "[]\n"
