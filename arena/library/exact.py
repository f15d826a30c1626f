"""Exact answers from Python: the value of a position, and of each move of a game."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from arena.errors import BadOption
from arena.game.notation import write_move
from arena.game.position import DISCS, Position
from arena.game.rules import Rules
from arena.judge.judge import Solution as ScoredColumns
from arena.judge.judge import in_words, solve_columns
from arena.library.analysis import GameAnalysis, game_from_moves, is_notation, judged_in
from arena.library.engines import read_rules
from arena.library.game import Game
from arena.library.results import Results
from arena.show.board import board_html
from arena.show.numbers import signed
from arena.show.progress import ready_judge
from arena.show.table import Column, Table, table_html, titled

SECONDS = 20.0  # for the moves of a game
SPACE_SECONDS = 30.0  # for a position in space, where many a one would take for ever


@dataclass(frozen=True)
class Solution(ScoredColumns):
    """The exact value of each column to the player to move; columns count from 0.

    `score` is that of the position and `best` the columns that keep it; None is not proven. A
    positive score is a win, the higher the sooner.
    """

    @property
    def table(self) -> Table:
        """A row for each column, counted from 1 as people do."""
        rows = [
            (write_move(column), score, "not proven" if score is None else self._words(score))
            for column, score in self.scores.items()
        ]
        return Table("", (Column("column"), Column("score", signed), Column("")), tuple(rows))

    def _words(self, score: int) -> str:
        at = self.position
        return in_words(score, at.ply, at.rules, at.stolen)

    def __repr__(self) -> str:
        return f"<Solution of {self.position.notation or 'the empty board'}: {self._sentence}>"

    def __str__(self) -> str:
        """The value of the position, and the score of each column."""
        return f"{self._sentence}\n{self.table}"

    @property
    def _sentence(self) -> str:
        words = "has no proven score" if self.score is None else self._words(self.score)
        return f"{DISCS[self.position.to_move]} {words}"

    def _repr_html_(self) -> str:
        return titled(self._sentence, board_html(self.position), table_html(self.table))


def solve(
    position: str | Position, *, game: str | Rules = "connect4", seconds: float | None = None
) -> Solution:
    """Solve a position: the value of each column with perfect play.

    >>> arena.solve("4444").best
    [3]
    """
    if isinstance(position, str):
        position = Position.parse(position, read_rules(game))
    if not isinstance(position, Position):
        raise BadOption(f"found {position!r}; expected moves such as '4453', or a position")
    if position.is_over:
        raise BadOption(f"the game is over after {position.notation}; there is nothing to solve")
    if seconds is None and not position.rules.is_flat:
        seconds = SPACE_SECONDS
    found = solve_columns(ready_judge(position.rules, quiet=True), position, seconds)
    return Solution(found.position, found.scores, found.seconds, found.nodes)


def analyse(
    what: str | Path | Game | Results, *, game: str | Rules = "connect4", seconds: float = SECONDS
) -> GameAnalysis | Table:
    """Judge every move by exact scores: of a game, or of all games of a journal.

    A game is one of `arena.play`, or its moves, as in "4453"; it gives an analysis. Results, or a
    journal's path, give a table of how often each engine kept what it had.

    >>> arena.analyse(arena.play("mcts", "random")).to_pandas()
    """
    if isinstance(what, Game):
        return _analysed(what, seconds)
    if isinstance(what, Results):
        return what.accuracy(seconds)
    if not isinstance(what, str | Path):
        raise BadOption(f"found {what!r}; expected a game, its moves, results or a journal")
    if isinstance(what, Path) or not is_notation(what):
        return Results.load(what).accuracy(seconds)
    return game_from_moves(what, read_rules(game).name, seconds)


def _analysed(game: Game, seconds: float) -> GameAnalysis:
    judged = judged_in(game.finished.moves, len(game.opening), game.rules, seconds)
    title = f"{' against '.join(game.players)}, {game.rules}"
    return GameAnalysis(game.rules, title, game.players, judged, game.result, game.reason)
