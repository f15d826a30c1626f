"""A bot's own process: lines go in, lines come out, and nothing of it is left behind.

It runs under a keeper (keeper.py) in a session of its own, and writes stderr into a file without a
name. Everything that happens to it becomes a `Fault` of the bot, or is nobody's fault.
"""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import socket
import subprocess
import sys
import tempfile
import termios
from array import array
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import perf_counter

from arena.bots.keeper import FAULTS
from arena.engine.errors import Fault
from arena.errors import EngineFailure
from arena.machine import MEGABYTE
from arena.processes import (
    GONE,
    KEEPERS,
    UNKNOWN,
    Process,
    ended_process,
    kill_orphans,
    kill_session,
    tree_megabytes,
)
from arena.text import printable, printable_lines
from arena.timing import PAUSES, AnswerDeadline

KEEPER = str(Path(__file__).with_name("keeper.py"))
COMPILING = 600.0  # seconds of the processor that compiling may take
KEEPER_STARTS = 20.0  # seconds; our own code, on a machine that may be very busy
KEEPER_ENDS = 5.0  # seconds, in which it also reports the end of its program
MAX_STOPS = 20  # in one game, after which somebody keeps stopping it
LOOK_EVERY = 0.2  # seconds between looks at memory, children and the log
MAX_LINE = MEGABYTE
MAX_LOG = 64 * MEGABYTE
SHOWN_LOG, SEARCHED_LOG = 4096, 65536  # bytes of the log
FAREWELL = 0.2  # seconds to leave by itself
READS_WITHIN = 1.0  # seconds in which it has to read what it is sent
ENDS_WITHIN = 1.0  # seconds between the end of its output and its own
CHUNK = 65536
MAX_UNASKED = 16  # chunks to discard, of one that never stops talking
BYTE_ORDER_MARK = "\ufeff"  # programs for Windows may begin with it
ERROR = re.compile(r"Error\b|Exception\b|panicked at|Traceback|Segmentation fault|terminate called")


def guarded(command: Sequence[str], control: int) -> list[str]:
    """The command that runs a bot's command under a keeper; a sandbox belongs here."""
    return [sys.executable, "-I", "-S", KEEPER, str(control), *command]


def death(code: int) -> Fault:
    """The fault of a bot whose process has ended; maybe somebody else killed it.

    Only its own mistake ends it by one of FAULTS (keeper.py); anybody can send another signal.
    """
    ended = ended_process(code)
    if code >= 0 or -code in FAULTS:
        return Fault("crash", ended)
    detail = f"its process was killed from outside ({ended.partition(' by ')[2]})"
    return Fault("crash", detail, is_from_outside=True)


def error_line(printed: str) -> str:
    """The line that names the error, or else the last one."""
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    errors = [line for line in lines if ERROR.search(line) and not line.startswith("Traceback")]
    if errors and "panicked at" in errors[-1]:  # Rust says why in the next line
        return " ".join(lines[lines.index(errors[-1]) :][:2])
    return (errors or lines or [""])[-1]


class BotProcess:
    """Start a bot's program under a keeper, send and read lines, end it."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path | None = None,
        memory: int | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.command = [*command]
        self.memory = memory
        self.code: int | None = None  # with which the program has ended
        self.dialogue: deque[str] = deque(maxlen=16)  # the last lines: "< sent", "> received"
        self._news: dict[str, str] = {}  # from the keeper
        self._received = bytearray()
        self._looked = perf_counter()
        self._stops = 0
        self._log = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  # until it is closed
        fcntl.fcntl(self._log, fcntl.F_SETFL, os.O_APPEND)  # several processes may write there
        theirs, self._input = os.pipe()
        self._output, answers = os.pipe()
        self._control, control = socket.socketpair()
        try:
            self._keeper = subprocess.Popen(
                guarded(command, control.fileno()), stdin=theirs, stdout=answers, stderr=self._log,
                cwd=folder, env=environment, pass_fds=(control.fileno(),), start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            self._close_files()
            where = command[0] if error.filename is None else error.filename
            raise EngineFailure(f"{printable(str(where))}: {error.strerror}") from None
        finally:
            os.close(theirs)
            os.close(answers)
            control.close()
        KEEPERS.add(self._keeper.pid)
        os.set_blocking(self._input, False)
        os.set_blocking(self._output, False)
        self._poll_input = _poll(self._input, select.POLLOUT)
        self._poll_control = _poll(self._control)
        self._poll = _poll(self._output)
        self._poll.register(self._control, select.POLLIN)
        try:
            self.meter = Process(self._wait_for_pid(), self._keeper.pid)
        except (EngineFailure, Fault):
            self._end()
            self._close_files()
            raise
        PAUSES.watch()

    def deadline(
        self, seconds: float, forgiven: float = 0.0, is_move: bool = True
    ) -> AnswerDeadline:
        """A deadline from now on; up to `forgiven` seconds of waiting for a processor extend it."""
        before = UNKNOWN
        if forgiven:
            before = self.meter.last if is_move else self.meter.schedstat()
        return AnswerDeadline(perf_counter(), seconds, self.meter, forgiven, before, is_move)

    def start_deadline(self, seconds: float) -> AnswerDeadline:
        """A deadline for getting ready."""
        return self.deadline(seconds, COMPILING, is_move=False)

    def send(self, line: str) -> None:
        """Send a line; if nobody reads it, no answer will come."""
        self.dialogue.append(f"< {line}")
        rest = f"{line}\n".encode()
        until = perf_counter() + READS_WITHIN
        while rest:
            try:
                rest = rest[os.write(self._input, rest) :]
            except BlockingIOError:
                if perf_counter() > until:
                    return
                self._poll_input.poll(1000 * LOOK_EVERY)
            except OSError:  # it has closed its end, or is gone
                return

    def read(self, deadline: AnswerDeadline) -> str:
        """The next line, without its end; a Fault if none comes in time."""
        while (end := self._received.find(b"\n")) < 0:
            if len(self._received) > MAX_LINE:
                raise Fault("illegal move", f"wrote a line of more than {MAX_LINE} bytes")
            self._receive(deadline)
        line = self._received[:end].decode(errors="replace").removesuffix("\r")
        del self._received[: end + 1]
        line = line.removeprefix(BYTE_ORDER_MARK)
        self.dialogue.append(f"> {line}")
        return line

    def discard_output(self) -> None:
        """Discard what it has written unasked: it answers nothing that is sent from now on."""
        with suppress(BlockingIOError):
            for _ in range(MAX_UNASKED):
                if not os.read(self._output, CHUNK):
                    break
        self._received.clear()

    def wait_until_read(self, deadline: AnswerDeadline, is_answer: Callable[[str], bool]) -> None:
        """Wait until it has read all that it was sent, or has answered: then it is ready."""
        while self._unread():
            if self._poll.poll(1):
                self._receive(deadline)
                lines = self._received.decode(errors="replace").split("\n")[:-1]
                if len(self._received) > MAX_LINE or any(map(is_answer, lines)):
                    return
            self._check(deadline, perf_counter())

    @property
    def is_alive(self) -> bool:
        """Check whether it has not ended and was not closed."""
        self._hear()
        return self.code is None and self._input >= 0

    def printed(self) -> str:
        """Its output to stderr in this game: the error, if it names one, and the end."""
        if self._log.closed:
            return ""
        start = max(0, os.fstat(self._log.fileno()).st_size - SEARCHED_LOG)
        text = os.pread(self._log.fileno(), SEARCHED_LOG, start).decode(errors="replace")
        end = text[-SHOWN_LOG:]
        error = ERROR.search(text)
        if error is not None and not ERROR.search(end):
            first = text.rfind("\n", 0, error.start()) + 1
            end = f"{text[first : first + SHOWN_LOG // 4]}\n...\n{end[SHOWN_LOG // 4 :]}"
        return printable_lines(end)

    def forget_printed(self) -> None:
        """Begin a new game: forget what it wrote to stderr, and how often it was stopped."""
        self._stops = 0
        if os.fstat(self._log.fileno()).st_size:
            self._log.truncate(0)

    def last_lines(self, count: int = 6) -> str:
        """The end of the dialogue, for a message: < what it was sent, > what it answered."""
        lines = [printable(line if len(line) <= 120 else f"{line[:117]}...")
                 for line in [*self.dialogue][-count:]]  # fmt: skip
        return " | ".join(lines) or "nothing was said"

    def close(self, farewell: str | None = None) -> None:
        """End it and all that it has started; after a farewell it may leave by itself."""
        if self._input < 0:
            return
        if farewell is not None and self.is_alive:
            self.send(farewell)
        os.close(self._input)
        self._input = -1
        if farewell is not None:
            self._hear(FAREWELL)
        self._end()
        self._close_files()

    def __del__(self) -> None:
        if hasattr(self, "meter"):
            with suppress(OSError):
                self.close()

    def _close_files(self) -> None:
        self._control.close()
        self._log.close()
        for descriptor in (self._input, self._output):
            if descriptor >= 0:
                os.close(descriptor)
        self._input = self._output = -1

    def _end(self) -> None:
        self._control.close()  # the keeper notices, and kills whatever is left
        with suppress(ProcessLookupError):
            self._keeper.send_signal(signal.SIGCONT)
        try:
            self._keeper.wait(KEEPER_ENDS)
        except subprocess.TimeoutExpired:
            self._keeper.kill()
            self._keeper.wait()
        KEEPERS.discard(self._keeper.pid)
        if self._keeper.returncode:  # the bot has killed or stopped its keeper
            kill_session(self._keeper.pid)
            kill_orphans()

    def _wait_for_pid(self) -> int:
        until = perf_counter() + KEEPER_STARTS
        while "started" not in self._news:
            if not self._hear(max(0.0, until - perf_counter())):
                if self.code is not None:
                    raise death(self.code)
                raise EngineFailure(f"{printable(self.command[0])}: cannot be started")
        return int(self._news["started"])

    def _hear(self, seconds: float = 0.0) -> bool:
        """Read what the keeper reports; whether there was anything."""
        if self._control.fileno() < 0 or not self._poll_control.poll(seconds * 1000):
            return False
        news = self._control.recv(4096).decode()
        self._news |= dict(line.split(" ", 1) for line in news.splitlines())
        if "ended" in self._news:
            self.code = int(self._news["ended"])
        elif not news:
            self.code = -signal.SIGKILL  # the keeper is gone, and the program with it
        return bool(news)

    def _unread(self) -> int:
        """Bytes that it was sent and has not read; 0 where the system does not say."""
        count = array("i", [0])
        with suppress(OSError):
            fcntl.ioctl(self._input, termios.FIONREAD, count)
        return count[0]

    def _receive(self, deadline: AnswerDeadline) -> None:
        """Wait for more output, within the deadline."""
        rest = deadline.since + deadline.allowed - perf_counter()
        ready = self._poll.poll(1000 * min(max(rest, 0.002), LOOK_EVERY))
        if ready:
            if len(ready) > 1 or ready[0][0] != self._output:
                self._hear()
            self._read_output()
        now = perf_counter()
        if now - self._looked > LOOK_EVERY:
            self.look_around()
        self._check(deadline, now)  # also of one that never stops talking

    def _read_output(self) -> None:
        """Read its output; one that has ended may have written something before."""
        try:
            news = os.read(self._output, CHUNK)
        except BlockingIOError:
            if self.code is not None:
                raise self._death() from None
            return
        if not news:
            raise self._death()
        self._received += news

    def look_around(self) -> None:
        """Check its memory, its log and its children; continue what somebody has stopped."""
        self._looked = perf_counter()
        self.meter.refresh()
        self._resume()
        if os.fstat(self._log.fileno()).st_size > MAX_LOG:
            self._log.truncate(0)
        if self.memory is None:
            return
        used = tree_megabytes(self._keeper.pid, self.memory)
        if used > self.memory:
            detail = f"used {used:.0f} MB of memory where {self.memory} MB are allowed"
            raise Fault("memory", detail)

    def _check(self, deadline: AnswerDeadline, now: float) -> None:
        if now <= deadline.since + deadline.allowed:
            return
        if deadline.over(now):
            raise Fault("time", deadline.sentence(now))
        self._resume()

    def _resume(self) -> None:
        """Continue what a signal has stopped, so that no bot can hold up another or the run."""
        stopped = self.meter.stopped()
        if not stopped:
            return
        self._stops += 1
        if self._stops > MAX_STOPS:
            detail = "its process was stopped from outside again and again"
            raise Fault("crash", detail, is_from_outside=True)
        self.meter.look(perf_counter())
        for pid in stopped:
            with suppress(OSError):
                os.kill(pid, signal.SIGCONT)

    def _death(self) -> Fault:
        """The fault of a program that writes nothing more; its keeper may be slow to say why."""
        since = perf_counter()
        while self.code is None:
            within = KEEPER_ENDS if self.meter.state in GONE else ENDS_WITHIN
            if perf_counter() - since > within:
                return Fault("crash", "its process closed its output")
            self._resume()
            self._hear(LOOK_EVERY)
        if "refused" in self._news:
            raise EngineFailure(f"{printable(self.command[0])}: {self._news['refused']}")
        return death(self.code)


def _poll(file: int | socket.socket, event: int = select.POLLIN) -> select.poll:
    poll = select.poll()
    poll.register(file, event)
    return poll
