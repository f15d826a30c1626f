"""Gaiceanu's evaluation by hand: the windows of four cut out of the board, in two ways."""

from __future__ import annotations

from functools import cache
from typing import Literal

from arena import Choice, Engine, Limits, Position, Rules, option

WORTHS = {(4, 0): 5000001, (3, 0): 5000, (2, 0): 500, (0, 4): -5000000, (0, 3): -5001,
          (0, 2): -501}  # by own discs and the opponent's, the rest empty  # fmt: skip
PLIES = 2


@cache
def lines(rules: Rules) -> list[int]:
    """Every window as a set of cells, worked out once."""
    return [line.mask for line in rules.lines]


class Windows(Engine):
    """Two plies of alpha-beta in plain Python, columns from left to right."""

    way: Literal["slices", "masks"] = option("slices", "how windows are cut out of the board")

    def choose(self, position: Position, limits: Limits) -> Choice:
        """The first best column."""
        self.me, self.visited = position.to_move, 0
        worths = {}
        for column in position.legal:
            best = max(worths.values(), default=float("-inf"))
            worths[column] = self.least(position.play(column), PLIES - 1, best)
        column = max(worths, key=lambda column: worths[column])
        return Choice(column, worths[column], depth=PLIES, nodes=self.visited)

    def least(self, position: Position, plies: int, alpha: float) -> float:
        """What the opponent leaves of a position; it need not be exact at alpha or below."""
        self.visited += 1
        if plies == 0 or position.is_over:
            return self.worth(position)
        least = float("inf")
        for column in position.legal:
            self.visited += 1
            least = min(least, self.worth(position.play(column)))
            if least <= alpha:
                break
        return least

    def worth(self, position: Position) -> float:
        """The worth of all windows, and one for each own disc in the central column."""
        if position.is_draw:
            return 0
        rules = position.rules
        mine, theirs = position.first, position.second
        if self.me == 1:
            mine, theirs = theirs, mine
        cut = self.sliced if self.way == "slices" else self.masked
        centre = rules.column_masks[rules.columns // 2]
        return cut(rules, mine, theirs) + (mine & centre).bit_count()

    def masked(self, rules: Rules, mine: int, theirs: int) -> int:
        """Windows as masks: how many discs of each side lie in them."""
        counts = (((mine & line).bit_count(), (theirs & line).bit_count()) for line in lines(rules))
        return sum(WORTHS.get(count, 0) for count in counts)

    def sliced(self, rules: Rules, mine: int, theirs: int) -> int:
        """Windows as slices of rows, columns and diagonals of a table, anew for each position."""
        columns, rows = rules.columns, rules.height
        grid = [[(mine >> x * rows + z & 1) - (theirs >> x * rows + z & 1) for x in range(columns)]
                for z in range(rows)]  # fmt: skip
        straight = [row[x : x + 4] for row in grid for x in range(columns - 3)]
        upright = [
            [grid[z + k][x] for k in range(4)] for x in range(columns) for z in range(rows - 3)
        ]
        rising = [[grid[z + k][x + k] for k in range(4)]
                  for z in range(rows - 3) for x in range(columns - 3)]  # fmt: skip
        falling = [[grid[z + 3 - k][x + k] for k in range(4)]
                   for z in range(rows - 3) for x in range(columns - 3)]  # fmt: skip
        windows = straight + upright + rising + falling
        return sum(WORTHS.get((window.count(1), window.count(-1)), 0) for window in windows)
