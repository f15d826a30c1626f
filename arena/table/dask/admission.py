"""What a worker has to prove before it gets games: that it plays the same ones as all others."""

from __future__ import annotations

import pickle
import re
import time
import uuid
from collections.abc import Iterable
from contextlib import suppress
from importlib.metadata import version

from arena.errors import ClusterFailure
from arena.table.dask.cluster import LEAVING, Cluster
from arena.table.dask.parcel import digest_of_arena, installed_sources, pack
from arena.table.dask.room import Proof, RoomClosed, check_player, enter, leave, stay
from arena.table.runner import PlayerChecked, Seating
from arena.text import printable

STAY_EVERY = 20.0  # seconds between two words to workers that may have no game
PACKAGE = "connect-arena"
ON_WORKER = re.compile(r"\Aworker \S+: ")


class Admission:
    """The door of one run: sends workers what they need, and has them prove what they must."""

    def __init__(self, cluster: Cluster, seating: Seating) -> None:
        self.cluster = cluster
        self.run = uuid.uuid4().hex
        self.packed = pickle.dumps(pack(self.run, seating), pickle.HIGHEST_PROTOCOL)
        self.sources = installed_sources(seating)
        self.version = version(PACKAGE)
        self.entered: set[str] = set()  # workers that may have tables of this run
        self.stayed = time.monotonic()

    async def prove(self, address: str) -> Proof:
        """Have a worker prove that it is made of the same sources, and get a room there."""
        try:
            there = await self.cluster.ask(address, version, PACKAGE)
        except Exception as error:
            raise ClusterFailure(on_worker("there is no connect-arena", address)) from error
        if there != self.version:
            words = f"connect-arena is {there} there and {self.version} here"
            raise ClusterFailure(on_worker(words, address))
        self.entered.add(address)
        try:
            proof = await self.cluster.ask(address, enter, self.packed)
        except Exception as error:
            raise ClusterFailure(on_worker(sentence(error), address)) from error
        if proof.arena != digest_of_arena():
            words = f"the sources of connect-arena {there} are others than here"
            raise ClusterFailure(on_worker(words, address))
        for engine, source in self.sources.items():
            if proof.sources.get(engine) != source:
                words = f"the sources of engine {engine} are others than here"
                raise ClusterFailure(on_worker(words, address))
        return proof

    async def check(self, address: str, player: int) -> PlayerChecked:
        """Have a worker build, warm up and ask a player once."""
        try:
            return await self.cluster.ask(address, check_player, self.run, player)
        except RoomClosed:  # it was started anew
            await self.prove(address)
            return await self.cluster.ask(address, check_player, self.run, player)

    async def admit(self, address: str, players: Iterable[int]) -> Proof:
        """Both for a worker that has come later: these players must be able to play there."""
        proof = await self.prove(address)
        for player in players:
            checked = await self.cluster.ask(address, check_player, self.run, player)
            if checked.wrong is not None:
                raise ClusterFailure(on_worker(checked.wrong, address))
        return proof

    def say_we_stay(self, now: float) -> None:
        """Workers that hear nothing for long clear their tables away."""
        if now - self.stayed >= STAY_EVERY:
            self.stayed = now
            self.cluster.start(self.cluster.tell([*self.entered], stay, self.run))

    def close(self) -> None:
        """Have all workers clear their tables away; who cannot be reached does so by itself."""
        with suppress(Exception):
            told = self.cluster.tell([*self.entered], leave, self.run)
            self.cluster.start(told).result(LEAVING)


def on_worker(words: str, address: str) -> str:
    """A sentence that says on which worker it is so; lines of an engine stay below it."""
    first, newline, lines = words.partition("\n")
    return f"worker {address}: {first}{newline}{lines}"


def without_worker(words: str) -> str:
    """The same without where it is so, as games have it: they are the same anywhere."""
    return ON_WORKER.sub("", words, count=1)


def sentence(error: BaseException) -> str:
    """An error of a worker in one line."""
    words = printable(str(error)).strip().splitlines()
    return words[-1] if words else type(error).__name__
