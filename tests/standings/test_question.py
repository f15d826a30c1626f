"""Are some players better than others: the best of both sides, and how sure the answer is."""

from __future__ import annotations

import pytest

from arena.standings.games import Games
from arena.standings.question import Answer, answer
from arena.standings.rating import rate_games
from arena.tournament.question import Question

NAMES = ("ann", "bob", "cid", "dee")


def match(board: Games, one: int, other: int, won: int, drawn: int, lost: int) -> None:
    """Games in turns from both seats, no two of them of one opening."""
    for result, games in ((1, won), (0, drawn), (-1, lost)):
        for _ in range(games):
            first, second, mine = (one, other, result) if board.games % 2 else (other, one, -result)
            number = board.games
            board.append(first, second, mine, (number // 2).to_bytes(2), number // 2)


def asked(board: Games, better: tuple[str, ...], than: tuple[str, ...]) -> Answer:
    return answer(Question("Is it?", better, than), board, rate_games(board))


@pytest.mark.parametrize(
    ("score", "verdict"),
    [((40, 10, 10), "yes"), ((10, 10, 40), "no"), ((26, 10, 24), "open"), ((4, 0, 0), "open")],
)
def test_two_players_by_their_games(score: tuple[int, int, int], verdict: str) -> None:
    board = Games(NAMES[:2])
    match(board, 0, 1, *score)
    told = asked(board, ("ann",), ("bob",))
    assert told.verdict == verdict
    assert tuple(told.best.games) == score
    assert told.confidence == 0.95
    mirrored = {"yes": "no", "no": "yes", "open": "open"}[verdict]
    assert asked(board, ("bob",), ("ann",)).verdict == mirrored


def test_the_best_of_each_side_come_first() -> None:
    board = Games(NAMES)
    for strong in (0, 1):
        for weak in (2, 3):
            match(board, strong, weak, 21, 0, 9)
    match(board, 1, 0, 16, 0, 14)
    match(board, 2, 3, 16, 0, 14)
    told = asked(board, ("ann", "bob"), ("dee", "cid"))
    assert (told.best.player, told.best.other) == (1, 2)
    assert [(each.player, each.other) for each in told.comparisons] == [
        (1, 2), (1, 3), (0, 2), (0, 3),
    ]  # fmt: skip
    assert told.confidence == 1 - 0.05 / 4


def test_a_pick_needs_more_than_a_pair_named_beforehand() -> None:
    board = Games(NAMES)
    for weak in (1, 2, 3):
        match(board, 0, weak, 38, 0, 16)
    assert asked(board, ("ann",), ("bob",)).verdict == "yes"
    assert asked(board, ("ann",), ("bob", "cid", "dee")).verdict == "open"


def test_players_who_have_not_met_are_compared_through_others() -> None:
    board = Games(NAMES)
    match(board, 0, 1, 45, 0, 15)
    match(board, 1, 2, 45, 0, 15)
    told = asked(board, ("ann",), ("cid",))
    assert told.best.games.games == 0
    assert told.best.difference is not None
    assert told.best.difference.scale == "rating"
    assert told.verdict == "yes"
    nobody = asked(board, ("dee",), ("cid",))
    assert nobody.best.difference is None
    assert nobody.verdict == "open"
