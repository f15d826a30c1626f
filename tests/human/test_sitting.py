"""A game in progress: drops, clocks, moves taken back, and every way it can end."""

from __future__ import annotations

import time

import pytest

from arena.errors import IllegalMove
from arena.game import CONNECT4, SCORE4, Rules
from arena.human.pace import Pace
from arena.human.seats import Seat
from arena.human.sitting import Ending, Sitting
from arena.play.referee import play_game
from tests.bots.bad import OffBoard, RaisesLate, Sleeps
from tests.bots.good import FlatOnly, Leftmost

PEOPLE = (Seat("Anna"), Seat("Bob"))


def sit(
    *seats: Seat, rules: Rules = CONNECT4, pace: Pace | None = None, moves: str = ""
) -> Sitting:
    """A game in which people have made these moves, each in a second."""
    first, second = seats or PEOPLE
    sitting = Sitting((first, second), rules, pace or Pace(), seed=1)
    for column in moves:
        sitting.drop(int(column) - 1, 1.0)
    return sitting


def test_two_people_play_to_a_line() -> None:
    sitting = sit(moves="1212121")
    assert sitting.ending == Ending(1, "line", "Anna made a column (1,1) (1,2) (1,3) (1,4)")
    assert sitting.outcome() == "Anna (X) wins by a column (1,1) (1,2) (1,3) (1,4)."
    assert sitting.outcome(("red", "yellow")).startswith("Anna (red) wins by a column")
    assert [move.seconds for move in sitting.moves] == [1.0] * 7


def test_a_disc_that_makes_two_lines_names_both() -> None:
    sitting = sit(rules=Rules.flat(4, 4, 3), moves="212341342")
    assert len(sitting.position.winning_lines) == 2
    assert sitting.outcome() == (
        "Anna (X) wins by a column (2,1) (2,2) (2,3) and a falling diagonal (2,3) (3,2) (4,1)."
    )


def test_a_full_board_is_a_draw() -> None:
    drawn = sit(rules=Rules.flat(4, 4), moves="1143131242342342")
    assert drawn.ending == Ending(0, "full board", "the board is full and nobody has a line")
    assert drawn.outcome() == "A draw: the board is full and nobody has a line."


def test_an_illegal_drop_is_an_error_and_not_a_loss() -> None:
    sitting = sit(moves="111111")
    with pytest.raises(IllegalMove, match="column 1 is full"):
        sitting.drop(0, 1.0)
    assert sitting.ending is None


def test_a_person_against_an_engine_is_the_game_that_a_referee_plays() -> None:
    sitting = sit(Seat("Anna"), Seat("leftmost", Leftmost()))
    while sitting.ending is None:
        if sitting.to_move == 0:
            sitting.drop(sitting.position.legal[-1], 0.5)
        else:
            sitting.ask_engine()
    record = play_game(
        (FlatOnly(far=True), Leftmost()), CONNECT4, seed=1, players=("Anna", "leftmost")
    )
    assert tuple(move.column for move in sitting.moves) == record.columns
    assert sitting.ending == (record.result, record.reason, record.detail)


def test_between_two_people_one_move_is_taken_back() -> None:
    sitting = sit(moves="44", pace=Pace(minutes=1))
    assert sitting.take_back() == 1
    assert sitting.position.notation == "4"
    assert sitting.to_move == 1
    assert [clock.left for clock in sitting.referee.clocks] == [59.0, 60.0]
    assert sitting.take_back() == 1
    assert sitting.take_back() == 0
    assert sitting.position.ply == 0
    assert sitting.helps == 2
    assert sitting.drop(3, 1.0)


def test_against_an_engine_its_answer_is_taken_back_too() -> None:
    sitting = sit(Seat("leftmost", Leftmost()), Seat("Anna"))
    sitting.ask_engine()
    assert sitting.take_back() == 0
    sitting.drop(6, 1.0)
    sitting.ask_engine()
    assert sitting.position.notation == "171"
    assert sitting.take_back() == 2
    assert sitting.position.notation == "1"
    assert sitting.to_move == 1


def test_giving_up() -> None:
    sitting = sit(moves="44")
    sitting.resign(0)
    assert sitting.ending == Ending(-1, "resigned", "Anna gave up")
    assert sitting.outcome() == "Bob (O) wins: Anna gave up (resigned)."


@pytest.mark.parametrize(
    ("pace", "allowed", "words"),
    [
        (Pace(seconds=5), 5.0, "Anna: the 5 s of a turn are over"),
        (Pace(minutes=2), 120.0, "Anna: the 2 min are over"),
        (Pace(5, 2), 5.0, "Anna: the 5 s of a turn are over"),
        (Pace(500, 2), 120.0, "Anna: the 2 min are over"),
    ],
)
def test_thinking_too_long_loses(pace: Pace, allowed: float, words: str) -> None:
    sitting = sit(pace=pace)
    assert sitting.allowed(0) == allowed
    assert not sitting.drop(0, allowed + 0.1)
    assert sitting.ending == Ending(-1, "time", words)
    assert sitting.position.ply == 0


def test_the_clock_runs_down_move_by_move() -> None:
    sitting = sit(pace=Pace(minutes=0.05), moves="4455")
    assert [clock.left for clock in sitting.referee.clocks] == [1.0, 1.0]
    assert sitting.allowed(0) == 1.0
    assert sitting.drop(0, 1.0)
    assert sit().allowed(0) is None


def test_an_engine_that_thinks_too_long_loses_on_time() -> None:
    sitting = sit(Seat("sleepy", Sleeps()), Seat("Anna"), pace=Pace(seconds=0.02))
    began = time.monotonic()
    assert not sitting.ask_engine()
    assert time.monotonic() - began < 30
    assert sitting.ending is not None
    assert sitting.ending[:2] == (-1, "time")


def test_an_engine_that_breaks_loses_with_a_sentence() -> None:
    sitting = sit(Seat("late", RaisesLate()), Seat("Anna"))
    while sitting.ending is None:
        if sitting.to_move == 0:
            sitting.ask_engine()
        else:
            sitting.drop(5, 1.0)
    assert sitting.outcome().startswith("Anna (O) wins: late: ValueError: too many discs (bad.py:")
    off = sit(Seat("off", OffBoard()), Seat("Anna"), rules=SCORE4)
    off.ask_engine()
    assert off.outcome() == (
        "Anna (O) wins: off: column 17 is not on the board (1 to 16) (illegal move)."
    )
