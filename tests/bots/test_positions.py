"""Programs that read whole positions and write a score, scores or a move."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from shlex import join
from typing import Any

import pytest

from arena import CONNECT4, SCORE4, Choice, Engine, Limits, Position, Rules
from arena.bots.find import build_engine
from arena.bots.hosted import Terms
from arena.bots.positions import Positions, trial_position
from arena.engine.errors import Fault
from arena.errors import EngineFailure
from arena.table.referee import play_game
from tests.bots.partners import BOTS, compiled

Build = Callable[..., Positions]
PLENTY = Limits(seconds=20.0)
SMALL = Rules.flat(5, 4)


@pytest.fixture
def solver() -> Iterator[Build]:
    engines: list[Positions] = []

    def build(*words: str, **options: Any) -> Positions:
        engines.append(Positions(join([compiled(BOTS / "solver.c"), *words]), **options))
        return engines[-1]

    yield build
    for engine in engines:
        engine.close()


@pytest.fixture
def script() -> Iterator[Build]:
    """A program that answers every line with the value of an expression."""
    engines: list[Positions] = []

    def build(says: str, **options: Any) -> Positions:
        code = f"for line in open(0):\n line = line.strip()\n print({says}, flush=True)"
        engines.append(Positions(join([sys.executable, "-c", code]), **options))
        return engines[-1]

    yield build
    for engine in engines:
        engine.close()


@pytest.mark.parametrize("manner", ["score", "scores", "bare", "move"])
def test_it_finds_out_what_a_program_writes(solver: Build, manner: str) -> None:
    """X wins at once on the left, O has to block there."""
    engine = solver(manner)
    win, threat = Position.parse("7162636"), Position.parse("112233")
    engine.begin(CONNECT4, 0)
    assert engine.ask(threat, PLENTY).column == 3
    assert engine.ask(threat.play(5), PLENTY).column == 3
    assert engine.ask(win, PLENTY).column in range(7)
    score = engine.ask(threat, PLENTY).score
    assert score == (None if manner == "move" else (42 + 1 - 6) // 2)


@pytest.mark.parametrize("manner", ["score", "scores", "move"])
def test_a_whole_game(solver: Build, manner: str) -> None:
    engine = solver(manner, "5", "4", "5")
    engine.get_ready(SMALL)
    for pair in ((engine, build_engine("random")), (build_engine("random"), engine)):
        record = play_game(pair, SMALL, PLENTY, seed=3, opening=(4, 4))
        assert record.reason in ("line", "full board"), record.detail


class Rightmost(Engine):
    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(position.legal[-1])


@pytest.mark.parametrize(
    ("answer", "style", "detail"),
    [
        ("'9'", "move", "X: column 9 (8 counted from 0) is not on the board"),
        ("'2.5'", "move", "X: answered '2.5'; expected one column"),
        ("'1 2 3'", "scores", "X: answered '1 2 3'; expected 7 scores"),
    ],
)
def test_a_bad_answer_costs_the_game(script: Build, answer: str, style: str, detail: str) -> None:
    record = play_game((script(answer, answer=style), Rightmost()), CONNECT4, PLENTY)
    assert record.reason == "illegal move"
    assert detail in record.detail


def test_chatter_is_skipped_and_time_is_kept(script: Build) -> None:
    assert script("'nodes visited\\n' + line + ' 4'", answer="move").ask(Position(), PLENTY)
    slow = script("__import__('time').sleep(5)", answer="move")
    slow.terms = Terms(patience=0.2)
    with pytest.raises(Fault, match="gave no answer"):
        slow.ask(Position(), Limits(seconds=0.1))


def test_a_program_that_does_not_play_is_reported_before_the_first_game(
    solver: Build, script: Build
) -> None:
    with pytest.raises(EngineFailure, match="left with exit code 3; the dialogue ended: < "):
        solver("crash").get_ready(CONNECT4)
    with pytest.raises(EngineFailure, match="'1 2 3'; expected 7 scores; the dialogue ended: < "):
        script("'1 2 3'", answer="scores").get_ready(CONNECT4)


def test_a_board_that_was_set_up_has_no_moves_to_send(solver: Build) -> None:
    board = Position.parse("......./......./......./......./......./X......")
    with pytest.raises(EngineFailure, match="need the moves that led to a position"):
        solver("scores").ask(board, PLENTY)


def test_a_trial_is_late_and_not_over() -> None:
    for rules in (CONNECT4, SMALL, SCORE4, Rules.flat(1, 8)):
        position = trial_position(rules)
        assert not position.is_over
        assert position.ply > rules.cells // 2
