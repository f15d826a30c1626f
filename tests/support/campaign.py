"""Some good players against bots that misbehave, on real tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pytest

import arena
from arena.bots.hosted import Terms
from arena.table import local, table
from arena.table.runner import Seating, TableLost
from arena.tournament.formats import Gauntlet
from arena.tournament.games import Player
from arena.tournament.openings import NoOpenings
from arena.tournament.schedule import Schedule
from tests.support.playing import play_on_tables

MARGIN, PATIENCE, MEMORY = 0.02, 20.0, 300  # seconds, seconds, megabytes


class Bot(NamedTuple):
    """A player, as a tournament file names it."""

    name: str
    engine: str
    options: Mapping[str, str] = {}
    limits: arena.Limits = arena.Limits()


def play_gauntlet(
    heroes: Sequence[Bot], others: Sequence[Bot], workers: int = 2, start: float = 30.0,
    attempts: int | None = None, max_stopped: float | None = None,
) -> tuple[list[arena.Game], list[TableLost]]:  # fmt: skip
    """A 4x4 game of each hero against each of the others, and the tables that were lost.

    Bots get `start` seconds to be built; a game whose table is lost is given up after `attempts`. A
    worker that is stopped for `max_stopped` seconds is lost.
    """
    rules = arena.Rules.named("4x4")
    players = tuple(
        Player(bot.name, bot.engine, dict(bot.options), bot.limits) for bot in (*heroes, *others)
    )
    seated = Seating(rules, players, Terms(start, PATIENCE, MARGIN, MEMORY))
    vars(seated)["learners"] = frozenset()  # it takes a while to ask each bot whether it learns
    schedule = Schedule(Gauntlet(heroes=len(heroes)), len(players), 1, False, NoOpenings(), 1)
    with pytest.MonkeyPatch.context() as patch:
        if attempts is not None:
            patch.setattr(local, "PATIENT_ATTEMPTS", attempts)
        if max_stopped is not None:
            patch.setattr(table, "MAX_STOPPED", max_stopped)
        rows, lost = play_on_tables(seated, schedule, workers)
    names = [player.name for player in players]
    return [arena.Game(row, names, rules) for row in rows], lost
