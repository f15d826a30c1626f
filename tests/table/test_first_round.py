"""Before game 1 on a cluster: workers that are gone again, and others that come."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterable, Iterator
from concurrent.futures import Future
from typing import Any, cast

import pytest

from arena import CONNECT4
from arena.engine.contract import Limits
from arena.errors import ClusterFailure
from arena.table.dask import first_round
from arena.table.dask.admission import Admission
from arena.table.dask.first_round import FirstRound
from arena.table.dask.hall import Hall
from arena.table.dask.room import Proof
from arena.table.runner import PlayerChecked, Seating
from arena.tournament.schedule import Player

LIMITS = Limits(depth=1)
SEATING = Seating(CONNECT4, tuple(Player(name, "random", {}, LIMITS) for name in "abc"))


class Door:
    """A cluster and its door: `dies_at` names the player at whose check a worker is gone."""

    address = "tcp://home:8786"

    def __init__(self, dies_at: dict[str, int], others: tuple[str, ...]) -> None:
        self.cluster, self.dies_at = self, dies_at
        self.there, self.others = [*dies_at], [*others]
        self.admitted: list[tuple[str, list[int]]] = []
        self.waits = 0
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    def wait(self) -> None:
        self.waits += 1

    def start(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        return asyncio.run_coroutine_threadsafe(work, self.loop)

    def first_workers(self) -> list[str]:
        return [*self.there]

    async def workers(self) -> dict[str, int]:
        if not self.there:
            self.there, self.others = self.others[:1], self.others[1:]
            return {}
        return dict.fromkeys(self.there, 1)

    def say_we_stay(self, now: float) -> None:
        """Nobody listens."""

    async def admit(self, address: str, players: Iterable[int]) -> Proof:
        self.admitted.append((address, [*players]))
        await self._stay(address, -1)
        return Proof(address, 1, 1, "", {})

    async def check(self, address: str, player: int) -> PlayerChecked:
        await self._stay(address, player)
        return PlayerChecked(player, None)

    async def _stay(self, address: str, player: int) -> None:
        """Nobody answers for a worker that is gone."""
        if self.dies_at.get(address) == player:
            self.there.remove(address)
        while address not in self.there:
            await asyncio.sleep(0.01)


@pytest.fixture
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_round, "LOOK_EVERY", 0.01)


def checked(door: Door) -> Iterator[int]:
    hall = Hall()
    try:
        round_ = FirstRound(cast(Admission, door), hall, 10, lambda tables: None, door.wait)
        for each in round_.players(SEATING, forfeit=False):
            assert each.wrong is None
            if not each.begun:
                yield each.player
        assert hall.workers
    finally:
        door.close()


@pytest.mark.usefixtures("_quickly")
@pytest.mark.parametrize(("player", "proven"), [(-1, []), (0, []), (2, [0, 1])])
def test_workers_that_come_after_all_are_gone_prove_the_same(
    player: int, proven: list[int]
) -> None:
    door = Door({"x": player, "y": player}, ("late",))
    assert [*checked(door)] == [0, 1, 2]
    assert [players for address, players in door.admitted if address == "late"] == [proven]
    assert door.waits == 1


@pytest.mark.usefixtures("_quickly")
def test_one_that_is_left_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_round, "ALONE", -1.0)
    assert [*checked(Door({"x": 1, "y": 99}, ()))] == [0, 1, 2]


@pytest.mark.usefixtures("_quickly")
def test_if_nobody_comes_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_round, "ALONE", 0.05)
    with pytest.raises(ClusterFailure, match="all workers of tcp://home:8786 are gone"):
        list(checked(Door({"x": 1}, ())))
