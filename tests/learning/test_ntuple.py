from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.engine.contract import Limits
from arena.game.bits import meter_fields, new_record, record_of
from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules
from arena.learning.canonical import canonical
from arena.learning.ntuple import NTupleLearner
from arena.learning.parts import Schedule
from arena.learning.reading import load_text
from arena.learning.self_play import LAWS, SCHEDULE, defence, scheduled
from arena.learning.spec import NTupleFile, Training
from arena.learning.teacher import who_wins
from arena.learning.update import RATES, STEP, TRACE, learn_game
from arena.network.network import Network
from arena.network.option import load_network
from arena.network.value import MOVES, SURE, network_value
from arena.solver.flat.search import Solver
from tests.network.naive import naive_sum, random_network, random_position

SMALL = Rules.flat(5, 4)


def training(**keys: Any) -> Training[NTupleFile]:
    given = {"game": "5x4", "tuples": "{count: 6, length: 5}", "games": 600, "measure": "none"}
    file = {"method": "ntuple"} | given | keys
    return load_text("\n".join(f"{key}: {value}" for key, value in file.items()))


def learned(cuts: list[int], **keys: Any) -> NTupleLearner:
    learner = NTupleLearner(training(**keys))
    for games in cuts:
        learner.play(games)
    return learner


def a_game(rules: Rules, columns: list[int]) -> list[Position]:
    positions = [Position(rules)]
    for column in columns:
        positions.append(positions[-1].play(column))
    return positions


def test_one_game_is_learned_as_the_formula_says() -> None:
    """A network of two tuples, a short game, one exploring move; each number by hand."""
    network = random_network(SMALL, 2, 3, 4)
    before = network.weights.copy()
    naive = Network(SMALL, network.tuples, before.copy())
    positions = a_game(SMALL, [0, 1, 0, 1, 2])
    trace, step = new_record(TRACE), new_record(STEP)
    promise, follows = [0.3, -0.2, 0.1, 0.4, 0.0], [1, 1, 0, 1, 1]
    trace.plies = 5
    for ply in range(5):
        trace.own[ply], trace.opp[ply] = positions[ply].own, positions[ply].opponent
        trace.promise[ply], trace.follows[ply] = promise[ply], follows[ply]
    step.alpha, step.decay, step.gamma = 0.5, 0.7, 1.0
    learn_game(record_of(SMALL.board), network.record, step, trace)

    target = 0.0
    for ply in (4, 3, 2, 1, 0):
        bootstraps = ply == 4 or not follows[ply]
        target = promise[ply] if bootstraps else 0.3 * promise[ply] - 0.7 * target
        value = math.tanh(naive_sum(naive, positions[ply]))
        change = 0.5 * (target - value) * (1 - value * value) / 4  # two tuples, two images
        naive.weights += change * active(naive, positions[ply])
    assert network.weights == pytest.approx(naive.weights, abs=1e-6)
    assert not np.array_equal(network.weights, before)


def active(network: Network, position: Position) -> Any:
    """How often each weight speaks for a position: probed by weights of one, one at a time."""
    counts = np.zeros_like(network.weights)
    probe = Network(network.rules, network.tuples)
    for at in np.ndindex(counts.shape):
        if at[0] == position.ply % 2:
            probe.weights[at] = 1
            words = np.uint64(position.own), np.uint64(position.opponent)
            value = network_value(record_of(network.rules.board), probe.record, *words)
            counts[at] = round(math.atanh(min(value, 0.9999)))
            probe.weights[at] = 0
    return counts


def test_temporal_coherence_slows_down_weights_that_go_to_and_fro() -> None:
    network = Network(SMALL, [(0, 1, 2)])
    coherence = np.zeros((2 * network.size, 2), np.float32)
    step, trace, beta = new_record(STEP), new_record(TRACE), 2.7
    step.alpha, step.gamma, step.coherence = 1.0, 1.0, coherence.ctypes.data
    step.rate[:] = np.exp(beta * (np.arange(RATES + 1) / RATES - 1))
    trace.plies, trace.follows[0] = 1, 1
    weight, n, a = 0.0, 0.0, 0.0
    number = 0b001001  # the lowest cell is where the next disc lands, the others are above it
    for target in (1.0, -1.0, 1.0, 1.0, -1.0):
        trace.promise[0] = target
        learn_game(record_of(SMALL.board), network.record, step, trace)
        value = math.tanh(2 * weight)  # in both images of the board
        change = (target - value) * (1 - value * value) / 2
        for _ in range(2):
            rate = math.exp(beta * (abs(n) / a - 1)) if a else 1.0
            weight, n, a = weight + rate * change, n + change, a + abs(change)
        assert network.weights[0, number] == pytest.approx(weight, rel=1e-2)
    assert coherence[number].tolist() == pytest.approx([n, a], rel=1e-2)


@pytest.mark.parametrize(
    "schedule",
    [
        Schedule.model_validate(0.2),
        Schedule.model_validate({"from": 0.2, "to": 0.01, "over": 50}),
        Schedule.model_validate({"from": 3, "to": 0.5, "over": 80, "shape": "exponential"}),
        Schedule.model_validate({"from": 0.01, "shape": "1/game"}),
    ],
)
def test_kernels_read_schedules_as_they_are(schedule: Schedule) -> None:
    record = new_record(SCHEDULE)
    record.start, record.law = schedule.start, LAWS[schedule.shape]
    record.end, record.over = schedule.to or 0, schedule.over or 0
    for game in (0, 1, 10, 49, 50, 200):
        assert scheduled(record, game) == pytest.approx(schedule.at(game))


def test_the_player_who_is_behind_tries_any_defence_that_is_almost_as_good() -> None:
    totals = (0.9, 1.1, 1.5, SURE)  # sums to the player who moves next: all bad, the last the end
    discs = [1, 2, 4, 8]

    def defences(best: float, spread: float) -> set[int]:
        chosen = set()
        for word in range(200):
            moves = new_record(MOVES)
            moves.count = 4
            moves.disc[:4], moves.total[:4] = discs, (best, *totals[1:])
            chosen.add(int(defence(moves, 0, spread, np.uint64(word << 56))))
        return chosen

    assert defences(0.9, 0.0) == {1}
    assert defences(0.9, 0.1) == {1, 2}  # tanh: 0.72, 0.80, 0.91
    assert defences(0.9, 1.0) == {1, 2, 4}  # what loses at once is no defence
    assert defences(-0.1, 1.0) == {1}  # who is ahead plays the best move


KEYS = [
    {},
    {"average": 0.2},
    {"threats": "false"},
    {"tcl": "false"},
    {"random_plies": 3, "spread": 0.3},
    {"opponent": "reflex"},
]


@pytest.mark.parametrize("keys", KEYS, ids=str)
def test_weights_do_not_depend_on_how_games_are_cut(keys: dict[str, Any]) -> None:
    games = 60 if "opponent" in keys else 600
    whole = learned([games], **keys)
    cut = learned([7, games // 2], **keys)
    again = NTupleLearner(training(**keys))
    again.restore({name: part.copy() for name, part in cut.state().items()})
    again.play(games - again.games)
    assert again.network.weights.tobytes() == whole.network.weights.tobytes()
    assert again.coherence.tobytes() == whole.coherence.tobytes()
    assert again.figures() == whole.figures()
    assert np.any(whole.network.weights)


def test_figures_that_were_asked_for_before_saving_are_the_same_after_it() -> None:
    whole = learned([200], workers=2)
    figures, again = whole.figures(), NTupleLearner(training(workers=3))
    again.restore({name: part.copy() for name, part in whole.state().items()})
    assert again.figures() == figures
    assert again.network.weights.tobytes() == whole.network.weights.tobytes()


def test_other_seeds_learn_other_weights() -> None:
    one, other = (learned([200], seed=seed).network.weights for seed in (1, 2))
    assert not np.array_equal(one, other)


def test_the_running_average_takes_a_sample_every_10000_games() -> None:
    learner = NTupleLearner(training(average=0.75, game="4x3c3", games=20_000))
    samples = []
    for games in (10_000, 10_000):
        learner.play(games)
        samples.append(learner.network.weights.copy())
    expected = samples[0] + 0.75 * (samples[1] - samples[0])
    assert learner.strongest.weights == pytest.approx(expected, abs=1e-6)


def test_several_workers_learn_into_one_table() -> None:
    learner = learned([400, 200], workers=3)
    assert learner.games == 600
    assert sum(int(worker.trace.steps) for worker in learner.workers) > 600


def test_the_teacher_says_who_wins() -> None:
    solver = Solver(CONNECT4)
    solver.field.meter = meter_fields(None, (0, 0))
    for seed in range(30):
        position = random_position(CONNECT4, 20 + seed % 20, seed)
        words = np.uint64(position.own), np.uint64(position.opponent)
        score = solver.score(position)
        assert who_wins(record_of(CONNECT4.board), solver.field, *words) == np.sign(score)


def test_with_a_teacher_everywhere_the_values_come_near_the_truth() -> None:
    keys = {"game": "4x4", "tuples": "lines", "teacher": "everywhere", "games": 4000}
    taught = learned([4000], **keys)
    solver, hits = Solver(taught.rules), []
    for seed in range(60):
        position = random_position(taught.rules, 8 + seed % 6, seed)
        words = np.uint64(position.own), np.uint64(position.opponent)
        value = network_value(record_of(taught.rules.board), taught.network.record, *words)
        hits.append(abs(value - np.sign(solver.score(position))) < 0.5)
    assert sum(hits) > 40


def test_a_trained_network_is_a_file_that_plays(tmp_path: Path) -> None:
    learner = learned([600])
    network = load_network(learner.save(tmp_path))
    assert network.tuples == learner.network.tuples
    assert network.weights.tobytes() == learner.network.weights.tobytes()
    position = Position(SMALL).play(2).play(2)
    engine = learner.player()
    words = [-math.tanh(naive_sum(network, position.play(column))) for column in position.legal]
    assert engine.ask(position, Limits()).score == pytest.approx(max(words), abs=1e-6)


def test_packed_weights_are_measured_as_they_are_written(tmp_path: Path) -> None:
    full, packed = learned([600]), learned([600], precision="packed")
    assert (full.network.weights == packed.network.weights).all()
    network = load_network(packed.save(tmp_path, "9 won"))
    assert (network.weights != packed.network.weights).any()
    measured = packed.player().settings()["weights"].network_for(SMALL)
    assert (measured.weights == network.weights).all()
    assert network.about["strength"] == "9 won"
    assert (network.about["games"], network.about["seed"]) == (600, 1)
    assert len(network.about["sha256"]) == 64
    assert canonical(training()) == canonical(training(precision="packed"))


@pytest.mark.parametrize(
    "keys", [{"random_plies": 3}, {"opponent": "reflex", "side": "second"}], ids=str
)
def test_the_ends_of_its_games_are_those_that_were_played(keys: dict[str, Any]) -> None:
    learner = learned([300], **keys)
    weights = learner.network.weights.copy()
    untrained, trained = learner.outcomes()
    assert np.array_equal(weights, learner.network.weights)
    assert all(ending.value == 0 for ending in untrained.endings)
    assert len(trained.endings) > 20
    for ending in trained.endings:
        assert ending.end.is_over
        winner = ending.end.winner
        side = 1 if "opponent" in keys else 0
        assert ending.result == (0 if winner is None else 1 if winner == side else -1)
