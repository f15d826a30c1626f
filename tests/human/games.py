"""Finished games for tests of the history."""

from __future__ import annotations

from arena.game import CONNECT4, Rules
from arena.human.game import HumanGame, Participant, TimeControl
from arena.human.history import FinishedGame
from tests.support.bots.good import Leftmost

MOVES = {1: "1212121", 0: "1143131242342342", -1: "12321242"}  # a draw only on 4x4


def person(name: str) -> Participant:
    return Participant(name)


def engine(name: str) -> Participant:
    return Participant(name, Leftmost(), "tests/support/bots/good.py:Leftmost")


def finished(
    first: Participant,
    second: Participant,
    result: int = 1,
    rules: Rules = CONNECT4,
    helps: int = 0,
) -> FinishedGame:
    """A short game that ended so."""
    game = HumanGame(
        (Participant(first.name), Participant(second.name)), rules, TimeControl(), seed=7
    )
    game.helps = helps
    for column in MOVES[result]:
        game.drop(int(column) - 1, 0.25)
    game.participants = (first, second)
    record = FinishedGame.of(game, 1_700_000_000.0)
    assert record.result == result
    return record
