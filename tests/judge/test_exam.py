"""The exam: the same by seed, of all phases, and marked exactly."""

from __future__ import annotations

from collections import Counter

import pytest

from arena.errors import BadOption
from arena.game import CONNECT4, Rules
from arena.judge.exam import draw_positions, solve_positions
from arena.judge.judge import PHASES, phase_of
from arena.solver.flat.search import Solver
from tests.engines.exhaustive import column_scores, sign

SMALL = Rules.flat(5, 4)


def test_positions_are_the_same_by_seed_and_differ_from_each_other() -> None:
    drawn = draw_positions(CONNECT4, 60, seed=1)
    assert drawn == draw_positions(CONNECT4, 60, seed=1)
    assert drawn[:30] == draw_positions(CONNECT4, 30, seed=1)
    assert drawn != draw_positions(CONNECT4, 60, seed=2)
    assert len({position.symmetry_key for position in drawn}) == 60


@pytest.mark.parametrize("rules", [CONNECT4, SMALL, Rules.flat(6, 4)], ids=str)
def test_there_are_as_many_of_each_phase_and_something_to_decide(rules: Rules) -> None:
    drawn = draw_positions(rules, 12, seed=1)
    phases = Counter(phase_of(position.ply, rules.cells) for position in drawn)
    assert phases == dict.fromkeys(PHASES, 4)
    for position in drawn:
        assert len(position.legal) > 1
        assert not any(map(position.wins_with, position.legal))


def test_a_board_with_too_few_positions_says_so() -> None:
    with pytest.raises(BadOption, match="has only"):
        draw_positions(Rules.flat(3, 3, 3), 500, seed=1)
    fewer = draw_positions(Rules.flat(3, 3, 3), 500, seed=1, at_most=True)
    assert 0 < len(fewer) < 500
    assert draw_positions(Rules.flat(3, 3, 2), 5, seed=1, at_most=True) == []


def test_every_column_is_marked_exactly() -> None:
    drawn = [p for p in draw_positions(SMALL, 45, seed=3) if p.ply >= 10]
    for question in solve_positions(drawn, Solver(SMALL, 1)):
        scores = column_scores(question.position)
        assert question.scores == scores
        assert question.is_critical == (len(set(map(sign, scores.values()))) > 1)
        top = max(scores.values())
        for column, score in scores.items():
            verdict = question.verdict(column)
            assert verdict.loss == top - score
            assert verdict.keeps_value == (sign(score) == sign(top))
            assert verdict.keeps_score == (score == top)
            assert verdict.phase == phase_of(question.position.ply, SMALL.cells)
