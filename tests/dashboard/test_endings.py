"""How a game ended, in a few characters."""

from __future__ import annotations

import pytest

from arena.dashboard.state import at_fault, cause
from arena.engine.contract import Choice, Engine, Limits
from arena.game.position import Position
from arena.game.rules import CONNECT4, SCORE4, Rules
from arena.table.referee import play_game
from tests.dashboard.rows import row


class Plays(Engine):
    """Plays the columns it is told to."""

    def __init__(self, columns: tuple[int, ...]) -> None:
        super().__init__()
        self.columns = columns

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(self.columns[position.ply // 2])


@pytest.mark.parametrize(
    ("rules", "first", "second", "words"),
    [
        (CONNECT4, (0, 1, 2, 3), (0, 1, 2), "row"),
        (CONNECT4, (0, 0, 0, 0), (1, 2, 3), "column"),
        (SCORE4, (0, 5, 10, 15), (1, 1, 1), "level diagonal x+y"),
    ],
)
def test_the_kind_of_line_is_told(
    rules: Rules, first: tuple[int, ...], second: tuple[int, ...], words: str
) -> None:
    game = play_game((Plays(first), Plays(second)), rules, players=("who made a row (1)", "b"))
    assert cause(game) == words


@pytest.mark.parametrize(
    ("reason", "words", "fault"),
    [("full board", "full board", False), ("max plies", "ply limit", False),
     ("adjudicated", "adjudicated", False),
     ("time", "time", True), ("illegal move", "illegal move", True), ("crash", "crash", True)],
)  # fmt: skip
def test_other_causes(reason: str, words: str, fault: bool) -> None:
    ended = row(1, reason=reason)
    assert (cause(ended), at_fault(ended)) == (words, fault)
