"""What a verdict says about a move, and what a score means in discs."""

from __future__ import annotations

import pytest

from arena.game.notation import play_moves
from arena.game.rules import CONNECT4, Rules
from arena.judge.judge import KINDS, Verdict, in_words, phase_of
from arena.solver.solver import winning_disc
from tests.judge.minimax import random_game


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


def test_the_worst_blunder_loses_a_win() -> None:
    moves = [verdict(1, -1), verdict(9, 0), verdict(0, -12), verdict(8, 1)]
    assert max(moves, key=lambda move: move.size) == moves[0]
    assert sorted(moves, key=lambda move: move.size)[0] == moves[3]


def test_phases_are_thirds() -> None:
    assert [phase_of(ply, 42) for ply in (0, 13, 14, 27, 28, 41)] == [
        "opening", "opening", "middle", "middle", "end", "end",
    ]  # fmt: skip
    assert {phase_of(ply, 20) for ply in range(20)} == {"opening", "middle", "end"}
    assert [verdict(0, 0, ply).seat for ply in (4, 5)] == [0, 1]


@pytest.mark.parametrize("size", ["7x6", "5x5", "4x4", "9x5"])
def test_the_winning_disc_is_where_games_end(size: str) -> None:
    """At every ply of a finished game, the score of its result names the game's last disc."""
    rules = Rules.named(size)
    for seed in range(30):
        final = play_moves(random_game(rules, seed), rules)
        if final.winner is None:
            continue
        owned = sum(ply % 2 == final.winner for ply in range(final.ply))
        total = sum(ply % 2 == final.winner for ply in range(rules.cells))
        for ply in range(final.ply):
            score = total - owned + 1
            seen = score if ply % 2 == final.winner else -score
            assert winning_disc(seen, ply, rules.cells) == final.ply


def test_scores_in_words() -> None:
    assert in_words(1, 0, CONNECT4) == "wins with disc 41"  # the empty board of the shop
    assert in_words(-2, 0, CONNECT4) == "loses at disc 40"
    assert in_words(0, 7, CONNECT4) == "draws"
    assert winning_disc(0, 7, CONNECT4.cells) is None
