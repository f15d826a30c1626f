"""What the system tells: the machine and its load, recorded with every run, and other processes.

Nothing of it says whose machine it is.
"""

from __future__ import annotations

import math
import os
import platform
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import psutil

NOTICED = 0.5  # cores that others use
PACKAGES = ("numpy", "numba", "llvmlite", "multiprocess", "pydantic", "pyyaml")
OUTSIDE = [  # signals that no mistake of a program raises
    getattr(signal, name)
    for name in ("SIGKILL", "SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR1", "SIGUSR2")
    if hasattr(signal, name)
]
UNKNOWN_END = 255  # the exit code of a process whose end nobody could observe
GONE = ("", psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
GONE_WITHIN = 0.5  # seconds that a killed process takes to be gone, on a busy machine
MEGABYTE = 2**20
PROC = "/proc"
IN_MEMORY = ("/memfd:", "/dev/shm/")  # how the names of files begin that no disk keeps
BLOCK = 512  # bytes, the unit of st_blocks

File = tuple[int, int]  # the device and the number of a file, alike for all who hold it


def environment() -> dict[str, Any]:
    """What the figures of a run depend on, ready for JSON."""
    return {
        "arena": _version("connect-arena"),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processor": processor(),
        "cores": os.cpu_count() or 1,
        "usable_cores": usable_cores(),
        "sqlite": sqlite3.sqlite_version,
        **{name: _version(name) for name in PACKAGES},
    }


def usable_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def processor() -> str:
    """The processor as its maker calls it, or the best that the system tells."""
    name = _from_sysctl() if sys.platform == "darwin" else _from_cpuinfo(Path("/proc/cpuinfo"))
    return name or platform.processor() or platform.machine() or "unknown"


def _from_cpuinfo(file: Path) -> str:
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name.strip() in ("model name", "Model", "cpu model"):
            return " ".join(value.split())
    return ""


def _from_sysctl() -> str:
    command = ["sysctl", "-n", "machdep.cpu.brand_string"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


@cache
def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def cores_in_use(seconds: float = 0.1) -> float:
    """How many cores are at work while this thread sleeps for so long."""
    return (os.cpu_count() or 1) * psutil.cpu_percent(interval=seconds) / 100


def crowding(tables: int, cores: int, others: float, seconds: float | None = None) -> str | None:
    """Why limits by the clock are unfair here, and what helps; None if there is room for all.

    `others` is how many cores are at work already, `seconds` the limit of a move.
    """
    reasons = []
    if others >= NOTICED and tables + others > cores - NOTICED:
        reasons.append(f"{others:.1f} of {cores} cores are at work for others")
    if tables >= cores:
        count = "1 table leaves" if tables == 1 else f"{tables} tables leave"
        reasons.append(f"{count} {'no core' if cores == 1 else f'none of {cores} cores'} free")
    if not reasons:
        return None
    room = max(1, int(cores - max(others, NOTICED)))
    fewer = f"--workers {room} gives them more, " if room < tables else ""
    limit = ".." if seconds is None else f"{seconds:g}"
    return (
        f"limits are by the clock, and {' and '.join(reasons)}: engines may get less than their "
        f"time; {fewer}limits: {{cpu: {limit}}} counts the same on any load"
    )


class WatchedProcess:
    """A process of ours, as the system sees it; of one that is gone it knows nothing more."""

    def __init__(self, pid: int) -> None:
        self.system: psutil.Process | None = None
        with suppress(psutil.Error):
            self.system = psutil.Process(pid)

    @property
    def state(self) -> str:
        """What it is doing, in the words of psutil; "" if it is gone."""
        try:
            return "" if self.system is None else self.system.status()
        except psutil.Error:
            return ""

    @property
    def is_stopped(self) -> bool:
        """Whether somebody has stopped it."""
        return self.state in (psutil.STATUS_STOPPED, psutil.STATUS_TRACING_STOP)

    @property
    def is_ready(self) -> bool:
        """Whether its main thread runs or waits for a processor, and does not sleep."""
        return self.state == psutil.STATUS_RUNNING

    @property
    def megabytes(self) -> float:
        """The memory in use."""
        try:
            return 0.0 if self.system is None else self.system.memory_info().rss / MEGABYTE
        except psutil.Error:
            return 0.0


def tree_megabytes(pid: int, allowed: float = math.inf) -> float:
    """The memory of a process and of all that descend from it, mapped or only held open as a file.

    It is a quick sum, in which pages that they share count for each. Only where it exceeds
    `allowed` they are counted once, which takes milliseconds. Processes that are gone use nothing.
    """
    if not os.path.exists(f"{PROC}/thread-self/children"):
        return _tree_by_psutil(pid)
    tree = process_tree(pid)
    files: dict[File, int] = {}
    for process in tree:
        files.update(_files_in_memory(process))
    held = sum(files.values())
    megabytes = (held + sum(map(_resident, tree))) / MEGABYTE
    if megabytes <= allowed:
        return megabytes
    return (held + sum(_share(process, files) for process in tree)) / MEGABYTE


def process_tree(pid: int) -> list[int]:
    """A process and all that descend from it, as far as they are there."""
    if not os.path.exists(f"{PROC}/thread-self/children"):
        with suppress(psutil.Error):
            below = psutil.Process(pid).children(recursive=True)
            return [pid, *(process.pid for process in below)]
        return []
    return list(dict.fromkeys(_tree(pid)))


def _tree(pid: int) -> Iterator[int]:
    """A process and its descendants, as far as they are there."""
    yield pid
    with suppress(OSError):
        for thread in os.listdir(f"{PROC}/{pid}/task"):
            for child in _read(f"{PROC}/{pid}/task/{thread}/children").split():
                yield from _tree(int(child))


def _read(path: str) -> str:
    """The text of a small file of the system; "" of a process that is gone or not ours."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read().decode(errors="replace")
    except OSError:
        return ""


def _resident(pid: int) -> int:
    """Bytes of a process that are in memory."""
    fields = _read(f"{PROC}/{pid}/statm").split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") if fields else 0


def _files_in_memory(pid: int) -> dict[File, int]:
    """Bytes of the files that a process holds open and that exist in memory alone."""
    files: dict[File, int] = {}
    folder = f"{PROC}/{pid}/fd"
    with suppress(OSError):
        for name in os.listdir(folder):
            with suppress(OSError):
                if os.readlink(f"{folder}/{name}").startswith(IN_MEMORY):
                    status = os.stat(f"{folder}/{name}")
                    files[status.st_dev, status.st_ino] = status.st_blocks * BLOCK
    return files


def _share(pid: int, files: dict[File, int]) -> int:
    """Bytes of a process, of pages that it shares its part, without what it maps of `files`."""
    kilobytes, text = 0, _read(f"{PROC}/{pid}/smaps")
    mapped: File = (0, 0)
    for line in text.splitlines():
        fields = line.split(maxsplit=5)
        if "-" in fields[0]:
            major, minor = (int(part, 16) for part in fields[3].split(":"))
            mapped = (os.makedev(major, minor), int(fields[4]))
        elif fields[0] == "Pss:" and mapped not in files:
            kilobytes += int(fields[1])
    return kilobytes * 1024 if text else _resident(pid)


def _tree_by_psutil(pid: int) -> float:
    """The same where the system shows no files of processes: what is resident."""
    with suppress(psutil.Error):
        root = psutil.Process(pid)
        tree = [root, *root.children(recursive=True)]
        return sum(WatchedProcess(process.pid).megabytes for process in tree)
    return 0.0


def is_killed(exitcode: int | None, forked_from: int | None) -> bool:
    """Whether a process ended by a signal from outside, which no mistake of its own raises.

    Where the process it was forked from was killed as well, how it ended is not known.
    """
    if exitcode != UNKNOWN_END or not forked_from:
        return exitcode is not None and -exitcode in OUTSIDE
    parent, until = WatchedProcess(forked_from), time.monotonic() + GONE_WITHIN
    while parent.state not in GONE and time.monotonic() < until:
        time.sleep(0.01)  # its pipes close a moment before it is gone
    return parent.state in GONE


def ended_process(exitcode: int | None) -> str:
    """The end of a process as a sentence: "its process was killed by SIGSEGV"."""
    is_killed = exitcode is not None and exitcode < 0
    return f"its process {'was ' if is_killed else ''}{how_it_ended(exitcode)}"


def how_it_ended(exitcode: int | None) -> str:
    """An exit code in words."""
    if exitcode is not None and exitcode < 0:
        try:
            return f"killed by {signal.Signals(-exitcode).name}"
        except ValueError:
            return f"killed by signal {-exitcode}"
    return f"left with exit code {exitcode}"
