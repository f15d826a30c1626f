"""Oracle: FourPlay's web opponent "Connect 3D", rebuilt as a ladder of levels.

The original cannot be reached any more. It always moved first and opened in the corner. Its moves
in the 252 games that were recorded show how it thought: it looked two plies ahead, liked discs side
by side, blocked or not, took the lowest cell of several with the same value, and played a random
move now and then, on level medium more often. `python -m tests.benchmarks.oracle` holds rules
against all that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np

from arena import Choice, Engine, Limits, Position, option
from arena.engines.alphabeta import AlphaBeta
from arena.engines.iterative import Iterative
from arena.engines.reflex import Reflex
from arena.engines.search import UNKNOWN
from arena.evaluation import Evaluation
from arena.network.option import shipped_file

# By these weights LowestFirst plays 85.6 % of the 3,448 recorded moves of level hard, on which they
# were chosen, and 81.1 % of 445 of level medium, which had no part in it. The slips are those by
# which a win was missed or given away: 3.4 % and 9.4 %. In 600 games each FourPlay's agents win 70,
# 65 and 90 % against hard (recorded: 75 of 100, with weights as 2 to 5, 43 of 55, 6 of 7), random
# none and reflex 21 % (1 of 16); against medium reflex wins 28 % (10 of 24).
FITTED_CHAINS = Evaluation(
    "fitted chains", other=((1, -0.1),), runs=((3, 5),), chains=((2, 1), (3, 10))
)


class TakesWins(Engine):
    """Takes a win, else plays at random."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        """A winning column, or any."""
        wins = [column for column in position.legal if position.wins_with(column)]
        return Choice(self.random.choice(wins or position.legal))


class LowestFirst(AlphaBeta):
    """Alpha-beta that tries low cells before high ones, and gives up in the first column."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        """The first of the best columns, the lowest first; where all are lost, the first of all."""
        discs, masks = position.first | position.second, self.rules.column_masks
        filled = [(discs & mask).bit_count() for mask in masks]
        self.columns = np.argsort(filled, kind="stable")
        choice = super().choose(position, limits)
        values = [int(self.values[column]) for column in position.legal]
        if UNKNOWN not in values and all(map(self.is_lost, values)):
            return replace(choice, column=position.legal[0])
        return choice


class ExploringReflex(Engine):
    """Reflex that plays a quarter of its moves at random; chance has two streams."""

    explore = 0.25

    def new_game(self) -> None:
        """Have Reflex begin as well."""
        self.reflex = Reflex()
        self.reflex.begin(self.rules, self.seed_of_game)

    def choose(self, position: Position, limits: Limits) -> Choice:
        """What Reflex plays."""
        return self.reflex.ask(position, limits)


class Rung(NamedTuple):
    """Who thinks on a level, and with which options."""

    thinker: type[Engine]
    options: Mapping[str, Any] = {}


TWO_PLIES = {"evaluation": FITTED_CHAINS, "depth": 2}
RUNGS: dict[str, Rung] = {
    "beginner": Rung(TakesWins),
    "easy": Rung(ExploringReflex),
    "medium": Rung(LowestFirst, TWO_PLIES | {"explore": 0.09}),
    "hard": Rung(LowestFirst, TWO_PLIES | {"explore": 0.03}),
    "expert": Rung(AlphaBeta, {"evaluation": "counts", "depth": 6}),
    "master": Rung(Iterative, {"evaluation": "ntuple"}),
}
A_SECOND = Limits(seconds=1.0)  # for a move of the master where nothing else limits it


class Oracle(Engine):
    """A level of the ladder that FourPlay's 4x4x4 agents were measured against.

    Source: FourPlay's opponent, levels fitted to the games recorded against it
    """

    level: Literal["beginner", "easy", "medium", "hard", "expert", "master"] = option(
        "hard", "how strong it plays"
    )
    corner: bool = option(True, "whether its first move of a game is the corner, as in the records")

    def new_game(self) -> None:
        """Build the thinker of the level."""
        self.thinker = self.rung.thinker(**self.rung.options)
        self.thinker.begin(self.rules, self.seed_of_game)

    def warm_up(self) -> None:
        """Make the thinker ready: the first move, a corner, would not ask it."""
        self.thinker.warm_up()

    @property
    def rung(self) -> Rung:
        """The thinker of the level; where no network is shipped, it counts open lines."""
        if self.level == "master" and not shipped_file(self.rules).is_file():
            return Rung(Iterative, {"evaluation": "counts"})
        return RUNGS[self.level]

    @property
    def evaluation(self) -> Evaluation | None:
        """The evaluation of the level's thinker, if it has one."""
        own = self.rung.options.get("evaluation")
        return None if own is None else Evaluation.from_option(own)

    def choose(self, position: Position, limits: Limits) -> Choice:
        """The corner first, then as the level plays."""
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
