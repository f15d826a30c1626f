"""What an answer may cost: limits of every kind, slices, and threads that take turns."""

from __future__ import annotations

import time
from threading import Thread

import pytest

from arena.game.position import Position
from arena.solver import solver as asking
from arena.solver.flat.search import Solver
from arena.solver.solver import PATIENT, Budget, OutOfBudget

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
