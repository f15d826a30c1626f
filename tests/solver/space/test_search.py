"""Boards in space: exact scores against plain minimax, and honest silence where time is short."""

from __future__ import annotations

import time
from functools import cache
from random import Random

import numpy as np
import pytest

from arena.errors import BadRules
from arena.game.bits import record_of
from arena.game.position import Position
from arena.game.rules import SCORE4, Rules
from arena.solver.solver import Budget, OutOfBudget, winning_disc
from arena.solver.space import SpaceSolver, field_of, lead_bound, live_cells
from tests.solver.asking import after, best_columns
from tests.support.retrograde import loss

SMALL = 1 / 256  # MB: a hundred entries, written over all the time
TINY = ("2x2x2c2", "2x2x3c3", "3x2x2c3", "2x2x3c2", "2x2x4")


@cache
def minimax(position: Position) -> int:
    """Plain minimax, without any pruning."""
    if position.winner is not None:
        return loss(position.rules, position.ply)
    return max((-minimax(position.play(column)) for column in position.legal), default=0)


@cache
def everything(name: str) -> list[Position]:
    """All positions of a tiny board, or many of them, shuffled."""
    layer, found, random = {Position(Rules.named(name))}, [], Random(1)
    while layer:
        grown = sorted(layer, key=lambda position: (position.first, position.second))
        found += random.sample(grown, min(len(grown), 150))
        layer = {position.play(column) for position in found[-150:] for column in position.legal}
    random.shuffle(found)
    return found


def late(rules: Rules, empty: int, count: int, seed: int) -> list[Position]:
    """Random positions with so many empty cells that are not over."""
    random, found = Random(seed), []
    for _ in range(100 * count):
        position = Position(rules)
        while rules.cells - position.ply > empty and not position.is_over:
            quiet = [column for column in position.legal if not position.wins_with(column)]
            position = position.play(random.choice(quiet or position.legal))
        if not position.is_over:
            found.append(position)
        if len(found) == count:
            return found
    raise AssertionError(f"{rules} hardly ever gets to {empty} empty cells")


@pytest.mark.parametrize("megabytes", [SMALL, 1])
@pytest.mark.parametrize("name", TINY)
def test_scores_on_tiny_boards(name: str, megabytes: float) -> None:
    solver = SpaceSolver(Rules.named(name), megabytes)
    for position in everything(name):
        score = minimax(position)
        assert solver.score(position) == score
        assert solver.sign(position) == (score > 0) - (score < 0)


@pytest.mark.parametrize(
    ("name", "empty", "count"),
    [("4x4x4", 5, 60), ("4x4x4", 7, 40), ("3x3x3c3", 13, 40), ("3x3x4c3", 20, 20), ("3x3x5", 8, 30),
     ("2x4x8", 8, 30), ("4x4x3", 7, 40), ("8x8x1", 7, 20)],
)  # fmt: skip
def test_late_positions_against_minimax(name: str, empty: int, count: int) -> None:
    """Odd and even heights, all 64 bits in use, lines of three and four."""
    rules = Rules.named(name)
    solver = SpaceSolver(rules, SMALL)
    for position in late(rules, empty, count, seed=empty):
        values = {column: -minimax(position.play(column)) for column in position.legal}
        assert solver.score(position) == max(values.values())
        assert solver.scores(position) == values
    minimax.cache_clear()


@pytest.mark.parametrize("name", ["4x4x4", "3x3x3c3"])
def test_windows_are_distinguished(name: str) -> None:
    rules = Rules.named(name)
    solver = SpaceSolver(rules, 1)
    for position in late(rules, 11 if rules.connect == 3 else 7, 30, seed=3):
        for score in Random(position.first).sample(range(-5, 6), 11):
            assert solver.beats(position, score) == (minimax(position) > score)


def test_the_bound_of_the_follower_never_lies() -> None:
    told = 0
    for name, empty in (("4x4x4", 6), ("2x2x4", 8), ("2x2x4", 10), ("3x3x3c3", 12), ("2x4x4", 8)):
        rules = Rules.named(name)
        board, field = record_of(rules.board), field_of(rules, 10)
        for position in late(rules, empty, 100, seed=5):
            own, opp = np.uint64(position.own), np.uint64(position.opponent)
            bound = lead_bound(board, field, own, opp)
            assert bound >= minimax(position)
            told += bound < 100
    assert told > 50


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


def test_deeper_answers_keep_what_shallow_ones_prove() -> None:
    """No minimax reaches so far: the score of a position is the best of its children's."""
    solver, fresh = SpaceSolver(SCORE4, 4), SpaceSolver(SCORE4, SMALL)
    for position in late(SCORE4, 14, 12, seed=8):
        score = solver.score(position)
        assert score == max(-fresh.score(position.play(column)) for column in position.legal)
        image = position.image(SCORE4.symmetries[3])
        assert fresh.score(image) == score
        assert solver.beats(position, score - 1)
        assert not solver.beats(position, score)


def test_best_play_ends_with_the_disc_that_was_announced() -> None:
    solver, random = SpaceSolver(SCORE4, 4), Random(4)
    for position in late(SCORE4, 12, 8, seed=2):
        announced = winning_disc(solver.score(position), position.ply, position.rules.cells)
        while not position.is_over:
            position = position.play(random.choice(best_columns(solver, position)))
        assert announced == (None if position.is_draw else position.ply)


def test_what_is_not_proven_is_not_answered() -> None:
    solver = SpaceSolver(SCORE4, 1)
    easy = late(SCORE4, 10, 1, seed=1)[0]
    expected = solver.score(easy)
    for ask in (solver.score, solver.sign, solver.scores):
        before = solver.nodes
        with pytest.raises(OutOfBudget):
            ask(Position(SCORE4), Budget(nodes=3000))
        assert solver.nodes - before <= 3000
    begin = time.process_time()
    with pytest.raises(OutOfBudget):
        solver.score(Position(SCORE4), Budget(deadline=(after(0.05), 0)))
    assert time.process_time() - begin < 2
    assert solver.score(easy) == expected
    solver.forget()
    assert solver.score(easy) == expected


def test_the_end_has_a_score_but_no_columns() -> None:
    won = Position(SCORE4)
    for column in (0, 1, 0, 1, 0, 1, 0):
        won = won.play(column)
    solver = SpaceSolver(SCORE4, 1)
    assert solver.score(won) == -29  # 28 discs left, and one
    assert not solver.beats(won, -29)
    assert solver.scores(won) == {}


def test_flat_boards_are_refused() -> None:
    with pytest.raises(BadRules, match="flat"):
        SpaceSolver(Rules.named("7x6"))
