"""The doctor on the place: terminals, the history of games, and what comes next."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.doctor import Diagnosis, State, surroundings
from tests.terminal import shown_on_a_terminal


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
        "from arena.cli.actions.doctor import print_diagnosis; "
        "from arena.doctor.surroundings import terminal; "
        "from arena.show.terminal import console; print_diagnosis(console(), terminal())"
    )
    shown = shown_on_a_terminal("-c", script, size=(columns, 24), **environment)
    assert state in shown
    assert part in shown


def test_no_terminal_is_fine() -> None:
    script = "from arena.doctor.surroundings import terminal; print(terminal().detail)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "none: output is plain and stays as it is\n"


def test_the_history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "deep" / "history.db"
    monkeypatch.setenv("ARENA_HISTORY", str(file))
    found = surroundings.history()
    assert (found.state, found.detail) == ("ok", f"{file}, no games yet")
    assert not file.parent.exists()
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert surroundings.history().state == "warning"
    file.parent.mkdir()
    file.write_text("words " * 200)
    bad = surroundings.history()
    assert bad.state == "problem"
    assert "ARENA_HISTORY" in bad.remedy


def test_what_comes_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def after(state: State, files: int) -> list[str]:
        return surroundings.next_steps(
            [Diagnosis("kernel cache", state, "", data={"files": files})]
        )

    assert after("problem", 9) == ["arena doctor, once the problems are gone"]
    assert "compiles the engines, about half a minute" in after("ok", 0)[0]
    assert after("ok", 9) == [
        "arena match alphabeta mcts",
        "arena run quickstart",
    ]
