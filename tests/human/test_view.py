"""Words about a game: clocks, and moves with their telemetry."""

from __future__ import annotations

import pytest

from arena.game import CONNECT4, SCORE4, Rules
from arena.human.game import HumanGame, Participant, TimeControl
from arena.human.view import clock_words, last_move_words, thinking_time
from tests.support.bots.good import Leftmost, Numpy


def begin(rules: Rules = CONNECT4, engine: Participant | None = None) -> HumanGame:
    return HumanGame(
        (engine or Participant("Anna"), Participant("Bob")), rules, TimeControl(), seed=0
    )


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0:00"), (-3, "0:00"), (0.2, "0:01"), (59.5, "1:00"), (61, "1:01"), (3600, "1:00:00")],
)
def test_clocks(seconds: float, words: str) -> None:
    assert clock_words(seconds) == words


def test_how_long_a_move_thinking_time() -> None:
    times = (1.234, 0.25, 0.0025, 0.00025, 0.0)
    assert [thinking_time(seconds) for seconds in times] == [
        "1.23 s", "250 ms", "2.5 ms", "under 1 ms", "under 1 ms",
    ]  # fmt: skip


def test_a_move_in_words() -> None:
    game = begin(engine=Participant("numpy", Numpy()))
    game.ask_engine()
    words = last_move_words(game)
    assert words.startswith("numpy drops into column 7, ")
    assert words.endswith(" ms, depth 1, 1 nodes, score +0.5")
    game.drop(2, 1.0)
    assert last_move_words(game) == "Bob drops into column 3"
    space = begin(SCORE4, Participant("leftmost", Leftmost()))
    space.ask_engine()
    assert last_move_words(space, " / ").startswith("leftmost drops into column 1,1 / ")
