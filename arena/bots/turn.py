"""What there is to say to a program that is to move, in the words that a dialect's lines have."""

from __future__ import annotations

from collections.abc import Iterable

from arena.bots.dialects import Dialect
from arena.engine.contract import Limits
from arena.game.position import STEAL, Position


class Turn:
    """What there is to say about a turn, word by word; each is looked up when a line has it."""

    def __init__(self, dialect: Dialect, position: Position, player: int, limits: Limits) -> None:
        self.dialect = dialect
        self.position = position
        self.player = player  # 0 or 1: to whom it is said
        self.limits = limits

    def __getitem__(self, word: str) -> object:
        return getattr(self, word)

    def say(self, patterns: Iterable[str]) -> str:
        """Lines, filled in, as one text."""
        return "\n".join(pattern.format_map(self) for pattern in patterns)

    @property
    def me(self) -> int:
        """The number of the program's own side."""
        return self.player + self.dialect.first_player

    @property
    def other(self) -> int:
        """The number of its opponent."""
        return 1 - self.player + self.dialect.first_player

    @property
    def columns(self) -> int:
        """How many columns the board has."""
        return self.position.rules.columns

    @property
    def rows(self) -> int:
        """How many discs a column holds."""
        return self.position.rules.height

    @property
    def turn(self) -> int:
        """How many moves have been made, a steal among them."""
        return self.position.ply + self.position.stolen

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return self.position.ply // self.dialect.plies_a_round + 1

    @property
    def field(self) -> str:
        """The board."""
        return self.dialect.write_field(self.position)

    @property
    def count(self) -> int:
        """How many moves there are to choose from."""
        return len(self._choices)

    @property
    def actions(self) -> str:
        """The moves to choose from, one a line."""
        return "\n".join(map(self.dialect.write_column, self._choices))

    @property
    def _choices(self) -> tuple[int, ...]:
        steal = (STEAL,) if self.position.can_steal else ()
        return (*self.position.legal, *steal)

    @property
    def last(self) -> str:
        """The opponent's last move."""
        moves = self.position.moves
        return self.dialect.write_column(moves[-1]) if moves else self.dialect.no_move

    @property
    def bank(self) -> int:
        """Milliseconds for the game; where a move has a limit of its own, those of a move."""
        given = self._of_move if self.limits.clock is None else self.limits.clock
        return self.dialect.bank if given is None else milliseconds(given)

    @property
    def time_per_move(self) -> int:
        """Milliseconds that the bank gains with a move."""
        if self.limits.clock is not None:
            return int(1000 * self.limits.increment)
        given = self._of_move
        return self.dialect.time_per_move if given is None else milliseconds(given)

    @property
    def time(self) -> int:
        """Milliseconds for this move."""
        given = [x for x in (self._of_move, self.limits.clock) if x is not None]
        return milliseconds(min(given)) if given else self.dialect.bank

    @property
    def _of_move(self) -> float | None:
        """Seconds that a move has for itself; of processor time, as much as on the wall."""
        given = [x for x in (self.limits.seconds, self.limits.cpu) if x is not None]
        return min(given, default=None)


def milliseconds(seconds: float) -> int:
    """Whole milliseconds, never more than there are, and at least one."""
    return max(1, int(1000 * seconds))
