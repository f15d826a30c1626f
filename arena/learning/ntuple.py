"""Learning an n-tuple network: by playing against itself, or against an engine."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import arena
from arena.bots.find import find
from arena.engine.contract import Engine
from arena.game.bits import new_record, record_of
from arena.game.position import Position
from arena.learning.learner import WEIGHTS, Learner, State
from arena.learning.opponent import Opponent
from arena.learning.outcomes import SAMPLE, SAMPLE_SECONDS, Ending, Outcomes
from arena.learning.self_play import (
    first_word,
    note_reply,
    play_game,
    scheduled,
    take_turn,
    train,
)
from arena.learning.spec import NTupleFile, Training
from arena.learning.teacher import teach, train_with_teacher
from arena.learning.update import STEP, blend, learn_game
from arena.learning.worker import Worker, plan_of, step_of, teachers, trace_end
from arena.network.network import Network, round_weights, save_network
from arena.network.option import SUFFIX
from arena.network.value import network_value

AVERAGED_EVERY = 10_000  # games between two samples of the running average
PLAYER = "ntuple"
FILE = f"{WEIGHTS}{SUFFIX}"


class NTupleLearner(Learner):
    """A network whose values follow what its own games tell (Thill, Koch and Konen 2012).

    With several workers, threads learn from different games into one table without waiting for each
    other (Recht, Re, Wright and Niu 2011): a lost update now and then does no harm, but no two runs
    are the same.
    """

    def __init__(self, training: Training[NTupleFile]) -> None:
        settings, self.rules = training.settings, training.rules
        self.training, self.settings = training, settings
        self.network = Network(self.rules, settings.tuples.on(self.rules))
        self.coherence = np.zeros((2 * self.network.size, 2), np.float32)
        self.average: NDArray[np.float32] | None = None
        if settings.average:
            self.average = np.zeros_like(self.network.weights)
        self.error = -1, math.nan  # of the last figures, and after how many games those were
        self.plan = plan_of(settings)
        self.workers = [
            Worker(step_of(settings, self.coherence), solver, settings)
            for solver in teachers(settings, self.rules)
        ]
        opponent = training.opponent
        self.opponent = Opponent(opponent, self.rules) if opponent is not None else None

    # ---- playing

    def play(self, games: int) -> None:
        """Play and learn; the running average takes a sample each time so many games are over."""
        end = self.games + games
        while self.games < end:
            pause = min(end, (self.games // AVERAGED_EVERY + 1) * AVERAGED_EVERY)
            self._learn(self.games, pause)
            self.games = pause
            if self.average is not None and pause % AVERAGED_EVERY == 0:
                # A plain mean at first, until its share is as small as the one asked for.
                share = max(self.settings.average, AVERAGED_EVERY / pause)
                blend(self.average, self.network.weights, share)

    def _learn(self, first: int, stop: int) -> None:
        if self.opponent is not None:
            for game in range(first, stop):
                self._meet(self.opponent, game)
        elif len(self.workers) == 1:
            self._train(self.workers[0], first, stop, 1)
        else:
            stride = len(self.workers)
            with ThreadPoolExecutor(stride) as threads:
                jobs = [
                    threads.submit(self._train, worker, first + k, stop, stride)
                    for k, worker in enumerate(self.workers)
                ]
            for job in jobs:
                job.result()

    def _train(self, worker: Worker, first: int, stop: int, stride: int) -> None:
        board, net, numbers = (
            record_of(self.rules.board),
            self.network.record,
            (first, stop, stride),
        )
        records = worker.step, self.plan, worker.trace, worker.moves
        if worker.solver is None:
            train(board, net, *records, numbers)
        else:
            train_with_teacher(board, net, *records, numbers, worker.solver.field)

    def _meet(self, opponent: Opponent, game: int) -> None:
        """A game against an engine, from which both sides' positions are learned."""
        board, worker = record_of(self.rules.board), self.workers[0]
        self._play_against(opponent, self.network, worker, game)
        worker.step.alpha = scheduled(self.plan.alpha, game)
        if worker.solver is not None:
            teach(board, worker.solver.field, worker.trace, self.plan.teacher_from)
        learn_game(board, self.network.record, worker.step, worker.trace)

    def _play_against(
        self, opponent: Opponent, network: Network, worker: Worker, game: int
    ) -> None:
        """Play an engine and leave the trace of the game with the worker."""
        board, net, side = record_of(self.rules.board), network.record, self._side(game)
        trace, moves, plan = worker.trace, worker.moves, self.plan
        epsilon, seed = scheduled(plan.epsilon, game), np.uint64(first_word(plan.seed, game))
        opponent.new_game(int(seed))
        position, trace.plies, over = Position(self.rules), 0, False
        while not over:
            own, opp = np.uint64(position.own), np.uint64(position.opponent)
            if position.to_move == side:
                word = np.uint64(first_word(seed, position.ply))
                disc, over = take_turn(board, net, trace, moves, own, opp, epsilon, word)
                position = position.play((int(disc).bit_length() - 1) // self.rules.height)
            else:
                after = opponent.reply(position)
                disc = np.uint64(after.opponent ^ position.own)
                over = note_reply(board, net, trace, own, opp, disc)
                position = after

    def _side(self, game: int) -> int:
        """Which side it takes in a game against an engine."""
        return {"first": 0, "second": 1, "both": game % 2}[self.settings.side]

    # ---- saving and showing

    @property
    def strongest(self) -> Network:
        """The network that plays: the running average, if there is one."""
        if self.average is None or self.games < AVERAGED_EVERY:
            return self.network
        return Network(self.rules, self.network.tuples, self.average)

    def state(self) -> State:
        """All weights that were ever changed, and what temporal coherence knows of them."""
        weights = self.network.weights.ravel()
        touched = np.flatnonzero((weights != 0) | (self.coherence[:, 1] != 0))
        state = {
            "games": np.array(self.games),
            "touched": touched.astype(np.int64),
            "weights": weights[touched],
            "coherence": self.coherence[touched],
            "errors": np.array([(w.trace.error, w.trace.steps) for w in self.workers]),
            "figures": np.array(self.error),
        }
        if self.average is not None:
            state["average"] = self.average.ravel()[touched]
        return state

    def restore(self, state: State) -> None:
        """Put every weight back in its place."""
        touched = state["touched"]
        self.games = int(state["games"])
        for table, name in ((self.network.weights, "weights"), (self.average, "average")):
            if table is not None:
                table[:] = 0
                table.ravel()[touched] = state[name]
        self.coherence[:] = 0
        self.coherence[touched] = state["coherence"]
        games, error = state["figures"]
        self.error = int(games), float(error)
        error, steps = state["errors"].sum(axis=0)  # there may have been fewer workers, or more
        self.workers[0].trace.error, self.workers[0].trace.steps = error, int(steps)

    def save(self, folder: Path, strength: str = "") -> Path:
        """Write the network that plays, and where it comes from."""
        about = {
            "training": self.training.path.name,
            "games": self.games,
            "seed": self.settings.seed,
            "sha256": sha256(self.training.text.encode()).hexdigest(),
            "version": arena.__version__,
        }
        about |= {"strength": strength} if strength else {}
        return save_network(self.strongest, folder / FILE, about, self.settings.precision)

    def player(self) -> Engine:
        """One ply of the network as it is now, and as its file will have it."""
        packed = self.settings.precision == "packed"
        network = round_weights(self.strongest) if packed else self.strongest
        return find(PLAYER).build({"weights": network, "threats": self.settings.threats})

    def outcomes(self) -> tuple[Outcomes, Outcomes]:
        """Games as it plays at the end of the training, with no weights and with those of now.

        In self-play they are seen from the first player. Nothing is learned from them.
        """
        untrained = Network(self.rules, self.network.tuples)
        return (
            Outcomes.of("untrained", self._endings(untrained)),
            Outcomes.of("trained", self._endings(self.strongest)),
        )

    def _endings(self, network: Network) -> Iterator[Ending]:
        worker, board = Worker(new_record(STEP), None, self.settings), record_of(self.rules.board)
        trace, began = worker.trace, time.monotonic()
        for game in range(self.games, self.games + SAMPLE):
            side = 0
            if self.opponent is None:
                play_game(board, network.record, self.plan, trace, worker.moves, game)
            else:
                side = self._side(game)
                self._play_against(self.opponent, network, worker, game)
            last, end = trace_end(trace, self.rules)
            sign = 1 if last.to_move == side else -1
            words = np.uint64(last.own), np.uint64(last.opponent)
            value = sign * float(network_value(board, network.record, *words))
            yield Ending(value, 0 if end.is_draw else sign, end)
            if time.monotonic() > began + SAMPLE_SECONDS:
                return

    def figures(self) -> dict[str, float]:
        """The error of its values since figures of fewer games, and how many weights it uses."""
        if self.error[0] != self.games:
            self.error = self.games, self._recent_error()
        return {"error": self.error[1], "weights": int(np.count_nonzero(self.network.weights))}

    def _recent_error(self) -> float:
        """The root mean square error since this was last asked."""
        error = sum(float(worker.trace.error) for worker in self.workers)
        steps = sum(int(worker.trace.steps) for worker in self.workers)
        for worker in self.workers:
            worker.trace.error, worker.trace.steps = 0.0, 0
        return math.sqrt(error / steps) if steps else math.nan
