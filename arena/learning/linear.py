"""Linear temporal differences, as FourPlay learned its two weights (S3.8), for any evaluation.

V(s; w) = w . phi(s), where phi counts what the evaluation gives weights to. A game is played with
epsilon-greedy moves of the learner's own search and then learned from, move by move:
w <- w - eta [V(s) - (r + gamma V(s'))] grad V(s), with eligibility traces where lambda is not 0.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from arena.bots.find import find
from arena.engine.contract import Engine
from arena.errors import ArenaError
from arena.files import write_atomic
from arena.game.bits import new_record
from arena.learning.features import Floats, Parameters
from arena.learning.learner import WEIGHTS, Learner, State
from arena.learning.linear_kernels import DRAW, RULE, learn_from
from arena.learning.linear_play import Game, LinearPlay
from arena.learning.opponent import Opponent
from arena.learning.outcomes import SAMPLE, SAMPLE_SECONDS, Ending, Outcomes
from arena.learning.spec import TdFile, Training
from arena.learning.trajectory import Course, Trajectory
from arena.learning.weights_file import weights_file
from arena.tournament.numbered import derive_seed

SEATS = {"first": (0, 0), "second": (1, 1), "both": (0, 1)}  # in odd games and in even ones
FILE = f"{WEIGHTS}.yaml"
BOUND = 1e100  # of a weight that is still learning
RECENT = 0.05  # the share of the last game in the error that is shown


class LinearLearner(Learner):
    """The weights of an evaluation, learned by playing."""

    def __init__(self, training: Training[TdFile]) -> None:
        assert training.features is not None
        self.training, self.settings = training, training.settings
        self.rules = training.rules
        self.parameters = Parameters.of(training.features, training.rules)
        player = training.opponent
        opponent = None if player is None else Opponent(player, training.rules)
        self.table = LinearPlay(self.parameters, self.settings.depth, opponent)
        self.weights: Floats = self.parameters.start
        self.path = Trajectory(self.weights)
        self.error = 0.0

    # ---- playing and learning

    def play(self, games: int) -> None:
        """Take so many more games, played with the weights of before each, and learn from them."""
        for _ in range(games):
            self.learn(self._next_game())

    def _next_game(self) -> Game:
        """The next of the recorded games, if there are any, or one that is played now."""
        records = self.training.records
        if records:
            end = records[self.games % len(records)]
            winner = DRAW if end.winner is None else end.winner
            return Game(np.array(end.moves, dtype=np.int64), self.seat, winner)
        epsilon = self.settings.epsilon.at(self.games)
        seed = derive_seed(self.settings.seed, "game", self.games + 1)
        return self.table.game(self.weights, epsilon, self.seat, seed)

    @property
    def seat(self) -> int:
        """Where the learner sits in the next game, and by whose eyes it sees the board."""
        return SEATS[self.settings.side][self.games % 2]

    def learn(self, game: Game) -> None:
        """Learn from a finished game, whoever played it."""
        reward = game.result * float(self.settings.reward)
        rows = np.zeros((game.moves.size, self.weights.size))
        errors = learn_from(
            self.table.board, self.table.features, self.weights, self._rule(),
            game.moves, game.seat, reward, rows,
        )  # fmt: skip
        if not (np.abs(self.weights) < BOUND).all():
            raise ArenaError(
                f"the weights grew without bound in game {self.games + 1}; "
                f"expected a step smaller than {self.settings.step.at(self.games):g}"
            )
        self.path.add(rows)
        share = RECENT if self.games else 1.0
        self.error += share * (errors / game.moves.size - self.error)
        self.games += 1

    def _rule(self) -> np.record:
        """The numbers of the update in the next game."""
        rule = new_record(RULE)
        rule.step = self.settings.step.at(self.games)
        rule.gamma, rule.decay = self.settings.gamma, self.settings.lambda_
        rule.as_coded = self.settings.as_coded
        return rule

    # ---- from one run to the next

    def state(self) -> State:
        """The weights, where they went, and the counts."""
        return {
            "weights": self.weights,
            "path": self.path.rows,
            "counts": np.array([self.games, self.path.steps, self.path.every], dtype=np.int64),
            "error": np.array([self.error]),
        }

    def restore(self, state: State) -> None:
        """Go on from there: all chance follows from the number of the game."""
        self.weights = np.array(state["weights"], dtype=np.float64)
        self.path.rows = np.array(state["path"], dtype=np.float64)
        self.games, self.path.steps, self.path.every = (int(n) for n in state["counts"])
        self.error = float(state["error"][0])

    # ---- what came of it

    def save(self, folder: Path, strength: str = "") -> Path:
        """Write the weights as an evaluation file, which every search takes."""
        text = weights_file(self.training, self.parameters, self.weights, self.games, strength)
        return write_atomic(folder / FILE, text.encode())

    def player(self) -> Engine:
        """Alpha-beta as deep as the learner looks itself, with the weights as they are now."""
        evaluation, _ = self.parameters.evaluation_with(self.weights)
        options = {"evaluation": evaluation, "depth": self.settings.depth, "tie_break": "random"}
        return find("alphabeta").build(options)

    def figures(self) -> dict[str, float]:
        """The weights by name, and the mean absolute error of a step in recent games."""
        by_name = dict(zip(self.parameters.names, map(float, self.weights), strict=True))
        return {**by_name, "error": self.error}

    def trajectory(self) -> Course:
        """Where the weights were at the start and after each step."""
        return self.path.course(list(self.parameters.names))

    def outcomes(self) -> tuple[Outcomes, Outcomes]:
        """Games as it plays at the end of the training, with the weights of the start and of now.

        Nothing is learned from them. Against a slow opponent they are fewer than SAMPLE.
        """
        return (
            Outcomes.of("untrained", self._endings(self.parameters.start)),
            Outcomes.of("trained", self._endings(self.weights)),
        )

    def _endings(self, weights: Floats) -> Iterator[Ending]:
        epsilon = self.settings.epsilon.at(self.games)
        until = None  # from the first game on, which may have to wait for kernels
        for number in range(SAMPLE):
            seed = derive_seed(self.settings.seed, "sample", number)
            seat = SEATS[self.settings.side][number % 2]
            yield self.table.ending(self.table.game(weights, epsilon, seat, seed), weights)
            until = until or time.monotonic() + SAMPLE_SECONDS
            if time.monotonic() > until:
                return
