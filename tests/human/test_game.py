"""A game in progress: drops, clocks, moves taken back, and every way it can end."""

from __future__ import annotations

import time

import pytest

from arena.errors import IllegalMove
from arena.game import CONNECT4, SCORE4, Rules
from arena.human.game import HumanGame, Participant, TimeControl
from arena.table.referee import play_game
from tests.support.bots.bad import OffBoard, RaisesLate, Sleeps
from tests.support.bots.good import FlatOnly, Leftmost

PEOPLE = (Participant("Anna"), Participant("Bob"))


def begin(
    *players: Participant,
    rules: Rules = CONNECT4,
    time_control: TimeControl | None = None,
    moves: str = "",
) -> HumanGame:
    """A game in which people have made these moves, each in a second."""
    first, second = players or PEOPLE
    game = HumanGame((first, second), rules, time_control or TimeControl(), seed=1)
    for column in moves:
        game.drop(int(column) - 1, 1.0)
    return game


def test_two_people_play_to_a_line() -> None:
    game = begin(moves="1212121")
    assert game.ending == (1, "line", "Anna made a column (1,1) (1,2) (1,3) (1,4)")
    assert game.outcome() == "Anna (X) wins by a column (1,1) (1,2) (1,3) (1,4)."
    assert game.outcome(("red", "yellow")).startswith("Anna (red) wins by a column")
    assert [move.seconds for move in game.moves] == [1.0] * 7


def test_a_disc_that_makes_two_lines_names_both() -> None:
    game = begin(rules=Rules.flat(4, 4, 3), moves="212341342")
    assert len(game.position.winning_lines) == 2
    assert game.outcome() == (
        "Anna (X) wins by a column (2,1) (2,2) (2,3) and a falling diagonal (2,3) (3,2) (4,1)."
    )


def test_a_full_board_is_a_draw() -> None:
    drawn = begin(rules=Rules.flat(4, 4), moves="1143131242342342")
    assert drawn.ending == (0, "full board", "the board is full and nobody has a line")
    assert drawn.outcome() == "A draw: the board is full and nobody has a line."


def test_an_illegal_drop_is_an_error_and_not_a_loss() -> None:
    game = begin(moves="111111")
    with pytest.raises(IllegalMove, match=r"column 1 \(0 counted from 0\) is full"):
        game.drop(0, 1.0)
    assert game.ending is None


def test_a_person_against_an_engine_is_the_game_that_a_referee_plays() -> None:
    game = begin(Participant("Anna"), Participant("leftmost", Leftmost()))
    while game.ending is None:
        if game.to_move == 0:
            game.drop(game.position.legal[-1], 0.5)
        else:
            game.ask_engine()
    record = play_game(
        (FlatOnly(far=True), Leftmost()), CONNECT4, seed=1, players=("Anna", "leftmost")
    )
    assert tuple(move.column for move in game.moves) == record.columns
    assert game.ending == (record.result, record.reason, record.detail)


def test_between_two_people_one_move_is_taken_back() -> None:
    game = begin(moves="44", time_control=TimeControl(minutes=1))
    assert game.take_back() == 1
    assert game.position.notation == "4"
    assert game.to_move == 1
    assert [clock.left for clock in game.clocks] == [59.0, 60.0]
    assert game.take_back() == 1
    assert game.take_back() == 0
    assert game.position.ply == 0
    assert game.helps == 2
    assert game.drop(3, 1.0)


def test_against_an_engine_its_answer_is_taken_back_too() -> None:
    game = begin(Participant("leftmost", Leftmost()), Participant("Anna"))
    game.ask_engine()
    assert game.take_back() == 0
    game.drop(6, 1.0)
    game.ask_engine()
    assert game.position.notation == "171"
    assert game.take_back() == 2
    assert game.position.notation == "1"
    assert game.to_move == 1


def test_giving_up() -> None:
    game = begin(moves="44")
    game.resign(0)
    assert game.ending == (-1, "resigned", "Anna gave up")
    assert game.outcome() == "Bob (O) wins: Anna gave up (resigned)."


@pytest.mark.parametrize(
    ("time_control", "allowed", "words"),
    [
        (TimeControl(seconds=5), 5.0, "Anna: the 5 s of a turn are over"),
        (TimeControl(minutes=2), 120.0, "Anna: the 2 min are over"),
        (TimeControl(5, 2), 5.0, "Anna: the 5 s of a turn are over"),
        (TimeControl(500, 2), 120.0, "Anna: the 2 min are over"),
    ],
)
def test_thinking_too_long_loses(time_control: TimeControl, allowed: float, words: str) -> None:
    game = begin(time_control=time_control)
    assert game.allowed(0) == allowed
    assert not game.drop(0, allowed + 0.1)
    assert game.ending == (-1, "time", words)
    assert game.position.ply == 0


def test_the_clock_runs_down_move_by_move() -> None:
    game = begin(time_control=TimeControl(minutes=0.05), moves="4455")
    assert [clock.left for clock in game.clocks] == [1.0, 1.0]
    assert game.allowed(0) == 1.0
    assert game.drop(0, 1.0)
    assert begin().allowed(0) is None


def test_an_engine_that_thinks_too_long_loses_on_time() -> None:
    game = begin(
        Participant("sleepy", Sleeps()), Participant("Anna"), time_control=TimeControl(seconds=0.02)
    )
    began = time.monotonic()
    assert not game.ask_engine()
    assert time.monotonic() - began < 30
    assert game.ending is not None
    assert game.ending[:2] == (-1, "time")


def test_an_engine_that_breaks_loses_with_a_sentence() -> None:
    game = begin(Participant("late", RaisesLate()), Participant("Anna"))
    while game.ending is None:
        if game.to_move == 0:
            game.ask_engine()
        else:
            game.drop(5, 1.0)
    assert game.outcome().startswith("Anna (O) wins: late: ValueError: too many discs (bad.py:")
    off = begin(Participant("off", OffBoard()), Participant("Anna"), rules=SCORE4)
    off.ask_engine()
    assert off.outcome() == (
        "Anna (O) wins: off: column 5,1 (16 counted from 0) is not on the board; "
        "expected 1,1 to 4,4, or 0 to 15 counted from 0 (illegal move)."
    )
