"""Bots that do harm: `naughty.py:Naughty does=segfaults when=first`; each function is a deed."""

from __future__ import annotations

import _thread
import builtins
import ctypes
import fcntl
import gc
import json
import mmap
import os
import pickle
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from arena import Choice, Engine, Limits, Position, option


class Good(Engine):
    """Plays at random, by its seed."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(self.random.choice(position.legal))


class Naughty(Good):
    """Plays at random until it does its deed; a deed may return another answer."""

    does: str = option("nothing", "a function of this module")
    when: str = option("later", "the moment: later, first, begin, after or built")
    again: str = option("", "what it does if it is built once more")
    signal: str = option("KILL", "the signal that it sends")
    left: str = option("", "the file for the numbers of processes that it leaves behind")

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        if self.again and Path(self.left).exists():
            DEEDS[self.again](self)
        if self.when == "built":
            self.misbehave()

    def new_game(self) -> None:
        if self.when == "begin":
            self.misbehave()

    def choose(self, position: Position, limits: Limits) -> Choice:
        usual, self.legal = super().choose(position, limits), position.legal
        is_first = position.ply < 2
        if self.when == ("first" if is_first else "later"):
            return self.misbehave() or usual
        if self.when == "after" and not is_first:
            threading.Timer(0.003, self.misbehave).start()
        return usual

    def misbehave(self) -> Any:
        """Do the deed."""
        return DEEDS[self.does](self)

    def leave_behind(self, pid: int) -> None:
        """Note a process that must end with this bot."""
        with open(self.left, "a") as file:
            file.write(f"{pid}\n")


# ---- helpers


def fork_sleeper(owner: Naughty, in_new_session: bool = False) -> None:
    """Leave a child behind that sleeps."""
    child = os.fork()
    if child:
        owner.leave_behind(child)
        return
    if in_new_session:
        os.setsid()
    time.sleep(1000)
    os._exit(0)


def write_everywhere(words: bytes) -> None:
    """Write into every descriptor that can be written to."""
    for descriptor in range(256):
        try:
            os.write(descriptor, words)
        except OSError:
            continue


def run_python(code: str, **options: Any) -> subprocess.Popen[bytes]:
    """Start Python with these lines."""
    return subprocess.Popen([sys.executable, "-u", "-I", "-S", "-c", code], **options)


def parent_of(pid: int) -> int:
    """The parent of a process."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def is_there(pid: int) -> bool:
    """Whether a process has not ended."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


def own_worker() -> int:
    """The process of the referee."""
    return parent_of(os.getppid())


def do_to_opponents(deed: Callable[[int], object], keeper: int | None = None) -> None:
    """Do something to the processes of the other bots of this worker; some may end meanwhile."""
    for pid in opponents(keeper):
        with suppress(OSError):
            deed(pid)


def signal_keeper(pid: int, number: int) -> None:
    """Send a signal to the keeper of a bot's process, as long as it has one."""
    keeper = parent_of(pid)
    if keeper != own_worker():
        os.kill(keeper, number)


def opponents(own_keeper: int | None = None) -> list[int]:
    """The processes of the other bots of this worker."""
    own_keeper = own_keeper or os.getppid()
    worker, others = parent_of(own_keeper), []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                keeper = parent_of(int(folder.name))
                if keeper != own_keeper and parent_of(keeper) == worker:
                    others.append(int(folder.name))
            except OSError:
                continue
    return others


def ring(*_: Any) -> NoReturn:
    raise RuntimeError("time to get up")


class Speechless(Exception):
    """An exception that cannot say what it is."""

    def __str__(self) -> str:
        raise RuntimeError("no words")

    __repr__ = __str__


class Endless(Exception):
    """An exception that hangs when it is formatted."""

    def __str__(self) -> str:
        while True:
            time.sleep(1)


class Unlucky:
    """Raises when it is thrown away."""

    def __del__(self) -> None:
        raise KeyboardInterrupt


# ---- ends, exceptions, answers


def nothing(bot: Naughty) -> None:
    """Play on."""


def leaves(bot: Naughty) -> None:
    os._exit(0)


def leaves_with_5(bot: Naughty) -> None:
    os._exit(5)


def leaves_once(bot: Naughty) -> None:
    bot.leave_behind(os.getpid())
    os._exit(3)


def segfaults(bot: Naughty) -> None:
    ctypes.string_at(0)


def aborts(bot: Naughty) -> None:
    os.abort()


def fails(bot: Naughty) -> None:
    raise RuntimeError("not twice")


def raises_generator_exit(bot: Naughty) -> None:
    raise GeneratorExit


def interrupts(bot: Naughty) -> None:
    raise KeyboardInterrupt


def interrupts_later(bot: Naughty) -> None:
    threading.Timer(0.002, _thread.interrupt_main).start()


def exits(bot: Naughty) -> None:
    sys.exit("good bye")


def stops_iteration(bot: Naughty) -> None:
    next(iter(()))


def raises_speechless(bot: Naughty) -> None:
    raise Speechless


def raises_endless(bot: Naughty) -> None:
    raise Endless


def raises_in_del(bot: Naughty) -> None:
    Unlucky()
    bot.last = Unlucky()  # type: ignore[attr-defined]


def answers_object(bot: Naughty) -> Any:
    return Speechless()


def answers_monsters(bot: Naughty) -> Choice:
    """Answer with figures that fit into no file."""
    return Choice(bot.legal[0], float("nan"), 10**400, -(10**30), (10**30,))


def answers_endlessly(bot: Naughty) -> Choice:
    """Answer with a number that Python refuses to write."""
    return Choice(bot.legal[0], nodes=10**10_000)


def rings(bot: Naughty) -> None:
    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.005)
    time.sleep(10)


def rings_later(bot: Naughty) -> None:
    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)


def recurses(bot: Naughty) -> None:
    recurses(bot)


def overflows_stack(bot: Naughty) -> None:
    sys.setrecursionlimit(10**8)
    nested: list[Any] = []
    for _ in range(1_000_000):
        nested = [nested]
    repr(nested)


def prints_and_fails(bot: Naughty) -> None:
    """Print without end, to both streams and past Python, and fail."""
    for _ in range(100):
        print("x" * 10_000)
        print("y" * 10_000, file=sys.stderr)
        os.write(1, b"z" * 10_000)
    print("this is the end")
    raise RuntimeError("it did not work")


# ---- the pipe


def closes_everything(bot: Naughty) -> None:
    os.closerange(0, 1000)


def closes_and_takes(bot: Naughty) -> None:
    os.closerange(0, 1000)
    for _ in range(20):
        os.open(os.devnull, os.O_RDWR)


def closes_input(bot: Naughty) -> None:
    for descriptor in range(3, 64):
        try:
            if fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
                os.close(descriptor)
        except OSError:
            continue


def writes_bytes(bot: Naughty) -> None:
    write_everywhere(b"\x00\xff\xfe garbage\n")


def writes_objects(bot: Naughty) -> None:
    write_everywhere(pickle.dumps(bot.random) + b"\n")
    write_everywhere(b"[" * 50_000 + b"\n")
    write_everywhere(b'{"id": [], "result": {}}\n')


def forges_answers(bot: Naughty) -> None:
    for number in range(500):
        answer = {"id": number, "result": [0, None, None, None, []]}
        write_everywhere(json.dumps(answer).encode() + b"\n")


def never_ends_its_line(bot: Naughty) -> None:
    write_everywhere(b"x" * (2 << 20))
    time.sleep(1000)


def claims_to_compile(bot: Naughty) -> None:
    write_everywhere(b'{"compiling": true}\n')
    time.sleep(1000)


def waits_for_its_input(bot: Naughty) -> None:
    sys.stdin.read()
    os.read(0, 1)


# ---- Python


def clears_modules(bot: Naughty) -> None:
    sys.modules.clear()


def stops_clocks(bot: Naughty) -> None:
    for name in ("monotonic", "time", "perf_counter", "process_time", "sleep"):
        setattr(time, name, lambda *_: float("nan"))
    time.time = lambda: "noon"  # type: ignore[assignment,return-value]
    time.perf_counter = lambda: 1e300


def patches_others(bot: Naughty) -> None:
    def resign(self: Any, *_: Any) -> Choice:
        return Choice(99)

    for thing in gc.get_objects():
        if isinstance(thing, type) and issubclass(thing, Engine) and thing is not type(bot):
            thing.choose = resign  # type: ignore[method-assign,assignment]
    Position.play = resign  # type: ignore[method-assign,assignment]


def breaks_builtins(bot: Naughty) -> None:
    for name in ("len", "isinstance", "range", "open", "print", "getattr"):
        setattr(builtins, name, None)


def breaks_json(bot: Naughty) -> None:
    json.JSONEncoder.encode = lambda *_: "nonsense"  # type: ignore[method-assign]
    json.JSONDecoder.decode = lambda *_: None  # type: ignore[method-assign]


def replaces_streams(bot: Naughty) -> None:
    sys.stdout = sys.stderr = sys.stdin = None


def finalizes_python(bot: Naughty) -> None:
    ctypes.pythonapi.Py_FinalizeEx()


def traces_itself(bot: Naughty) -> None:
    """Set a trace function that raises at times."""

    def trace(*_: Any) -> Any:
        if time.monotonic_ns() % 7 == 0:
            raise RuntimeError("traced")
        return trace

    sys.settrace(trace)


# ---- time, memory, files


def spins(bot: Naughty) -> None:
    while True:
        pass


def sleeps(bot: Naughty) -> None:
    time.sleep(1000)


def holds_a_lock(bot: Naughty) -> None:
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()


def blocks_signals(bot: Naughty) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    time.sleep(1000)


def burns_on(bot: Naughty) -> None:
    """Leave threads that work while the other one thinks."""

    def burn() -> None:
        while time.thread_time() < 0.5:
            pass

    threading.Thread(target=burn, daemon=True).start()


def burns_in_child(bot: Naughty) -> None:
    run_python("import time\nwhile time.process_time() < 1.0: pass").wait()


def starts_threads(bot: Naughty) -> None:
    for _ in range(300):
        threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()


def leaves_threads(bot: Naughty) -> None:
    """Start threads for which Python waits at its end."""
    for _ in range(5):
        threading.Thread(target=time.sleep, args=(1000,)).start()


def eats_privately(bot: Naughty) -> None:
    eaten = []
    while True:
        eaten.append(bytearray(b"x" * 2**24))


def eats_shared(bot: Naughty) -> None:
    eaten = []
    while True:
        eaten.append(mmap.mmap(-1, 2**24))
        eaten[-1].write(b"x" * 2**24)


def eats_by_children(bot: Naughty) -> None:
    """Let two children take memory, each of them less than is allowed."""
    code = "eaten = b'x' * (180 << 20); input()"  # without a second copy on the way
    for child in [run_python(code, stdin=subprocess.PIPE) for _ in "12"]:
        child.wait()


def opens_files(bot: Naughty) -> None:
    while True:
        os.open(os.devnull, os.O_RDONLY)


def loses_its_folder(bot: Naughty) -> None:
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    os.rmdir(folder)


def limits_itself(bot: Naughty) -> None:
    for kind in (resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE):
        resource.setrlimit(kind, (0, 0))


def limits_its_time(bot: Naughty) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
    while True:
        pass


def drops_privileges(bot: Naughty) -> None:
    os.setgid(65534)
    os.setuid(65534)


# ---- processes


def child_comes_back(bot: Naughty) -> None:
    """Fork, so that both come back with an answer."""
    os.fork()


def child_lives_on(bot: Naughty) -> None:
    fork_sleeper(bot)


def helper_goes_away(bot: Naughty) -> None:
    """Start a helper in a session of its own whose parent is gone at once, and die."""
    helper = "import os, time; os.fork() and os._exit(0); os.setsid(); print(os.getpid()); "
    started = run_python(helper + "os.close(1); time.sleep(1000)", stdout=subprocess.PIPE)
    bot.leave_behind(int(started.communicate()[0]))
    os._exit(3)


def forks_and_forks(bot: Naughty) -> None:
    for _ in range(100):
        fork_sleeper(bot, in_new_session=True)


def ignores_children(bot: Naughty) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in range(20):
        if not os.fork():
            os._exit(0)


def stops_child(bot: Naughty) -> None:
    """Wait for a child that stops itself."""
    child = os.fork()
    if not child:
        os.kill(os.getpid(), signal.SIGSTOP)
        os._exit(0)
    bot.leave_behind(child)
    os.waitpid(child, 0)


def becomes_another(bot: Naughty) -> None:
    os.execv("/bin/sleep", ["sleep", "1000"])


def stops_itself(bot: Naughty) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def kills_group(bot: Naughty) -> None:
    os.killpg(0, signal.SIGKILL)


def stops_keeper(bot: Naughty) -> None:
    os.kill(os.getppid(), signal.SIGSTOP)
    os._exit(4)


def kills_keeper(bot: Naughty) -> None:
    """Kill the keeper, with a helper elsewhere that must end as well."""
    fork_sleeper(bot, in_new_session=True)
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(1000)


def stops_keeper_again_and_again(bot: Naughty) -> None:
    keeper, child = os.getppid(), os.fork()
    if child:
        bot.leave_behind(child)
        return
    os.setsid()
    while True:
        os.kill(keeper, signal.SIGSTOP)
        time.sleep(0.001)


def kills_worker(bot: Naughty) -> None:
    os.kill(own_worker(), signal.SIGKILL)


def stops_worker(bot: Naughty) -> None:
    os.kill(own_worker(), signal.SIGSTOP)


def kills_keeper_and_worker(bot: Naughty) -> None:
    fork_sleeper(bot, in_new_session=True)
    worker = own_worker()
    os.kill(os.getppid(), signal.SIGKILL)
    os.kill(worker, signal.SIGKILL)
    time.sleep(1000)


# ---- the opponent


def signals_opponent(bot: Naughty) -> None:
    number = getattr(signal, f"SIG{bot.signal}")
    do_to_opponents(lambda pid: os.kill(pid, number))


def stops_opponent_for_long(bot: Naughty) -> None:
    until = time.monotonic() + 0.15
    while time.monotonic() < until:
        do_to_opponents(lambda pid: os.kill(pid, signal.SIGSTOP))


def kills_opponents_keeper(bot: Naughty) -> None:
    """Kill the keepers, and wait until the bots below them are gone as well."""
    others = opponents()
    do_to_opponents(lambda pid: signal_keeper(pid, signal.SIGKILL))
    while any(map(is_there, others)):
        time.sleep(0.001)


def hunts_opponents(bot: Naughty) -> None:
    """Leave a child behind that kills the others again and again, also while they start."""
    keeper, child = os.getppid(), os.fork()
    if child:
        bot.leave_behind(child)
        time.sleep(0.1)
        return
    while True:
        do_to_opponents(lambda pid: os.kill(pid, signal.SIGKILL), keeper)
        time.sleep(0.001)


def stops_opponents_keeper(bot: Naughty) -> None:
    do_to_opponents(lambda pid: signal_keeper(pid, signal.SIGSTOP))
    do_to_opponents(lambda pid: os.kill(pid, signal.SIGSTOP))


def limits_opponent(bot: Naughty) -> None:
    do_to_opponents(lambda pid: resource.prlimit(pid, resource.RLIMIT_CPU, (0, 0)))


def slows_opponent(bot: Naughty) -> None:
    """Give the opponent the lowest priority, and work beside it."""
    do_to_opponents(lambda pid: os.setpriority(os.PRIO_PROCESS, pid, 19))
    until = time.thread_time() + 0.05
    while time.thread_time() < until:
        pass


DEEDS: dict[str, Callable[[Naughty], Any]] = {
    name: value
    for name, value in vars().copy().items()
    if "bot" in getattr(value, "__annotations__", ())
}
