"""Judged games against exhaustive minimax on small boards, and where games are decided."""

from __future__ import annotations

import time
from functools import cache

import pytest

from arena.errors import IllegalMove
from arena.game.notation import play_moves, read_moves
from arena.game.rules import CONNECT4, Rules
from arena.judge.game import Decision, Judged, decision, judge_in_rounds
from arena.judge.judge import Judge, in_words, sign
from arena.solver.solver import Budget
from tests.judge.minimax import Minimax, judge_game, random_game

FREE = Budget()
BOARDS = [("4x4", 6), ("5x4", 11), ("4x4c3", 4), ("6x3c3", 8)]  # with plies of opening


@cache
def minimax(size: str) -> Minimax:
    """One that remembers from test to test."""
    return Minimax()


def games(size: str, opening: int, count: int = 10) -> list[Judged]:
    rules = Rules.named(size)
    moves = (random_game(rules, seed) for seed in range(60))
    return [Judged.blank(game, opening) for game in moves if len(game) > opening + 2][:count]


@pytest.mark.parametrize(("size", "opening"), BOARDS)
def test_verdicts_are_those_of_minimax(size: str, opening: int) -> None:
    """Each verdict from its definition: the scores of all columns, by exhaustive search."""
    rules, judge = Rules.named(size), minimax(size)
    kinds = set()
    for game in games(size, opening):
        judged = judge_game(judge, rules, game, FREE)
        assert judged.is_complete
        for ply, verdict in judged.verdicts(rules):
            assert verdict is not None
            position = play_moves(game.moves[:ply], rules)
            scores = {c: -(judge.score(position.play(c), FREE) or 0) for c in position.legal}
            values = {c: sign(score) for c, score in scores.items()}
            column = game.moves[ply]
            assert (verdict.column, verdict.seat) == (column, position.to_move)
            assert verdict.before == max(scores.values())
            assert verdict.after == scores[column]
            assert verdict.critical == (len(set(values.values())) > 1)
            best = max(values.values())
            better_moves = [c for c in values if values[c] == best] if values[column] < best else []
            assert list(verdict.better_moves) == better_moves
            kinds.add(verdict.kind)
    assert {"best", "win to loss"} <= kinds


@pytest.mark.parametrize(("size", "opening"), BOARDS)
def test_the_solver_judges_as_minimax_does(size: str, opening: int) -> None:
    rules, slow, fast = Rules.named(size), minimax(size), Judge(Rules.named(size))
    for game in games(size, opening):
        assert judge_game(fast, rules, game, FREE) == judge_game(slow, rules, game, FREE)


def test_what_needs_too_many_nodes_is_unjudged_and_never_guessed() -> None:
    rules, unjudged = Rules.named("5x4"), 0
    for game in games("5x4", 11):
        whole = judge_game(minimax("5x4"), rules, game, FREE)
        part = judge_game(Minimax(), rules, game, Budget(nodes=40))
        for score, proven in zip(whole.scores, part.scores, strict=True):
            assert proven in (score, None)
        for ply in game.plies:
            known, found = whole.verdict(ply, rules), part.verdict(ply, rules)
            assert known is not None
            if found is not None:
                assert (found.before, found.after) == (known.before, known.after)
                assert found.critical in (known.critical, None)
                assert set(found.better_moves) <= set(known.better_moves)
            unjudged += found is None
        assert judge_game(minimax("5x4"), rules, part, FREE).scores == whole.scores
    assert unjudged > 10


def test_after_failures_in_a_row_earlier_positions_get_a_quick_look_only() -> None:
    class Hard(Judge):
        def __init__(self) -> None:
            self.nodes: list[int | None] = []

        def score(self, position: object, allowed: Budget) -> int | None:
            self.nodes.append(allowed.nodes)
            return None

        def beats(self, position: object, score: int, allowed: Budget) -> bool | None:
            raise AssertionError("nothing is known to compare with")

    hard = Hard()
    judged = judge_game(hard, CONNECT4, Judged.blank(bytes([3, 3, 3, 2])), Budget(nodes=50_000))
    assert hard.nodes == [50_000, 50_000, 1000, 1000, 1000]
    assert judged.scores == (None,) * 5


def test_when_the_time_is_over_nothing_more_is_asked() -> None:
    over = Budget(until=time.process_time() - 1)
    judge = Minimax()
    game = games("4x4", 6)[0]
    assert judge_game(judge, Rules.named("4x4"), game, over) == game
    assert judge_in_rounds(judge, Rules.named("4x4"), game, over) == game
    assert judge.questions == 0


def test_rounds_prove_all_of_a_game() -> None:
    rules = Rules.named("5x4")
    game = games("5x4", 11)[0]
    assert judge_in_rounds(Judge(rules), rules, game, FREE) == judge_game(
        minimax("5x4"), rules, game, FREE
    )


def test_a_game_that_cannot_have_been_played() -> None:
    with pytest.raises(IllegalMove):
        judge_game(Minimax(), CONNECT4, Judged.blank(bytes([3] * 7)), FREE)


def with_values(*values: int | None, opening: int = 0) -> Judged:
    """A game whose positions have these values for the first player."""
    scores = tuple(
        None if value is None else value * (-1) ** (opening + place)
        for place, value in enumerate(values)
    )
    moves = bytes(opening + len(values) - 1)
    return Judged(opening, moves, scores, (None,) * (len(values) - 1))


def test_a_game_is_decided_by_the_last_change_of_its_value() -> None:
    game = with_values(1, 1, 0, 0, -1, -1)
    assert decision(game, -1, "line") == Decision("move", 3)
    assert Decision("move", 3).seat == 1
    assert decision(with_values(1, 0, 0, 0, opening=6), 0, "full board") == Decision("move", 6)


def test_games_that_no_move_decided() -> None:
    assert decision(with_values(1, 1, 1), 1, "line") == Decision("start")
    assert decision(with_values(1, 1, 1), -1, "time") == Decision("end")
    assert decision(with_values(1, 1, 1), 0, "max plies") == Decision("end")
    assert decision(with_values(0, 1, 1), 1, "crash") == Decision("end")
    assert Decision("start").seat is None


def test_what_is_not_proven_decides_nothing() -> None:
    assert decision(with_values(None, 1, 1), 1, "line") == Decision("unknown")
    assert decision(with_values(0, None), 1, "max plies") == Decision("unknown")
    assert decision(with_values(None, 0, 1, 1), 1, "line") == Decision("move", 1)
    assert decision(with_values(0, None, 1, 1), 1, "line") == Decision("unknown")


def test_a_known_game() -> None:
    """A column of three is not stopped, though that would only have put off the end."""
    judge, moves = Judge(CONNECT4), bytes(read_moves("4141414"))
    judged = judge_game(judge, CONNECT4, Judged.blank(moves, 5), Budget.lasting(60))
    assert judged.scores == (-11, 18, -18)
    verdicts = [verdict for _, verdict in judged.verdicts(CONNECT4) if verdict is not None]
    assert [verdict.kind for verdict in verdicts] == ["faster loss", "best"]
    assert [verdict.loss for verdict in verdicts] == [7, 0]
    assert in_words(18, 6, CONNECT4) == "wins with disc 7"
    assert decision(judged, 1, "line") == Decision("start")
