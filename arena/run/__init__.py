"""One run of a tournament: what is prepared, what is played, and what is told about it."""

from arena.run.prepare import (
    CROWDED,
    ENGINE_CHANGED,
    cluster_of,
    crowded,
    header_of,
    seating_of,
)
from arena.run.progress import Outcome, RunProgress
from arena.run.run import Run
from arena.run.watcher import Watcher, Watchers

__all__ = [
    "CROWDED",
    "ENGINE_CHANGED",
    "Outcome",
    "Run",
    "RunProgress",
    "Watcher",
    "Watchers",
    "cluster_of",
    "crowded",
    "header_of",
    "seating_of",
]
