"""The ends of a learner's games: last evaluations by outcome, moves to win, where lines lay."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.game.position import Position
from arena.learning.curve import csv_bytes
from arena.learning.features import Floats
from arena.show.numbers import one_digit, percent, two_digit_range, two_digits, whole
from arena.show.table import Cell, Column, Table
from arena.standings.endings import area, area_interval

Ints = NDArray[np.int64]

WON, DRAWN, LOST = 1, 0, -1
SAMPLE, SAMPLE_SECONDS = 200, 5.0  # games whose ends are looked at, and the time for them


@dataclass(frozen=True)
class Ending:
    """How one game ended for the learner: its value before the last move, and the last position."""

    value: float
    result: int
    end: Position


@dataclass(frozen=True)
class Outcomes:
    """The ends of some games that were played alike."""

    name: str
    endings: tuple[Ending, ...]

    @classmethod
    def of(cls, name: str, endings: Iterable[Ending]) -> Outcomes:
        """The ends of these games, under a name for tables and plots."""
        return cls(name, tuple(endings))

    def values(self, result: int) -> Floats:
        """The last evaluations of the games that ended so."""
        return np.array([e.value for e in self.endings if e.result == result], dtype=np.float64)

    def plies(self, result: int) -> Ints:
        """The lengths of the games that ended so."""
        return np.array([e.end.ply for e in self.endings if e.result == result], dtype=np.int64)

    @property
    def auc(self) -> float | None:
        """How well the evaluation separates won from lost games; None without both."""
        return area(self.values(WON), self.values(LOST))

    @property
    def auc_interval(self) -> tuple[float, float] | None:
        """95 % around it."""
        auc, won, lost = self.auc, len(self.values(WON)), len(self.values(LOST))
        return None if auc is None else area_interval(auc, won, lost)

    @property
    def low_lines(self) -> float | None:
        """The share of the learner's winning lines in the lower half of the board (S3 figure 5)."""
        heights = [_height(ending.end) for ending in self.endings if ending.result == WON]
        return float(np.mean([height < 0.5 for height in heights])) if heights else None


def _height(end: Position) -> float:
    """How high the winning line lies on average: 0 is the floor, 1 the top."""
    line = end.winning_line
    assert line is not None
    levels = [level for _, _, level in line.cells]
    return sum(levels) / len(levels) / max(1, end.rules.height - 1)


def endings_csv(each: Iterable[Outcomes]) -> bytes:
    """Every game as a row of a CSV file: whose, how it ended, how long it was, the last value."""
    words = {WON: "won", DRAWN: "drawn", LOST: "lost"}
    rows = (
        [outcomes.name, words[ending.result], ending.end.ply, repr(ending.value)]
        for outcomes in each
        for ending in outcomes.endings
    )
    return csv_bytes(["weights", "result", "plies", "value"], rows)


def outcomes_table(each: Iterable[Outcomes]) -> Table:
    """Results, AUC, moves to win and low lines, a row for each set of games."""
    columns = (
        Column("weights"),
        Column("games", whole),
        Column("won", percent),
        Column("AUC", two_digits),
        Column("95 %"),
        Column("plies to win", one_digit),
        Column("low lines", percent),
    )
    return Table("Ends of games", columns, tuple(_row(outcomes) for outcomes in each))


def _row(outcomes: Outcomes) -> tuple[Cell, ...]:
    games, plies = len(outcomes.endings), outcomes.plies(WON)
    interval = outcomes.auc_interval
    return (
        outcomes.name,
        games,
        len(plies) / games if games else None,
        outcomes.auc,
        None if interval is None else two_digit_range(*interval),
        float(plies.mean()) if len(plies) else None,
        outcomes.low_lines,
    )
