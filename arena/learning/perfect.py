"""Perfect play as a partner for measuring: one of the exactly best replies, at random."""

from __future__ import annotations

from arena.engine.contract import Choice, Engine, Limits
from arena.game.position import Position
from arena.game.rules import Rules
from arena.solver.flat.search import Solver
from arena.solver.solver import PATIENT

MEGABYTES = 64  # of the solver's table


class PerfectPartner(Engine):
    """Plays the soonest win, a draw or the latest loss; what it has solved once it remembers."""

    def __init__(self, rules: Rules) -> None:
        super().__init__()
        self.solver = Solver(rules, MEGABYTES)
        self.best: dict[tuple[int, int], list[int]] = {}

    def warm_up(self) -> None:
        """Load the kernels of the solver."""
        self.solver.warm_up()

    def choose(self, position: Position, limits: Limits) -> Choice:
        """One of the best columns, drawn by the game's seed."""
        key = position.first, position.second
        if key not in self.best:
            self.best[key] = self._best(position)
        return Choice(self.random.choice(self.best[key]))

    def _best(self, position: Position) -> list[int]:
        """All columns that keep the exact score: what follows is worth no more to the opponent."""
        score = self.solver.score(position, PATIENT)
        after = {column: position.play(column) for column in position.legal}
        return [
            col for col, next_ in after.items() if not self.solver.beats(next_, -score, PATIENT)
        ]
