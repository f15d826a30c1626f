"""Clusters of real processes, and what a tournament leaves that was played on them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.journal import Journal
from arena.table.game import Game, MoveRecord

STARTED_WITHIN = 60.0  # seconds, on a busy machine
DASK = [sys.executable, "-c", "from dask.__main__ import main; main()"]
ARENA = [sys.executable, "-c", "from arena.cli import main; main()", "run"]
QUIETLY = ["--plain", "--no-report", "--json"]


@contextmanager
def process(command: Sequence[str], folder: Path, **environment: str) -> Iterator[int]:
    """A process that is killed in the end; its number."""
    environment = {**os.environ, "DASK_LOGGING__DISTRIBUTED": "critical", **environment}
    with (folder / "printed.txt").open("ab") as printed:
        started = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=printed, stderr=printed
        )
    try:
        yield started.pid
    finally:
        started.kill()
        started.wait()


@contextmanager
def scheduler(folder: Path) -> Iterator[str]:
    """A scheduler in a process of its own; its address."""
    file = folder / "scheduler.json"
    own = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    with process([*DASK, "scheduler", *own], folder):
        until = time.monotonic() + STARTED_WITHIN
        while not file.exists() or not file.read_text().endswith("}"):
            assert time.monotonic() < until, (folder / "printed.txt").read_text()
            time.sleep(0.05)
        yield str(json.loads(file.read_text())["address"])


@contextmanager
def worker(address: str, folder: Path, threads: int = 1, **environment: str) -> Iterator[int]:
    """A worker in a process of its own; its number."""
    own = ["--nthreads", str(threads), "--no-nanny", "--no-dashboard"]
    place = ["--local-directory", str(folder / "scratch")]
    with process([*DASK, "worker", address, *own, *place], folder, **environment) as number:
        yield number


def arena_run(file: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Play a tournament file as a user does."""
    return subprocess.run(
        [*ARENA, str(file), *QUIETLY, *words], cwd=file.parent, env={**os.environ, **environment},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def started(file: Path, *words: str) -> subprocess.Popen[str]:
    """A run that goes on while the test does, in a group of its own as a terminal has it."""
    command = [*ARENA, str(file), *QUIETLY, *words]
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "start_new_session": True}
    return subprocess.Popen(command, cwd=file.parent, text=True, **pipes)  # type: ignore[call-overload, no-any-return]


def games_in(events: Path) -> list[dict[str, Any]]:
    """The games that a run has told of so far."""
    lines = events.read_text().splitlines(keepends=True) if events.exists() else []
    told = [json.loads(line) for line in lines if line.endswith("\n")]
    return [event for event in told if event["event"] == "game over"]


def until_games_are_told(events: Path, client: subprocess.Popen[str], tables: set[int]) -> None:
    """Wait until games of all these tables are over."""
    while not tables <= {each["table"] for each in games_in(events)}:
        assert client.poll() is None
        time.sleep(0.05)


def without_times(output: Path) -> list[tuple[Game, list[MoveRecord]]]:
    """All games in order, but for what depends on a clock."""
    with Journal.read(output) as journal:
        rows = sorted(journal.rows(), key=lambda row: row.number)
    return [
        (
            replace(row, started=0.0, seconds=0.0, telemetry=b""),
            [move._replace(seconds=0.0, cpu=0.0) for move in row.move_records()],
        )
        for row in rows
    ]
