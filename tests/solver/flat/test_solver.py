"""The solver as others ask it: scores, windows, budgets, refusals."""

from __future__ import annotations

import time
from functools import cache
from random import Random

import pytest

from arena.errors import BadRules
from arena.game.position import Position
from arena.game.rules import Rules
from arena.solver.flat.search import Solver
from arena.solver.solver import Budget, OutOfBudget, score_of_end, winning_disc
from tests.game.strategies import random_game
from tests.solver.asking import after, best_columns
from tests.support.retrograde import loss

TINY = ("3x3c3", "3x4c3", "5x2c2", "2x4")


@cache
def minimax(position: Position) -> int:
    """Plain minimax."""
    if position.winner is not None:
        return loss(position.rules, position.ply)
    return max((-minimax(position.play(column)) for column in position.legal), default=0)


@cache
def everything(name: str) -> list[Position]:
    """All positions of a tiny board, those that are over among them, shuffled."""
    layer, found = {Position(Rules.named(name))}, []
    while layer:
        found += sorted(layer, key=lambda position: (position.first, position.second))
        layer = {position.play(column) for position in layer for column in position.legal}
    Random(1).shuffle(found)
    return found


@pytest.mark.parametrize("name", TINY)
def test_every_question_about_every_position(name: str) -> None:
    solver = Solver(Rules.named(name), 1)
    for position in everything(name):
        score = minimax(position)
        assert solver.score(position) == score
        assert solver.sign(position) == (score > 0) - (score < 0)
        values = {column: -minimax(position.play(column)) for column in position.legal}
        assert solver.scores(position) == values


@pytest.mark.parametrize("name", ["5x4", "4x5c3", "4x5", "6x4c3", "8x3", "12x4"])
def test_late_positions_of_larger_boards(name: str) -> None:
    """Boards too large to be listed whole: random positions, as far back as minimax reaches."""
    rules, random = Rules.named(name), Random(7)
    solver, asked = Solver(rules, 1 / 64, book=False), 0
    while asked < 40:
        position = random_game(rules, rules.cells - random.randint(6, 10), random).position
        if not position.is_over:
            assert solver.score(position) == minimax(position), position
            asked += 1


def test_the_end_of_a_game_on_a_tall_board() -> None:
    """Its columns are higher than those of any board that is listed whole."""
    position = Position.parse("3113313113311133311311113311313333", Rules.named("3x19c3"))
    assert Solver(position.rules, 1, book=False).score(position) == minimax(position) == 9


@pytest.mark.parametrize("name", TINY)
def test_windows_are_distinguished(name: str) -> None:
    """Asked in any order, about every score there can be and some beyond."""
    solver, most = Solver(Rules.named(name), 1), Rules.named(name).cells // 2 + 2
    for position in everything(name)[:400]:
        for score in Random(position.ply).sample(range(-most, most + 1), 2 * most + 1):
            assert solver.beats(position, score) == (minimax(position) > score)


def test_the_end_has_a_score_but_no_columns() -> None:
    rules = Rules.named("connect4")
    won, solver = Position.parse("1212121", rules), Solver(rules, 1, book=False)
    assert solver.score(won) == score_of_end(won) == -18  # 17 discs left, and one
    assert solver.scores(won) == {}


@pytest.mark.parametrize("name", ["4x4c3", "3x5c3", "5x4"])
def test_a_score_says_which_disc_completes_the_line(name: str) -> None:
    rules, random = Rules.named(name), Random(3)
    solver, ended = Solver(rules, 1, book=False), 0
    for plies in (0, 1, 4, 5, 6, 7) * 4:
        position = random_game(rules, plies, random).position
        announced = winning_disc(solver.score(position), position.ply, position.rules.cells)
        while not position.is_over:
            position = position.play(random.choice(best_columns(solver, position)))
        assert announced == (None if position.is_draw else position.ply)
        ended += announced is not None
    assert ended


def test_the_first_player_wins_with_disc_41() -> None:
    assert winning_disc(1, 0, 42) == 41
    assert winning_disc(-1, 1, 42) == 41
    assert winning_disc(-2, 0, 42) == 40
    assert winning_disc(0, 0, 42) is None


def test_a_solver_works_after_nodes_ran_out() -> None:
    rules = Rules.named("connect4")
    hard, easy = Position.parse("44"), Position.parse("444444333")
    solver = Solver(rules, 1, book=False)
    fresh = Solver(rules, 1, book=False).score(easy)
    for ask in (solver.score, solver.sign, solver.scores):
        before = solver.nodes
        with pytest.raises(OutOfBudget):
            ask(hard, Budget(nodes=2000))
        assert solver.nodes - before <= 2000
    with pytest.raises(OutOfBudget):
        solver.beats(hard, 0, Budget(nodes=500))
    assert solver.score(easy) == fresh  # what was left unfinished spoils nothing
    assert solver.score(easy, Budget(nodes=10**9, deadline=(after(1000.0), 0))) == fresh


def test_seconds_run_out() -> None:
    solver = Solver(Rules.named("connect4"), 1, book=False)
    solver.score(Position.parse("44444433333322"))  # compiled from here on
    begin = time.process_time()
    with pytest.raises(OutOfBudget):
        solver.score(Position(), Budget(deadline=(after(0.05), 0)))
    with pytest.raises(OutOfBudget):
        solver.beats(Position(), 0, Budget(deadline=(1, 0)))
    assert time.process_time() - begin < 2
    assert solver.score(Position.parse("44444433333322")) == Solver(
        Rules.named("connect4"), 1, book=False
    ).score(Position.parse("44444433333322"))


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
    position = Position(rules)
    for column in position.legal:
        assert solver.score(position.play(column)) == expected.score(position.play(column))


def test_an_emptied_table_knows_nothing_and_answers_the_same() -> None:
    position = Position.parse("4444433")
    solver = Solver(position.rules, 4, book=False)
    first = solver.score(position)
    cost = solver.nodes
    assert solver.score(position) == first
    assert solver.nodes - cost < cost  # remembered
    solver.forget()
    assert not solver.table.any()
    before = solver.nodes
    assert solver.score(position) == first
    assert solver.nodes - before == cost


@pytest.mark.parametrize(
    ("name", "words"),
    [("4x4x4", "in space"), ("8x8", "too large"), ("9x7", "columns x .rows . 1. is 72")],
)
def test_boards_that_are_refused(name: str, words: str) -> None:
    with pytest.raises(BadRules, match=words):
        Solver(Rules.named(name))
