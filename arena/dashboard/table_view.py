"""The view of one table: both clocks, and the visible game.

A game that has ended stays on view for a moment, with its last disc and its winning line, which the
table itself never shows. Where games are quicker than that, only their ends are seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.dashboard.eta import Running, pair_of
from arena.engine.contract import Limits
from arena.errors import IllegalMove
from arena.game.notation import play_moves
from arena.game.position import Position
from arena.game.rules import Rules
from arena.table.channel import Thinking
from arena.table.game import Game
from arena.table.runner import TableView
from arena.tournament.games import ScheduledGame

LINGER = 0.9  # seconds that the end of a game stays visible

Used = tuple[float, float]  # seconds of the first and of the second seat


@dataclass(frozen=True, slots=True)
class Seat:
    """A player at a table: seconds used in this game, and seconds left on its clock, if any."""

    name: str
    used: float
    left: float | None = None
    thinking: bool = False


@dataclass(frozen=True, slots=True)
class LiveTable:
    """A table with the game on it, or the one that has just ended there.

    Without a position nothing was played here so far.
    """

    number: int  # from 1
    game: int = 0
    seats: tuple[Seat, Seat] | None = None
    position: Position | None = None
    thought: float | None = None  # seconds of this move so far; None before any clock runs
    allowed: float | None = None  # seconds a move, where that is limited
    ended: Game | None = None
    host: str = ""  # where it stands, unless that is this machine


class WatchedTable:
    """Chooses what to show of one table."""

    def __init__(self, number: int, rules: Rules, players: Sequence[tuple[str, Limits]]) -> None:
        self.number, self.rules, self.players = number, rules, players
        self.clocks: tuple[int, Used] = (0, (0.0, 0.0))  # of the last game seen on the table
        self.ended: Game | None = None  # the last game, until its end is on view
        self.on_view = LiveTable(number + 1)
        self.until = 0.0
        self.running: Running | None = None
        self._position = Position(rules)

    def over(self, row: Game) -> None:
        """A game has ended here."""
        self.ended = row
        self.running = None

    def look(self, table: TableView | None, now: float) -> LiveTable:
        """The view at this moment."""
        live = None if table is None else self._live(table, now)
        if table is not None and table.host != self.on_view.host:
            self.on_view = replace(self.on_view, host=table.host)
        if now < self.until:
            return self.on_view
        if self.ended is not None:
            self.on_view, self.ended = self._end(self.ended), None
            self.until = now + LINGER
        elif live is not None:
            self.on_view = live
        return self.on_view

    def _live(self, table: TableView, now: float) -> LiveTable | None:
        """The game on the table; None between two moves, or where the view is torn."""
        game, moves, thinking = table.game, table.moves, table.thinking
        if game is None or thinking is None:
            return None
        position = self._after(moves)
        if position is None or position.is_over:
            return None
        if thinking.used is not None and thinking.seat != position.to_move:  # it has moved on
            return None
        used = used_until(thinking, now)
        self.clocks = game.number, used
        self.running = pair_of(game.first, game.second), sum(used)
        speed, host = table.speed, table.host
        limits = [self.players[player][1] for player in (game.first, game.second)]
        given = limits if speed is None else [each.at_speed(speed) for each in limits]
        first, second = (self._seat(game, seat, used, len(moves), thinking, given[seat])
                         for seat in (0, 1))  # fmt: skip
        allowed = given[thinking.seat].seconds
        thought = None if thinking.used is None else now - thinking.since
        return LiveTable(
            self.number + 1, game.number, (first, second), position, thought, allowed, host=host
        )

    def _seat(
        self,
        game: ScheduledGame,
        seat: int,
        used: Used,
        ply: int,
        thinking: Thinking,
        limits: Limits,
    ) -> Seat:
        name, left = self.players[(game.first, game.second)[seat]][0], None
        if limits.clock is not None:
            own = (ply + 1 - seat) // 2 - (len(game.opening) + 1 - seat) // 2
            left = max(0.0, limits.clock + own * limits.increment - used[seat])
        return Seat(name, used[seat], left, thinking.seat == seat)

    def _end(self, row: Game) -> LiveTable:
        """The last position of a game, and its times: as written down, or seen on a lost table."""
        is_lost = not row.seconds and self.clocks[0] == row.number
        used = self.clocks[1] if is_lost else times_of(row)
        first, second = (self.players[player][0] for player in (row.first, row.second))
        seats = Seat(first, used[0]), Seat(second, used[1])
        position, host = self._after(row.moves), self.on_view.host
        return LiveTable(self.number + 1, row.number, seats, position, ended=row, host=host)

    def _after(self, moves: bytes) -> Position | None:
        """The position after these moves; None if they were read while they changed."""
        if bytes(self._position.moves) != moves:
            try:
                self._position = play_moves(moves, self.rules)
            except IllegalMove:
                return None
        return self._position


def used_until(thinking: Thinking, now: float) -> Used:
    """Seconds of both seats, including this move; nothing before the first question."""
    if thinking.used is None:
        return 0.0, 0.0
    first, second = thinking.used
    thought = max(0.0, now - thinking.since)
    return (first, second + thought) if thinking.seat else (first + thought, second)


def times_of(row: Game) -> Used:
    """Seconds that each seat has used for its own moves."""
    used = [0.0, 0.0]
    for ply, move in enumerate(row.move_records(), start=len(row.opening)):
        used[ply & 1] += move.seconds
    return used[0], used[1]
