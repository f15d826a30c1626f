"""Bots for workers that play without hosts: some of the farm's (naughty.py), and a few more."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import time
from contextlib import suppress

from arena import Choice, Engine, Limits, Position, option
from arena.bots.find import build_engine
from tests.loading import watching_numba
from tests.support.bots.naughty import Good as Sound
from tests.support.bots.naughty import Naughty


class Good(Sound):
    """Plays at random, by its seed."""


def naughty(deed: str, moment: str = "later") -> type[Naughty]:
    """A bot of the farm that always does the same; later is in its second move of a game."""

    class Always(Naughty):
        def __init__(self) -> None:
            super().__init__(does=deed, when=moment)

    return Always


Hangs = naughty("sleeps")
Spins = naughty("spins")
Exits = naughty("leaves_with_5")
Segfaults = naughty("segfaults")
StopsItself = naughty("stops_itself")
Eats = naughty("eats_privately")
Raises = naughty("prints_and_fails")
FailsToLoad = naughty("fails", "built")
NeverReady = naughty("sleeps", "built")
EatsWhenBuilt = naughty("eats_privately", "built")
StoppedWhenBuilt = naughty("stops_itself", "built")


class KillsItself(Naughty):
    """Is killed, always in the same place."""

    def misbehave(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class Garbles(Naughty):
    """Writes into every socket of its process, among them the pipe to the owner."""

    def misbehave(self) -> None:
        for number in range(3, 64):
            with suppress(OSError):
                if stat.S_ISSOCK(os.fstat(number).st_mode):
                    os.write(number, b"\0\0\0\0 and what is no pickle")


class Cheats(Engine):
    """Answers with a column that is not there."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(99)


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


class ExitsWhenBuilt(Good):
    """Says why, and leaves the process before it is there."""

    def __init__(self) -> None:
        super().__init__()
        print("ImportError: no weights", flush=True)
        os._exit(5)


class KilledWhenBuilt(Good):
    """Is killed before it is there."""

    def __init__(self) -> None:
        super().__init__()
        os.kill(os.getpid(), signal.SIGTERM)


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
