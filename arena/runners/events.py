"""What a runner tells while it plays, one event at a time."""

from __future__ import annotations

from dataclasses import dataclass

from arena.play.row import GameRow


@dataclass(frozen=True, slots=True)
class PlayerChecked:
    """A player is being checked (begun), or has been: what was wrong, if anything."""

    player: int
    wrong: str | None
    begun: bool = False


@dataclass(frozen=True, slots=True)
class GameOver:
    """A game has ended at a table; it counts once it is in the journal."""

    table: int
    row: GameRow


@dataclass(frozen=True, slots=True)
class TableLost:
    """A table had to be set anew; the game that was lost by it, if an engine is to blame."""

    table: int
    why: str
    game: int | None


Event = GameOver | TableLost
