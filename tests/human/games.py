"""Finished games for tests of the history."""

from __future__ import annotations

from arena.game import CONNECT4, Rules
from arena.human.history import Played, played
from arena.human.pace import Pace
from arena.human.seats import Seat
from arena.human.sitting import Sitting
from tests.bots.good import Leftmost

MOVES = {1: "1212121", 0: "1143131242342342", -1: "12321242"}  # a draw only on 4x4


def person(name: str) -> Seat:
    return Seat(name)


def engine(name: str) -> Seat:
    return Seat(name, Leftmost(), "tests/bots/good.py:Leftmost")


def finished(
    first: Seat, second: Seat, result: int = 1, rules: Rules = CONNECT4, helps: int = 0
) -> Played:
    """A short game that ended so."""
    sitting = Sitting((Seat(first.name), Seat(second.name)), rules, Pace(), seed=7)
    sitting.helps = helps
    for column in MOVES[result]:
        sitting.drop(int(column) - 1, 0.25)
    sitting.seats = (first, second)
    game = played(sitting, 1_700_000_000.0)
    assert game.result == result
    return game
