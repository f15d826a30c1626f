"""The hall of a run: the workers that play at the moment, and the numbers of their tables."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush

from arena.table.dask.room import Proof
from arena.table.dask.worker import FarTable, Worker
from arena.table.runner import TableView


class Hall:
    """Who plays where: a table keeps its number, and those of workers that left are given anew."""

    def __init__(self) -> None:
        self.workers: dict[str, Worker] = {}
        self.free: list[int] = []  # numbers of tables whose worker is gone
        self.count = 0  # of all numbers
        self.crowded: set[str] = set()  # hosts of which that was told

    def seat(self, address: str, proof: Proof, most_games: int) -> None:
        """A worker that has proven itself plays from now on, with chunks of at most so many."""
        views = (TableView(self._number(), proof.host, address, proof.speed)
                 for _ in range(proof.threads))  # fmt: skip
        tables = [FarTable(view) for view in views]
        self.workers[address] = Worker(address, proof, tables, most_games)

    def _number(self) -> int:
        if self.free:
            return heappop(self.free)
        self.count += 1
        return self.count - 1

    def unseat(self, address: str) -> Worker:
        """It plays no more."""
        worker = self.workers.pop(address)
        for table in worker.tables:
            heappush(self.free, table.number)
        return worker

    def new_crowds(self, most: int | None = None) -> Iterator[str]:
        """What to say of hosts with more tables than cores, if so many may play; of each once."""
        hosts: dict[str, list[Proof]] = {}
        for worker in self.workers.values():
            hosts.setdefault(worker.proof.host, []).append(worker.proof)
        for host, proofs in hosts.items():
            tables = sum(proof.threads for proof in proofs)
            cores = max(proof.cores for proof in proofs)
            if min(tables, most or tables) > cores and host not in self.crowded:
                self.crowded.add(host)
                on = "1 core" if cores == 1 else f"{cores} cores"
                yield (
                    f"limits are by the clock, and {host} has {tables} tables on {on}: engines may "
                    "get less than their time; give its workers fewer threads, or limits: "
                    "{cpu: ..}, which counts the same on any load"
                )

    @property
    def is_idle(self) -> bool:
        """Whether nobody has a game."""
        return not any(worker.chunks for worker in self.workers.values())

    def playing(self, other_than: Worker) -> int:
        """How many tables of all other workers have games."""
        others = (each for each in self.workers.values() if each is not other_than)
        return sum(min(len(each.chunks), len(each.tables)) for each in others)

    def views(self) -> list[TableView]:
        """All tables, each with its current game or the next one."""
        for worker in self.workers.values():
            for place, table in enumerate(worker.tables):
                if table.chunk not in worker.chunks:  # else it is known which one is on it
                    chunks = list(worker.chunks.values())[place :: len(worker.tables)]
                    table.game = next((game for games in chunks for game in games[:1]), None)
        return [table.view() for worker in self.workers.values() for table in worker.tables]

    def was_watched(self) -> bool:
        """Whether somebody has looked at a table since this was asked last."""
        watched = [table for each in self.workers.values() for table in each.tables
                   if table.is_watched]  # fmt: skip
        for table in watched:
            table.is_watched = False
        return bool(watched)
