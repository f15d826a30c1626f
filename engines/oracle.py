"""Oracle: FourPlay's web opponent "Connect 3D", rebuilt as a ladder of levels.

The original is offline. It always moved first and opened in the corner. Its moves in 252 recorded
games fit a search of two plies that prefers discs side by side, blocked or not, and of equal
columns the lowest cell, with some random moves, more of them on level medium.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np

from arena import Choice, Engine, Limits, Position, option
from arena.engines.alphabeta import AlphaBeta
from arena.engines.iterative import Iterative
from arena.engines.reflex import Reflex
from arena.engines.search import UNKNOWN
from arena.evaluation import Evaluation
from arena.network.option import shipped_file

# With these weights LowestFirst plays 85.6 % of the 3,448 recorded moves of level hard, to which
# they were fitted, and 81.1 % of 445 of level medium, to which they were not. Moves that missed a
# win or gave one away give the shares of random moves: 3.4 % and 9.4 %; by experiment, see
# tournaments/studies/fourplay.yaml. There, in 200 games each, FourPlay's agents win 74, 63 and 82 %
# against hard (recorded: 75 of 100, 43 of 55, 6 of 7), random 0 % and reflex 17 % (1 of 16);
# against medium, reflex wins 28 % (10 of 24).
FITTED_CHAINS = Evaluation(
    "fitted chains", other=((1, -0.1),), runs=((3, 5),), chains=((2, 1), (3, 10))
)


class TakesWins(Engine):
    """Takes a win, else plays at random."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        wins = [column for column in position.legal if position.wins_with(column)]
        return Choice(self.random.choice(wins or position.legal))


class LowestFirst(AlphaBeta):
    """Alpha-beta that tries low cells first, and gives up in the first column."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        discs, masks = position.first | position.second, self.rules.column_masks
        filled = [(discs & mask).bit_count() for mask in masks]
        self.columns = np.argsort(filled, kind="stable")
        choice = super().choose(position, limits)
        values = [int(self.values[column]) for column in position.legal]
        if UNKNOWN not in values and all(map(self.is_lost, values)):
            return replace(choice, column=position.legal[0])
        return choice


class ExploringReflex(Engine):
    """Reflex with a quarter of random moves, which have random numbers of their own."""

    explore = 0.25

    def new_game(self) -> None:
        self.reflex = Reflex()
        self.reflex.begin(self.rules, self.seed_of_game)

    def choose(self, position: Position, limits: Limits) -> Choice:
        return self.reflex.ask(position, limits)


HARD = {"evaluation": FITTED_CHAINS, "depth": 2}
LEVELS: dict[str, Callable[..., Engine]] = {
    "beginner": TakesWins,
    "easy": ExploringReflex,
    "medium": partial(LowestFirst, explore=0.09, **HARD),
    "hard": partial(LowestFirst, explore=0.03, **HARD),
    "expert": partial(AlphaBeta, evaluation="counts", depth=6),
    "master": partial(Iterative, evaluation="ntuple"),
}
A_SECOND = Limits(seconds=1.0)  # for a move of the master without limits


class Oracle(Engine):
    """A level of the ladder that FourPlay's 4x4x4 agents were measured against.

    Source: FourPlay's opponent, levels fitted to the games recorded against it
    """

    level: Literal["beginner", "easy", "medium", "hard", "expert", "master"] = option(
        "hard", "how strong it plays"
    )
    corner: bool = option(True, "play the corner first, as in the records")
    slips: float | None = option(
        None, "share of random moves, instead of that of its level", least=0, most=1
    )

    def new_game(self) -> None:
        slips = {} if self.slips is None else {"explore": self.slips}
        self.thinker = LEVELS[self.level](**slips)
        if self.level == "master" and not shipped_file(self.rules).is_file():
            self.thinker = Iterative(evaluation="counts")  # no network knows this board
        self.thinker.begin(self.rules, self.seed_of_game)
        self.evaluation = getattr(self.thinker, "evaluation", None)

    def warm_up(self) -> None:
        self.thinker.warm_up()  # the first move, a corner, would not ask it

    def choose(self, position: Position, limits: Limits) -> Choice:
        if self.corner and position.ply == 0:
            return Choice(0)
        return self.thinker.ask(position, self._limited(limits))

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        return self.thinker.ask_opinions(position, self._limited(limits))

    def _limited(self, limits: Limits) -> Limits:
        return A_SECOND if self.level == "master" and limits == Limits() else limits


class OracleBeginner(Oracle):
    """FourPlay's opponent on level beginner: takes wins, else random."""

    level = "beginner"


class OracleEasy(Oracle):
    """FourPlay's opponent on level easy: reflex with a quarter of random moves."""

    level = "easy"


class OracleMedium(Oracle):
    """FourPlay's opponent on level medium: as hard, with three times the random moves."""

    level = "medium"


class OracleHard(Oracle):
    """FourPlay's opponent on level hard: two plies of fitted chains, 3 % random moves."""

    level = "hard"


class OracleExpert(Oracle):
    """FourPlay's opponent on level expert: six plies of alpha-beta, counts 1/4/16."""

    level = "expert"


class OracleMaster(Oracle):
    """FourPlay's opponent on level master: iterative deepening, a learned value, 1 s a move."""

    level = "master"
