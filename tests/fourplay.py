"""The 252 games of FourPlay's agents against "Connect 3D", where the reference data is at hand."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from arena.game import SCORE4, Position
from tests.support.data import data_file

GAMES = "fourplay_games.csv"

Record = dict[str, str]
Decision = tuple[Position, int]  # a position, and the column that was played in it


def recorded_games() -> list[Record]:
    """Every game as it is recorded; skips a test without reference data."""
    with data_file(GAMES).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def columns(record: Record) -> list[int]:
    """Two digits a move, row and base column, as columns of the board."""
    return [4 * int(move[0]) + int(move[1]) for move in record["moves_xy"].split()]


def decisions(record: Record, player: int) -> Iterator[Decision]:
    """The moves of one player (0: the oracle, which moves first), the fixed opening left out."""
    position = Position(SCORE4)
    for column in columns(record):
        if position.ply > 0 and position.to_move == player:
            yield position, column
        position = position.play(column)


def decisions_of_oracle(level: str) -> list[Decision]:
    """All moves of the oracle on a level but the first one of each game, which is the corner."""
    games = [record for record in recorded_games() if record["oracle_level"] == level]
    return [decision for record in games for decision in decisions(record, player=0)]
