"""Times, rates and causes in a few characters."""

from __future__ import annotations

import pytest

from arena.dashboard.glyphs import ASCII, COLOURLESS, UNICODE, glyphs_for
from arena.dashboard.words import at_fault, cause, clock, how_many, pace, result, span
from arena.engine import Choice, Engine, Limits
from arena.game.position import Position
from arena.game.rules import CONNECT4, SCORE4, Rules
from arena.play.referee import play_game
from arena.play.table import row_of
from arena.tournament.schedule import ScheduledGame
from tests.dashboard.rows import row


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0:00"), (44.6, "0:45"), (723, "12:03"), (3723, "1:02:03"), (300_000, "3 d 11 h")],
)
def test_spans(seconds: float, words: str) -> None:
    assert span(seconds) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.0123, "12ms"), (0.1, "0.1s"), (12.34, "12.3s"), (59.94, "59.9s"), (59.96, "1:00"),
     (-1.0, "0ms")],
)  # fmt: skip
def test_clocks(seconds: float, words: str) -> None:
    assert clock(seconds) == words


def test_a_time_that_is_not_so_exact_is_shown_in_tenths() -> None:
    assert clock(0.0123, fine=False) == "0.0s"


@pytest.mark.parametrize(
    ("rate", "words"),
    [(6123.4, "6123 games/s"), (12.34, "12.3 games/s"), (0.5, "30.0 games/min"),
     (0.001, "3.6 games/h"), (0.0, "0.0 games/h")],
)  # fmt: skip
def test_paces(rate: float, words: str) -> None:
    assert pace(rate) == words


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
    record = play_game((Plays(first), Plays(second)), rules, players=("who made a row (1)", "b"))
    game = ScheduledGame(1, 1, 0, 1, (), 0)
    assert cause(row_of(game, record, 0.0, 0.0)) == words


@pytest.mark.parametrize(
    ("reason", "words", "fault"),
    [("full board", "full board", False), ("max plies", "ply limit", False),
     ("time", "time", True), ("illegal move", "illegal move", True), ("crash", "crash", True)],
)  # fmt: skip
def test_other_causes(reason: str, words: str, fault: bool) -> None:
    ended = row(1, reason=reason)
    assert (cause(ended), at_fault(ended)) == (words, fault)


def test_results_and_numbers() -> None:
    assert [result(outcome, UNICODE) for outcome in (1, 0, -1)] == ["1-0", "½-½", "0-1"]
    assert result(0, ASCII) == "1/2"
    assert (how_many(1, "table"), how_many(2, "table")) == ("1 table", "2 tables")


def test_the_characters_suit_the_terminal() -> None:
    assert glyphs_for("utf-8") is UNICODE
    assert glyphs_for("utf-8", colour=False) is COLOURLESS
    assert glyphs_for("ascii") is ASCII
    assert glyphs_for("latin-1") is ASCII
    assert glyphs_for("no such encoding") is ASCII
