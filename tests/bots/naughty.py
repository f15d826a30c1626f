"""Bots that do harm, each in one way, and at the moment that their option `when` names."""

from __future__ import annotations

import _thread
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
from pathlib import Path
from typing import Any, NoReturn

from arena import Choice, Engine, Limits, Position, option

EVERY_DESCRIPTOR = range(256)


class Good(Engine):
    """Plays at random, by its seed; what it leaves behind is written down in a file."""

    left: str = option("", "the file in which processes are written down that it leaves behind")
    when: str = option("later", "the moment: later, first, begin, after or built")

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        if self.when == "built":
            self.misbehave()

    def new_game(self) -> None:
        """Misbehave before the game."""
        if self.when == "begin":
            self.misbehave()

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Misbehave in the first or the second move, or just after it; then any column."""
        column = self.random.choice(position.legal)
        is_first = position.ply < 2
        if self.when == ("first" if is_first else "later"):
            self.misbehave()
        elif self.when == "after" and not is_first:
            threading.Timer(0.003, self.misbehave).start()
        return Choice(column)

    def misbehave(self) -> Any:
        """What the subclass does."""

    def leave_behind(self, pid: int) -> None:
        """Note a process that should end with the seat."""
        with open(self.left, "a") as file:
            file.write(f"{pid}\n")


class ChildComesBack(Good):
    """Forks, and both come back with an answer."""

    def misbehave(self) -> None:
        os.fork()


class ChildLivesOn(Good):
    """Forks a child that stays, and holds on to every descriptor."""

    def misbehave(self) -> None:
        child = os.fork()
        if child:
            self.leave_behind(child)
        while not child:
            time.sleep(1)


class HelperGoesAway(Good):
    """Starts a helper in a session of its own whose parent is gone at once, and then dies."""

    def misbehave(self) -> None:
        helper = "import os, time; os.fork() and os._exit(0); os.setsid(); print(os.getpid()); "
        helper += "os.close(1); time.sleep(1000)"
        command = [sys.executable, "-u", "-I", "-S", "-c", helper]
        said = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
        self.leave_behind(int(said))
        os._exit(3)


class ClosesEverything(Good):
    """Closes every descriptor."""

    def misbehave(self) -> None:
        os.closerange(0, 1000)


class ClosesAndTakes(Good):
    """Closes every descriptor, and opens files in their place."""

    def misbehave(self) -> None:
        os.closerange(0, 1000)
        for _ in range(20):
            os.open(os.devnull, os.O_RDWR)


class Alarm(Good):
    """Is interrupted by a timer whose handler raises."""

    def misbehave(self) -> None:
        def ring(*_: Any) -> NoReturn:
            raise RuntimeError("time to get up")

        signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, 0.005)
        time.sleep(10)


class AlarmLater(Good):
    """The same, but after it has answered."""

    def misbehave(self) -> None:
        def ring(*_: Any) -> NoReturn:
            raise RuntimeError("time to get up")

        signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)


class ClearsModules(Good):
    """Leaves Python without modules."""

    def misbehave(self) -> None:
        sys.modules.clear()


class StopsClocks(Good):
    """Replaces every clock: no number, no number at all, and far in the future."""

    def misbehave(self) -> None:
        for name in ("monotonic", "time", "perf_counter", "process_time", "sleep"):
            setattr(time, name, lambda *_: float("nan"))
        time.time = lambda: "noon"  # type: ignore[assignment,return-value]
        time.perf_counter = lambda: 1e300


class PatchesOthers(Good):
    """Patches whatever engine, referee or clock it can reach."""

    def misbehave(self) -> None:
        def resign(self: Any, *_: Any) -> Choice:
            return Choice(99)

        for thing in gc.get_objects():
            if isinstance(thing, type) and issubclass(thing, Engine) and thing is not type(self):
                thing.choose = resign  # type: ignore[method-assign,assignment]
        Position.play = resign  # type: ignore[method-assign,assignment]


class WritesBytes(Good):
    """Writes bytes into whatever it finds."""

    def misbehave(self) -> None:
        write_everywhere(b"\x00\xff\xfe garbage\n")


class WritesObjects(Good):
    """Writes objects into whatever it finds: pickles, lists that never end, lines of JSON."""

    def misbehave(self) -> None:
        write_everywhere(pickle.dumps(self.random) + b"\n")
        write_everywhere(b"[" * 50_000 + b"\n")
        write_everywhere(b'{"n": [], "is": {}}\n')


class ForgesAnswers(Good):
    """Answers hundreds of questions before they are asked."""

    def misbehave(self) -> None:
        for number in range(500):
            answer = {"n": number, "is": [0, None, None, None, []]}
            write_everywhere(json.dumps(answer).encode() + b"\n")


class NeverEndsItsLine(Good):
    """Writes a line into whatever it finds that has no end."""

    def misbehave(self) -> None:
        write_everywhere(b"x" * (2 << 20))
        time.sleep(1000)


class ClaimsToCompile(Good):
    """Says that it compiles, which takes time that is not its own, and says nothing more."""

    def misbehave(self) -> None:
        write_everywhere(b'{"compiling": true}\n')
        time.sleep(1000)


class Leaves(Good):
    """Leaves as if all were well."""

    def misbehave(self) -> None:
        os._exit(0)


class Segfaults(Good):
    """Reads where there is nothing to read."""

    def misbehave(self) -> None:
        ctypes.string_at(0)


class ClosesGenerator(Good):
    """Raises what Python raises in a generator that is closed."""

    def misbehave(self) -> None:
        raise GeneratorExit


class Interrupts(Good):
    """Raises what Ctrl-C raises."""

    def misbehave(self) -> None:
        raise KeyboardInterrupt


class InterruptsLater(Good):
    """Ctrl-C again, at some time after its answer."""

    def misbehave(self) -> None:
        threading.Timer(0.002, _thread.interrupt_main).start()


class Exits(Good):
    """Raises SystemExit."""

    def misbehave(self) -> None:
        sys.exit("good bye")


class StopsIteration(Good):
    """Raises StopIteration."""

    def misbehave(self) -> None:
        next(iter(()))


class Speechless(Exception):
    """An exception that cannot say what it is."""

    def __str__(self) -> str:
        raise RuntimeError("no words")

    __repr__ = __str__


class RaisesSpeechless(Good):
    """Raises an exception that raises when it is looked at."""

    def misbehave(self) -> None:
        raise Speechless


class Stubborn(Exception):
    """An exception that never comes to its end."""

    def __str__(self) -> str:
        while True:
            time.sleep(1)


class RaisesStubborn(Good):
    """Raises an exception that hangs when it is looked at."""

    def misbehave(self) -> None:
        raise Stubborn


class Unlucky:
    """Something that raises when it is thrown away."""

    def __del__(self) -> None:
        raise KeyboardInterrupt


class RaisesInDel(Good):
    """Throws something away that raises then."""

    def misbehave(self) -> None:
        Unlucky()
        self.last = Unlucky()


class AnswersObject(Good):
    """Answers with something that raises whatever is done to it."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Speechless()  # type: ignore[return-value]


class AnswersMonsters(Good):
    """Tells of depths, nodes and scores that fit into no file."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        column = self.random.choice(position.legal)
        return Choice(column, float("nan"), 10**400, -(10**30), (10**30,))


class AnswersEndlessly(Good):
    """Tells of nodes that cannot even be written."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(self.random.choice(position.legal), nodes=10**10_000)


class BurnsOn(Good):
    """Leaves threads that think on while the other one should, for as long as other games need."""

    def misbehave(self) -> None:
        def burn() -> None:
            while time.thread_time() < 0.5:
                pass

        threading.Thread(target=burn, daemon=True).start()


class EatsPrivately(Good):
    """Takes ever more memory of its own."""

    def misbehave(self) -> None:
        eaten = []
        while True:
            eaten.append(bytearray(b"x" * 2**24))


class EatsShared(Good):
    """Takes ever more memory that could be shared with others."""

    def misbehave(self) -> None:
        eaten = []
        while True:
            eaten.append(mmap.mmap(-1, 2**24))
            eaten[-1].write(b"x" * 2**24)


class EatsByChildren(Good):
    """Lets children take memory, each of them less than is allowed."""

    def misbehave(self) -> None:
        code = "eaten = b'x' * (180 << 20); input()"  # without a second copy on the way
        command = [sys.executable, "-I", "-S", "-c", code]
        for child in [subprocess.Popen(command, stdin=subprocess.PIPE) for _ in "12"]:
            child.wait()


class Floods(Good):
    """Prints without end, to both streams and past Python, and then fails."""

    def misbehave(self) -> None:
        for _ in range(100):
            print("x" * 10_000)
            print("y" * 10_000, file=sys.stderr)
            os.write(1, b"z" * 10_000)
        print("this is the end")
        raise RuntimeError("it did not work")


class StopsItself(Good):
    """Stops its own process."""

    def misbehave(self) -> None:
        os.kill(os.getpid(), signal.SIGSTOP)


class StopsKeeper(Good):
    """Stops the process that should end it."""

    def misbehave(self) -> None:
        os.kill(os.getppid(), signal.SIGSTOP)
        os._exit(4)


class KillsKeeper(Good):
    """Kills the process that should end it, with a helper elsewhere that should end as well."""

    def misbehave(self) -> None:
        child = os.fork()
        if child:
            self.leave_behind(child)
            os.kill(os.getppid(), signal.SIGKILL)
        else:
            os.setsid()
        time.sleep(1000)


class KillsGroup(Good):
    """Kills all of its own group."""

    def misbehave(self) -> None:
        os.killpg(0, signal.SIGKILL)


class KillsTable(Good):
    """Kills the process in which the referee sits."""

    def misbehave(self) -> None:
        os.kill(parent_of(os.getppid()), signal.SIGKILL)


class StopsTable(Good):
    """Stops the process in which the referee sits."""

    def misbehave(self) -> None:
        os.kill(parent_of(os.getppid()), signal.SIGSTOP)


class KillsKeeperAndTable(Good):
    """Kills whoever could end it, with a helper elsewhere that should end as well."""

    def misbehave(self) -> None:
        child = os.fork()
        if child:
            self.leave_behind(child)
            table = parent_of(os.getppid())
            os.kill(os.getppid(), signal.SIGKILL)
            os.kill(table, signal.SIGKILL)
        else:
            os.setsid()
        time.sleep(1000)


class StopsKeeperAgainAndAgain(Good):
    """Leaves a helper that stops its keeper all the time."""

    def misbehave(self) -> None:
        keeper, child = os.getppid(), os.fork()
        if child:
            self.leave_behind(child)
            return
        os.setsid()
        while True:
            os.kill(keeper, signal.SIGSTOP)
            time.sleep(0.001)


class SignalsOpponent(Good):
    """Sends a signal to every other bot at its table."""

    signal: str = option("KILL", "the name of the signal")

    def misbehave(self) -> None:
        for pid in opponents():
            os.kill(pid, getattr(signal, f"SIG{self.signal}"))


class StopsOpponentForLong(Good):
    """Stops its opponent again and again."""

    def misbehave(self) -> None:
        until = time.monotonic() + 0.15
        while time.monotonic() < until:
            for pid in opponents():
                os.kill(pid, signal.SIGSTOP)


class KillsOpponentsKeeper(Good):
    """Kills the keeper of its opponent."""

    def misbehave(self) -> None:
        for pid in opponents():
            os.kill(parent_of(pid), signal.SIGKILL)


class StopsOpponentsKeeper(Good):
    """Stops the keeper of its opponent, and its opponent."""

    def misbehave(self) -> None:
        for pid in opponents():
            os.kill(parent_of(pid), signal.SIGSTOP)
            os.kill(pid, signal.SIGSTOP)


class LimitsOpponent(Good):
    """Takes the processor away from its opponent."""

    def misbehave(self) -> None:
        for pid in opponents():
            resource.prlimit(pid, resource.RLIMIT_CPU, (0, 0))


class SlowsOpponent(Good):
    """Gives its opponent the lowest priority, and works beside it."""

    def misbehave(self) -> None:
        for pid in opponents():
            os.setpriority(os.PRIO_PROCESS, pid, 19)
        until = time.thread_time() + 0.05
        while time.thread_time() < until:
            pass


class ForksAndForks(Good):
    """Starts a hundred processes, each in a session of its own."""

    def misbehave(self) -> None:
        for _ in range(100):
            child = os.fork()
            if not child:
                os.setsid()
                time.sleep(1000)
                os._exit(0)
            self.leave_behind(child)


class StartsThreads(Good):
    """Starts hundreds of threads that never end."""

    def misbehave(self) -> None:
        for _ in range(300):
            threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()


class ThreadsThatStay(Good):
    """Leaves threads for which Python waits at its end."""

    def misbehave(self) -> None:
        for _ in range(5):
            threading.Thread(target=time.sleep, args=(1000,)).start()


class OpensFiles(Good):
    """Opens files until there are no more."""

    def misbehave(self) -> None:
        while True:
            os.open(os.devnull, os.O_RDONLY)


class LimitsItself(Good):
    """Allows itself no files, no processes and no memory."""

    def misbehave(self) -> None:
        for kind in (resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE):
            resource.setrlimit(kind, (0, 0))


class TakesAwayItsTime(Good):
    """Allows itself a second of the processor, and works."""

    def misbehave(self) -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
        while True:
            pass


class BurnsInChild(Good):
    """Lets a child work."""

    def misbehave(self) -> None:
        code = "import time\nwhile time.process_time() < 1.0: pass"
        subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True)


class IgnoresChildren(Good):
    """Starts children and never hears of their end."""

    def misbehave(self) -> None:
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        for _ in range(20):
            if not os.fork():
                os._exit(0)


class StopsChild(Good):
    """Waits for a child that stops itself."""

    def misbehave(self) -> None:
        child = os.fork()
        if not child:
            os.kill(os.getpid(), signal.SIGSTOP)
            os._exit(0)
        self.leave_behind(child)
        os.waitpid(child, 0)


class ClosesInput(Good):
    """Closes every descriptor that can be read, but for the standard streams."""

    def misbehave(self) -> None:
        for descriptor in range(3, 64):
            try:
                if fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
                    os.close(descriptor)
            except OSError:
                continue


class BlocksSignals(Good):
    """Blocks all signals, and sleeps."""

    def misbehave(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        time.sleep(1000)


class BecomesAnother(Good):
    """Becomes another program."""

    def misbehave(self) -> None:
        os.execv("/bin/sleep", ["sleep", "1000"])


class LosesItsFolder(Good):
    """Removes the folder that it works in."""

    def misbehave(self) -> None:
        folder = tempfile.mkdtemp()
        os.chdir(folder)
        os.rmdir(folder)


class RecursesForEver(Good):
    """Calls itself until Python has enough."""

    def misbehave(self) -> None:
        self.misbehave()


class OverflowsStack(Good):
    """Calls itself until the stack has no room."""

    def misbehave(self) -> None:
        sys.setrecursionlimit(10**8)
        nested: list[Any] = []
        for _ in range(1_000_000):
            nested = [nested]
        repr(nested)


class SpinsForEver(Good):
    """Works and never answers."""

    def misbehave(self) -> None:
        while True:
            pass


class SleepsForEver(Good):
    """Sleeps and never answers."""

    def misbehave(self) -> None:
        time.sleep(1000)


class HoldsTheLock(Good):
    """Waits for a lock that it holds."""

    def misbehave(self) -> None:
        lock = threading.Lock()
        lock.acquire()
        lock.acquire()


class Aborts(Good):
    """Ends by abort."""

    def misbehave(self) -> None:
        os.abort()


class WaitsForItsInput(Good):
    """Reads from its standard input."""

    def misbehave(self) -> None:
        sys.stdin.read()
        os.read(0, 1)


class EndsItsInterpreter(Good):
    """Finalizes Python."""

    def misbehave(self) -> None:
        ctypes.pythonapi.Py_FinalizeEx()


class TracesItself(Good):
    """Slows itself down by a trace function that raises at times."""

    def misbehave(self) -> None:
        def trace(*_: Any) -> Any:
            if time.monotonic_ns() % 7 == 0:
                raise RuntimeError("traced")
            return trace

        sys.settrace(trace)


class BreaksBuiltins(Good):
    """Takes Python's own functions away."""

    def misbehave(self) -> None:
        import builtins

        for name in ("len", "isinstance", "range", "open", "print", "getattr"):
            setattr(builtins, name, None)


class BreaksJson(Good):
    """Lets every encoder fail."""

    def misbehave(self) -> None:
        json.JSONEncoder.encode = lambda *_: "nonsense"  # type: ignore[method-assign]
        json.JSONDecoder.decode = lambda *_: None  # type: ignore[method-assign]


class ReplacesStreams(Good):
    """Puts something else in the place of the standard streams."""

    def misbehave(self) -> None:
        sys.stdout = sys.stderr = sys.stdin = None


class DropsPrivileges(Good):
    """Gives up its rights, as far as it can."""

    def misbehave(self) -> None:
        os.setgid(65534)
        os.setuid(65534)


def parent_of(pid: int) -> int:
    """The parent of a process."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def opponents() -> list[int]:
    """The processes of the other bots at this table."""
    table, found = parent_of(os.getppid()), []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                keeper = parent_of(int(folder.name))
                if keeper != os.getppid() and parent_of(keeper) == table:
                    found.append(int(folder.name))
            except OSError:
                continue
    return found


class RefusesGames(Good):
    """Does not want to begin a game."""

    def new_game(self) -> None:
        raise KeyboardInterrupt


class FailsAgain(Good):
    """Dies in its first game, and cannot be built a second time."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        if self.left and Path(self.left).exists():
            self.fail()

    def fail(self) -> None:
        """What it does when it is built again."""
        raise RuntimeError("not twice")

    def misbehave(self) -> None:
        self.leave_behind(os.getpid())
        os._exit(3)


class HangsAgain(FailsAgain):
    """Dies in its first game, and is never ready a second time."""

    def fail(self) -> None:
        time.sleep(1000)


class LeavesAgain(FailsAgain):
    """Dies in its first game, and dies when it is built a second time."""

    def fail(self) -> None:
        os._exit(5)


def write_everywhere(words: bytes) -> None:
    """Write into every descriptor that can be written to."""
    for descriptor in EVERY_DESCRIPTOR:
        try:
            os.write(descriptor, words)
        except OSError:
            continue
