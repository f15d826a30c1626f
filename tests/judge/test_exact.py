"""The solver as a judge: within its allowance, remembering, and refusing what it cannot do."""

from __future__ import annotations

import pytest

from arena.errors import BadRules
from arena.game.position import Position
from arena.game.rules import Rules
from arena.judge import exact
from arena.judge.asking import Allowance
from arena.judge.exact import judge_for
from arena.judge.game import Judged, judge_game
from tests.judge.minimax import Minimax, random_game

LATE = Position.parse("2252576253462244111563365343671351441")  # worth -1


def test_scores_and_comparisons() -> None:
    judge = judge_for(LATE.rules)
    judge.warm_up()
    free = Allowance()
    assert judge.beats(LATE, -2, free) is True
    assert judge.score(LATE, free) == -1
    nodes = judge.nodes
    assert judge.score(LATE, free) == -1
    assert judge.beats(LATE, -1, free) is False
    assert judge.nodes == nodes, "what is known is not searched again"


def test_a_judge_stops_when_its_nodes_or_its_time_are_used_up() -> None:
    hard = Position.parse("1236")  # not in a book of few plies, and far from over
    judge = judge_for(hard.rules)
    judge.solver.book = None  # type: ignore[attr-defined]
    judge.warm_up()
    nodes = judge.nodes
    assert judge.score(hard, Allowance(nodes=3000)) is None
    assert judge.nodes - nodes <= 3001
    assert judge.score(hard, Allowance.of(0.0)) is None
    assert judge.beats(hard, 0, Allowance.of(0.01)) is None


def test_long_questions_are_asked_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "SLICE", 0.05)
    hard = Position.parse("12345671")
    whole, sliced = judge_for(hard.rules), judge_for(hard.rules)
    for judge in (whole, sliced):
        judge.solver.book = None  # type: ignore[attr-defined]
        judge.warm_up()
    waits: list[int] = []
    score = sliced.score(hard, Allowance(waiting=lambda: waits.append(1)))
    monkeypatch.undo()
    assert score == whole.score(hard, Allowance())
    assert waits


@pytest.mark.parametrize(("size", "words"), [("9x7", "too large for the exact solver")])
def test_boards_that_nobody_can_judge(size: str, words: str) -> None:
    with pytest.raises(BadRules, match=words):
        judge_for(Rules.named(size))


def test_the_ends_of_games_in_space() -> None:
    rules = Rules.named("3x2x3c3")
    slow, fast = Minimax(), judge_for(rules)
    fast.warm_up()
    for seed in range(12):
        moves = random_game(rules, seed)
        if len(moves) > 11:
            game = Judged.blank(moves, 11)
            judged = judge_game(fast, rules, game, Allowance())
            assert judged == judge_game(slow, rules, game, Allowance())
            assert judged.is_complete
