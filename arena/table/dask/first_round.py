"""Before game 1: every worker that is there proves itself and tries every player.

Where all of them are gone meanwhile, others may come: they prove what those before them had proven.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from arena.errors import ClusterFailure
from arena.table.dask.admission import Admission, on_worker, sentence
from arena.table.dask.cluster import Cluster
from arena.table.dask.hall import Hall
from arena.table.first_check import LOOK_EVERY
from arena.table.runner import PlayerChecked, Seating

ALONE = 60.0  # seconds to wait for workers where there is none left
CUT_OFF = 10.0  # seconds to wait for a scheduler that is gone

T = TypeVar("T")


class FirstRound:
    """Asks all workers at the same time, and looks meanwhile who of them is still there."""

    def __init__(
        self,
        admission: Admission,
        hall: Hall,
        most_games: int,
        tick: Callable[[tuple[()]], None],
        tell_of_waiting: Callable[[], None],
    ) -> None:
        self.admission, self.hall, self.most_games = admission, hall, most_games
        self.tick, self.tell_of_waiting = tick, tell_of_waiting
        self.cluster: Cluster = admission.cluster

    def players(self, seating: Seating, forfeit: bool) -> Iterator[PlayerChecked]:
        """Every player as all workers find it; the first who cannot play ends it, or forfeits."""
        sound: list[int] = []  # the players who can play
        self._seat(self.cluster.first_workers(), sound)
        for player, entry in enumerate(seating.players):
            if entry.broken:
                yield PlayerChecked(player, f"engine {entry.name}: {entry.broken}")
                continue
            yield PlayerChecked(player, None, begun=True)
            checked = self._check(player, sound)
            yield checked
            if checked.wrong is None:
                sound.append(player)
            elif not forfeit:
                return

    def _seat(self, addresses: Collection[str], sound: Sequence[int]) -> None:
        """Have these workers, or others if all of them are gone, prove that these can play."""
        while not self.hall.workers:
            admit = partial(self.admission.admit, players=sound)
            for address, proof in self._on_all(addresses, admit).items():
                self.hall.seat(address, proof, self.most_games)
            if not self.hall.workers:
                addresses = self._others()

    def _others(self) -> Collection[str]:
        """Workers that come after all are gone; who waits for long gives up."""
        until = time.monotonic() + ALONE
        self.tell_of_waiting()
        while not (others := self._who_is_there()):
            if time.monotonic() > until:
                raise ClusterFailure(f"all workers of {self.cluster.address} are gone")
            self.tick(())
            time.sleep(LOOK_EVERY)
        return others

    def _check(self, player: int, sound: Sequence[int]) -> PlayerChecked:
        """A player, as all workers find it; what is wrong with it anywhere, with the worker."""
        answers: dict[str, PlayerChecked] = {}
        while not answers:
            self._seat((), sound)
            answers = self._on_all(self.hall.workers, partial(self.admission.check, player=player))
        for address, checked in answers.items():
            if checked.wrong is not None:
                return replace(checked, wrong=on_worker(checked.wrong, address))
        for checked in answers.values():
            if checked.unchecked is not None:
                return checked
        compiled = max((each.compiled for each in answers.values()), default=0.0)
        return PlayerChecked(player, None, compiled=compiled)

    def _on_all(
        self, addresses: Collection[str], ask: Callable[[str], Coroutine[Any, Any, T]]
    ) -> dict[str, T]:
        """The answers of these workers to a question, those left out that are gone meanwhile."""
        asked = {address: self.cluster.start(ask(address)) for address in addresses}
        is_done = not asked
        while not is_done:
            time.sleep(LOOK_EVERY)
            self.tick(())
            is_done = all(future.done() for future in asked.values())
            self.admission.say_we_stay(time.monotonic())
            there = self._who_is_there()  # who is gone by now may have failed for that
            for address in [address for address in asked if address not in there]:
                asked.pop(address).cancel()
                if address in self.hall.workers:
                    self.hall.unseat(address)
        return {address: _answer(address, future) for address, future in asked.items()}

    def _who_is_there(self) -> Mapping[str, int]:
        try:
            return self.cluster.start(self.cluster.workers()).result(CUT_OFF)
        except (OSError, TimeoutError):
            raise ClusterFailure(cut_off(self.cluster)) from None


def cut_off(cluster: Cluster) -> str:
    """The sentence about a scheduler that was there."""
    return f"the scheduler at {cluster.address} is gone"


def _answer(address: str, asked: Future[T]) -> T:
    """What a worker has answered; if it could not, the sentence names it."""
    try:
        return asked.result()
    except ClusterFailure:
        raise
    except Exception as error:
        raise ClusterFailure(on_worker(sentence(error), address)) from error
