"""Hybrid: time-estimated alpha-beta, with H1 where it sees no difference (Blair's future work)."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from arena import Position, option
from arena.engines.alphabeta_time import AlphaBetaTime
from arena.evaluation import EVALUATIONS
from arena.evaluation.rays import promise


class Hybrid(AlphaBetaTime):
    """Estimates its depth like alphabeta-time, and asks H1 where all it sees is equal.

    Source: Blair 2011, future work
    """

    tie_break = "random"  # so that the search finds all equal columns
    where: Literal["ties", "leaves"] = option(
        "ties", "H1 breaks ties at the root, or weighs leaves"
    )

    def new_game(self) -> None:
        """With H1 at the leaves, the evaluation is H1 with a win above all it can say."""
        if self.where == "leaves":
            self.evaluation = replace(EVALUATIONS["h1"], name="h1 at the leaves")
        super().new_game()

    def break_tie(self, position: Position, columns: list[int]) -> int:
        """The column whose disc promises most; chance decides what H1 cannot."""
        if self.where == "leaves":
            return super().break_tie(position, columns)
        promises = {column: promise(position.play(column)) for column in columns}
        most = max(promises.values())
        return super().break_tie(position, [c for c in columns if promises[c] == most])
