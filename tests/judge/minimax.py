"""A judge that anybody can follow: exhaustive minimax on the slow twin of the rules."""

from __future__ import annotations

from random import Random

from arena.game.position import Position
from arena.game.rules import Rules
from arena.judge.game import Judged, find_better_moves, judge_moves
from arena.judge.judge import Judge
from arena.solver.solver import Budget
from tests import naive


class TooMany(Exception):
    """More positions than allowed."""


class Minimax(Judge):
    """Exact scores of small boards; it remembers every position, and counts questions."""

    def __init__(self) -> None:
        self.known: dict[tuple[tuple[int, ...], ...], int] = {}
        self.questions = 0

    def score(self, position: Position, budget: Budget) -> int | None:
        self.questions += 1
        self.left = budget.nodes
        try:
            return self._score(board_of(position))
        except TooMany:
            return None

    def beats(self, position: Position, score: int, budget: Budget) -> bool | None:
        own = self.score(position, budget)
        return None if own is None else own > score

    def partner(self) -> None:
        """Another one would know nothing."""

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


def judge_game(judge: Judge, rules: Rules, game: Judged, budget: Budget) -> Judged:
    """All that one round proves: the scores, and what would have kept the value."""
    game = judge_moves(judge, rules, game, budget)
    return find_better_moves(judge, rules, game, game.plies, budget)


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
