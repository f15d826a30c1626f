"""A program under its keeper (keeper.py), as its owner has it: how it ended, and the end of it all.

A program could stop or kill its keeper. So whatever it starts inherits a mark in its environment,
by which the owner finds and ends what such a keeper could not.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path

import psutil

from arena.engine.errors import Fault
from arena.errors import EngineFailure
from arena.machine import OUTSIDE, ended_process
from arena.text import printable

KEEPER = str(Path(__file__).with_name("keeper.py"))
KEEPER_STARTS = 20.0  # seconds; our own code, on a machine that may be very busy
KEEPER_ENDS = 5.0  # seconds
KILLED = -signal.SIGKILL
MARK = "ARENA_SEAT"  # the name of the mark
ROUNDS = 20  # in which marked processes are looked for and killed
SEATS = count(1)


def death(code: int) -> Fault:
    """The fault of an engine whose process has ended; maybe somebody else has killed it."""
    if -code in OUTSIDE:
        words = f"its process was killed from outside ({signal.Signals(-code).name})"
        return Fault("crash", words, is_from_outside=True)
    return Fault("crash", ended_process(code))


class KeptProgram:
    """A program with these standard streams, in a session of its own."""

    def __init__(
        self,
        command: Sequence[str],
        streams: tuple[int, int, int],
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.command = [*command]
        self.refused = ""  # why the system does not run it
        self.code: int | None = None  # with which it has ended
        self._messages = b""
        self._mark = f"{os.getpid()}-{next(SEATS)}-{time.time_ns()}"
        self.control, theirs = socket.socketpair()
        keeper = [sys.executable, "-I", "-S", KEEPER, str(theirs.fileno()), *command]
        marked = {**(os.environ if environment is None else environment), MARK: self._mark}
        try:
            self._keeper = subprocess.Popen(
                keeper, stdin=streams[0], stdout=streams[1], stderr=streams[2], cwd=folder,
                env=marked, pass_fds=(theirs.fileno(),), start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            self.control.close()
            where = command[0] if error.filename is None else error.filename
            raise EngineFailure(f"{printable(str(where))}: {error.strerror}") from None
        finally:
            theirs.close()
        self._poll = select.poll()
        self._poll.register(self.control, select.POLLIN)
        try:
            self.pid = self._read_pid()
        except (EngineFailure, Fault):
            self.end()
            raise

    @property
    def keeper(self) -> int:
        """The number of the keeper's process, from which all that is the program's descends."""
        return self._keeper.pid

    def hear(self, seconds: float = 0.0) -> bool:
        """Take in what the keeper says of the program; whether there was anything."""
        if self.control.fileno() < 0 or not self._poll.poll(seconds * 1000):
            return False
        news = self.control.recv(4096)
        self._messages += news
        for line in self._messages.decode(errors="replace").splitlines():
            word, _, rest = line.partition(" ")
            if word == "refused":
                self.refused = rest
            elif word == "ended":
                self.code = int(rest)
        if not news and self.code is None:
            self.code = KILLED  # the keeper itself is gone, and the program with it
        return bool(news)

    def end(self) -> None:
        """End the program and all that it has started."""
        self.control.close()  # which the keeper notices
        self._keeper.send_signal(signal.SIGCONT)
        try:
            self._keeper.wait(KEEPER_ENDS)
        except subprocess.TimeoutExpired:
            self._keeper.kill()
            self._keeper.wait()
        if self._keeper.returncode:
            self._end_marked()

    def _read_pid(self) -> int:
        """The number of the program's process, which the keeper tells first."""
        until = time.perf_counter() + KEEPER_STARTS
        while b"started" not in self._messages or not self._messages.endswith(b"\n"):
            if not self.hear(max(0.0, until - time.perf_counter())):
                if self.code is not None:
                    raise death(self.code)
                raise EngineFailure(f"{printable(self.command[0])}: cannot be started")
        return int(self._messages.split(b"started ", 1)[1].split(b"\n", 1)[0])

    def _end_marked(self) -> None:
        """Kill all that inherited the mark, until nothing is left: the keeper was killed itself."""
        for _ in range(ROUNDS):
            marked = [process for process in psutil.process_iter() if self._is_marked(process)]
            if not marked:
                return
            for process in marked:
                with suppress(psutil.Error):
                    process.kill()
            time.sleep(0.002)

    def _is_marked(self, process: psutil.Process) -> bool:
        try:
            return process.environ().get(MARK) == self._mark
        except (psutil.Error, OSError):
            return False
