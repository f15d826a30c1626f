"""One table as it is watched: whose clock runs, and which of its games is shown.

A game that has ended stays on view for a moment, with its last disc and its winning line, which the
table itself never shows. Where games are quicker than that, only their ends are seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.dashboard.snapshot import LiveTable, Seat
from arena.dashboard.words import at_fault, cause
from arena.errors import IllegalMove
from arena.game.notation import play_moves
from arena.game.position import Position

if TYPE_CHECKING:
    from arena.engine import Limits
    from arena.game.rules import Rules
    from arena.play.pulse import Thinking
    from arena.play.row import GameRow
    from arena.play.table import Table
    from arena.tournament.schedule import ScheduledGame

LINGER = 0.9  # seconds that the end of a game is shown
Player = tuple[str, "Limits"]


class Stopwatch:
    """The time both seats have used, seen from outside a few times a second.

    A move that is seen from its beginning to the next one is timed exactly. Where several were made
    between two looks, that time goes to who is thinking now: right on average, as who thinks longer
    is seen thinking more often.
    """

    def __init__(self) -> None:
        self.game = 0
        self.began = 0.0
        self._counted = 0.0  # until when
        self._last: tuple[int, int] = (0, 0)  # ply and seat of the last look
        self.used = [0.0, 0.0]

    def look(self, game: int, ply: int, thinking: Thinking, now: float) -> None:
        """Somebody is thinking."""
        if game != self.game:
            self.game, self.used = game, [0.0, 0.0]
            self.began = self._counted = thinking.since
        elif thinking.since > self._counted:
            last_ply, last_seat = self._last
            seat = last_seat if ply == last_ply + 1 else thinking.seat
            self.used[seat] += thinking.since - self._counted
            self._counted = thinking.since
        self.used[thinking.seat] += max(0.0, now - self._counted)
        self._counted = max(now, self._counted)
        self._last = (ply, thinking.seat)


class Watched:
    """What a viewer sees of one table."""

    def __init__(
        self, number: int, rules: Rules, players: Sequence[Player], patience: float
    ) -> None:
        self.number, self.rules, self.players = number, rules, players
        self.patience = patience
        self.watch = Stopwatch()
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
        number, moves, thinking = table.pulse.game, table.pulse.moves(), table.thinking()
        game = next((game for game in list(table.games) if game.number == number), None)
        if game is None or thinking is None or thinking.game != number:
            return None
        position = self._after(moves)
        if position is None or position.is_over:
            return None
        if not self._is_getting_ready(game, thinking):
            self.watch.look(number, len(moves), thinking, now)
        began = self.watch.began if self.watch.game == number else now
        self.running = (game, now - began)
        seats = tuple(self._seat(game, seat, thinking, len(moves)) for seat in (0, 1))
        allowed = self.players[(game.first, game.second)[thinking.seat]][1].seconds
        thought = now - thinking.since
        return LiveTable(self.number + 1, number, (seats[0], seats[1]), position, thought, allowed)

    def _is_getting_ready(self, game: ScheduledGame, thinking: Thinking) -> bool:
        """Whether a player with a clock is only being told of the game, which costs it nothing."""
        limits = self.players[(game.first, game.second)[thinking.seat]][1]
        timed = limits.seconds is not None or limits.clock is not None
        return timed and thinking.allowed == self.patience

    def _seat(self, game: ScheduledGame, seat: int, thinking: Thinking, ply: int) -> Seat:
        name, limits = self.players[(game.first, game.second)[seat]]
        used = self.watch.used[seat] if self.watch.game == game.number else 0.0
        left = None
        if limits.clock is not None:
            own = (ply + 1 - seat) // 2 - (len(game.opening) + 1 - seat) // 2
            left = max(0.0, limits.clock + own * limits.increment - used)
        return Seat(name, used, left, thinking.seat == seat)

    def _end(self, row: GameRow) -> LiveTable:
        """The last position of a game, with the times that the table has measured."""
        position = self._after(row.moves)
        used = times_of(row)
        if not row.seconds and self.watch.game == row.number:
            used = (self.watch.used[0], self.watch.used[1])
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


def times_of(row: GameRow) -> tuple[float, float]:
    """Seconds that each seat has used for its own moves."""
    used = [0.0, 0.0]
    for ply, move in enumerate(row.move_records(), start=len(row.opening)):
        used[ply & 1] += move.seconds
    return used[0], used[1]
