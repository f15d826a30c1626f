"""A judge that anybody can follow: exhaustive minimax on the slow twin of the rules."""

from __future__ import annotations

from random import Random

from arena.game.position import Position
from arena.game.rules import Rules
from arena.judge.asking import Allowance, Judge
from tests import naive


class TooMany(Exception):
    """More positions than allowed."""


class Minimax(Judge):
    """Exact scores of small boards; it remembers every position, and counts questions."""

    def __init__(self) -> None:
        self.known: dict[tuple[tuple[int, ...], ...], int] = {}
        self.questions = 0

    def score(self, position: Position, allowed: Allowance) -> int | None:
        self.questions += 1
        self.left = allowed.nodes
        try:
            return self._score(board_of(position))
        except TooMany:
            return None

    def beats(self, position: Position, score: int, allowed: Allowance) -> bool | None:
        found = self.score(position, allowed)
        return None if found is None else found > score

    def _score(self, board: naive.Board) -> int:
        key = tuple(map(tuple, board.columns))
        if key not in self.known:
            if self.left is not None:
                self.left -= 1
                if self.left < 0:
                    raise TooMany
            self.known[key] = self._searched(board)
        return self.known[key]

    def _searched(self, board: naive.Board) -> int:
        winner = board.winner()
        if winner is not None:  # the one to move has lost it
            cells = board.width * board.depth * board.height
            discs = sum(cell == winner for column in board.columns for cell in column)
            total = (cells + 1) // 2 if winner == naive.FIRST else cells // 2
            return -(total - discs + 1)
        free = [c for c, column in enumerate(board.columns) if naive.EMPTY in column]
        return max((-self._score(board.drop(column)) for column in free), default=0)


def board_of(position: Position) -> naive.Board:
    rules = position.rules
    board = naive.Board(rules.width, rules.depth, rules.height, rules.connect)
    return naive.play(board, position.moves)


def random_game(rules: Rules, seed: int) -> bytes:
    """A game played at random to its end."""
    random, position = Random(seed), Position(rules)
    while not position.is_over:
        position = position.play(random.choice(position.legal))
    return bytes(position.moves)
