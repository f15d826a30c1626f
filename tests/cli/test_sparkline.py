"""A game's value in lines of text."""

from __future__ import annotations

import pytest

from arena.cli.actions import analyse_game
from arena.cli.actions.analyse_game import sparkline
from arena.game.rules import CONNECT4
from arena.judge.game import Judged


def lines(judged: Judged) -> list[str]:
    return sparkline(judged, CONNECT4).plain.split("\n")


def test_score_value_and_blunders_stand_below_each_other() -> None:
    scores = (1, -1, 1, 3, 0, 0)  # of whoever is to move
    judged = Judged(0, bytes([3, 3, 3, 2, 1]), scores, (None,) * 5)
    assert lines(judged) == ["  score   ▆▆▆▁▅▅", "  ahead   XXXO==", "  blunder    ^^"]


def test_opening_and_open_questions() -> None:
    judged = Judged(2, bytes([3, 3, 3, 2]), (None, -2, 2), (None, None))
    assert lines(judged) == ["  score     ?██", "  ahead     ?XX", "  blunder"]


def test_where_there_are_no_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyse_game, "symbol", lambda good, plain: plain)
    judged = Judged(0, bytes([3, 3]), (2, -2, -2), (None, None))
    assert lines(judged)[0] == "  score   ##_"
