"""The games of a journal judged, as many as the time allows, in an order that a seed decides.

The order is that of a hash of seed and number, dealt out to the pairings in proportion. How far one
gets depends on the machine; which games come first does not, nor does a game change its place when
others are added.

A game that is begun is judged to its end, however hard it is. When to stop is then decided by the
games before alone, so that those which take long are as likely to be counted as others, and means
over the sample are right on average (Wald 1944). What cannot be proven even so is unjudged, which
whoever counts must take both ways.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from queue import SimpleQueue
from threading import Event

import numpy as np
from numpy.typing import NDArray

from arena.errors import IllegalMove
from arena.game.rules import Rules
from arena.journal import Journal
from arena.judge.game import FIRST_NODES, Judged, find_keepers, judge_moves
from arena.judge.judge import Judge
from arena.judge.memory import Key, Memory
from arena.judge.verdict import EXPLAINED, Blunder, worst, worst_of_all
from arena.play.record import GameRow
from arena.solver.solver import Budget

NODES_A_SECOND = 500_000  # of the whole budget that one question may use up at most
CUT_SHORT = 1  # nodes noted for a game that was broken off: it is asked again the next time
BLOCK = 1000  # games dealt out to their pairings at a time
POLL = 0.2  # seconds
GRACE = 10.0  # seconds, or as long again: then even games that were begun are broken off

Work = Callable[..., Judged]  # of a judge, and a budget by its name
OnProgress = Callable[[int, int, float], None]  # games done, of how many, seconds left at most


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """A recorded game and what was proven about it; players are numbers in the line-up."""

    number: int
    first: int
    second: int
    result: int
    reason: str
    judged: Judged

    def blunders(self, rules: Rules) -> Iterator[Blunder]:
        """The moves that gave the value away."""
        seats = self.first, self.second
        for ply, verdict in self.judged.verdicts(rules):
            if verdict is not None and not verdict.keeps_value:
                player, opponent = seats[ply % 2], seats[1 - ply % 2]
                moves = self.judged.moves[: ply + 1]
                yield Blunder(self.number, player, opponent, moves, verdict)


@dataclass(frozen=True)
class Survey:
    """The games that were judged, out of how many, and in which time."""

    games: tuple[JudgedGame, ...]
    of: int
    seconds: float  # of processor time that each core was allowed; 0: only what was known is told


@dataclass(frozen=True, slots=True)
class Judging:
    """The wish to have games judged: for how long, and by whom; made only if it is needed.

    The seconds are processor time, for each of the threads. With none, only what was judged
    before is told. Ctrl-C ends the judging alone if `on_interrupt` is given, and calls it.
    """

    seconds: float
    judge: Callable[[], Judge]
    threads: int = 1
    on_interrupt: Callable[[], None] | None = None


def judge_journal(
    journal: Journal,
    judging: Judging,
    memory: Memory,
    progress: OnProgress = lambda done, of, left: None,
) -> Survey:
    """Judge a journal's games; the judge is made, and the clock started, when one is needed."""
    rules, of = journal.header.rules, len(journal.finished)
    with _Sampler(rules, judging, memory, lambda done, left: progress(done, of, left)) as sampler:
        rows = sampler.sample(evenly(journal, sample_order(journal.finished, journal.header.seed)))
        sampler.explain(list(sampler.games(rows)))
        return Survey(tuple(sampler.games(rows)), of, judging.seconds)


class _Sampler:
    """Gives games to the judges of a pool, and keeps what they prove."""

    def __init__(
        self, rules: Rules, judging: Judging, memory: Memory, progress: Callable[[int, float], None]
    ) -> None:
        self.rules, self.judging, self.memory, self.progress = rules, judging, memory, progress
        self.nodes = max(FIRST_NODES, int(judging.seconds * NODES_A_SECOND))
        self.done = 0
        self._judges: _JudgePool | None = None

    def __enter__(self) -> _Sampler:
        return self

    def __exit__(self, *error: object) -> None:
        if self._judges is not None:
            self._judges.close()

    def sample(self, rows: Iterable[GameRow]) -> list[GameRow]:
        """Those games that were judged before, and the next in order while time is left."""
        taken: list[GameRow] = []
        keys: set[Key] = set()
        before = self.memory.count
        for row in rows:
            key = row.moves, len(row.opening)
            if key not in keys:
                judged, tried = self.memory.get(*key)
                before -= tried > 0
                if not judged.is_complete and tried < self.nodes and self._has_time():
                    self._begin(key, partial(_judge_recorded, rules=self.rules, game=judged))
                elif not tried:
                    if before <= 0:  # nothing more is known
                        break
                    continue
            keys.add(key)
            taken.append(row)
            self.done = len(taken)
        self._finish()
        return taken

    def games(self, rows: Iterable[GameRow]) -> Iterator[JudgedGame]:
        """The games with all that is known of them."""
        for row in rows:
            judged, _ = self.memory.get(row.moves, len(row.opening))
            yield JudgedGame(row.number, row.first, row.second, row.result, row.reason, judged)

    def explain(self, games: Sequence[JudgedGame]) -> None:
        """Find what would have been right where blunders were made.

        The worst few, which every report shows, are explained in any case, the others, from the
        worst on, as long as time is left.
        """
        if self.judging.seconds <= 0:
            return
        judged = {each.number: each.judged for each in games}
        by_player: dict[int, list[Blunder]] = {}
        for recorded in games:
            for blunder in recorded.blunders(self.rules):
                by_player.setdefault(blunder.player, []).append(blunder)
        every = [blunder for blunders in by_player.values() for blunder in blunders]
        first = worst_of_all(map(worst, by_player.values()), EXPLAINED)
        for place, blunder in enumerate([*first, *worst(every, len(every))]):
            game, ply = judged[blunder.game], blunder.verdict.ply
            if ply not in game.keepers and (self._has_time() or place < len(first)):
                work = partial(find_keepers, rules=self.rules, game=game, plies=[ply])
                self._begin((game.moves, game.opening), work)
        self._finish()

    def _has_time(self) -> bool:
        """Whether anything may still be begun; waits until somebody could."""
        if self.judging.seconds <= 0:
            return False
        if self._judges is None:
            self._judges = _JudgePool(self.judging)
        while len(self._judges.pending) >= self._judges.size:
            self._collect(self._judges)
        return self._judges.seconds > 0

    def _begin(self, key: Key, work: Work) -> None:
        assert self._judges is not None, "whoever begins has asked for time"
        self.progress(self.done, self._judges.seconds)
        self._judges.begin(key, work, self.nodes)

    def _collect(self, judges: _JudgePool) -> None:
        """Keep what was proven, and say how far it is."""
        for key, judged, is_broken_off in judges.finished():
            before, tried = self.memory.get(*key)
            whole = replace(judged, keepers={**before.keepers, **judged.keepers})
            nodes = CUT_SHORT if is_broken_off and not judged.is_complete else self.nodes
            self.memory.put(whole, max(tried, nodes))
        self.progress(self.done, judges.seconds)

    def _finish(self) -> None:
        while self._judges is not None and self._judges.pending:
            self._collect(self._judges)


class BrokenOff(Exception):
    """Nobody waits for an answer any more."""


class _JudgePool:
    """Judges who share a time, each on a game of its own; a game begun in time may be finished.

    They are threads of one process: the solver's kernels let go of Python, and all judges share
    one table and all they know. What they may use is processor time, counted for all together.
    """

    def __init__(self, judging: Judging) -> None:
        judge, seconds = judging.judge(), judging.seconds
        judges = [judge]
        while len(judges) < judging.threads and (partner := judge.partner()) is not None:
            judges.append(partner)
        self.size = len(judges)
        self.pending: dict[Future[tuple[Judged, bool]], Key] = {}
        self._free: SimpleQueue[Judge] = SimpleQueue()
        for each in judges:
            self._free.put(each)
        self._pool = ThreadPoolExecutor(self.size, thread_name_prefix="judge")
        self._ended = Event()
        self._until = time.process_time() + seconds * self.size
        self._latest = self._until + max(seconds, GRACE) * self.size

    @property
    def seconds(self) -> float:
        """What is left of the time, for each judge."""
        return max(0.0, self._until - time.process_time()) / self.size

    def begin(self, key: Key, work: Work, nodes: int) -> None:
        """Give work on a game to somebody, with so many nodes for each question."""
        self.pending[self._pool.submit(self._do, work, nodes)] = key

    def finished(self) -> Iterator[tuple[Key, Judged, bool]]:
        """What was proven meanwhile, and whether it had to be broken off; waits for a moment."""
        for future in wait(self.pending, POLL, FIRST_COMPLETED).done:
            yield self.pending.pop(future), *future.result()

    def _do(self, work: Work, nodes: int) -> tuple[Judged, bool]:
        judge = self._free.get()
        try:
            budget = Budget(nodes, until=self._latest, on_wait=self._go_on)
            return work(judge, budget=budget), budget.is_over
        finally:
            self._free.put(judge)

    def _go_on(self) -> None:
        if self._ended.is_set():
            raise BrokenOff

    def close(self) -> None:
        """Let everybody stop, at the next moment they can be heard."""
        self._ended.set()
        self._pool.shutdown(wait=True, cancel_futures=True)


def _judge_recorded(judge: Judge, rules: Rules, game: Judged, budget: Budget) -> Judged:
    try:
        return judge_moves(judge, rules, game, budget)
    except IllegalMove:  # a journal from elsewhere: nothing can be proven of it
        return game


def sample_order(numbers: Iterable[int], seed: int) -> NDArray[np.int64]:
    """The games in the order in which they are judged, whatever their number says."""
    games = np.fromiter(numbers, np.int64)
    mixed = _mixed(games.astype(np.uint64) ^ _mixed(np.array([seed % 2**64], np.uint64)))
    order: NDArray[np.int64] = games[np.argsort(mixed, kind="stable")]
    return order


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Each number as another one that looks like chance (Steele, Lea and Flood's SplitMix64)."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ values >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ values >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return values ^ values >> np.uint64(31)


def evenly(journal: Journal, order: NDArray[np.int64]) -> Iterator[GameRow]:
    """The games in this order, but block by block each pairing in proportion to its games."""
    for start in range(0, len(order), BLOCK):
        block = order[start : start + BLOCK].tolist()
        rows = {row.number: row for row in journal.rows(numbers=block, telemetry=False)}
        pairings: dict[tuple[int, int], list[GameRow]] = {}
        for row in (rows[number] for number in block if number in rows):
            pairings.setdefault((row.first, row.second), []).append(row)
        places = [
            ((turn + (place + 0.5) / len(pairings)) / len(games), place, row)
            for place, games in enumerate(pairings.values())
            for turn, row in enumerate(games)
        ]
        yield from (row for *_, row in sorted(places, key=lambda each: each[:2]))
