"""What each part of learning is worth: `python -m tests.benchmarks.learning [GAMES]`.

The training of the network of 7x6, cut down to so many games on one thread, and variants of it that
leave out one thing or change one. Each is measured by 200 games as first player against perfect
play, and by the positions of an exam in which columns differ in value. Two rows run side by side.
Differences of a few points are chance.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from multiprocess.pool import Pool

from arena.learning.measure import Gauge
from arena.learning.methods import learner_of
from arena.learning.reading import load_text
from arena.learning.spec import Training
from arena.show.numbers import percent
from arena.show.progress import counted
from arena.show.table import Cell, Column, Table
from arena.show.terminal import console

READY = Path(__file__).resolve().parents[2] / "tournaments" / "training" / "ntuple-7x6.yaml"
GAMES = 50_000
CUT = {"workers": 1, "keep": "last", "precision": "full", "name": "ablation"}
MEASURE = {"perfect": 200, "exam": 400, "against": []}

VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "as it is": {},
    "no teacher": {"teacher": "none", "teacher_from": None},
    "teacher from 16 discs": {"teacher_from": 16},
    "teacher from 28 discs": {"teacher_from": 28},
    "without threats": {"threats": False},
    "no random plies": {"random_plies": 0},
    "no average": {"average": 0},
    "no temporal coherence": {"tcl": False},
    "lambda 0": {"lambda": 0},
    "lambda 0.9": {"lambda": 0.9},
    "step 3": {"step": 3},
    "70 tuples": {"tuples": {"count": 70, "length": 8}},
    "100 tuples of 6": {"tuples": {"count": 100, "length": 6}},
    "teacher everywhere": {"teacher": "everywhere", "teacher_from": None},  # by far the slowest
}


def variant(name: str, games: int) -> Training[Any]:
    """The ready training, changed as a row says."""
    file = {**yaml.safe_load(READY.read_text(encoding="utf-8")), **CUT, **VARIANTS[name]}
    file = {key: value for key, value in file.items() if value is not None}
    return load_text(yaml.safe_dump({**file, "games": games, "measure": MEASURE}))


@lru_cache(maxsize=1)
def gauge() -> Gauge:
    """What all rows are measured by, its positions solved once."""
    measures = Gauge(variant("as it is", GAMES))
    measures.solve(lambda what, step, of: None)
    return measures


def row(name: str, games: int) -> tuple[Cell, ...]:
    """Train a variant and measure it."""
    learner = learner_of(variant(name, games))
    learner.play(1)
    began = time.process_time()
    learner.play(games - 1)
    rate = games / (time.process_time() - began)
    strength = gauge().measure(learner.player(), lambda what, step, of: None)
    assert strength.perfect is not None
    assert strength.critical is not None
    won, drawn, lost = strength.perfect
    return name, rate, f"{won}/{drawn}/{lost}", strength.critical.share


def main() -> None:
    """Print the rows as a table."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    gauge()
    with Pool(2) as pool:
        jobs = [pool.apply_async(row, (name, games)) for name in VARIANTS]
        rows = list(counted((job.get() for job in jobs), "training variants", len(jobs)))
    columns = (
        Column("variant"),
        Column("games/s", "{:,.0f}".format),
        Column("won/drawn/lost of 200"),
        Column("critical value kept", percent),
    )
    console().print(Table(f"After {games:,} games", columns, tuple(rows)).screen())


if __name__ == "__main__":
    main()
