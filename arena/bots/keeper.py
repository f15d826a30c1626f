"""The keeper of a bot: starts its program, reports how it ends, and kills what it leaves behind.

It runs as a script, `python -I -S keeper.py CONTROL PROGRAM ...`, and imports nothing of arena, so
that it starts at once. On the control socket it writes lines: `started PID`, `refused WHY`,
`ended CODE`. Every process below the program stays below the keeper, whatever group or session it
moves to. When the program has ended, or the owner is gone, the keeper kills them all. A stopped
program is continued at once: no bot can hold up another by a signal.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
import time
from contextlib import suppress

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # Linux, sys/prctl.h
# Sent by somebody else, these are ignored; a fault of the program still kills it.
FAULTS = [
    getattr(signal, name)
    for name in ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGSYS", "SIGABRT")
    if hasattr(signal, name)
]
ROUNDS = 200  # of killing, a few milliseconds apart
GROUP_ROUNDS = 3  # of them that kill no more than the program's group


def prctl(what: int, value: int) -> None:
    """Set the signal on the death of the parent, or adopt orphans; only Linux can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(what, value, 0, 0, 0)


def start(command: list[str], control: int) -> int:
    """Start the program in a group of its own; it dies with its keeper."""
    keeper = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setpgid(0, 0)
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGPIPE, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        for number in FAULTS:
            signal.signal(number, signal.SIG_IGN)
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() == keeper:  # or it has died meanwhile
            os.execvp(command[0], command)
    except OSError as error:
        os.write(control, f"refused {error.strerror}\n".encode())
    finally:
        os._exit(127)


def reap(program: int) -> int | None:
    """Reap ended children, continue a stopped program; its exit code if it has ended."""
    code = None
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG | os.WUNTRACED))[0]:
            pid, status = ended
            if os.WIFSTOPPED(status):
                with suppress(OSError):
                    os.kill(pid, signal.SIGCONT)
            elif pid == program:
                code = os.waitstatus_to_exitcode(status)
    return code


def descendants() -> list[int]:
    """Every process below this one."""
    parents: dict[int, int] = {}
    with suppress(OSError):
        for name in filter(str.isdigit, os.listdir("/proc")):
            with suppress(OSError), open(f"/proc/{name}/stat", "rb") as stat:
                parents[int(name)] = int(stat.read().rpartition(b")")[2].split()[1])
    below: set[int] = set()
    fresh = {os.getpid()}
    while fresh:
        fresh = {pid for pid, parent in parents.items() if parent in fresh} - below
        below |= fresh
    return [*below]


def kill_all(program: int) -> None:
    """Kill the program's group, then everything below the keeper, until it has no children.

    Orphans become its children. Most programs leave none, and to look for those of others is slow
    where many bots run.
    """
    for number in range(ROUNDS):
        with suppress(OSError):
            os.killpg(program, signal.SIGKILL)
        for pid in descendants() if number >= GROUP_ROUNDS else ():
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.002)


def keep(control: int, command: list[str]) -> None:
    """Run until the program or its owner is gone."""
    os.set_inheritable(control, False)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    prctl(PR_SET_PDEATHSIG, signal.SIGCONT)  # a stopped keeper has to clean up, too
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    program = start(command, control)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # only the program may hold them, or nobody sees that it closes them
        os.dup2(nothing, stream)
    os.write(control, f"started {program}\n".encode())
    look = select.poll()
    look.register(control, select.POLLIN)
    look.register(woken, select.POLLIN)
    code = None
    while code is None:
        ready = dict(look.poll())
        code = reap(program)
        if woken in ready:
            os.read(woken, 4096)
        if control in ready and code is None:
            break
    if code is not None:
        with suppress(OSError):
            os.write(control, f"ended {code}\n".encode())
    kill_all(program)


if __name__ == "__main__":
    keep(int(sys.argv[1]), sys.argv[2:])
