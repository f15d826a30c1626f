"""Words about a game: opinions in rows and pegs, clocks, and moves with their telemetry."""

from __future__ import annotations

import pytest

from arena.cli.playing.view import clock_words, help_lines, move_words, opinion_lines, took
from arena.game import CONNECT4, SCORE4, Rules
from arena.human.pace import Pace
from arena.human.seats import Seat
from arena.human.sitting import Sitting
from tests.bots.good import Leftmost, Numpy


def sitting(rules: Rules = CONNECT4, engine: Seat | None = None) -> Sitting:
    return Sitting((engine or Seat("Anna"), Seat("Bob")), rules, Pace(), seed=0)


def test_opinions_in_a_row() -> None:
    told = opinion_lines("mcts", {0: -1.5, 2: 0.25, 6: 0.25}, sitting())
    assert told == [
        "mcts on each column, for the player to move (* best):",
        "column     1      2      3      4      5      6      7",
        " worth  -1.5      ?  +0.25*     ?      ?      ?  +0.25*",
    ]
    assert opinion_lines("mcts", {}, sitting()) == ["mcts has no opinion of single columns."]


def test_opinions_peg_by_peg() -> None:
    told = opinion_lines("mcts", {column: float(column) for column in range(16)}, sitting(SCORE4))
    assert [line.split() for line in told[1:3]] == [
        ["x", "1", "2", "3", "4"],
        ["y", "1", "0", "+4", "+8", "+12"],
    ]
    assert told[-1].split()[-1] == "+15*"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0:00"), (-3, "0:00"), (0.2, "0:01"), (59.5, "1:00"), (61, "1:01"), (3600, "1:00:00")],
)
def test_clocks(seconds: float, words: str) -> None:
    assert clock_words(seconds) == words


def test_how_long_a_move_took() -> None:
    times = (1.234, 0.25, 0.0025, 0.00025, 0.0)
    assert [took(seconds) for seconds in times] == [
        "1.23 s", "250 ms", "2.5 ms", "under 1 ms", "under 1 ms",
    ]  # fmt: skip


def test_a_move_in_words() -> None:
    game = sitting(engine=Seat("numpy", Numpy()))
    game.ask_engine()
    words = move_words(game)
    assert words.startswith("numpy drops into column 7, ")
    assert words.endswith(" ms, depth 1, 1 nodes, score +0.5")
    game.drop(2, 1.0)
    assert move_words(game) == "Bob drops into column 3"
    space = sitting(SCORE4, Seat("leftmost", Leftmost()))
    space.ask_engine()
    assert move_words(space, " / ").startswith("leftmost drops into 1,1 / ")


def test_help_lists_what_does_something() -> None:
    assert len(help_lines(two_people=False, engine=True)) == 8
    alone = "\n".join(help_lines(two_people=True, engine=False))
    assert "opinion" not in alone
    assert "take back the last move" in alone
