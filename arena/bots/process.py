"""A program at the end of two pipes: lines go in, lines come out, and nothing of it is left behind.

It runs under a keeper (keeper.py), in a session of its own. Answers are waited for with `poll` on
the descriptors; what it says on stderr goes into a file of which the end is kept.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import time
from array import array
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from time import perf_counter

import psutil

from arena.engine.errors import Fault
from arena.errors import EngineFailure
from arena.machine import MEGABYTE, OUTSIDE, UNKNOWN, ended_process, tree_megabytes
from arena.text import printable, printable_lines
from arena.timing import PAUSES, Deadline, Process

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


LOOK_EVERY = 0.2  # seconds between looks at memory and at what was printed
LONGEST_LINE = MEGABYTE
LOG_KEPT, LOG_BOUND = 4096, 64 * MEGABYTE  # bytes of what it printed
FAREWELL = 0.2  # seconds to leave by itself
LISTENS = 1.0  # seconds in which it should read what is said
CLOSES = 1.0  # seconds between the end of its output and its own, on a busy machine
CHUNK = 65536
MOST_UNASKED = 16  # chunks, of one that never stops talking
BYTE_ORDER_MARK = "\ufeff"  # what programs for Windows may begin to write with


class SeatProcess:
    """The owner's side of a program: start it, send and read lines, end it."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path | None = None,
        memory: int | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.memory = memory
        self.dialogue: deque[str] = deque(maxlen=16)  # the last lines: "< sent", "> received"
        self._received = bytearray()
        self._looked = perf_counter()
        self._log = _log_file()
        theirs, self._input = os.pipe()
        self._output, answers = os.pipe()
        try:
            self._program = KeptProgram(command, (theirs, answers, self._log), folder, environment)
        except (EngineFailure, Fault):
            for descriptor in (self._input, self._output, self._log):
                os.close(descriptor)
            raise
        finally:
            os.close(theirs)
            os.close(answers)
        os.set_blocking(self._input, False)
        os.set_blocking(self._output, False)
        self._room = select.poll()
        self._room.register(self._input, select.POLLOUT)
        self._poll = select.poll()
        self._poll.register(self._output, select.POLLIN)
        self._poll.register(self._program.control, select.POLLIN)
        self.meter = Process(self._program.pid, self._program.keeper)
        PAUSES.watch()

    def deadline(self, seconds: float, forgiven: float = 0.0, is_move: bool = True) -> Deadline:
        """A deadline from now on; later by waits for a processor if these are forgiven."""
        before = UNKNOWN
        if forgiven:
            before = self.meter.last if is_move else self.meter.schedstat()
        return Deadline(perf_counter(), seconds, self.meter, forgiven, before, is_move)

    def send(self, line: str) -> None:
        """Say one line; whoever does not listen is found out when an answer is waited for."""
        self.dialogue.append(f"< {line}")
        rest = f"{line}\n".encode()
        until = perf_counter() + LISTENS
        while rest:
            try:
                rest = rest[os.write(self._input, rest) :]
            except BlockingIOError:
                if perf_counter() > until:
                    return
                self._room.poll(1000 * LOOK_EVERY)
            except OSError:  # it has closed its end, or is gone
                return

    def read(self, deadline: Deadline) -> str:
        """The next line it says, without its end; a Fault if none comes in time."""
        while (end := self._received.find(b"\n")) < 0:
            if len(self._received) > LONGEST_LINE:
                raise Fault("illegal move", f"wrote a line of more than {LONGEST_LINE} bytes")
            self._receive(deadline)
        line = self._received[:end].decode(errors="replace").removesuffix("\r")
        del self._received[: end + 1]
        line = line.removeprefix(BYTE_ORDER_MARK)
        self.dialogue.append(f"> {line}")
        return line

    def pass_over(self) -> None:
        """Forget all that it has said unasked: nothing of it answers what is said from now on."""
        for _ in range(MOST_UNASKED):
            try:
                if not os.read(self._output, CHUNK):
                    break
            except BlockingIOError:
                break
        self._received.clear()

    def wait_until_read(self, deadline: Deadline, is_answer: Callable[[str], bool]) -> None:
        """Wait until it has taken in all that it was sent, or has answered without.

        Of a program that nobody has taught to say that it is ready, this is the sign.
        """
        while self._unread():
            if self._poll.poll(1):
                self._receive(deadline)
                said = self._received.decode(errors="replace").split("\n")[:-1]
                if len(self._received) > LONGEST_LINE or any(map(is_answer, said)):
                    return
            self._check(deadline, perf_counter())

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended and was not closed."""
        self._program.hear()
        return self._program.code is None and self._input >= 0

    def printed(self) -> str:
        """The end of what it said on stderr in this game."""
        if self._log < 0:
            return ""
        start = max(0, os.fstat(self._log).st_size - LOG_KEPT)
        return printable_lines(os.pread(self._log, LOG_KEPT, start).decode(errors="replace"))

    def forget_printed(self) -> None:
        """What it has said on stderr so far belongs to another game."""
        if os.fstat(self._log).st_size:
            os.ftruncate(self._log, 0)

    def last_lines(self, count: int = 6) -> str:
        """The end of the dialogue, for a sentence: < what it was told, > what it said."""
        lines = [printable(line if len(line) <= 120 else f"{line[:117]}...")
                 for line in [*self.dialogue][-count:]]  # fmt: skip
        return " | ".join(lines) or "nothing was said"

    def close(self, farewell: str | None = None) -> None:
        """End it and all that it has started; with a farewell it may leave by itself."""
        if self._input < 0:
            return
        if farewell is not None and self.is_alive:
            self.send(farewell)
        os.close(self._input)
        self._input = -1
        if farewell is not None:
            self._program.hear(FAREWELL)
        self._program.end()
        os.close(self._output)
        os.close(self._log)
        self._log = -1

    def __del__(self) -> None:
        if hasattr(self, "meter"):
            with suppress(OSError):
                self.close()

    def _unread(self) -> int:
        """Bytes that it was sent and has not read; 0 where the system does not tell."""
        count = array("i", [0])
        try:
            fcntl.ioctl(self._input, termios.FIONREAD, count)
        except OSError:
            return 0
        return count[0]

    def _receive(self, deadline: Deadline) -> None:
        """Take in more of what it says, or raise what is to be said of it."""
        rest = deadline.since + deadline.allowed - perf_counter()
        ready = self._poll.poll(1000 * min(max(rest, 0.001), LOOK_EVERY))
        if ready:
            if len(ready) > 1 or ready[0][0] != self._output:
                self._program.hear()
            self._take_in()
        now = perf_counter()
        if now - self._looked > LOOK_EVERY:
            self.look_around()
        self._check(deadline, now)  # also of one that never stops talking

    def _take_in(self) -> None:
        """Read what it has said; one that has ended may have said something before."""
        try:
            news = os.read(self._output, CHUNK)
        except BlockingIOError:
            if self._program.code is not None:
                raise self._death() from None
            return
        if not news:
            self._program.hear(CLOSES)
            raise self._death()
        self._received += news

    def look_around(self) -> None:
        """See that it does not use more memory than it may, nor floods the disk."""
        self._looked = perf_counter()
        self.meter.refresh()
        if os.fstat(self._log).st_size > LOG_BOUND:
            os.ftruncate(self._log, 0)
        if self.memory is None:
            return
        used = tree_megabytes(self._program.keeper, self.memory)
        if used > self.memory:
            detail = f"used {used:.0f} MB of memory where {self.memory} MB are allowed"
            raise Fault("memory", detail)

    def _check(self, deadline: Deadline, now: float) -> None:
        if deadline.over(now):
            raise Fault("time", deadline.sentence(now))

    def _death(self) -> Fault:
        """Why nothing more is to be heard of it."""
        program = self._program
        if program.refused:
            raise EngineFailure(f"{printable(program.command[0])}: {program.refused}")
        if program.code is None:
            return Fault("crash", "its process closed its output")
        return death(program.code)


def _log_file() -> int:
    """A file that has no name, to which several may write at once."""
    first, path = tempfile.mkstemp(prefix="arena-seat-", suffix=".log")
    log = os.open(path, os.O_RDWR | os.O_APPEND)
    os.close(first)
    os.unlink(path)
    return log
