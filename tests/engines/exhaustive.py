"""Exact scores of small boards, by trying everything; nothing of the solver is used."""

from __future__ import annotations

from functools import cache

from arena import Position


@cache
def exact_score(position: Position) -> int:
    """The score for the player to move: discs the winner has left and one; 0 is a draw."""
    if position.winner is not None:
        return -((position.rules.cells - position.ply) // 2 + 1)
    return max((-exact_score(position.play(column)) for column in position.legal), default=0)


def column_scores(position: Position) -> dict[int, int]:
    """The score of each legal column for the player to move."""
    return {column: -exact_score(position.play(column)) for column in position.legal}


def sign(score: int) -> int:
    """1 for a win, 0 for a draw, -1 for a loss."""
    return (score > 0) - (score < 0)


def best(position: Position) -> set[int]:
    """The columns of the best score."""
    scores = column_scores(position)
    return {column for column, score in scores.items() if score == max(scores.values())}


def keeping_columns(position: Position) -> set[int]:
    """The columns that keep the win or the draw; all of them if the game is lost."""
    scores = column_scores(position)
    value = sign(max(scores.values()))
    return {column for column, score in scores.items() if sign(score) == value}
