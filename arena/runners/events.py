"""What a runner tells while it plays, one event at a time."""

from __future__ import annotations

from dataclasses import dataclass

from arena.play.record import GameRow


@dataclass(frozen=True, slots=True)
class GameOver:
    """A game has ended at a table; it counts once it is in the journal."""

    table: int
    row: GameRow


@dataclass(frozen=True, slots=True)
class TableLost:
    """A table had to be set anew; the game that was lost by it, if an engine is to blame.

    `unplayed` is a game that is given up for this run, as its table was killed time and again.
    """

    table: int
    why: str
    game: int | None
    unplayed: int | None = None


Event = GameOver | TableLost
