"""The learning curve: what was measured after how many games; as rows, a table and a CSV file."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

from arena.learning.measure import Kept, Strength
from arena.standings.games import WDL

Cell = float | int | None


@dataclass(frozen=True)
class Point:
    """A moment of a training: games learned from, time spent, strength, the learner's figures."""

    games: int
    seconds: float
    strength: Strength
    figures: Mapping[str, float]

    def cells(self) -> dict[str, Cell]:
        """All of it by the headings of the CSV file."""
        strength = self.strength
        cells: dict[str, Cell] = {"games": self.games, "seconds": round(self.seconds, 3)}
        if strength.perfect is not None:
            cells |= dict(_games("perfect", strength.perfect))
        for name, kept in (("exam", strength.exam), ("critical", strength.critical)):
            if kept is not None:
                cells |= {f"{name} kept": kept.kept, f"{name} positions": kept.positions}
                cells |= dict(_share(name, kept.share, kept.interval))
        for name, score in strength.against.items():
            cells |= dict(_games(f"against {name}", score))
        return {**cells, **self.figures}

    def data(self) -> dict[str, Any]:
        """The same for JSON, from which `point_of` reads it back."""
        strength = self.strength
        shares = {"exam": strength.exam, "critical": strength.critical}
        return {
            "games": self.games,
            "seconds": self.seconds,
            "perfect": strength.perfect,
            **{name: each and (each.kept, each.positions) for name, each in shares.items()},
            "against": dict(strength.against),
            "figures": dict(self.figures),
        }


def _games(name: str, score: WDL) -> Iterator[tuple[str, Cell]]:
    yield from ((f"{name} {word}", count) for word, count in score._asdict().items())
    yield from _share(name, score.share, score.interval)


def _share(
    name: str, share: float | None, interval: tuple[float, float]
) -> Iterator[tuple[str, Cell]]:
    cells = zip(("score", "low", "high"), (share, *interval), strict=True)
    return ((f"{name} {word}", None if x is None else round(x, 4)) for word, x in cells)


def point_of(data: Mapping[str, Any]) -> Point:
    """A moment from what `data` gave."""
    perfect, exam, critical = data["perfect"], data["exam"], data["critical"]
    strength = Strength(
        perfect and WDL(*perfect),
        exam and Kept(*exam),
        critical and Kept(*critical),
        {name: WDL(*score) for name, score in data["against"].items()},
    )
    return Point(data["games"], data["seconds"], strength, data["figures"])


def curve_csv(points: Sequence[Point]) -> bytes:
    """The whole curve as a CSV file; a figure that was not there at a moment is an empty cell."""
    rows = [point.cells() for point in points]
    headings = dict.fromkeys(heading for row in rows for heading in row)
    return csv_bytes(list(headings), ([row.get(name) for name in headings] for row in rows))


def csv_bytes(headings: Sequence[str], rows: Iterator[Sequence[object]]) -> bytes:
    """A CSV file as every program reads it."""
    text = StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows(rows)
    return text.getvalue().encode()
