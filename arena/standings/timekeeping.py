"""How time was kept in a tournament: who lost on it, and whether the machine had time for all."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from arena.play.record import GameRow

LONG = 0.001  # seconds of processor time: below that, clocks say little about a machine
BUSY = 1.25  # wall over processor time, from which on the machine was doing something else
WHY_LONG = "the machine was busy, or an engine waits for something other than a processor"


@dataclass
class Timekeeping:
    """Games lost on time by player, and the wall and processor time of all longer moves.

    Those are chosen by processor time: by wall time, a few interrupted moves of fast engines would
    speak for all.
    """

    losses: Counter[int] = field(default_factory=Counter)
    wall: float = 0.0
    cpu: float = 0.0
    moves: int = 0  # longer ones

    def add(self, row: GameRow) -> None:
        """Count a game; called thousands of times a second, if need be."""
        if row.reason == "time":
            self.losses[row.second if row.result > 0 else row.first] += 1
        count = len(row.moves) - len(row.opening)
        if row.seconds < LONG or len(row.telemetry) < 8 * count:
            return
        times = array("f")
        times.frombytes(row.telemetry[: 8 * count])  # wall times of all moves, then the others
        for wall, cpu in zip(times[:count], times[count:], strict=True):
            if cpu >= LONG:
                self.add_moves(wall, cpu, 1)

    def add_moves(self, wall: float, cpu: float, moves: int) -> None:
        """Count longer moves."""
        self.wall += wall
        self.cpu += cpu
        self.moves += moves

    @property
    def ratio(self) -> float | None:
        """Wall over processor time of the longer moves; None if there are none."""
        return self.wall / self.cpu if self.cpu else None

    @property
    def is_busy(self) -> bool:
        """Whether engines got noticeably less of the processor than of the clock."""
        return (self.ratio or 0.0) > BUSY

    def short(self) -> str:
        """In a few words: "3 time losses, wall/CPU 1.8"; empty if there is nothing to tell."""
        lost = self.losses.total()
        parts = [f"{lost} time loss{'' if lost == 1 else 'es'}"] if lost else []
        if self.ratio is not None:
            parts.append(f"wall/CPU {self.ratio:.1f}")
        return ", ".join(parts)

    def sentence(self, names: Sequence[str]) -> str:
        """In a sentence: how many games each player lost on time, and what the machine did."""
        lost = self.losses.total()
        games = "no game was" if not lost else "1 game was" if lost == 1 else f"{lost} games were"
        who = ", ".join(f"{names[player]} {count}" for player, count in self.losses.most_common())
        words = f"{games} lost on time" + (f" ({who})" if lost else "")
        if self.ratio is not None:
            words += f"; longer moves took {self.ratio:.2f} times their processor time"
        if self.is_busy:
            words += f": {WHY_LONG}"
        return words[0].upper() + words[1:]
