"""Engines that misbehave, each in one way, in their second move of a game."""

from __future__ import annotations

import ctypes
import os
import signal
import stat
import subprocess
import sys
import time
from contextlib import suppress

from arena import Choice, Engine, Limits, Position, option
from arena.bots.find import build_engine
from tests.loading import watching_numba


class Good(Engine):
    """Plays at random, by its seed."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        if position.ply >= 2:
            self.misbehave()
        return Choice(self.random.choice(position.legal))

    def misbehave(self) -> None:
        pass


class Hangs(Good):
    """Thinks for ever."""

    def misbehave(self) -> None:
        while True:
            time.sleep(0.01)


class Spins(Good):
    """Thinks for ever, and never lets go of the processor."""

    def misbehave(self) -> None:
        while True:
            pass


class Exits(Good):
    """Leaves the process without a word."""

    def misbehave(self) -> None:
        os._exit(7)


class Segfaults(Good):
    """Reads where there is nothing to read."""

    def misbehave(self) -> None:
        ctypes.string_at(0)


class KillsItself(Good):
    """Is killed, always in the same place."""

    def misbehave(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class StopsItself(Good):
    """Is stopped, and nobody lets it run again."""

    def misbehave(self) -> None:
        os.kill(os.getpid(), signal.SIGSTOP)


class Garbles(Good):
    """Writes into every socket of its process, among them the pipe to the owner."""

    def misbehave(self) -> None:
        for number in range(3, 64):
            with suppress(OSError):
                if stat.S_ISSOCK(os.fstat(number).st_mode):
                    os.write(number, b"\0\0\0\0 and what is no pickle")


class Eats(Good):
    """Takes memory, ever more of it, and writes to all of it."""

    def misbehave(self) -> None:
        eaten = []
        while True:
            eaten.append(bytearray(b"x" * 2**24))


class Floods(Good):
    """Prints without end, a little at each move, and to both streams."""

    def misbehave(self) -> None:
        for _ in range(200):
            print("x" * 10_000)
            print("y" * 10_000, file=sys.stderr)


class Cheats(Good):
    """Answers with a column that is not there."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(99)


class Raises(Good):
    """Prints something and fails."""

    def misbehave(self) -> None:
        print("these are my last words")
        raise RuntimeError("it did not work")


class FailsToLoad(Good):
    """Cannot even be built."""

    def __init__(self) -> None:
        super().__init__()
        raise OSError("no weights")


class UsesSharedChance(Engine):
    """Plays at random without its own generator, as beginners do."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        import random

        return Choice(random.choice(position.legal))


class Watched(Engine):
    """Plays like another engine, and fails where that loads a kernel when it is asked."""

    plays: str = option("greedy", "the engine that thinks")

    def __init__(self, **given: str) -> None:
        super().__init__(**given)
        self.thinker = build_engine(self.plays)

    def warm_up(self) -> None:
        self.thinker.get_ready(self.rules)

    def new_game(self) -> None:
        self.thinker.begin(self.rules, self.seed_of_game)

    def choose(self, position: Position, limits: Limits) -> Choice:
        with watching_numba() as seen:
            choice = self.thinker.ask(position, limits)
        if seen:
            raise RuntimeError(f"loaded {', '.join(seen)} on the clock")
        return choice


class NeverReady(Good):
    """Hangs while it is built."""

    def __init__(self) -> None:
        super().__init__()
        while True:
            time.sleep(0.01)


class EatsWhenBuilt(Eats):
    """Takes ever more memory before it is there."""

    def __init__(self) -> None:
        super().__init__()
        self.misbehave()


class ExitsWhenBuilt(Good):
    """Says why, and leaves the process before it is there."""

    def __init__(self) -> None:
        super().__init__()
        print("ImportError: no weights", flush=True)
        os._exit(7)


class KilledWhenBuilt(Good):
    """Is killed before it is there."""

    def __init__(self) -> None:
        super().__init__()
        os.kill(os.getpid(), signal.SIGTERM)


class StoppedWhenBuilt(Good):
    """Is stopped before it is there."""

    def __init__(self) -> None:
        super().__init__()
        os.kill(os.getpid(), signal.SIGSTOP)


class Stopped(Good):
    """Is stopped in its first move, and goes on after a while."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        if position.ply < 2 and position.rules.cells < 20 and limits.depth is None:
            wake = f"sleep 1.5; kill -CONT {os.getpid()}"
            subprocess.Popen(["sh", "-c", wake], start_new_session=True)
            os.kill(os.getpid(), signal.SIGSTOP)
        return super().choose(position, limits)


class Ponders(Good):
    """Takes its time, but not much of it."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        time.sleep(0.02)
        return super().choose(position, limits)
