"""A learner without kernels, and `arena` with it: `python -m tests.support.counting train FILE`.

It plays at random and counts the columns of whoever wins: enough to tell whether a training was
gone on with exactly.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.engine.contract import Choice, Engine, Limits
from arena.game.position import Position
from arena.learning.learner import Learner, State
from arena.learning.methods import METHODS
from arena.learning.spec import Training
from arena.learning.trajectory import Course
from arena.tournament.numbered import derive_seed

NOTED = 500  # games after which the weights are noted down


class Counting(Learner):
    """Prefers the columns in which winners played."""

    def __init__(self, training: Training[Any]) -> None:
        self.rules, self.seed = training.rules, training.settings.seed
        self.step = training.settings.step
        self.weights = np.zeros(self.rules.columns)
        self.steps: list[NDArray[np.float64]] = []

    def play(self, games: int) -> None:
        for _ in range(games):
            random, position = Random(derive_seed(self.seed, self.games)), Position(self.rules)
            played: tuple[list[int], list[int]] = ([], [])
            while not position.is_over:
                column = random.choice(position.legal)
                played[position.ply % 2].append(column)
                position = position.play(column)
            if position.winner is not None:
                for column in played[position.winner]:
                    self.weights[column] += self.step.at(self.games)
            self.games += 1
            if self.games <= NOTED:
                self.steps.append(self.weights.copy())

    def state(self) -> State:
        return {"weights": self.weights, "steps": self.trajectory().rows}

    def restore(self, state: State) -> None:
        self.weights, self.steps = state["weights"].copy(), list(state["steps"])

    def save(self, folder: Path, strength: str = "") -> Path:
        path = folder / "weights.txt"
        weights = " ".join(map(repr, self.weights.tolist()))
        path.write_text(f"{weights}\n{strength}", encoding="utf-8")
        return path

    def player(self) -> Engine:
        return Preferring(self.weights.copy())

    def figures(self) -> dict[str, float]:
        return {"sum": float(self.weights.sum())}

    def trajectory(self) -> Course:
        rows = np.array(self.steps).reshape(-1, self.rules.columns)
        names = [f"column {k + 1}" for k in range(self.rules.columns)]
        return Course(names, np.arange(len(rows)), rows)


class Preferring(Engine):
    """Plays the legal column of the largest weight."""

    def __init__(self, weights: NDArray[np.float64]) -> None:
        super().__init__()
        self.weights = weights

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(max(position.legal, key=lambda column: self.weights[column]))


if __name__ == "__main__":
    from arena.cli import main
    from arena.learning import report

    vars(report)["can_plot"] = lambda: False  # plots take their time
    METHODS["td"] = Counting
    main()
