"""The solvers of flat boards and of boards in space: scores, windows, budgets, refusals."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from random import Random
from threading import Thread

import numpy as np
import pytest

from arena.errors import BadRules
from arena.game.bits import record_of
from arena.game.position import Position
from arena.game.rules import SCORE4, Rules
from arena.solver import solver as asking
from arena.solver.flat.search import Solver
from arena.solver.solver import (
    PATIENT,
    Budget,
    ExactSolver,
    OutOfBudget,
    score_of_end,
    solver_for,
    winning_disc,
)
from arena.solver.space import SpaceSolver, field_of, lead_bound, live_cells
from tests.support.retrograde import loss, solved
from tests.support.solver import best_columns, wrong_scores

FLAT = ("3x3c3", "3x4c3", "5x2c2", "2x4")
SPACE = ("2x2x2c2", "2x2x3c3", "3x2x2c3", "2x2x3c2", "2x2x4")
SMALL = 1 / 256  # MB: entries that are written over all the time


def solver_of(name: str, megabytes: float = 1) -> ExactSolver:
    return solver_for(Rules.named(name), megabytes, book=False)


@cache
def minimax(position: Position) -> int:
    """Plain minimax."""
    if position.winner is not None:
        return loss(position.rules, position.ply)
    return max((-minimax(position.play(column)) for column in position.legal), default=0)


@cache
def everything(name: str) -> list[Position]:
    """All positions of a tiny board, or 300 of each ply, shuffled."""
    layer, random = {Position(Rules.named(name))}, Random(1)
    found: list[Position] = []
    while layer:
        grown = sorted(layer, key=lambda position: (position.first, position.second))
        kept = random.sample(grown, min(len(grown), 300))
        found += kept
        layer = {position.play(column) for position in kept for column in position.legal}
    random.shuffle(found)
    return found


def late(rules: Rules, empty: int, count: int, seed: int) -> list[Position]:
    """Random positions with this number of empty cells that are not over."""
    random = Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = Position(rules)
        while rules.cells - position.ply > empty and not position.is_over:
            quiet = [column for column in position.legal if not position.wins_with(column)]
            position = position.play(random.choice(quiet or position.legal))
        if not position.is_over:
            found.append(position)
    return found


# ---- scores


@pytest.mark.parametrize("name", [*FLAT, *SPACE])
@pytest.mark.parametrize("megabytes", [SMALL, 1])
def test_every_question_about_every_position(name: str, megabytes: float) -> None:
    solver = solver_of(name, megabytes)
    most = solver.rules.cells // 2 + 2
    for position in everything(name):
        score = minimax(position)
        assert solver.score(position) == score
        assert solver.score_from(position, score - 1) == score
        assert solver.sign(position) == (score > 0) - (score < 0)
        values = {column: -minimax(position.play(column)) for column in position.legal}
        assert solver.scores(position) == values
        for other in Random(position.ply).sample(range(-most, most + 1), 5):
            assert solver.beats(position, other) == (score > other)


@pytest.mark.parametrize(
    ("name", "empty", "count"),
    [("5x4", 8, 20), ("4x5c3", 8, 20), ("6x4c3", 8, 20), ("8x3", 8, 20), ("12x4", 8, 30),
     ("9x5c5", 8, 30), ("4x4x4", 5, 60), ("4x4x4", 7, 40), ("3x3x3c3", 13, 40), ("3x3x4c3", 20, 20),
     ("3x3x5", 8, 30), ("2x4x8", 8, 30), ("4x4x3", 7, 40), ("8x8x1", 7, 20)],
)  # fmt: skip
def test_late_positions_against_minimax(name: str, empty: int, count: int) -> None:
    """Odd and even heights, more columns than a vector, all 64 bits in use, lines of 3 to 5."""
    solver = solver_of(name, SMALL)
    for position in late(solver.rules, empty, count, seed=empty):
        values = {column: -minimax(position.play(column)) for column in position.legal}
        assert solver.score(position) == max(values.values())
        assert solver.scores(position) == values
    minimax.cache_clear()


# Odd and even heights, few and many columns, lines of two to four.
BOARDS = ("3x3c3", "4x3c3", "5x3c3", "3x5c3", "4x4c3", "2x7", "6x2c3", "4x3c2", "5x3", "3x6", "4x4")


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("megabytes", [1 / 64, 1])
def test_small_boards_with_all_that_is_kept_for_large_ones(name: str, megabytes: float) -> None:
    """Against retrograde minimax; test_truths.py asks a solver with the usual settings."""
    board = solved(name)
    solver = Solver(board.rules, megabytes, book=False)
    solver.field.table_from = solver.field.children_from = solver.field.mirror_from = 0
    assert wrong_scores(solver, board) == []


def test_the_end_of_a_game_on_a_tall_board() -> None:
    """Its columns are higher than those of any board that is listed whole."""
    position = Position.parse("3113313113311133311311113311313333", Rules.named("3x19c3"))
    assert Solver(position.rules, 1, book=False).score(position) == minimax(position) == 9


def test_deeper_answers_keep_what_shallow_ones_prove() -> None:
    """No minimax reaches so far: the score of a position is the best of its children's."""
    solver, fresh = SpaceSolver(SCORE4, 4), SpaceSolver(SCORE4, SMALL)
    for position in late(SCORE4, 14, 12, seed=8):
        score = solver.score(position)
        assert score == max(-fresh.score(position.play(column)) for column in position.legal)
        assert fresh.score(position.image(SCORE4.symmetries[3])) == score
        assert solver.beats(position, score - 1)
        assert not solver.beats(position, score)


@pytest.mark.parametrize(
    ("name", "empty"), [("4x4c3", 14), ("3x5c3", 13), ("5x4", 15), ("4x4x4", 12)]
)
def test_best_play_ends_with_the_disc_that_was_announced(name: str, empty: int) -> None:
    solver, random = solver_of(name, 4), Random(4)
    ended = 0
    for position in late(solver.rules, empty, 8, seed=2):
        announced = winning_disc(solver.score(position), position.ply, position.rules.cells)
        while not position.is_over:
            position = position.play(random.choice(best_columns(solver, position)))
        assert announced == (None if position.is_draw else position.ply)
        ended += announced is not None
    assert ended


def test_the_first_player_wins_with_disc_41() -> None:
    assert [winning_disc(score, 0, 42) for score in (1, -2, 0)] == [41, 40, None]
    assert winning_disc(-1, 1, 42) == 41


@pytest.mark.parametrize(
    ("name", "moves", "score"), [("7x6", "1212121", -18), ("4x4x4", "1,2,1,2,1,2,1", -29)]
)
def test_the_end_has_a_score_but_no_columns(name: str, moves: str, score: int) -> None:
    won, solver = Position.parse(moves, Rules.named(name)), solver_of(name)
    assert solver.score(won) == score_of_end(won) == score  # the winner's discs left, and one
    assert not solver.beats(won, score)
    assert solver.scores(won) == {}


# ---- bounds in space


def test_the_bound_of_the_follower_never_lies() -> None:
    bounds = 0
    for name, empty in (("4x4x4", 6), ("2x2x4", 8), ("2x2x4", 10), ("3x3x3c3", 12), ("2x4x4", 8)):
        rules = Rules.named(name)
        board, field = record_of(rules.board), field_of(rules, 10)
        for position in late(rules, empty, 100, seed=5):
            bound = lead_bound(board, field, *position.words)
            assert bound >= minimax(position)
            bounds += bound < 100
    assert bounds > 50


def test_cells_on_open_lines() -> None:
    random = Random(2)
    for name in ("4x4x4", "3x3x3c3", "2x4x8", "3x4x5", "2x2x2c2"):
        rules = Rules.named(name)
        for _ in range(50):
            cells = random.getrandbits(rules.cells)
            living = 0
            for line in rules.line_of:
                living |= line if line & cells == line else 0
            assert live_cells(record_of(rules.board), np.uint64(cells)) == living


# ---- budgets, slices, threads


def after(seconds: float) -> int:
    """A moment this many seconds from now, as deadlines have it."""
    return time.monotonic_ns() + int(seconds * 1e9)


HARD = Position.parse("12345671")
EASY = Position.parse("44444433333322")


@pytest.fixture
def solver() -> Solver:
    solver = Solver(HARD.rules, 8, book=False)
    solver.warm_up()
    return solver


@pytest.mark.parametrize(
    ("hard", "easy"), [(HARD, EASY), (Position(SCORE4), late(SCORE4, 10, 1, seed=1)[0])]
)
def test_what_is_not_proven_is_not_answered(hard: Position, easy: Position) -> None:
    solver = solver_for(hard.rules, 1, book=False)
    expected = solver.score(easy)
    for ask in (solver.score, solver.sign, solver.scores):
        before = solver.nodes
        with pytest.raises(OutOfBudget):
            ask(hard, Budget(nodes=2000))
        assert solver.nodes - before <= 2000
    begin = time.process_time()
    with pytest.raises(OutOfBudget):
        solver.score(hard, Budget(deadline=(after(0.05), 0)))
    assert time.process_time() - begin < 2
    assert solver.score(easy, Budget(nodes=10**9, deadline=(after(1000.0), 0))) == expected
    solver.forget()
    assert solver.score(easy) == expected


@pytest.mark.parametrize("name", ["4x4", "3x5c3"])
def test_interrupted_all_the_time_it_still_finds_the_score(name: str) -> None:
    """Each attempt is stopped after some nodes; the table carries over what was learned."""
    rules = Rules.named(name)
    solver, expected = Solver(rules, 1, book=False), Solver(rules, 1, book=False)
    for nodes in range(1, 10_000):
        try:
            found = solver.score(Position(rules), Budget(nodes=nodes))
            break
        except OutOfBudget:
            continue
    assert nodes > 3
    assert found == expected.score(Position(rules))
    assert solver.scores(Position(rules)) == expected.scores(Position(rules))


def test_an_emptied_table_knows_nothing_and_answers_the_same() -> None:
    position = Position.parse("4444433")
    solver = Solver(position.rules, 4, book=False)
    first, cost = solver.score(position), solver.nodes
    assert solver.score(position) == first
    assert solver.nodes - cost < cost  # remembered
    solver.forget()
    assert not solver.table.any()
    assert (solver.score(position), solver.nodes) == (first, cost)


@pytest.mark.parametrize(
    "budget",
    [
        Budget(nodes=0),
        Budget(nodes=-1),
        Budget(deadline=(1, 0)),
        Budget(deadline=(0, 1)),
        Budget(until=0),
    ],
)
def test_nothing_is_searched_with_nothing_left(solver: Solver, budget: Budget) -> None:
    before = solver.nodes
    with pytest.raises(OutOfBudget):
        solver.score(HARD, budget)
    assert solver.nodes == before


def test_a_moment_ends_all_questions() -> None:
    budget = Budget.lasting(1000, nodes=7)
    assert not budget.is_over
    assert budget.time_left == pytest.approx(1000, abs=100)
    assert budget.with_nodes(9) == Budget(9, until=budget.until)
    assert Budget.lasting(None).time_left is None
    assert Budget(until=time.process_time() - 1).is_over


def test_a_caller_that_waits_may_end_it(solver: Solver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "SLICE", 0.01)

    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solver.score(HARD, Budget(on_wait=stop))
    assert solver.score(EASY) == Solver(EASY.rules, 8, book=False).score(EASY)


def test_threads_take_turns(solver: Solver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "SLICE", 0.01)
    scores: dict[int, int] = {}

    def work(column: int) -> None:
        scores[column] = -solver.score(HARD.play(column), PATIENT)

    threads = [Thread(target=work, args=(column,)) for column in (2, 3, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    monkeypatch.undo()
    alone = Solver(HARD.rules, 8, book=False)
    assert scores == {column: -alone.score(HARD.play(column)) for column in (2, 3, 4)}


SCRIPT = """
from arena.game.position import Position
from arena.game.rules import Rules
from arena.solver.solver import solver_for
for name in ("4x4c3", "2x2x3c2"):
    position = Position(Rules.named(name))
    solver = solver_for(position.rules, 1)
    print(solver.score(position), solver.sign(position), solver.scores(position)[1])
"""


def test_kernels_from_the_disk_cache_answer_the_same() -> None:
    """A kernel that calls itself with two signatures compiles well, and crashes when it is loaded.

    The second process finds what the first one has compiled.
    """
    for _ in range(2):
        command = [sys.executable, "-c", SCRIPT]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout == "4 1 4\n5 1 5\n"


@pytest.mark.parametrize(
    ("solver", "name", "words"),
    [
        (Solver, "4x4x4", "in space"),
        (Solver, "9x7", "too large for the exact solver: columns x .rows . 1. is 72"),
        (solver_for, "8x8", "too large"),
        (solver_for, "64x1", "too large"),
        (SpaceSolver, "7x6", "flat"),
    ],
)
def test_boards_that_are_refused(
    solver: Callable[[Rules], ExactSolver], name: str, words: str
) -> None:
    with pytest.raises(BadRules, match=words):
        solver(Rules.named(name))
