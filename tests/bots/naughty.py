"""Bots in seats that do harm, each in one way and in its second move of a game, or when built."""

from __future__ import annotations

import _thread
import ctypes
import gc
import json
import mmap
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, NoReturn

from arena import Choice, Engine, Limits, Position, option

EVERY_DESCRIPTOR = range(256)


class Good(Engine):
    """Plays at random, by its seed; what it leaves behind is written down in a file."""

    left: str = option("", "the file in which processes are written down that it leaves behind")

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Misbehave in the second move, then any column."""
        column = self.random.choice(position.legal)
        if position.ply >= 2:
            self.misbehave()
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
        fields = Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()
        os.kill(int(fields[1]), signal.SIGKILL)


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
