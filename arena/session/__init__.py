"""One run of a tournament, from its file to its journal."""

from arena.session.play import play
from arena.session.prepare import (
    CROWDED,
    ENGINE_CHANGED,
    cluster_of,
    crowded,
    header_of,
    seating_of,
)
from arena.session.run import Run
from arena.session.watcher import Outcome, RunProgress, Watcher, Watchers

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
    "play",
    "seating_of",
]
