"""Games of a schedule on real tables, as several tests play them."""

from __future__ import annotations

from itertools import chain

from arena.table.game import Game
from arena.table.local import LocalRunner
from arena.table.runner import GameOver, Seating, TableLost
from arena.tournament.agenda import Agenda
from arena.tournament.schedule import Schedule


def play_on_tables(
    seated: Seating, schedule: Schedule, workers: int
) -> tuple[list[Game], list[TableLost]]:
    """All games in order of their numbers, and everything else that happened."""
    runner = LocalRunner(seated, workers)
    agenda = Agenda(schedule, set(), list, seated.learners)
    rows: list[Game] = []
    others: list[TableLost] = []
    try:
        for event in chain.from_iterable(runner.play(agenda)):
            if isinstance(event, GameOver):
                agenda.done(event.game.number)
                rows.append(event.game)
            else:
                others.append(event)
    finally:
        runner.close()
    assert agenda.is_over or agenda.unplayed
    return sorted(rows, key=lambda row: row.number), others
