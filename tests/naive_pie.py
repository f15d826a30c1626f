"""The slow, obvious twin of the pie rule: a board of owners, and minimax with the steal in it.

Nothing here imports the code under test. A steal is the letter s; columns count from 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests import naive

STEAL = "s"
Move = int | str
State = tuple[tuple[tuple[int, ...], ...], int, bool]


@dataclass
class PieGame:
    """A game in progress: who owns each disc, whose turn it is, and what was done so far."""

    board: naive.Board
    turn: int = naive.FIRST
    done: tuple[Move, ...] = ()

    def moves(self) -> list[Move]:
        """All that the player whose turn it is may do."""
        if self.board.winner() is not None:
            return []
        columns = self.board.columns
        free: list[Move] = [c for c, column in enumerate(columns) if naive.EMPTY in column]
        return [*free, STEAL] if len(self.done) == 1 else free

    def after(self, move: Move) -> PieGame:
        """The game after a move: a disc of the player whose turn it is, or the first one is his."""
        board = self.board.copy()
        if isinstance(move, int):
            board.columns[move][board.columns[move].index(naive.EMPTY)] = self.turn
        else:
            (first,) = (column for column in board.columns if column[0] != naive.EMPTY)
            first[0] = self.turn
        return PieGame(board, 1 - self.turn, (*self.done, move))

    def score(self, known: dict[State, int]) -> int:
        """The value of best play to the player whose turn it is, as the exact solver counts."""
        columns = tuple(map(tuple, self.board.columns))
        key = columns, self.turn, len(self.done) == 1
        if key not in known:
            known[key] = self._searched(known)
        return known[key]

    def _searched(self, known: dict[State, int]) -> int:
        winner = self.board.winner()
        if winner is None:
            return max((-self.after(move).score(known) for move in self.moves()), default=0)
        cells = sum(map(len, self.board.columns))
        own = sum(cell == winner for column in self.board.columns for cell in column)
        began = naive.SECOND if STEAL in self.done else naive.FIRST
        return own - 1 - ((cells + 1) // 2 if winner == began else cells // 2)
