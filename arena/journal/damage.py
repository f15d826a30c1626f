"""What of a journal cannot be trusted, and whether a game from before checksums can be a game."""

from __future__ import annotations

from dataclasses import dataclass, field

from arena.journal.header import Header
from arena.play.record import GameRow

SHOWN = 8  # numbers of games in a sentence
TELEMETRY = 4 + 4 + 8 + 8 + 2  # bytes a move
LATEST = 2.5e11  # seconds since 1970: the year 9892, the last that a date can be written of


@dataclass
class Damage:
    """What was found damaged so far, by whoever has read it; it is left out."""

    games: set[int] = field(default_factory=set)
    others: dict[str, None] = field(default_factory=dict)  # in words, each once, in order

    def __bool__(self) -> bool:
        return bool(self.games or self.others)

    def note(self, what: str) -> None:
        """Something besides a game is damaged."""
        self.others[what] = None

    def __str__(self) -> str:
        parts = [*self.others, *([numbered(self.games)] if self.games else [])]
        return ", ".join(parts)


def numbered(games: set[int]) -> str:
    """Games by their numbers: "3 games (4, 7, 9)"."""
    numbers = ", ".join(map(str, sorted(games)[:SHOWN])) + (", .." if len(games) > SHOWN else "")
    return f"game {numbers}" if len(games) == 1 else f"{len(games)} games ({numbers})"


def is_plausible(row: GameRow, header: Header) -> bool:
    """Whether a row without a checksum can be a game of this tournament."""
    players, rules = len(header.players), header.rules
    numbers = (row.number, row.round, row.first, row.second, row.result, row.seed)
    times = (row.started, row.seconds)
    texts, blobs = (row.reason, row.detail, row.log), (row.opening, row.moves, row.telemetry)
    if not (
        all(type(number) is int for number in numbers)
        and all(type(time) is float and abs(time) < LATEST for time in times)
        and all(type(text) is str for text in texts)
        and all(type(blob) is bytes for blob in blobs)
    ):
        return False
    return (
        row.number >= 0
        and 0 <= row.first < players
        and 0 <= row.second < players
        and row.result in (-1, 0, 1)
        and len(row.moves) <= rules.cells
        and max(row.moves, default=0) < rules.columns
        and row.moves.startswith(row.opening)
        and len(row.telemetry) in (0, TELEMETRY * (len(row.moves) - len(row.opening)))
    )
