"""A network as an evaluation: its value is that of looking cell by cell."""

from __future__ import annotations

import copy
import gc
import math
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena import CONNECT4, SCORE4, Limits, Position, Rules
from arena.engines.alphabeta import AlphaBeta
from arena.engines.greedy import Greedy
from arena.engines.iterative import Iterative
from arena.engines.minimax import Minimax
from arena.errors import BadOption, BadRules
from arena.evaluation import EVALUATIONS, Evaluation
from arena.evaluation.kernels import FINEST, breakdown, weights_of
from arena.network.network import MAX_UNFOLDED, Network, save_network
from arena.network.option import NetworkOption
from tests.engines.positions import random_positions
from tests.evaluation.values import value_of
from tests.network.naive import naive_sum, random_network

BOARDS = (Rules.flat(5, 4), Rules.flat(4, 4, 3), Rules.space(2, 2, 4, 4), Rules.space(3, 2, 3, 3))
WIN = 100.0
STEP = 1.5 / FINEST  # a value near the middle of two steps may become either


def written(network: Network, folder: Path, name: str = "learned") -> str:
    return str(save_network(network, folder / f"{name}.net"))


def weights(network: Network) -> NetworkOption:
    return NetworkOption.from_option(network)


def leaf(network: Network, position: Position) -> float:
    """What a network says to the player to move, as exactly as an evaluation tells it."""
    return round(math.tanh(naive_sum(network, position)) * FINEST) / FINEST


def plain_minimax(network: Network, position: Position, depth: int) -> float:
    """The value to the player to move, by trying everything; a sooner win has more value."""
    if position.winner is not None:
        return -(WIN - position.ply / FINEST)
    if position.is_draw:
        return 0.0
    if depth == 0:
        return leaf(network, position)
    return max(-plain_minimax(network, position.play(c), depth - 1) for c in position.legal)


def plain_values(network: Network, position: Position, depth: int) -> dict[int, float]:
    return {c: -plain_minimax(network, position.play(c), depth - 1) for c in position.legal}


@pytest.mark.parametrize("rules", BOARDS, ids=str)
@pytest.mark.parametrize(
    ("engine", "options"),
    [
        (Minimax, {}),
        (AlphaBeta, {}),
        (Iterative, {"table": 1, "deepening": False}),
        (Iterative, {}),
    ],
)
def test_a_search_returns_what_plain_minimax_finds(
    rules: Rules, engine: Any, options: dict[str, Any]
) -> None:
    network = random_network(rules, 4, 3, seed=5)
    player = engine(evaluation=Evaluation("own", network=weights(network), win=WIN), **options)
    player.begin(rules, 1)
    for position in random_positions(rules, 4, seed=2, least=1, most=rules.cells - 4):
        expected = plain_values(network, position, 3)
        choice = player.ask(position, Limits(depth=3))
        best = max(expected.values())
        if engine is not Iterative:  # which looks no deeper where the game is decided
            assert player.ask_opinions(position, Limits(depth=3)) == pytest.approx(
                expected, abs=STEP
            )
        assert choice.score == pytest.approx(best, abs=STEP)
        assert expected[choice.column] == pytest.approx(best, abs=STEP)


@pytest.mark.parametrize("rules", [CONNECT4, SCORE4], ids=str)
def test_a_file_is_an_evaluation_of_one_ply_and_of_parts(rules: Rules, tmp_path: Path) -> None:
    network = random_network(rules, 5, 4, seed=1)
    file = written(network, tmp_path)
    evaluation = Evaluation.from_option(file)
    greedy = Greedy(evaluation=file)
    greedy.begin(rules, 1)
    assert str(evaluation) == "learned"
    for position in random_positions(rules, 6, seed=9, most=25):
        value = math.tanh(naive_sum(network, position))
        mover = position.to_move
        assert value_of(evaluation, position, mover) == pytest.approx(value, abs=STEP)
        assert value_of(evaluation, position, 1 - mover) == pytest.approx(-value, abs=STEP)
        parts = breakdown(evaluation, position)
        assert parts == {"centre": 0, "tempo": 0, "network": pytest.approx(value)}
        values = greedy.ask_opinions(position, Limits())
        for column, value in values.items():
            after = position.play(column)
            known = WIN if after.winner is not None else 0.0 if after.is_draw else None
            expected = -leaf(network, after) if known is None else known
            assert value == pytest.approx(expected, abs=STEP)


def test_a_large_network_is_left_folded() -> None:
    network = random_network(CONNECT4, 6, 9, seed=1)
    assert MAX_UNFOLDED < 6 * 2 * 4**9
    assert network.unfolded is network


@pytest.mark.parametrize(
    "added",
    [
        {"own": ((3, 0.5),)},
        {"runs": ((2, 0.25),), "chains": ((3, 0.5),)},
        {"rays": "up", "own": ((3, 0.5),), "runs": ((2, 0.25),)},
    ],
    ids=lambda added: " and ".join(added),
)
def test_lines_may_be_added_to_a_network(added: dict[str, Any]) -> None:
    rules = Rules.flat(5, 4)
    network = random_network(rules, 4, 3, seed=5)
    mixed = Evaluation("own", network=weights(network), win=WIN, **added)
    lines = replace(mixed, network=None)
    greedy = Greedy(evaluation=mixed)
    greedy.begin(rules, 1)
    for position in random_positions(rules, 5, seed=3, most=12):
        for column, value in greedy.ask_opinions(position, Limits()).items():
            after = position.play(column)
            if not after.is_over:
                both = value_of(lines, after, position.to_move) - leaf(network, after)
                assert value == pytest.approx(both)


def test_equal_networks_are_equal_evaluations(tmp_path: Path) -> None:
    network = random_network(CONNECT4, 3, 4, seed=1)
    file = written(network, tmp_path)
    first, second = Evaluation.from_option(file), Evaluation.from_option(file)
    assert first == second
    assert hash(first) == hash(second)
    network.weights[0, 0] += 1
    assert Evaluation.from_option(written(network, tmp_path)) != first
    assert Evaluation.from_option({"network": file, "name": "learned"}) != first  # other weights
    assert Evaluation.from_option("ntuple") is EVALUATIONS["ntuple"]


def test_a_search_keeps_its_network_alive(tmp_path: Path) -> None:
    file = written(random_network(CONNECT4, 3, 8, seed=1), tmp_path)
    engine = AlphaBeta(evaluation=file, depth=3)
    expected = engine.ask_opinions(Position(), Limits())
    engine.begin(CONNECT4, 1)
    for _ in range(3):
        gc.collect()
        np.full((20, 2 * 3 * 4**8), 9.0, np.float32)  # would take the place of freed weights
        assert engine.ask_opinions(Position(), Limits()) == expected


def test_weights_of_another_board_are_refused_in_a_sentence(tmp_path: Path) -> None:
    file = written(random_network(Rules.flat(5, 4), 3, 4, seed=1), tmp_path)
    for engine in (AlphaBeta(evaluation=file), Greedy(evaluation=file)):
        with pytest.raises(BadRules, match=r"learned\.net has the weights of 5x4.*, not of 7x6"):
            engine.begin(CONNECT4, 1)
    with pytest.raises(BadRules, match="no network is shipped for 5x5"):
        AlphaBeta(evaluation="ntuple").begin(Rules.flat(5, 5), 1)


def test_what_is_no_network_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "torn.net").write_bytes(b"{}\n123")
    with pytest.raises(BadOption, match=r"torn\.net is not a network file of this version"):
        Evaluation.from_option(str(tmp_path / "torn.net"))
    with pytest.raises(BadOption, match=r"absent\.net cannot be read: No such file"):
        Evaluation.from_option(str(tmp_path / "absent.net"))
    with pytest.raises(BadOption, match=r"weights are 3; expected shipped, or a \.net file"):
        Evaluation.from_option({"network": 3})
    large = Evaluation("own", network=EVALUATIONS["ntuple"].network, win=1e9)
    with pytest.raises(BadOption, match="too large"):
        weights_of(large, CONNECT4)


@pytest.mark.parametrize(
    ("given", "win"),
    [
        ({"network": "shipped"}, 100),
        ({"network": "shipped", "tempo": 0.5}, 100),
        ({"evaluation": "ntuple", "name": "mine"}, 100),
        ({"network": "shipped", "own": {3: 50}}, 1_000_000),
        ({"evaluation": "ntuple", "own": {3: 50}}, 1_000_000),
        ({"evaluation": "ntuple", "centre": 30}, 1_000_000),
        ({"evaluation": "rivest-512", "network": "shipped"}, 512),
        ({"evaluation": "ntuple", "own": {3: 50}, "win": 40}, 40),
    ],
)
def test_lines_beside_a_network_add_up_to_less_than_a_win(given: dict[str, Any], win: int) -> None:
    assert Evaluation.from_option(given).win == win


def test_copies_of_networks_and_of_their_players_stand_by_themselves() -> None:
    network = random_network(CONNECT4, 3, 3, 1)
    copies = copy.copy(network), copy.deepcopy(network), pickle.loads(pickle.dumps(network))
    for each in copies:
        assert each.record.weights == each.weights.ctypes.data
        assert each.value(Position(CONNECT4)) == network.value(Position(CONNECT4))
    for named in (weights(network), EVALUATIONS["ntuple"].network):
        assert copy.deepcopy(named) is named
        assert str(pickle.loads(pickle.dumps(named))) == str(named)
