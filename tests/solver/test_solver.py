"""Scores against minimax, budgets, and questions in slices."""

from __future__ import annotations

import subprocess
import sys
import time
from threading import Thread

import pytest

from arena.errors import BadRules
from arena.game.position import Position
from arena.game.rules import Rules
from arena.solver import solver as asking
from arena.solver.flat.search import Solver
from arena.solver.solver import PATIENT, Budget, OutOfBudget, solver_for
from arena.solver.space import SpaceSolver


@pytest.mark.parametrize(("name", "kind"), [("7x6", Solver), ("4x4x4", SpaceSolver)])
def test_the_solver_that_fits(name: str, kind: type) -> None:
    solver = solver_for(Rules.named(name), megabytes=1, book=False)
    assert isinstance(solver, kind)
    assert solver.rules == Rules.named(name)
    hard = Position(solver.rules).play(1).play(1).play(2)
    for ask in (solver.score, solver.scores, solver.sign):
        with pytest.raises(OutOfBudget):
            ask(hard, Budget(nodes=10))


@pytest.mark.parametrize("name", ["8x8", "9x7", "64x1"])
def test_boards_that_nobody_solves(name: str) -> None:
    with pytest.raises(BadRules, match="too large"):
        solver_for(Rules.named(name))


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
    told = [
        subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert told[0].stdout == told[1].stdout == "4 1 4\n5 1 5\n"


HARD = Position.parse("12345671")
EASY = Position.parse("44444433333322")


@pytest.fixture
def solver() -> Solver:
    solver = Solver(HARD.rules, 8, book=False)
    solver.warm_up()
    return solver


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


def test_whoever_waits_may_end_it(solver: Solver, monkeypatch: pytest.MonkeyPatch) -> None:
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
