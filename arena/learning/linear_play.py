"""Games of a weighted evaluation, against itself or an engine, by its own search of a few plies."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arena.game.bits import Board, Ints, record_of
from arena.game.notation import play_moves
from arena.game.position import Position
from arena.learning.features import Features, Floats, Parameters
from arena.learning.linear_kernels import DRAW, leaf, pick, self_play
from arena.learning.opponent import Opponent
from arena.learning.outcomes import Ending
from arena.tournament.numbered import derive_seed


class Game(NamedTuple):
    """The columns of a finished game, the seat of the learner, and who won (DRAW: nobody)."""

    moves: Ints
    seat: int
    winner: int

    @property
    def result(self) -> int:
        """1 if the learner won, -1 if it lost, 0 for a draw."""
        return 0 if self.winner == DRAW else 1 if self.winner == self.seat else -1


class LinearPlay:
    """What a game by weights needs: the board, what is counted on it, how deep, against whom."""

    def __init__(self, parameters: Parameters, depth: int, opponent: Opponent | None) -> None:
        self.rules = parameters.rules
        self.board: Board = record_of(parameters.rules.board)
        self.features: Features = parameters.features()
        self.depth = depth
        self.opponent = opponent

    def game(self, weights: Floats, epsilon: float, seat: int, seed: int) -> Game:
        """Play one game; its moves follow from the weights and the seed alone."""
        state = np.array([derive_seed(seed, "learner")], dtype=np.uint64)
        if self.opponent is None:
            moves = np.zeros(self.rules.cells, dtype=np.int64)
            plies, winner = self_play(
                self.board, self.features, weights, self.depth, epsilon, state, moves
            )
            return Game(moves[:plies], seat, winner)
        self.opponent.new_game(derive_seed(seed, "opponent"))
        position = Position(self.rules)
        while not position.is_over:
            if position.to_move == seat:
                node = np.uint64(position.own), np.uint64(position.opponent), self.depth
                column = pick(self.board, self.features, weights, node, epsilon, state)
                position = position.play(int(column))
            else:
                position = self.opponent.reply(position)
        moves = np.array(position.moves, dtype=np.int64)
        return Game(moves, seat, DRAW if position.winner is None else position.winner)

    def ending(self, game: Game, weights: Floats) -> Ending:
        """How a game ended, with the value of the position before its last move."""
        end = play_moves(game.moves.tolist(), self.rules)
        before = play_moves(game.moves.tolist()[:-1], self.rules)
        own, opp = np.uint64(before.own), np.uint64(before.opponent)
        mine = before.to_move == game.seat
        value = leaf(self.board, self.features, weights, own, opp, mine)
        return Ending(float(value), game.result, end)
