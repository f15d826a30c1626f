"""Runs in processes of their own, which tests kill and resume."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from arena.journal import Journal
from tests.support.stories import story


def start_run(folder: Path, text: str, *options: str) -> subprocess.Popen[str]:
    """A run in a session of its own, so that all its processes can be found."""
    file = folder / "kills.yaml"
    file.write_text(text + f"output: {folder}\n")
    command = [sys.executable, "-m", "arena", "run", str(file), "--no-report", *options]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        cwd=folder,
    )


def finish_run(run: subprocess.Popen[str], code: int = 0) -> str:
    """Wait for the end of a run; what it said on stdout."""
    out, err = run.communicate(timeout=120)
    assert run.returncode == code, err
    assert "Traceback" not in err
    return out


def stories(folder: Path) -> list[tuple[object, ...]]:
    """What must be the same in every run of the tournament."""
    with Journal.read(folder / "games.db") as journal:
        return [story(row) for row in journal.rows()]


def processes(session: int) -> dict[int, int]:
    """The living processes of a session, each with its parent."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent, _, its_session = stat.read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(its_session) == session and state != "Z":
            found[int(stat.parent.name)] = int(parent)
    return found


def table_processes(session: int) -> list[int]:
    """The processes in which games are played: the grandchildren of the run."""
    living = processes(session)
    return [pid for pid, parent in living.items() if living.get(parent) == session]


def count_games(folder: Path) -> int:
    """The number of games recorded so far."""
    try:
        with Journal.read(folder / "games.db") as journal:
            return journal.count()
    except Exception:  # the file is missing, or being created
        return 0


def wait_for_games(run: subprocess.Popen[str], folder: Path, wanted: int = 1) -> None:
    """Wait until so many games are recorded; a run that dies before has failed."""
    deadline = time.monotonic() + 60
    while count_games(folder) < wanted:
        assert run.poll() is None, run.communicate()[1]
        assert time.monotonic() < deadline, f"{count_games(folder)} of {wanted} games after 60 s"
        time.sleep(0.01)


def wait_until_gone(session: int) -> None:
    """Orphans leave by themselves."""
    deadline = time.monotonic() + 10
    while processes(session):
        assert time.monotonic() < deadline, "a process outlived its run"
        time.sleep(0.02)
