"""Games with the pie rule judged, against minimax that has the steal in its tree."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from arena.game import STEAL, Position, Rules
from arena.judge.game import Judged, find_better_moves, judge_moves
from arena.judge.judge import Judge, phase_of, solve_columns
from arena.solver.solver import PATIENT
from tests import naive_pie
from tests.game.strategies import empty

BOARDS = ("4x3c3+pie", "5x2c3+pie", "3x4c3+pie")


@cache
def judge_of(name: str) -> tuple[Judge, dict[naive_pie.State, int]]:
    return Judge(Rules.named(name), 1), {}


def naively(moves: bytes | tuple[int, ...], rules: Rules) -> naive_pie.PieGame:
    game = naive_pie.PieGame(empty(rules))
    for move in moves:
        game = game.after(naive_pie.STEAL if move == STEAL else move)
    return game


@pytest.mark.parametrize("name", BOARDS)
def test_first_moves_have_the_values_of_minimax(name: str) -> None:
    judge, known = judge_of(name)
    rules = judge.rules
    beginnings = [(), *((c,) for c in range(rules.columns)), (1, STEAL), (1, 2), (0, STEAL, 1)]
    for moves in beginnings:
        position = Position(rules)
        for move in moves:
            position = position.play(move)
        score = naively(moves, rules).score(known)
        assert judge.score(position, PATIENT) == score
        assert [judge.beats(position, s, PATIENT) for s in (score - 1, score)] == [True, False]
        solution = solve_columns(judge, position)
        assert solution.scores == {
            move: -naively((*moves, move), rules).score(known) for move in position.choices
        }
        assert solution.score == score


@pytest.mark.parametrize("name", BOARDS)
def test_every_move_of_a_game_is_judged_as_by_minimax(name: str) -> None:
    judge, known = judge_of(name)
    rules, random = judge.rules, Random(name)
    stolen = 0
    for _ in range(12):
        position = Position(rules)
        while not position.is_over:
            wants = position.can_steal and random.random() < 0.6
            position = position.play(STEAL if wants else random.choice(position.legal))
        moves = bytes(position.moves)
        stolen += STEAL in moves
        judged = judge_moves(judge, rules, Judged.blank(moves), PATIENT)
        judged = find_better_moves(judge, rules, judged, judged.plies, PATIENT)
        for ply, verdict in judged.verdicts(rules):
            here = naively(moves[:ply], rules)
            scores = {move: -here.after(move).score(known) for move in here.moves()}
            played = naive_pie.STEAL if moves[ply] == STEAL else moves[ply]
            assert verdict is not None
            assert verdict.seat == here.turn
            assert (verdict.before, verdict.after) == (max(scores.values()), scores[played])
            signs = {move: (score > 0) - (score < 0) for move, score in scores.items()}
            assert verdict.critical == (len(set(signs.values())) > 1)
            best = max(signs.values())
            better_moves = [move for move, sign in signs.items() if sign == best]
            named = [naive_pie.STEAL if move == STEAL else move for move in verdict.better_moves]
            assert named == ([] if signs[played] == best else better_moves)
    assert 3 <= stolen <= 11


def test_what_a_move_gave_away_at_most_counts_discs_and_not_the_steal() -> None:
    rules = Rules.named("4x4+pie")
    judged = Judged.blank(bytes([1, STEAL, 2, 2]))
    assert [judged.discs(ply) for ply in range(5)] == [0, 1, 1, 2, 3]
    assert [judged.most_loss(ply, rules) for ply in range(4)] == [16, 16, 15, 14]
    assert phase_of(16, 16) == "end"  # the last disc of a game with a steal
