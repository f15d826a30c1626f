"""One table as it is watched: both clocks, and which of its games is shown.

A game that has ended stays on view for a moment, with its last disc and its winning line, which the
table itself never shows. Where games are quicker than that, only their ends are seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.dashboard.endings import at_fault, cause
from arena.dashboard.snapshot import LiveTable, Seat
from arena.errors import IllegalMove
from arena.game.notation import play_moves
from arena.game.position import Position

if TYPE_CHECKING:
    from arena.engine.contract import Limits
    from arena.game.rules import Rules
    from arena.play.heartbeat import Thinking
    from arena.play.record import GameRow
    from arena.play.table import Table
    from arena.tournament.schedule import ScheduledGame

LINGER = 0.9  # seconds that the end of a game is shown
Player = tuple[str, "Limits"]
Used = tuple[float, float]  # seconds of the first and of the second seat


class Watched:
    """What a viewer sees of one table."""

    def __init__(self, number: int, rules: Rules, players: Sequence[Player]) -> None:
        self.number, self.rules, self.players = number, rules, players
        self.seen: tuple[int, Used] = (0, (0.0, 0.0))  # the last game on the table, and its clocks
        self.ended: GameRow | None = None  # the last one, until it is shown
        self.shown = LiveTable(number + 1)
        self.until = 0.0
        self.running: tuple[ScheduledGame, float] | None = None
        self._position = Position(rules)

    def over(self, row: GameRow) -> None:
        """A game has ended here."""
        self.ended = row
        self.running = None

    def look(self, table: Table | None, now: float) -> LiveTable:
        """What to show now."""
        live = None if table is None else self._live(table, now)
        if now < self.until:
            return self.shown
        if self.ended is not None:
            self.shown, self.ended = self._end(self.ended), None
            self.until = now + LINGER
        elif live is not None:
            self.shown = live
        return self.shown

    def _live(self, table: Table, now: float) -> LiveTable | None:
        """The game on the table; None while there is none, or it changes."""
        number, moves, thinking = table.heartbeat.game, table.heartbeat.moves(), table.thinking()
        game = next((game for game in list(table.games) if game.number == number), None)
        if game is None or thinking is None or thinking.game != number:
            return None
        position = self._after(moves)
        if position is None or position.is_over:
            return None
        if thinking.used is not None and thinking.seat != position.to_move:  # it has moved on
            return None
        used = used_until(thinking, now)
        self.seen, self.running = (number, used), (game, sum(used))
        seats = tuple(self._seat(game, seat, used, position.ply, thinking) for seat in (0, 1))
        allowed = self.players[(game.first, game.second)[thinking.seat]][1].seconds
        ready = thinking.used is not None
        return LiveTable(
            self.number + 1, number, (seats[0], seats[1]), position,
            now - thinking.since if ready else None, allowed, ready=ready,
        )  # fmt: skip

    def _seat(
        self, game: ScheduledGame, seat: int, used: Used, ply: int, thinking: Thinking
    ) -> Seat:
        name, limits = self.players[(game.first, game.second)[seat]]
        left = None
        if limits.clock is not None:
            own = (ply + 1 - seat) // 2 - (len(game.opening) + 1 - seat) // 2
            left = max(0.0, limits.clock + own * limits.increment - used[seat])
        return Seat(name, used[seat], left, thinking.seat == seat)

    def _end(self, row: GameRow) -> LiveTable:
        """The last position of a game, and its times: as written down, or seen on a lost table."""
        position = self._after(row.moves)
        is_lost = not row.seconds and self.seen[0] == row.number
        used = self.seen[1] if is_lost else times_of(row)
        names = (self.players[player][0] for player in (row.first, row.second))
        seats = tuple(Seat(name, seconds) for name, seconds in zip(names, used, strict=True))
        winner = {1: 0, 0: None, -1: 1}[row.result]
        return LiveTable(
            self.number + 1, row.number, (seats[0], seats[1]), position,
            ending=cause(row), winner=winner, at_fault=at_fault(row),
        )  # fmt: skip

    def _after(self, moves: bytes) -> Position | None:
        """The position after these moves; None if they were read while they changed."""
        if bytes(self._position.moves) != moves:
            try:
                self._position = play_moves(moves, self.rules)
            except IllegalMove:
                return None
        return self._position


def used_until(thinking: Thinking, now: float) -> Used:
    """Seconds of both seats with those of this move; being told of a game costs nothing."""
    if thinking.used is None:
        return 0.0, 0.0
    first, second = thinking.used
    thought = max(0.0, now - thinking.since)
    return (first, second + thought) if thinking.seat else (first + thought, second)


def times_of(row: GameRow) -> Used:
    """Seconds that each seat has used for its own moves."""
    used = [0.0, 0.0]
    for ply, move in enumerate(row.move_records(), start=len(row.opening)):
        used[ply & 1] += move.seconds
    return used[0], used[1]
