"""How well engines keep their time on a busy machine: timed games beside busy loops."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from math import ceil

from arena.bench.measurements import machine
from arena.bots.find import build_engine
from arena.bots.names import engine_words
from arena.engine.limits import Limits
from arena.engine.timing import on_this_host
from arena.errors import BadOption, EngineFailure
from arena.game.rules import Rules
from arena.machine import usable_cores
from arena.show.numbers import duration, whole_percent
from arena.show.progress import Progress
from arena.show.table import Column, Table
from arena.show.terminal import console, print_json
from arena.table.game import Game
from arena.table.local import LocalRunner
from arena.table.runner import GameOver, Seating
from arena.tournament.agenda import Agenda
from arena.tournament.formats import RoundRobin
from arena.tournament.games import Player
from arena.tournament.openings import RandomPlies
from arena.tournament.schedule import Schedule

TIMED = ("iterative", "mcts", "alphabeta-time", "hybrid", "perfect")  # these use all of their time
PLIES = 4  # of each opening
PATIENCE, MEMORY = 60.0, 2048
LOOP = "import os\nowner = os.getppid()\nwhile os.getppid() == owner:\n    sum(range(100_000))\n"
TAKEN = re.compile(r"(?:took|in) ([0-9.]+) s( of the processor)?\b")


@dataclass
class ClockStats:
    """The times of one engine beside a number of busy loops."""

    engine: str
    loops: int
    limit: float  # seconds a move
    by_cpu: bool = False  # whether the limit is one of processor time
    losses: int = 0  # games lost on time
    walls: list[float] = field(default_factory=list)  # seconds of each move that was in time
    cpus: list[float] = field(default_factory=list)  # processor seconds of the same moves
    late: list[float] = field(default_factory=list)  # of late moves, by the clock of the limit

    @property
    def times(self) -> list[float]:
        """Seconds of all moves by the clock of the limit."""
        return [*(self.cpus if self.by_cpu else self.walls), *self.late]

    @property
    def moves(self) -> int:
        """Number of timed moves, including late ones."""
        return len(self.times)

    @property
    def worst(self) -> float:
        """Lateness of the latest answer in seconds; negative if all were early."""
        return self.percentile(1.0)

    @property
    def share(self) -> float:
        """Processor time as a share of wall time."""
        return sum(self.cpus) / (sum(self.walls) or 1.0)

    def percentile(self, part: float) -> float:
        """The lateness that this part of the answers does not exceed."""
        if not self.moves:
            return 0.0
        return sorted(self.times)[max(0, ceil(part * self.moves) - 1)] - self.limit

    def note(self, row: Game, seat: int) -> None:
        """Add the moves of a game that the engine played in this seat."""
        for ply, move in enumerate(row.move_records(), start=len(row.opening)):
            if ply % 2 == seat:
                self.cpus.append(move.cpu)
                self.walls.append(move.seconds)
        if row.reason == "time" and (row.result < 0) == (seat == 0):
            self.losses += 1
            taken = TAKEN.search(row.detail)
            if taken is not None and bool(taken[2]) == self.by_cpu:
                self.late.append(float(taken[1]))


def play_timed(
    engines: Sequence[str],
    rules: Rules,
    limits: Limits,
    games: int,
    workers: int,
    loops: int,
    progress: Callable[[int], None] = lambda done: None,
) -> list[ClockStats]:
    """Play a round robin of these engines beside a number of busy loops, and time their moves."""
    seconds, by_cpu = limits.seconds or limits.cpu or 0.0, limits.seconds is None
    kept = [ClockStats(engine, loops, seconds, by_cpu) for engine in engines]
    players = tuple(Player(engine, *_built(engine), limits) for engine in engines)
    runner = LocalRunner(Seating(rules, players), workers)
    schedule = Schedule(
        RoundRobin(), len(players), games, games % 2 == 0, RandomPlies(rules, PLIES, 1), 1
    )
    agenda, done = Agenda(schedule, frozenset(), list), 0
    try:
        for checked in runner.check():
            if checked.wrong is not None:
                raise EngineFailure(checked.wrong)
        progress(0)
        with busy_loops(loops):
            for event in chain.from_iterable(runner.play(agenda)):
                if isinstance(event, GameOver):
                    row = event.game
                    agenda.done(row.number)
                    for seat, player in enumerate((row.first, row.second)):
                        kept[player].note(row, seat)
                    done += 1
                    progress(done)
    finally:
        runner.close()
    return kept


def _built(words: str) -> tuple[str, dict[str, str]]:
    """Split an engine into name and options: "mcts c=0.7"; raise if it cannot be built."""
    build_engine(words)
    name, *given = engine_words(words)
    return name, {option: value for option, _, value in (word.partition("=") for word in given)}


@contextmanager
def busy_loops(count: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Keep the processor busy with this many processes; they end with their owner."""
    loops = [subprocess.Popen([sys.executable, "-S", "-c", LOOP]) for _ in range(count)]
    try:
        yield loops
    finally:
        for loop in loops:
            loop.kill()
        for loop in loops:
            loop.wait()


def bench_clocks(
    engines: list[str] | None,
    limit: str,
    games: int,
    busy: list[int] | None,
    workers: int | None,
    game: str,
    as_json: bool,
) -> None:
    """Play at each load, and print how each engine kept its time."""
    cores = usable_cores()
    loads = [0, 2 * cores] if busy is None else busy
    limits, rules = on_this_host(Limits.parse(limit)), Rules.named(game)
    if limits.seconds is None and limits.cpu is None:
        raise BadOption(f"--limit {limit}: expected seconds or cpu, as in seconds=0.1")
    named = engines or [name for name in TIMED if rules.is_flat or name != "perfect"]
    if len(named) < 2:
        raise BadOption("one engine cannot play; expected two or more")
    pairs = len(named) * (len(named) - 1) // 2
    rows: list[ClockStats] = []
    with Progress("checking engines", at_once=True) as progress:

        def show(done: int) -> None:
            if done == 0:
                progress.begin(f"playing beside {loops} busy loops", games * pairs)
            progress.at(done)

        for loops in loads:
            progress.begin("checking engines")
            rows += play_timed(named, rules, limits, games, workers or cores, loops, show)
    table = _table(rows)
    if as_json:
        engines_data = table.records()
        print_json({"machine": machine(), "engines": engines_data})
        return
    styles = ["red" if row.losses else "" for row in rows]
    console().print(table.without("limit").screen(ruled=False, styles=styles))
    lost = sum(row.losses for row in rows)
    print(f"{lost or 'No'} game{'s' if lost > 1 else ''} lost on time.")


def _table(rows: Sequence[ClockStats]) -> Table:
    """One row for each engine at each load."""
    columns = (
        Column("engine"), Column("busy loops", str), Column("limit", duration),
        Column("moves", str), Column("lost on time", str), Column("p99 late", duration),
        Column("worst late", duration), Column("CPU/wall", whole_percent, "cpu_over_wall"),
    )  # fmt: skip
    cells = tuple(
        (row.engine, row.loops, row.limit, row.moves, row.losses, row.percentile(0.99),
         row.worst, row.share)
        for row in rows
    )  # fmt: skip
    return Table("", columns, cells)
