"""Judge the games of a journal, as many as the time allows, and store their scores beside it.

The order is that of a hash of seed and number, in proportion to the games of each pairing. The
number of judged games depends on the machine; their order does not, and later games do not change
it.

A game that was begun is judged to its end. So only earlier games decide when to stop, long games
are as likely to be counted as others, and means over the sample are unbiased (Wald 1944). Scores
that cannot be proven are unjudged, and count as both right and wrong.

Verdicts depend on the board and the moves alone, so these are the key of a judged game. A line of
the file is an entry in JSON with its checksum; lines are appended, the last one of a game counts,
and damaged ones are skipped.
"""

from __future__ import annotations

import json
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.errors import IllegalMove
from arena.game.rules import Rules
from arena.journal import Journal
from arena.judge.game import FIRST_NODES, Judged, find_better_moves, judge_moves
from arena.judge.judge import EXPLAINED, Blunder, Judge, worst, worst_of_all
from arena.solver.solver import Budget
from arena.table.game import Game

NODES_A_SECOND = 500_000  # of the whole budget: the limit of one question
CUT_SHORT = 1  # nodes noted for a game that was broken off, to judge it again next time
BLOCK = 1000  # games in proportion to their pairings
POLL = 0.2  # seconds
GRACE = 10.0  # seconds after the time, or that time again, to finish games that were begun

ENDING = ".judged"
DATABASE = b"SQLite"  # with which files of earlier versions begin
MAX_LINE = 1 << 16  # bytes of a line; a game has at most some 2,000

Key = tuple[bytes, int]  # the moves, and how many of them are the opening
Entry = tuple[Judged, int]  # the scores, and the nodes that each open question had
Work = Callable[..., Judged]  # of a judge, the rules, a game, and a budget by its name
OnProgress = Callable[[int, int, float], None]  # games done, of how many, seconds left at most


class Memory:
    """The judged games of this run and, with a path, of earlier ones."""

    def __init__(self, rules: Rules, path: Path | None = None) -> None:
        self.game, self.path = str(rules), path
        self._entries: dict[Key, Entry] = {}
        self.skipped = 0  # damaged lines
        self._is_ours = True
        with suppress(OSError):
            self._read()

    @classmethod
    def beside(cls, journal: Journal) -> Memory:
        """The memory that belongs to a journal."""
        memory = cls(journal.header.rules, journal.path.with_name(journal.path.stem + ENDING))
        if memory.skipped and memory.path is not None:
            words = "1 damaged line" if memory.skipped == 1 else f"{memory.skipped} damaged lines"
            print(f"arena: skipped {words} of {memory.path.name}", file=sys.stderr)
        return memory

    def get(self, moves: bytes, opening: int) -> Entry:
        """The scores of a game, and the nodes that each open question had."""
        return self._entries.get((moves, opening)) or (Judged.blank(moves, opening), 0)

    @property
    def count(self) -> int:
        """The number of games, some of which may no longer be in the journal."""
        return len(self._entries)

    def put(self, judged: Judged, nodes: int) -> None:
        """Store a game, also in the file if that can be written."""
        key = judged.moves, judged.opening
        self._entries[key] = judged, nodes
        if self.path is None or not self._is_ours:
            return
        with suppress(OSError), self.path.open("ab", buffering=0) as file:  # in one piece
            file.write(_line(self.game, judged, nodes).encode() + b"\n")

    def _read(self) -> None:
        """Read the file; replace one of an earlier version, and leave foreign ones alone."""
        if self.path is None or not self.path.is_file():
            return
        line, found = b"", 0
        with self.path.open("rb") as file:
            if file.read(len(DATABASE)) == DATABASE:
                self.path.unlink()
                return
            file.seek(0)
            while piece := file.readline(MAX_LINE):
                line = piece
                try:
                    game, judged, nodes = _entry(line)
                except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
                    self.skipped += 1
                    continue
                found += 1
                if game == self.game:
                    self._entries[judged.moves, judged.opening] = judged, nodes
        self._is_ours = found > 0 or not line
        if self._is_ours and line and not line.endswith(b"\n"):  # it was cut short
            with self.path.open("ab") as file:
                file.write(b"\n")


def _line(game: str, judged: Judged, nodes: int) -> str:
    """A line of the file."""
    facts = {
        "game": game,
        "moves": judged.moves.hex(),
        "opening": judged.opening,
        "nodes": nodes,
        "scores": judged.scores,
        "critical": judged.critical,
        "better": {str(ply): moves for ply, moves in judged.better_moves.items()},
    }
    return json.dumps({**facts, "check": _checksum(facts)}, separators=(",", ":"))


def _entry(line: bytes) -> tuple[str, Judged, int]:
    """The game, the scores and the nodes of a line; ValueError, or the like, if it is damaged."""
    facts: dict[str, Any] = json.loads(line)
    if facts.pop("check") != _checksum(facts):
        raise ValueError("another checksum")
    moves, opening = bytes.fromhex(facts["moves"]), facts["opening"]
    scores, critical = tuple(facts["scores"]), tuple(facts["critical"])
    blank = Judged.blank(moves, opening)
    if (len(scores), len(critical)) != (len(blank.scores), len(blank.critical)):
        raise ValueError("scores of another game")
    if any(a is not None and b is not None and -b > a for a, b in pairwise(scores)):
        raise ValueError("scores that no game can have")
    better_moves = {int(ply): tuple(columns) for ply, columns in facts["better"].items()}
    judged = Judged(opening, moves, scores, critical, better_moves)
    return facts["game"], judged, int(facts["nodes"])


def _checksum(facts: dict[str, Any]) -> int:
    return zlib.crc32(json.dumps(facts, sort_keys=True).encode())


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """A recorded game and its proven scores; players are numbers in the line-up."""

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


def judge_journal(
    journal: Journal, memory: Memory, seconds: float, make_judge: Callable[[], Judge],
    threads: int = 1, progress: OnProgress = lambda done, of, left: None,
) -> list[JudgedGame]:  # fmt: skip
    """Judge a journal's games for these seconds of processor time on each of the threads.

    The judge is made, and the clock started, when one is needed. With 0 seconds, return the games
    that were judged before.
    """
    rules, of = journal.header.rules, len(journal.finished)
    with _Sampler(
        rules, memory, seconds, make_judge, threads, lambda done, left: progress(done, of, left)
    ) as sampler:
        rows = sampler.sample(evenly(journal, sample_order(journal.finished, journal.header.seed)))
        sampler.explain([_judged_game(row, memory) for row in rows])
    return [_judged_game(row, memory) for row in rows]


def _judged_game(row: Game, memory: Memory) -> JudgedGame:
    judged, _ = memory.get(row.moves, len(row.opening))
    return JudgedGame(row.number, row.first, row.second, row.result, row.reason, judged)


class BrokenOff(Exception):
    """Raised in a judge to stop it."""


class _Sampler:
    """Gives games to judges until their common time is over; games begun in time are finished.

    The judges are threads with one table and one set of scores; kernels release the GIL. The time
    is processor time of all together.
    """

    def __init__(
        self, rules: Rules, memory: Memory, seconds: float, make_judge: Callable[[], Judge],
        threads: int, progress: Callable[[int, float], None],
    ) -> None:  # fmt: skip
        self.rules, self.memory, self.seconds, self.progress = rules, memory, seconds, progress
        self.nodes = max(FIRST_NODES, int(seconds * NODES_A_SECOND))
        self.done = 0
        self._make_judge, self._threads = make_judge, threads
        self._pool: ThreadPoolExecutor | None = None
        self._pending: set[Future[tuple[Judged, bool]]] = set()
        self._free: SimpleQueue[Judge] = SimpleQueue()
        self._ended = Event()

    def __enter__(self) -> _Sampler:
        return self

    def __exit__(self, *error: object) -> None:
        """Stop all judges after their present slice."""
        self._ended.set()
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def sample(self, rows: Iterable[Game]) -> list[Game]:
        """The games that were judged before, and the next in order while time is left."""
        taken: list[Game] = []
        keys: set[Key] = set()
        before = self.memory.count
        for row in rows:
            key = row.moves, len(row.opening)
            if key not in keys:
                judged, tried = self.memory.get(*key)
                before -= tried > 0
                if not judged.is_complete and tried < self.nodes and self._has_time():
                    self._begin(judge_moves, judged)
                elif not tried:
                    if before <= 0:  # no further game is known
                        break
                    continue
            keys.add(key)
            taken.append(row)
            self.done = len(taken)
        self._finish()
        return taken

    def explain(self, games: Sequence[JudgedGame]) -> None:
        """Find the better moves for blunders.

        The worst few, which every report shows, are explained in any case, the others from the
        worst on while time is left.
        """
        if self.seconds <= 0:
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
            if ply not in game.better_moves and (self._has_time() or place < len(first)):
                self._begin(partial(find_better_moves, plies=[ply]), game)
        self._finish()

    @property
    def _left(self) -> float:
        """Seconds that are left, for each judge."""
        return max(0.0, self._until - time.process_time()) / self._threads

    def _has_time(self) -> bool:
        """Wait until a judge is free; true if it may begin something."""
        if self.seconds <= 0:
            return False
        if self._pool is None:
            self._start()
        while len(self._pending) >= self._threads:
            self._collect()
        return self._left > 0

    def _start(self) -> None:
        """Make the judges, and start the clock."""
        judges = [self._make_judge()]
        while len(judges) < self._threads and (partner := judges[0].partner()) is not None:
            judges.append(partner)
        for judge in judges:
            self._free.put(judge)
        self._threads = len(judges)
        self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="judge")
        self._until = time.process_time() + self.seconds * self._threads
        self._latest = self._until + max(self.seconds, GRACE) * self._threads

    def _begin(self, work: Work, game: Judged) -> None:
        """Give work on a game to a judge."""
        assert self._pool is not None, "_has_time() comes first"
        self.progress(self.done, self._left)
        self._pending.add(self._pool.submit(self._work, work, game))

    def _work(self, work: Work, game: Judged) -> tuple[Judged, bool]:
        """The scores found, and whether the game had to be broken off."""
        judge = self._free.get()
        try:
            budget = Budget(self.nodes, until=self._latest, on_wait=self._check)
            return work(judge, self.rules, game, budget=budget), budget.is_over
        except IllegalMove:  # a journal from elsewhere: nothing can be proven of it
            return game, False
        finally:
            self._free.put(judge)

    def _check(self) -> None:
        if self._ended.is_set():
            raise BrokenOff

    def _collect(self) -> None:
        """Wait a moment, store finished games, and report the progress."""
        for future in wait(self._pending, POLL, FIRST_COMPLETED).done:
            self._pending.remove(future)
            judged, is_broken_off = future.result()
            before, tried = self.memory.get(judged.moves, judged.opening)
            better_moves = {**before.better_moves, **judged.better_moves}
            nodes = CUT_SHORT if is_broken_off and not judged.is_complete else self.nodes
            self.memory.put(replace(judged, better_moves=better_moves), max(tried, nodes))
        self.progress(self.done, self._left)

    def _finish(self) -> None:
        while self._pending:
            self._collect()


def sample_order(numbers: Iterable[int], seed: int) -> NDArray[np.int64]:
    """The games in the order in which they are judged."""
    games = np.fromiter(numbers, np.int64)
    mixed = _mixed(games.astype(np.uint64) ^ _mixed(np.array([seed % 2**64], np.uint64)))
    order: NDArray[np.int64] = games[np.argsort(mixed, kind="stable")]
    return order


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Random-looking numbers, one for each (SplitMix64; Steele, Lea and Flood 2014)."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ values >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ values >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return values ^ values >> np.uint64(31)


def evenly(journal: Journal, order: NDArray[np.int64]) -> Iterator[Game]:
    """Yield the games block by block, in each block in proportion to the pairings."""
    for start in range(0, len(order), BLOCK):
        block = order[start : start + BLOCK].tolist()
        rows = {row.number: row for row in journal.rows(numbers=block, telemetry=False)}
        pairings: dict[tuple[int, int], list[Game]] = {}
        for row in (rows[number] for number in block if number in rows):
            pairings.setdefault((row.first, row.second), []).append(row)
        places = [
            ((turn + (place + 0.5) / len(pairings)) / len(games), place, row)
            for place, games in enumerate(pairings.values())
            for turn, row in enumerate(games)
        ]
        yield from (row for *_, row in sorted(places, key=lambda each: each[:2]))
