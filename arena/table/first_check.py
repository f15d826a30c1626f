"""Before the first game: build, warm up and try every player once, on a worker of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter
from typing import Any

from arena.bots.process import error_line
from arena.processes import ended_process
from arena.table.runner import PlayerChecked, Seating
from arena.table.table import Table
from arena.timing import PAUSES, Deadline

LOOK_EVERY = 0.2  # seconds between looks at memory and logs, and between ticks
ATTEMPTS = 3  # while a worker is stopped
PATIENT_ATTEMPTS = 10  # while a worker is killed externally, which is no engine's fault


class FirstCheck:
    """Checks the players one after another; the worker stays for the first game."""

    def __init__(
        self,
        seating: Seating,
        tables: list[Table],
        context: Any,
        tick: Callable[[], None],
    ) -> None:
        self.seating = seating
        self.tables = tables  # of the runner: one, or none if it has just been killed
        self.context = context
        self.tick = tick

    def players(self, forfeit: bool) -> Iterator[PlayerChecked]:
        """Check all players; stop at the first broken one, unless broken players forfeit."""
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
                self._let_forfeit(checked)

    def player(self, player: int) -> PlayerChecked:
        """Check a player; repeat it while the worker is killed externally."""
        for attempt in range(1, PATIENT_ATTEMPTS + 1):
            checked, ended = self._check_on_table(player)
            if checked is not None:
                return checked
            if attempt == ATTEMPTS and ended.startswith("stopped"):
                break
        unchecked = f"its worker was {ended} {attempt} times"
        return PlayerChecked(player, None, unchecked=unchecked)

    def _let_forfeit(self, checked: PlayerChecked) -> None:
        """Replace the worker by one that knows this player is broken."""
        self._clear()
        broken = {**self.seating.broken, checked.player: checked}
        self.seating = replace(self.seating, broken=broken)

    def _clear(self) -> str:
        """Kill the workers, and return what they printed last."""
        words = ""
        for table in self.tables:
            table.clear()
            words = table.last_words()
        self.tables.clear()
        return words

    def _check_on_table(self, player: int) -> tuple[PlayerChecked | None, str]:
        """Check a player once; return None and how the worker ended if it was killed externally."""
        if not self.tables:
            self.tables.append(Table(0, self.seating, self.context))
        table = self.tables[0]
        table.check(player)
        name, patience = self.seating.players[player].name, self.seating.loading
        if (stuck := self._wait(table, patience)) is not None:
            self._clear()
            if stuck:
                return None, stuck
            wrong = f"engine {name} gave no answer in {patience:g} seconds"
            return PlayerChecked(player, wrong, reason="time"), ""
        for answer in table.answers() or ():
            if isinstance(answer, PlayerChecked):
                return answer, ""
        ended, words = table.clear(), error_line(self._clear())
        if table.was_killed:
            return None, ended
        last = f" (it printed {words!r})" if words else ""
        wrong = f"engine {name}: {ended_process(table.process.exitcode)}{last}"
        return PlayerChecked(player, wrong, reason="crash"), ended

    def _wait(self, table: Table, seconds: float) -> str | None:
        """Wait for an answer; return why there will be none: empty if the time is over."""
        deadline = Deadline(perf_counter(), seconds, table.watched)
        looked = PAUSES.time_awake()
        while not deadline.over(now := perf_counter()):
            if table.pipe.poll(min(LOOK_EVERY, max(0.001, seconds))):
                return None
            table.watched.look(now)
            passed, looked = PAUSES.time_awake() - looked, PAUSES.time_awake()
            if (stuck := table.why_stuck(passed)) is not None:
                return stuck
            self.tick()
        return ""
