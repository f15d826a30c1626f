"""What positions of small boards are worth, by trying everything; nothing of the solver is used."""

from __future__ import annotations

from functools import cache

from arena import Position


@cache
def worth(position: Position) -> int:
    """The score for the player to move: discs the winner has left and one; 0 is a draw."""
    if position.winner is not None:
        return -((position.rules.cells - position.ply) // 2 + 1)
    return max((-worth(position.play(column)) for column in position.legal), default=0)


def worths(position: Position) -> dict[int, int]:
    """What each legal column is worth to the player to move."""
    return {column: -worth(position.play(column)) for column in position.legal}


def sign(score: int) -> int:
    """1 for a win, 0 for a draw, -1 for a loss."""
    return (score > 0) - (score < 0)


def best(position: Position) -> set[int]:
    """The columns of the best score."""
    scores = worths(position)
    return {column for column, score in scores.items() if score == max(scores.values())}


def keepers(position: Position) -> set[int]:
    """The columns that keep the win or the draw; all of them if the game is lost."""
    scores = worths(position)
    value = sign(max(scores.values()))
    return {column for column, score in scores.items() if sign(score) == value}
