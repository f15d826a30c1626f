"""The solver as a judge: within its budget, remembering, and refusing what it cannot do."""

from __future__ import annotations

import pytest

from arena.errors import BadRules
from arena.game.position import Position
from arena.game.rules import Rules
from arena.judge.game import Judged
from arena.judge.judge import Judge
from arena.solver import solver as asking
from arena.solver.solver import Budget
from tests.judge.minimax import Minimax, judge_game, random_game

LATE = Position.parse("2252576253462244111563365343671351441")  # its score is -1


def test_scores_and_comparisons() -> None:
    judge = Judge(LATE.rules)
    judge.solver.warm_up()
    free = Budget()
    assert judge.beats(LATE, -2, free) is True
    assert judge.score(LATE, free) == -1
    nodes = judge.solver.nodes
    assert judge.score(LATE, free) == -1
    assert judge.beats(LATE, -1, free) is False
    assert judge.solver.nodes == nodes, "what is known is not searched again"


def test_a_judge_stops_when_its_nodes_or_its_time_are_used_up() -> None:
    hard = Position.parse("1236")  # not in a book of few plies, and far from over
    judge = Judge(hard.rules)
    judge.solver.book = None  # type: ignore[attr-defined]
    judge.solver.warm_up()
    nodes = judge.solver.nodes
    assert judge.score(hard, Budget(nodes=3000)) is None
    assert judge.solver.nodes - nodes <= 3001
    assert judge.score(hard, Budget.lasting(0.0)) is None
    assert judge.beats(hard, 0, Budget.lasting(0.01)) is None


def test_long_questions_are_asked_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "SLICE", 0.05)
    hard = Position.parse("12345671")
    whole, sliced = Judge(hard.rules), Judge(hard.rules)
    for judge in (whole, sliced):
        judge.solver.book = None  # type: ignore[attr-defined]
        judge.solver.warm_up()
    waits: list[int] = []
    score = sliced.score(hard, Budget(on_wait=lambda: waits.append(1)))
    monkeypatch.undo()
    assert score == whole.score(hard, Budget())
    assert waits


@pytest.mark.parametrize(("size", "words"), [("9x7", "too large for the exact solver")])
def test_boards_that_nobody_can_judge(size: str, words: str) -> None:
    with pytest.raises(BadRules, match=words):
        Judge(Rules.named(size))


def test_the_ends_of_games_in_space() -> None:
    rules = Rules.named("3x2x3c3")
    slow, fast = Minimax(), Judge(rules)
    fast.solver.warm_up()
    for seed in range(12):
        moves = random_game(rules, seed)
        if len(moves) > 11:
            game = Judged.blank(moves, 11)
            judged = judge_game(fast, rules, game, Budget())
            assert judged == judge_game(slow, rules, game, Budget())
            assert judged.is_complete
