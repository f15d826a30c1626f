"""Positions that solvers are measured on: the well-known sets from files, or seeded ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from arena.errors import ArenaError
from arena.game.position import Position
from arena.game.rules import CONNECT4, SCORE4
from arena.tournament.numbered import derive_seed

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
    """Random positions in which nobody wins at once: the same ones on every machine."""
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


def quiet_position(random: Random, empty: int) -> Position:
    """A random position in which nobody has won, reached by moves that do not win."""
    while True:
        position = Position(SCORE4)
        while SCORE4.cells - position.ply > empty and not position.is_over:
            quiet = [column for column in position.legal if not position.wins_with(column)]
            position = position.play(random.choice(quiet or position.legal))
        if not position.is_over and not any(map(position.wins_with, position.legal)):
            return position
