"""What is known about each column: the least and the most that it can be worth.

The bounds are drawn closer by questions of one kind only, whether a column is worth so much at
least. The order of the questions makes good use of little time: first what happens within a few
plies, then who wins at all, then the exact score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena import Position
from arena.solver.exact import OutOfBudget, score_of_end
from engines.perfect.questions import Questions

NEAR = 6  # plies that are looked at first


@dataclass(slots=True)
class Column:
    """A column, the position after it, and bounds of its worth to the player who drops there."""

    number: int
    after: Position
    least: int
    most: int

    @property
    def is_solved(self) -> bool:
        """Whether its worth is known exactly."""
        return self.least == self.most

    @property
    def promise(self) -> tuple[int, int]:
        """How good it is by what is proven: not losing, then open, then losing late."""
        if self.least >= 0:
            return 2, self.least
        return (1, int(self.most > 0)) if self.most >= 0 else (0, self.most)


class Columns:
    """The legal columns of a position, the most promising first."""

    def __init__(self, position: Position, order: Sequence[int], questions: Questions) -> None:
        self.position = position
        self.questions = questions
        free = position.rules.cells - position.ply
        self.soonest_win, self.soonest_loss = (free + 1) // 2, -(free // 2)
        self.all = [self._column(number) for number in order]

    def _column(self, number: int) -> Column:
        after = self.position.play(number)
        if after.is_over:
            worth = -score_of_end(after)
            return Column(number, after, worth, worth)
        return Column(number, after, self.soonest_loss, self.soonest_win - 1)

    def reaches(self, column: Column, worth: int, share: float = 1.0) -> bool:
        """Whether a column is worth so much at least; asked only where the bounds leave it open."""
        if column.least < worth <= column.most:
            if self.questions.beats(column.after, -worth, share):
                column.most = worth - 1
            else:
                column.least = worth
        return column.least >= worth

    def look_near(self, plies: int) -> bool:
        """Find what happens within so many plies; whether that decides the game."""
        plies = min(plies, self.position.rules.cells - self.position.ply)
        for sooner in range((plies + 1) // 2):
            if self._reaching(self.soonest_win - sooner):
                return True
            if 2 * sooner + 2 <= plies and not self._reaching(self.soonest_loss + sooner + 1):
                return True
        return False

    def _reaching(self, worth: int) -> list[Column]:
        """The columns that are worth so much at least; all are asked, the first is not enough."""
        return [column for column in self.all if self.reaches(column, worth)]

    def find_value(self, exactly: bool) -> None:
        """Find the columns that win, or else those that draw; `exactly`: one is enough for now.

        A first round gives each column a small share, so that one that is hard to judge does not
        take the time of all; the second one spends what is left.
        """
        for share in (0.5 / len(self.all), 1.0):
            for worth in (1, 0):
                reached = [self._tried(column, worth, share) for column in self.all]
                if any(reached):
                    if exactly or None not in reached:
                        return
                    break

    def _tried(self, column: Column, worth: int, share: float) -> bool | None:
        try:
            return self.reaches(column, worth, share)
        except OutOfBudget:
            return None

    def find_score(self) -> None:
        """Find the exact score, and all columns that keep it."""
        score = self.questions.score(self.position)
        for column in self.all:
            column.most = min(column.most, score)
        for column in self.all:
            self.reaches(column, score)

    def best(self, exactly: bool) -> tuple[list[int], bool]:
        """The best columns, and whether they are proven to be; if not, the most promising one.

        The best are those of the exact score, or else all that keep the win or the draw.
        """
        top = max(column.least for column in self.all)
        ceiling = max(column.most for column in self.all)
        keeping = top
        if not exactly:
            keeping = 1 if top > 0 else 0 if top == 0 else self.soonest_loss
            ceiling = keeping if top > 0 or ceiling < 0 else ceiling
        if keeping == ceiling:
            return sorted(c.number for c in self.all if c.least >= keeping), True
        return [max(self.all, key=lambda column: column.promise).number], False

    def worth(self, number: int) -> int:
        """What a column is worth, exactly."""
        column = next(column for column in self.all if column.number == number)
        if not column.is_solved:
            column.least = column.most = -self.questions.score(column.after)
        return column.least
