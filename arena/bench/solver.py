"""The speed of our exact solver beside a peer, by processor time, on one thread.

Both solve the same positions in the same order, without a book. Tables are emptied before each set
and kept within it. Ours solves all positions in one call, the peer one after another. Short sets
are repeated, taking turns, and the best time counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.engine.timing import NEVER
from arena.errors import ArenaError
from arena.game.bits import meter_fields
from arena.game.position import Position
from arena.game.rules import CONNECT4
from arena.jit import kernel
from arena.solver.flat.bits import Field
from arena.solver.flat.search import Solver, exact, words_of
from arena.solver.solver import MEGABYTES
from arena.tournament.numbered import derive_seed

Words = NDArray[np.uint64]
Ints = NDArray[np.int64]

SHORT = 0.3  # seconds: what takes less is repeated
REPEATS = 5
WELL_KNOWN = ("Test_L3_R1", "Test_L2_R1", "Test_L2_R2", "Test_L1_R1", "Test_L1_R2", "Test_L1_R3")

# name, discs on the board, how many positions
SEEDED = (
    ("late", range(28, 35), 400),
    ("middle", range(18, 23), 120),
    ("early", range(12, 15), 16),
)


@dataclass(frozen=True, slots=True)
class PositionSet:
    """Positions of the usual board, and their scores where these are known."""

    name: str
    positions: tuple[Position, ...]
    scores: tuple[int, ...] | None = None


EMPTY_BOARD = PositionSet("empty board", (Position(CONNECT4),), (1,))


def sets_in(folder: Path) -> list[PositionSet]:
    """The well-known sets in a directory: lines of moves, as columns from 1, and a score."""
    files = [folder / name for name in WELL_KNOWN if (folder / name).is_file()]
    if not files:
        raise ArenaError(f"{folder} holds none of the sets {', '.join(WELL_KNOWN)}")
    return [_read(file) for file in files]


def _read(file: Path) -> PositionSet:
    positions, scores = [], []
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    for number, line in enumerate(lines, start=1):
        try:
            moves, score = line.split()
            scores.append(int(score))
            positions.append(Position.parse(moves))
        except ValueError:
            raise ArenaError(f"{file}, line {number}: expected moves and a score") from None
        except ArenaError as error:
            raise ArenaError(f"{file}, line {number}: {error}") from None
    if not positions:
        raise ArenaError(f"{file} is empty: expected lines of moves and a score")
    return PositionSet(file.name, tuple(positions), tuple(scores))


def seeded_sets() -> list[PositionSet]:
    """Random positions without an immediate win, the same ones on every machine."""
    return [
        PositionSet(
            name, tuple(_random_positions(Random(derive_seed("solver", name)), plies, count))
        )
        for name, plies, count in SEEDED
    ]


def _random_positions(random: Random, plies: range, count: int) -> Iterator[Position]:
    while count:
        position, wanted = Position(CONNECT4), random.choice(plies)
        while position.ply < wanted and not position.is_over:
            position = position.play(random.choice(position.legal))
        quiet = not position.is_over and not any(map(position.wins_with, position.legal))
        if quiet and position.ply == wanted:
            count -= 1
            yield position


def solve_all(solver: Solver, own: Words, discs: Words, plies: Ints) -> Ints:
    """The scores of many positions, as the solver's words; the book is not asked."""
    solver.field.meter = meter_fields(None, NEVER)
    scores: Ints = _exact_all(own, discs, plies, solver.field)
    return scores


@kernel
def _exact_all(own: Words, discs: Words, plies: Ints, field: Field) -> Ints:
    scores = np.empty(len(own), np.int64)
    for i in range(len(own)):
        scores[i] = exact(own[i], discs[i], plies[i], field)
    return scores


class Ours:
    """Our solver, without its book."""

    name = "arena"

    def __init__(self, megabytes: float = MEGABYTES) -> None:
        self.solver = Solver(CONNECT4, megabytes, book=False)

    def prepare(self, positions: tuple[Position, ...]) -> None:
        """Take the positions, and empty the table."""
        words = [words_of(position) for position in positions]
        self._own = np.array([own for own, _ in words], np.uint64)
        self._discs = np.array([discs for _, discs in words], np.uint64)
        self._plies = np.array([position.ply for position in positions], np.int64)
        self.solver.forget()

    def solve(self) -> list[int]:
        """Find all scores."""
        return list(solve_all(self.solver, self._own, self._discs, self._plies).tolist())

    @property
    def nodes(self) -> int:
        """Nodes searched since the positions were prepared."""
        return int(self.solver.field.meter.nodes)


class BitBully:
    """The solver of the package bitbully, in C++, without its book."""

    def __init__(self) -> None:
        self._core: Any = import_module("bitbully.bitbully_core")
        self._solver = self._core.BitBullyCore()
        self.name = f"bitbully {version('bitbully')}"

    def prepare(self, positions: tuple[Position, ...]) -> None:
        """Take the positions, and empty the table."""
        self._boards = [self._board(position) for position in positions]
        self._solver.resetTranspositionTable()
        self._solver.resetNodeCounter()

    def solve(self) -> list[int]:
        """Find all scores."""
        mtdf = self._solver.mtdf
        return [mtdf(board, 0) for board in self._boards]

    @property
    def nodes(self) -> int:
        """Nodes searched since the positions were prepared."""
        return int(self._solver.getNodeCounter())

    def _board(self, position: Position) -> Any:
        board = self._core.BoardCore()
        for column in position.moves:
            board.play(column)
        return board


Contestant = Ours | BitBully


def find_peer() -> BitBully | None:
    """The peer, if it is installed."""
    try:
        return BitBully()
    except ImportError:
        return None


@dataclass(slots=True)
class Effort:
    """The cost of a set for one solver: the best time, and the nodes."""

    seconds: float
    nodes: int
    scores: list[int] = field(repr=False, default_factory=list)


@dataclass(frozen=True, slots=True)
class SetRow:
    """A set, and its cost for each solver."""

    name: str
    positions: int
    ours: Effort
    peer: Effort | None
    wrong: tuple[
        str, ...
    ]  # positions with scores that differ from each other or from the known one

    @property
    def ratio(self) -> float | None:
        """How many times longer the peer takes."""
        return None if self.peer is None else self.peer.seconds / self.ours.seconds


def measure(contestant: Contestant, positions: tuple[Position, ...]) -> Effort:
    """Solve all positions once, from an empty table."""
    contestant.prepare(positions)
    begin = process_time()
    scores = contestant.solve()
    return Effort(process_time() - begin, contestant.nodes, scores)


def warm_up() -> None:
    """Compile the solver before anything is timed."""
    measure(Ours(1), (Position.parse("4444443333332222221"),))


def contest(given: PositionSet, ours: Contestant, peer: Contestant | None) -> SetRow:
    """Measure both on one set, taking turns, and note the scores that differ."""
    sides = [side for side in (ours, peer) if side is not None]
    efforts = [measure(side, given.positions) for side in sides]
    short = [at for at, effort in enumerate(efforts) if effort.seconds < SHORT]
    for _ in range(REPEATS - 1):
        for at in short:
            again = measure(sides[at], given.positions)
            efforts[at].seconds = min(efforts[at].seconds, again.seconds)
    theirs = efforts[1] if peer is not None else None
    return SetRow(given.name, len(given.positions), efforts[0], theirs, _wrong(given, efforts))


def _wrong(given: PositionSet, efforts: list[Effort]) -> tuple[str, ...]:
    """Positions on which not all agree, with the scores of each."""
    opinions = [list(given.scores)] if given.scores is not None else []
    opinions += [effort.scores for effort in efforts]
    return tuple(
        f"{position.notation}: {', '.join(map(str, scores))}"
        for position, *scores in zip(given.positions, *opinions, strict=True)
        if len(set(scores)) > 1
    )
