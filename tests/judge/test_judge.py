"""The judge against plain minimax, and its verdicts."""

from __future__ import annotations

import pytest

from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules
from arena.judge.game import Judged
from arena.judge.judge import KINDS, Blunder, Judge, Verdict, in_words, phase_of, worst_of_all
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


def verdict(before: int, after: int, ply: int = 4, critical: bool | None = None) -> Verdict:
    return Verdict(ply, 3, before, after, critical, phase_of(ply, 42))


@pytest.mark.parametrize(
    ("before", "after", "kind", "keeps_value"),
    [
        (3, 3, "best", True),
        (0, 0, "best", True),
        (-5, -5, "best", True),
        (3, 1, "slower win", True),
        (-1, -4, "faster loss", True),
        (3, 0, "win to draw", False),
        (1, -1, "win to loss", False),
        (0, -2, "draw to loss", False),
    ],
)
def test_kinds(before: int, after: int, kind: str, keeps_value: bool) -> None:
    found = verdict(before, after)
    assert found.kind == kind
    assert found.kind in KINDS
    assert found.keeps_value is keeps_value
    assert found.keeps_score is (kind == "best")
    assert found.loss == before - after
    assert found.words == (kind if keeps_value else f"blunder from {kind}")


def test_each_player_is_among_the_worst_blunders_and_the_worst_come_first() -> None:
    def blunder(player: int, before: int, after: int) -> Blunder:
        return Blunder(1, player, 1 - player, b"", verdict(before, after))

    careless, careful = [blunder(0, 3, -3), blunder(0, 3, -1)], [blunder(1, 1, 0)]
    assert worst_of_all([careful, careless], 2) == [careless[0], careful[0]]
    assert worst_of_all([careful, careless], 3) == [*careless, *careful]


def test_phases_are_thirds() -> None:
    assert [phase_of(ply, 42) for ply in (0, 13, 14, 27, 28, 41)] == [
        "opening", "opening", "middle", "middle", "end", "end",
    ]  # fmt: skip
    assert {phase_of(ply, 20) for ply in range(20)} == {"opening", "middle", "end"}
    assert [verdict(0, 0, ply).seat for ply in (4, 5)] == [0, 1]


def test_scores_in_words() -> None:
    assert in_words(1, 0, CONNECT4) == "wins with disc 41"  # the empty board of the shop
    assert in_words(-2, 0, CONNECT4) == "loses at disc 40"
    assert in_words(0, 7, CONNECT4) == "draws"
