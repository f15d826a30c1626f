"""One moment of a run, as plain data: all that a frame shows, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len

from arena.game.position import Position
from arena.standings.ranking import Standing
from arena.standings.sprt import SprtState


@dataclass(frozen=True, slots=True)
class Seat:
    """A player at a table: seconds used in this game, and what is left where there is a clock."""

    name: str
    used: float
    left: float | None = None
    thinking: bool = False


@dataclass(frozen=True, slots=True)
class LiveTable:
    """A table with the game on it, or the one that has just ended there.

    `ending` is the cause in a few words; `winner` is a seat. Without a position nothing was played
    here so far.
    """

    number: int  # from 1
    game: int = 0
    seats: tuple[Seat, Seat] | None = None
    position: Position | None = None
    thought: float | None = None  # seconds of this move so far
    allowed: float | None = None  # seconds a move, where that is limited
    ending: str | None = None
    winner: int | None = None
    at_fault: bool = False  # whether it ended by a fault of an engine
    ready: bool = True  # False while an engine is loaded, before any clock runs


@dataclass(frozen=True, slots=True)
class Ended:
    """A finished game: its result for the first player, and the cause in a few words."""

    number: int
    first: str
    second: str
    result: int
    cause: str
    plies: int
    seconds: float
    at_fault: bool = False


@dataclass(frozen=True, slots=True)
class Happening:
    """Something else worth telling: at what time of the day, and whether it is grave."""

    when: str
    text: str
    grave: bool = False


@dataclass(frozen=True, slots=True)
class Test:
    """A sequential test between two players: how it stands, and the Elo difference so far.

    The difference is None as long as all outcomes are the same: `outcomes` of them.
    """

    one: str
    other: str
    elo0: float
    elo1: float
    state: SprtState
    outcomes: int
    elo: float | None
    error: float | None


@dataclass(frozen=True, slots=True)
class Checking:
    """A player is being checked before the first game, for so many seconds now."""

    name: str
    number: int
    count: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A run at one moment; standings and rows of the crosstable are in the same order."""

    name: str
    about: tuple[str, ...]  # the game, the format, the tables: in a few words each
    round: str  # in words, empty before the first game
    done: int
    total: int
    is_estimate: bool  # of the total
    rate: float  # games a second
    elapsed: float
    eta: float | None
    may_end_early: bool
    standings: tuple[Standing, ...]
    crosstable: tuple[tuple[float | None, ...], ...]  # shares of the points of the first players
    tables: tuple[LiveTable, ...]
    ended: tuple[Ended, ...]  # the last games, the last one last
    happenings: tuple[Happening, ...]  # the last one last
    test: Test | None = None
    checking: Checking | None = None
    stopping: str | None = None
    time: str = ""  # games lost on time and how busy the machine is, in a few words
    is_late: bool = False  # whether there is anything to worry about in that

    @property
    def longest_name(self) -> int:
        """Cells of the longest name of a player: in the standings, at a table, in a last game."""
        names = {standing.name for standing in self.standings}
        names.update(seat.name for table in self.tables for seat in table.seats or ())
        names.update(name for game in self.ended for name in (game.first, game.second))
        return max(map(cell_len, names), default=0)
