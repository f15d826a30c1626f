"""The keeper of a seat: starts a program, tells how it ended, and ends all that it left behind.

It runs as a script, `python -I -S keeper.py CONTROL PROGRAM ...`, and imports nothing of ours, so
that it starts at once. On the control socket it writes three kinds of lines: `started PID`,
`refused WHY` and `ended CODE`. When the program has ended, or nobody holds the other end of the
socket any more, everything that descends from the program is killed, whatever group or session it
has moved to; so nothing is left behind, even if the owner was killed itself.
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
ROUNDS = 200  # in which descendants are looked for and killed, a few milliseconds apart


def set_process_control(what: int, value: int) -> None:
    """Ask the system to do something on the death of a parent; other systems know no such thing."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(what, value, 0, 0, 0)


def start(command: list[str], control: int) -> int:
    """Start the program in a group of its own; it dies with its keeper."""
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setpgid(0, 0)
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGPIPE, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        set_process_control(PR_SET_PDEATHSIG, signal.SIGKILL)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(control, f"refused {error.strerror}\n".encode())
    finally:
        os._exit(127)


def reap(program: int) -> int | None:
    """Take leave of all who have ended; the exit code of the program if it is among them."""
    code = None
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return code
        if not pid:
            return code
        if pid == program:
            code = os.waitstatus_to_exitcode(status)


def descendants() -> list[int]:
    """Every process below this one: by its parents, as the system lists them."""
    parents: dict[int, int] = {}
    try:
        numbers = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []
    for number in numbers:
        try:
            with open(f"/proc/{number}/stat", "rb") as file:
                parents[number] = int(file.read().rpartition(b")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
    below, reached = [], {os.getpid()}
    while fresh := [number for number, parent in parents.items() if parent in reached - {number}]:
        fresh = [number for number in fresh if number not in reached]
        if not fresh:
            break
        reached.update(fresh)
        below += fresh
    return below


def end_all(program: int) -> None:
    """Kill the program's group and all that descends from it, until nothing is left."""
    for _ in range(ROUNDS):
        for kill, number in [(os.killpg, program), *((os.kill, pid) for pid in descendants())]:
            try:
                kill(number, signal.SIGKILL)
            except OSError:
                continue
        reap(program)
        if not descendants():
            return
        time.sleep(0.002)


def keep(control: int, command: list[str]) -> None:
    """The keeper's life: until the program or its owner is gone."""
    os.set_inheritable(control, False)
    set_process_control(PR_SET_CHILD_SUBREAPER, 1)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    program = start(command, control)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # the program has them now, and must be the only one
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
    end_all(program)


if __name__ == "__main__":
    keep(int(sys.argv[1]), sys.argv[2:])
