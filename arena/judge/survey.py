"""The games of a journal judged, as many as the time allows, in an order that a seed decides.

The order is that of a hash of seed and number, dealt out evenly to the pairings. How far one gets
depends on the machine; which games come first does not, nor does a game change its place when
others are added. First every position gets so many nodes; when all games have had their turn and
time is left, what stayed open is asked again with ten times as many.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.errors import IllegalMove
from arena.game.rules import Rules
from arena.journal import Journal
from arena.judge.asking import Allowance, Judge
from arena.judge.game import FIRST_NODES, MORE, Judged, judge_game
from arena.judge.memory import Memory
from arena.play.row import GameRow

NODES_A_SECOND = 50_000  # of the whole budget that one question may use up at most
BLOCK = 1000  # games dealt out to their pairings at a time
TELL_EVERY = 0.2  # seconds

Told = Callable[[int, int, float], None]  # games done, of how many, seconds left at most


@dataclass(frozen=True, slots=True)
class Judging:
    """The wish to have games judged: for how long, and by whom; made only if it is needed."""

    seconds: float
    judge: Callable[[], Judge]


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """A recorded game and what was proven about it; players are numbers in the line-up."""

    number: int
    first: int
    second: int
    result: int
    reason: str
    judged: Judged


@dataclass(frozen=True)
class Survey:
    """The games that were judged, out of how many, and in which time."""

    games: tuple[JudgedGame, ...]
    of: int
    seconds: float  # allowed


def judge_journal(
    journal: Journal,
    judging: Judging,
    memory: Memory,
    told: Told = lambda done, of, left: None,
) -> Survey:
    """Judge a journal's games; the judge is made, and the clock started, when one is needed."""
    desk = _Desk(journal.header.rules, judging, memory, told, len(journal.finished))
    games: list[JudgedGame] = []
    for row in evenly(journal, sample_order(journal.finished, journal.header.seed)):
        judged = desk.judge(row.moves, len(row.opening), FIRST_NODES, len(games))
        if judged is None:
            break
        facts = row.number, row.first, row.second, row.result, row.reason
        games.append(JudgedGame(*facts, judged))
    else:
        for nodes in further_rounds(judging.seconds):
            games = list(_again(desk, games, nodes))
    return Survey(tuple(games), len(journal.finished), judging.seconds)


def further_rounds(seconds: float) -> Iterator[int]:
    """Nodes for each question in the rounds after the first."""
    nodes = FIRST_NODES * MORE
    while nodes <= seconds * NODES_A_SECOND:
        yield nodes
        nodes *= MORE


def _again(desk: _Desk, games: list[JudgedGame], nodes: int) -> Iterator[JudgedGame]:
    for done, game in enumerate(games):
        judged = desk.judge(game.judged.moves, game.judged.opening, nodes, done)
        facts = game.number, game.first, game.second, game.result, game.reason
        yield JudgedGame(*facts, judged or game.judged)


class _Desk:
    """Where games are judged one after another, against one clock."""

    def __init__(self, rules: Rules, judging: Judging, memory: Memory, told: Told, of: int) -> None:
        self.rules, self.judging = rules, judging
        self.memory, self.told, self.of = memory, told, of
        self.ready: Judge | None = None
        self.allowed = Allowance()
        self.done, self.due = 0, 0.0

    def judge(self, moves: bytes, opening: int, nodes: int, done: int) -> Judged | None:
        """What is known of a game when each question had so many nodes; None: no time for it."""
        known, tried = self.memory.get(moves, opening)
        self.done = done
        if known.is_complete or tried >= nodes:
            return known
        if self.ready is None:
            self.ready = self.judging.judge()
            self.allowed = Allowance.of(self.judging.seconds, waiting=self._tell)
        self._tell()
        if self.allowed.is_over:
            return known if tried else None
        try:
            found = judge_game(self.ready, self.rules, known, self.allowed.with_nodes(nodes))
        except IllegalMove:  # a journal from elsewhere: nothing can be proven of it
            found = known
        if self.allowed.is_over and not found.is_complete:
            if not tried:  # only its end is judged: counting that would favour ends
                return None
            nodes = tried
        self.memory.put(found, nodes)
        return found

    def _tell(self) -> None:
        now = time.monotonic()
        if now >= self.due:
            self.due = now + TELL_EVERY
            self.told(self.done, self.of, self.allowed.seconds or 0.0)


def sample_order(numbers: Iterable[int], seed: int) -> NDArray[np.int64]:
    """The games in the order in which they are judged, whatever their number says."""
    found = np.fromiter(numbers, np.int64)
    mixed = _mixed(found.astype(np.uint64) ^ _mixed(np.array([seed % 2**64], np.uint64)))
    order: NDArray[np.int64] = found[np.argsort(mixed, kind="stable")]
    return order


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Each number as another one that looks like chance (Steele, Lea and Flood's SplitMix64)."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ values >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ values >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return values ^ values >> np.uint64(31)


def evenly(journal: Journal, order: NDArray[np.int64]) -> Iterator[GameRow]:
    """The games in this order, but block by block one of each pairing in turn."""
    for start in range(0, len(order), BLOCK):
        block = order[start : start + BLOCK].tolist()
        rows = {row.number: row for row in journal.rows(numbers=block, telemetry=False)}
        pairings: dict[tuple[int, int], list[GameRow]] = {}
        for number in block:
            if number in rows:
                row = rows[number]
                pairings.setdefault((row.first, row.second), []).append(row)
        for turn in range(max(map(len, pairings.values()), default=0)):
            yield from (games[turn] for games in pairings.values() if turn < len(games))
