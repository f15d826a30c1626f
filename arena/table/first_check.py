"""Before the first game: every player is built, warmed up and asked once, on a table of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from arena.machine import ended_process
from arena.table.grace import LONG
from arena.table.seating import Seating
from arena.table.table import Table
from arena.table.table_process import PlayerChecked

LOOK_EVERY = 0.2  # seconds between looks at memory and logs, and for whoever watches
PATIENT_ATTEMPTS = 10  # where a table is killed from outside, which is no engine's fault


class FirstCheck:
    """Asks the players one after another; the table is left for the first game."""

    def __init__(
        self,
        seating: Seating,
        tables: list[Table],
        context: Any,
        tick: Callable[[], None],
    ) -> None:
        self.seating = seating
        self.tables = tables  # its owner's: one, or none if it has just been cleared away
        self.context = context
        self.tick = tick

    def players(self, forfeit: bool) -> Iterator[PlayerChecked]:
        """What is wrong with each; the first who cannot play ends it, unless such forfeit."""
        for player, entry in enumerate(self.seating.players):
            if entry.broken:
                yield PlayerChecked(player, f"engine {entry.name}: {entry.broken}")
                continue
            yield PlayerChecked(player, None, begun=True)
            checked = self.player(player)
            yield checked
            if checked.wrong is not None:
                if not forfeit:
                    return
                self._let_forfeit(player, checked.wrong)

    def player(self, player: int) -> PlayerChecked:
        """What is wrong with a player, asked again while its table is killed from outside."""
        for _ in range(PATIENT_ATTEMPTS):
            checked, ended = self._check_on_table(player)
            if checked is not None:
                return checked
        unchecked = f"its table was {ended} {PATIENT_ATTEMPTS} times"
        return PlayerChecked(player, None, unchecked=unchecked)

    def _let_forfeit(self, player: int, wrong: str) -> None:
        """All tables know from now on that a player cannot play, and why."""
        for table in self.tables:
            table.clear()
            table.last_words()
        self.tables.clear()
        broken = {**self.seating.broken, player: wrong}
        self.seating = replace(self.seating, broken=broken)

    def _check_on_table(self, player: int) -> tuple[PlayerChecked | None, str]:
        """What a table says of a player; None and how it ended if it was killed from outside."""
        if not self.tables:
            self.tables.append(Table(0, self.seating, self.context))
        table = self.tables[0]
        table.check(player)
        name, patience = self.seating.players[player].name, self.seating.loading
        if not self._answers(table, patience):
            wrong = f"engine {name} gave no answer in {patience:g} seconds"
            return PlayerChecked(player, wrong), ""
        for answer in table.answers() or ():
            if isinstance(answer, PlayerChecked):
                return answer, ""
        ended = table.clear()
        words = table.last_words().strip().splitlines()
        self.tables.clear()
        if table.was_killed:
            return None, ended
        last = f" (it printed {words[-1]!r} last)" if words else ""
        return PlayerChecked(
            player, f"engine {name}: {ended_process(table.process.exitcode)}{last}"
        ), ended

    def _answers(self, table: Table, seconds: float) -> bool:
        """Wait for a table; whether it has something to say in time, pauses not counted."""
        while seconds > 0:
            begun = time.monotonic()
            if table.wire.poll(min(seconds, LOOK_EVERY)):
                return True
            self.tick()
            if not table.is_stopped:
                seconds -= min(time.monotonic() - begun, LONG)
        return False
