"""The referee: games end as they should, and every mistake costs the one who made it the game."""

from __future__ import annotations

from threading import Thread
from time import process_time, sleep

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import CONNECT4, SCORE4, Choice, Engine, Limits, Position, Rules
from arena.engines.random import Random
from arena.engines.reflex import Reflex
from arena.errors import BadRules, IllegalMove
from arena.table.game import Game, MoveRecord, pack_telemetry, unpack_telemetry
from arena.table.referee import ONE_GAME, Referee, play_game
from tests.support.bots import bad, good


class Scripted(Engine):
    """Plays the columns it was given."""

    def __init__(self, *columns: int) -> None:
        super().__init__()
        self.columns = list(columns)

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(self.columns.pop(0), score=1.0, depth=2, nodes=3)


def play(first: Engine, second: Engine, limits: Limits | None = None, seed: int = 1) -> Game:
    names = (type(first).__name__, type(second).__name__)
    return play_game((first, second), CONNECT4, limits or Limits(), seed, players=names)


def test_a_win_is_recorded_with_its_line_and_telemetry() -> None:
    record = play(Scripted(0, 1, 2, 3), Scripted(0, 1, 2))
    assert (record.result, record.reason, record.plies) == (1, "line", 7)
    assert record.detail == "Scripted made a row (1,1) (2,1) (3,1) (4,1)"
    assert record.columns == (0, 0, 1, 1, 2, 2, 3)
    assert record.winner == 0
    move = record.move_records()[0]
    assert (move.score, move.depth, move.nodes) == (1.0, 2, 3)
    assert move.seconds >= 0
    assert record.final(CONNECT4).winner == 0


def test_the_second_player_wins_too() -> None:
    record = play(Scripted(0, 0, 0, 2), Scripted(1, 1, 1, 1))
    assert (record.result, record.winner) == (-1, 1)
    assert "column (2,1) (2,2) (2,3) (2,4)" in record.detail


def test_a_line_in_space_is_named_by_x_y_and_level() -> None:
    engines = (Scripted(0, 5, 10, 15), Scripted(1, 2, 3))
    record = play_game(engines, SCORE4)
    assert record.detail == "X made a level diagonal x+y (1,1,1) (2,2,1) (3,3,1) (4,4,1)"


def test_a_full_board_is_a_draw() -> None:
    record = play_game((Scripted(0, 2), Scripted(1)), Rules.flat(3, 1, connect=3))
    assert (record.result, record.reason, record.winner) == (0, "full board", None)


def test_the_opening_is_played_and_moves_belong_to_their_seat() -> None:
    record = play_game((Scripted(1, 2, 3), Scripted(6, 6, 6)), CONNECT4, opening=(0, 6, 0))
    assert record.opening == bytes([0, 6, 0])
    assert [move.column for move in record.moves_of(1)] == [6, 6, 6]
    assert [move.column for move in record.moves_of(0)] == [1, 2]
    assert record.result == -1


@pytest.mark.parametrize("opening", [(0, 1, 0, 1, 0, 1, 0), (9,), (0,) * 7])
def test_an_opening_that_is_over_or_impossible_is_refused(opening: tuple[int, ...]) -> None:
    with pytest.raises(IllegalMove):
        play_game((Random(), Random()), CONNECT4, opening=opening)


@pytest.mark.parametrize(
    ("bot", "reason", "detail"),
    [
        (bad.OffBoard, "illegal move", "OffBoard: column 8 (7 counted from 0) is not on the board"),
        (bad.Stubborn, "illegal move", "Stubborn: column 1 (0 counted from 0) is full"),
        (bad.Raises, "exception", "Raises: ValueError: out of ideas (bad.py:"),
        (bad.RaisesLate, "exception", "RaisesLate: ValueError: too many discs (bad.py:"),
        (bad.RaisesEarly, "exception", "RaisesEarly: RuntimeError: not today (bad.py:"),
        (bad.Quits, "exception", "Quits: SystemExit: goodbye"),
        (bad.AnswersNothing, "illegal move", "answered None where a Choice is expected"),
        (bad.AnswersNumber, "illegal move", "answered 3 where a Choice is expected"),
        (bad.AnswersText, "illegal move", "answered column '3', which is not a whole number"),
        (bad.AnswersBool, "illegal move", "answered column True, which is not a whole number"),
        (bad.AnswersHalf, "illegal move", "answered column 2.5, which is not a whole number"),
        (bad.Cheats, "illegal move", "changed the position"),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_mistake_loses_the_game(bot: type[Engine], reason: str, detail: str, seat: int) -> None:
    other: Engine = Scripted(0, 0, 0, 1, 1, 2)
    record = play(bot(), other) if seat == 0 else play(other, bot())
    assert record.reason == reason
    assert record.winner == 1 - seat
    assert detail in record.detail


@pytest.mark.parametrize("limits", [Limits(seconds=0.02), Limits(clock=0.02)])
def test_a_late_answer_loses_the_game(limits: Limits) -> None:
    class Late(good.Leftmost):
        def choose(self, position: Position, limits: Limits) -> Choice:
            sleep(0.08)
            return super().choose(position, limits)

    record = play(good.Leftmost(), Late(), limits)
    assert (record.result, record.reason) == (1, "time")
    assert "Late: took 0." in record.detail


class Burns(good.Leftmost):
    """Keeps the processor busy for a while, in a thread beside it if so asked."""

    seconds: float = 0.08
    beside: bool = False

    def choose(self, position: Position, limits: Limits) -> Choice:
        if self.beside:
            helper = Thread(target=self.burn)
            helper.start()
            helper.join()
        else:
            self.burn()
        return super().choose(position, limits)

    def burn(self) -> None:
        end = process_time() + self.seconds
        while process_time() < end:
            pass


@pytest.mark.parametrize("beside", [False, True])
def test_too_much_processor_time_loses_the_game_whichever_thread_used_it(beside: bool) -> None:
    record = play(good.Leftmost(), Burns(beside=beside), Limits(cpu=0.02))
    assert (record.result, record.reason) == (1, "time")
    assert record.detail.startswith("Burns: took 0.")
    assert record.detail.endswith(" s of the processor where 0.02 s were allowed")


def test_processor_time_does_not_run_while_an_engine_sleeps() -> None:
    class Sleepy(good.Leftmost):
        def choose(self, position: Position, limits: Limits) -> Choice:
            sleep(0.06)
            return super().choose(position, limits)

    record = play(Scripted(1, 1, 1, 1), Sleepy(), Limits(cpu=0.02))
    assert record.reason == "line"


def test_numbers_of_numpy_are_numbers() -> None:
    record = play(good.Numpy(), Scripted(0, 0, 0, 1, 1, 1, 2, 2, 2))
    move = record.move_records()[0]
    assert (move.column, move.depth) == (6, 1)
    assert type(move.column) is type(move.depth) is int
    assert record.reason == "line"


def test_a_score_that_is_no_number_is_not_written_down() -> None:
    record = play(bad.BadScore(), Random())
    assert record.moves_of(0)[0].score is None


def test_an_engine_may_decline_a_board() -> None:
    with pytest.raises(BadRules, match="only flat boards"):
        play_game((Random(), good.FlatOnly()), SCORE4)


def test_same_seed_same_game_and_another_seed_another() -> None:
    engines = (Random(), Reflex())
    games = [play_game(engines, SCORE4, seed=seed).columns for seed in (5, 5, 6)]
    assert games[0] == games[1] != games[2]


def test_both_seats_of_a_game_have_seeds_of_their_own() -> None:
    engines = (Random(), Random())
    Referee(engines, CONNECT4, scheduled=ONE_GAME._replace(seed=5))
    assert engines[0].random.random() != engines[1].random.random()


def test_a_game_can_be_driven_move_by_move() -> None:
    referee = Referee((Random(), Random()), CONNECT4, scheduled=ONE_GAME._replace(seed=2))
    with pytest.raises(ValueError, match="not over"):
        referee.finished_game()
    plies = 1
    while referee.ask():
        assert referee.position.ply == plies
        plies += 1
    assert referee.finished_game().plies == plies
    assert not referee.ask()


def test_a_game_can_be_ended_from_outside() -> None:
    referee = Referee((Random(), Random()), CONNECT4, players=("one", "two"))
    assert referee.ask()
    referee.forfeit(1, "time", "did not answer")
    record = referee.finished_game()
    assert (record.result, record.detail, record.plies) == (1, "two: did not answer", 1)


moves = st.builds(
    MoveRecord,
    column=st.integers(0, 63),
    seconds=st.floats(0, 1e6, width=32),
    cpu=st.floats(0, 1e6, width=32),
    score=st.none() | st.floats(allow_nan=False, allow_infinity=False),
    depth=st.none() | st.integers(0, 64),
    nodes=st.none() | st.integers(0, 2**62),
)


@given(st.lists(moves, max_size=64))
def test_telemetry_comes_back_as_it_was(played: list[MoveRecord]) -> None:
    columns = bytes(move.column for move in played)
    assert unpack_telemetry(columns, pack_telemetry(played)) == played


def test_a_count_that_cannot_be_is_not_known() -> None:
    move = MoveRecord(0, 0.0, 0.0, nodes=-5, depth=10**6)
    back = unpack_telemetry(b"\0", pack_telemetry([move]))[0]
    assert (back.nodes, back.depth) == (None, None)
