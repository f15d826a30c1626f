"""What the system tells about a process, and what every process of ours needs to stand on."""

from __future__ import annotations

import os
import signal

OUTSIDE = [
    getattr(signal, name)
    for name in ("SIGKILL", "SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR1", "SIGUSR2")
    if hasattr(signal, name)
]
UNKNOWN_END = 255  # the exit code of a process whose end nobody could observe
MEGABYTE = 2**20


def stand_somewhere() -> None:
    """Go to the root where the working directory was removed: much of Python asks where it is."""
    try:
        os.getcwd()
    except FileNotFoundError:
        os.chdir(os.sep)


def is_stopped(pid: int | None) -> bool:
    """Whether somebody has stopped it, where the system tells."""
    return _state(pid) in ("T", "t")


def is_ready(pid: int | None) -> bool:
    """Whether its main thread runs or waits for a processor, and does not sleep."""
    return _state(pid) == "R"


def is_from_outside(exitcode: int | None, forked_from: int | None) -> bool:
    """Whether a process ended by a signal that is never raised by mistake.

    Where the process it was forked from was killed as well, how it ended is not known.
    """
    if exitcode == UNKNOWN_END and forked_from and _state(os.getpid()):
        return _state(forked_from) in ("", "Z")
    return exitcode is not None and -exitcode in OUTSIDE


def how_it_ended(exitcode: int | None) -> str:
    """An exit code in words."""
    if exitcode is not None and exitcode < 0:
        try:
            return f"killed by {signal.Signals(-exitcode).name}"
        except ValueError:
            return f"killed by signal {-exitcode}"
    return f"left with exit code {exitcode}"


def megabytes(pid: int | None) -> float:
    """The memory in use, where the system tells."""
    try:
        with open(f"/proc/{pid}/statm") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MEGABYTE
    except (OSError, ValueError, IndexError, AttributeError):
        return 0.0


def fork_server() -> int | None:
    """The process that tables are forked from, if there is one."""
    from multiprocess.forkserver import _forkserver

    pid: int | None = _forkserver._forkserver_pid
    return pid


def _state(pid: int | None) -> str:
    """What a process is doing, as the letter the system has for it; "" where it does not tell."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return ""
