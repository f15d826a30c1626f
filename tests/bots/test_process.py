"""Processes of bots: their lines, how they end, which error they name, what stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.bots.process import BotProcess, error_line
from arena.engine.errors import Fault
from arena.errors import EngineFailure
from tests.support.processes import is_gone

Start = Callable[..., BotProcess]

ECHO = "import sys\nfor line in sys.stdin: print('heard', line.strip(), flush=True)\n"


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts Python programs, which are ended after the test."""
    begun: list[BotProcess] = []

    def start(code: str, memory: int | None = None) -> BotProcess:
        begun.append(BotProcess([sys.executable, "-c", code], memory=memory))
        return begun[-1]

    yield start
    for process in begun:
        process.close()


def test_it_answers_line_by_line(start: Start) -> None:
    process = start(ECHO)
    process.send("one")
    process.send("two")
    assert [process.read(process.deadline(20)) for _ in "12"] == ["heard one", "heard two"]
    assert process.last_lines(3) == "< two | > heard one | > heard two"


@pytest.mark.parametrize(
    ("code", "detail"),
    [
        ("import os; os._exit(3)", "its process left with exit code 3"),
        ("import ctypes; ctypes.string_at(0)", "its process was killed by SIGSEGV"),
        ("raise SystemExit(0)", "its process left with exit code 0"),
    ],
)
def test_the_fault_says_how_it_ended(start: Start, code: str, detail: str) -> None:
    process = start(code)
    with pytest.raises(Fault) as caught:
        process.read(process.deadline(20))
    assert (caught.value.reason, caught.value.detail) == ("crash", detail)
    assert not caught.value.is_from_outside
    assert not process.is_alive


def test_output_before_a_question_can_be_discarded(start: Start) -> None:
    process = start("print('one\\ntwo\\n> ', end='', flush=True)\n" + ECHO)
    assert process.read(process.deadline(20)) == "one"
    process.discard_output()
    process.send("three")
    assert process.read(process.deadline(20)) == "heard three"


def test_lines_may_be_written_as_on_windows(start: Start) -> None:
    process = start("import os; os.write(1, b'\\xef\\xbb\\xbfone\\r\\ntwo\\r\\n')")
    assert [process.read(process.deadline(20)) for _ in "12"] == ["one", "two"]


def test_a_kill_from_outside_is_no_mistake(start: Start) -> None:
    process = start(ECHO)
    os.kill(process.meter.pid, signal.SIGKILL)
    with pytest.raises(Fault, match=r"killed from outside \(SIGKILL\)") as caught:
        process.read(process.deadline(20))
    assert caught.value.is_from_outside


def test_no_answer_in_time(start: Start) -> None:
    process = start("import time; time.sleep(100)")
    with pytest.raises(Fault, match=r"gave no answer in \d") as caught:
        process.read(process.deadline(0.05))
    assert caught.value.reason == "time"


def test_a_line_without_an_end_is_bounded(start: Start) -> None:
    process = start("import sys\nwhile True: sys.stdout.write('x' * 100000)")
    with pytest.raises(Fault, match="a line of more than"):
        process.read(process.deadline(60))


def test_memory_is_bounded_for_the_whole_tree(start: Start) -> None:
    child = "x = bytearray(300 << 20); import time; time.sleep(100)"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    process = start(code, memory=200)
    with pytest.raises(Fault, match="MB of memory where 200 MB are allowed") as caught:
        process.read(process.deadline(60))
    assert caught.value.reason == "memory"


def test_a_command_that_does_not_exist() -> None:
    process = BotProcess(["no-such-program-at-all"])
    with pytest.raises(EngineFailure, match="no-such-program-at-all: No such file"):
        process.read(process.deadline(20))
    process.close()


RESTLESS = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        print(os.getpid(), flush=True)
        time.sleep(1000)
    os._exit(0)
time.sleep(1000)
"""


def test_a_helper_that_holds_the_pipe_does_not_hide_a_death(start: Start) -> None:
    code = "import os, time\nif os.fork() == 0: time.sleep(1000)\nos._exit(5)"
    process = start(code)
    with pytest.raises(Fault, match="left with exit code 5"):
        process.read(process.deadline(20))


def test_nothing_is_left_when_the_owner_is_killed(tmp_path: Path) -> None:
    owner = f"""
import sys, time
from arena.bots.process import BotProcess
process = BotProcess([sys.executable, "-c", {RESTLESS!r}])
print(process.meter.pid, process.read(process.deadline(20)), flush=True)
time.sleep(1000)
"""
    running = subprocess.Popen([sys.executable, "-c", owner], stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    pids = [int(word) for word in running.stdout.readline().split()]
    running.kill()
    running.wait()
    running.stdout.close()
    assert len(pids) == 2
    assert all(map(is_gone, pids))


def test_a_program_is_ready_when_it_has_read_or_answered(start: Start) -> None:
    process = start("import time; print('hello\\n7', flush=True); time.sleep(60)")
    process.send("hello")
    process.wait_until_read(process.deadline(20), str.isdigit)
    assert [process.read(process.deadline(20)) for _ in "12"] == ["hello", "7"]


PRINTED = {
    "node": "/bot.js:3\n  throw wrong\n  ^\n\nError: no book\n    at main\n\nNode.js v20.20.2",
    "java": 'Exception in thread "main" java.lang.Error: no book\n\tat Bot.main(Bot.java:3)',
    "rust": "thread 'main' panicked at src/main.rs:3:5:\nno book\nnote: run with RUST_BACKTRACE=1",
    "python": "Traceback (most recent call last):\n  File 'bot.py'\nFileNotFoundError: no book",
    "other": "loading\nno book",
}


@pytest.mark.parametrize("kind", PRINTED)
def test_the_line_that_names_the_error_is_shown(start: Start, kind: str) -> None:
    """Also from the middle of a long log."""
    words = PRINTED[kind] if kind == "other" else PRINTED[kind] + "\n    at other()" * 1000
    process = start(f"import sys; sys.stderr.write({words!r})")
    with pytest.raises(Fault):
        process.read(process.deadline(20))
    assert "no book" in error_line(PRINTED[kind])
    assert "no book" in process.printed()
    assert len(process.printed()) < 6000


def test_stderr_is_kept_and_bounded_to_a_game(start: Start) -> None:
    process = start(
        "import sys\nfor line in sys.stdin: print('E', line, file=sys.stderr); print(flush=True)"
    )
    process.send("one")
    process.read(process.deadline(20))
    assert process.printed().startswith("E one")
    process.forget_printed()
    assert process.printed() == ""
