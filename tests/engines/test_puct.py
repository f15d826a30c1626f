"""PUCT: a tree whose values and priors are the network's, and whose proofs are true."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena import CONNECT4, SCORE4, Choice, Limits, Position, Rules
from arena.bots.find import build_engine
from arena.engines import tree as tree_page
from arena.engines.puct import NODE, PUCT
from arena.engines.tree import LOST, OPEN, WON
from arena.errors import BadOption, BadRules
from arena.network.network import Network, save_network
from arena.network.tuples import line_orbits
from tests.engines.exhaustive import column_scores, exact_score, sign
from tests.engines.positions import holes, random_positions, wins_at_once
from tests.engines.trees import Tree
from tests.network.naive import naive_sum, random_network

BOARDS = [CONNECT4, SCORE4, Rules.flat(5, 4), Rules.space(3, 3, 3, 3)]
TEMPERATURE = 0.3


def seated(rules: Rules, seed: int = 1, network: Network | None = None, **options: Any) -> PUCT:
    network = network or random_network(rules, 5, 4, seed=3)
    engine = PUCT(weights=network, **{"temperature": TEMPERATURE, "mixing": 0.0, **options})
    engine.begin(rules, seed)
    return engine


def quiet_positions(rules: Rules, count: int, seed: int, least: int = 0) -> list[Position]:
    """Positions in which a tree is needed: nobody wins at once."""
    many = random_positions(rules, 10 * count, seed, least, rules.cells - 5)
    return [position for position in many if not wins_at_once(position)][:count]


def opened(tree: Tree, position: Position, node: int = 0) -> list[tuple[int, Position]]:
    """All nodes with children, and their positions."""
    below = [(node, position)] if tree.nodes[node]["count"] else []
    for child in tree.children(node):
        if tree.nodes[child]["count"]:
            below += opened(tree, position.play(tree.column(child)), child)
    return below


@pytest.mark.parametrize("rules", BOARDS, ids=str)
@pytest.mark.parametrize("solver", [False, True])
def test_values_and_priors_are_those_of_looking_cell_by_cell(rules: Rules, solver: bool) -> None:
    network = random_network(rules, 5, 4, seed=8)
    engine = seated(rules, network=network, solver=solver)
    for position in quiet_positions(rules, 3, seed=2):
        engine.ask(position, Limits(playouts=60))
        tree = Tree(engine)
        for node, place in opened(tree, position):
            children = tree.nodes[list(tree.children(node))]
            for child in tree.children(node):
                if tree.nodes[child]["proven"] == OPEN:
                    after = place.play(tree.column(child))
                    value = -math.tanh(naive_sum(network, after))
                    assert tree.nodes[child]["value"] == pytest.approx(value, abs=1e-5)
            powers = np.exp(children["value"].astype(float) / TEMPERATURE)
            assert children["prior"] == pytest.approx(powers / powers.sum(), abs=1e-5)
            assert children["prior"].sum() == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("rules", BOARDS, ids=str)
def test_visits_and_points_add_up(rules: Rules) -> None:
    engine = seated(rules, solver=False)
    position = Position(rules)
    for _ in range(3):
        choice = engine.ask(position, Limits(playouts=300))
        tree, nodes = Tree(engine), Tree(engine).nodes
        assert choice.nodes == 300
        assert int(nodes[0]["visits"]) >= 300
        for node, _place in opened(tree, position):
            below = nodes[list(tree.children(node))]
            before = int(nodes[node]["visits"]) - int(below["visits"].sum())
            assert before == 1 if node else before in (0, 1)  # the visit before it was opened
            points = 2 * below["visits"].sum() - below["points"].sum()
            points += before * (1 + nodes[node]["value"])
            assert float(nodes[node]["points"]) == pytest.approx(points, abs=1e-3)
            assert int(nodes[node]["tried"]) == int((below["visits"] > 0).sum())
        assert choice.line is not None
        assert choice.line[0] == choice.column
        position = position.play(choice.column)


def test_without_exploring_the_tree_follows_the_network() -> None:
    network = random_network(CONNECT4, 6, 4, seed=1)
    for position in quiet_positions(CONNECT4, 10, seed=4):
        choice = seated(CONNECT4, network=network, solver=False).ask(position, Limits(playouts=1))
        sums = {c: naive_sum(network, position.play(c)) for c in position.legal}
        assert sums[choice.column] == pytest.approx(min(sums.values()), abs=1e-5)
        assert choice.score == pytest.approx(-math.tanh(min(sums.values())), abs=1e-5)


def test_more_exploring_and_warmer_priors_spread_the_visits() -> None:
    def most_visited(**options: Any) -> int:
        engine = seated(CONNECT4, **options)
        engine.ask(Position(), Limits(playouts=2000))
        return max(int(Tree(engine).nodes[c]["visits"]) for c in Tree(engine).children(0))

    assert most_visited(c=0.1) > most_visited(c=20)
    assert most_visited(c=20, temperature=0.05) > most_visited(c=20, temperature=5)


def test_wins_are_taken_and_losses_blocked() -> None:
    for rules in BOARDS:
        engine = seated(rules)
        for position in random_positions(rules, 20, seed=3, least=4):
            wins = wins_at_once(position)
            safe = set(position.legal) - holes(position)
            for playouts in (1, 20):
                choice = engine.ask(position, Limits(playouts=playouts))
                assert choice.column in (wins or safe or position.legal)
                assert choice.score == 1.0 or not wins
                assert wins or safe or choice.score == -1.0


@pytest.mark.parametrize(
    ("rules", "least"),
    [(Rules.flat(4, 4, 3), 4), (Rules.flat(5, 4), 10), (Rules.space(2, 2, 3, 3), 6),
     (Rules.space(3, 3, 2, 3), 8), (Rules.flat(1, 5), 0)],
    ids=str,
)  # fmt: skip
def test_proven_values_are_the_true_ones(rules: Rules, least: int) -> None:
    proven = 0
    network = random_network(rules, 2, 2, seed=2)
    positions = quiet_positions(rules, 12, seed=5, least=least)
    for position in positions:
        engine = seated(rules, network=network, c=20, temperature=5)
        choice = engine.ask(position, Limits(playouts=20_000))
        if choice.nodes == 20_000:
            continue
        proven += 1
        assert choice.score == sign(exact_score(position))
        assert sign(column_scores(position)[choice.column]) == sign(exact_score(position))
        tree = Tree(engine)
        for node, place in opened(tree, position):
            known = int(tree.nodes[node]["proven"])
            assert known == OPEN or known - 2 == -sign(exact_score(place))
    assert positions
    assert proven > 0.7 * len(positions)


def test_a_lost_position_is_still_defended() -> None:
    choice = seated(CONNECT4).ask(Position.parse("44553"), Limits(playouts=100))
    assert choice.column in {1, 5}
    assert choice.score == -1.0
    winning = seated(CONNECT4).ask(Position.parse("4455"), Limits(playouts=5000))
    assert (winning.column, winning.score) in {(2, 1.0), (5, 1.0)}


def test_same_choices_in_any_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = list(random_positions(CONNECT4, 4, seed=8, most=12))

    def choices(limits: Limits, **options: Any) -> list[Choice]:
        engine = seated(CONNECT4, seed=9, **options)
        return [engine.ask(position, limits) for position in positions]

    once, mixed = choices(Limits(playouts=1001)), choices(Limits(playouts=1001), mixing=0.5)
    assert once != mixed
    assert choices(Limits(playouts=1001, seconds=60.0)) == once
    monkeypatch.setattr(tree_page, "CHUNK", 7)
    assert choices(Limits(nodes=1001, playouts=5000)) == once
    assert choices(Limits(), iterations=1001) == once
    assert choices(Limits(), iterations=1001, mixing=0.5) == mixed


def test_a_share_of_random_games_is_mixed_in() -> None:
    """The results of games are 0, 1 and 2 points; half of one, half of the network's points."""

    def at_the_root(seed: int, mixing: float) -> dict[int, tuple[float, float]]:
        """Of the columns that were visited once: the points, and what the network says."""
        engine = seated(CONNECT4, seed=seed, mixing=mixing, c=20, temperature=5)
        engine.ask(Position(), Limits(playouts=7))
        tree = Tree(engine)
        nodes = {tree.column(child): tree.nodes[child] for child in tree.children(0)}
        return {
            column: (float(node["points"]), 1 + float(node["value"]))
            for column, node in nodes.items()
            if node["visits"] == 1
        }

    results = set()
    for seed in range(6):
        alone, mixed, games = (at_the_root(seed, mixing) for mixing in (0.0, 0.5, 1.0))
        assert all(points == pytest.approx(value) for points, value in alone.values())
        results |= {points for points, _ in games.values()}
        assert {round(2 * points - value, 5) for points, value in mixed.values()} <= {0.0, 1.0, 2.0}
        assert at_the_root(seed, 0.5) == mixed
    assert {0.0, 2.0} <= results <= {0.0, 1.0, 2.0}


def test_the_depth_limit_keeps_the_tree_low() -> None:
    for depth in (1, 2, 4):
        choice = seated(CONNECT4).ask(Position(), Limits(depth=depth, playouts=5000))
        assert (choice.depth, choice.nodes) == (depth, 5000)


def test_a_full_tree_stops_growing_but_not_searching() -> None:
    engine = seated(SCORE4, memory=1)
    position = Position(SCORE4)
    for _ in range(2):
        choice = engine.ask(position, Limits(playouts=40_000))
        tree = Tree(engine)
        assert choice.nodes == 40_000
        assert tree.nodes.size * NODE.itemsize <= 2**20
        assert tree.nodes.size - 16 <= int(tree.search.used) <= tree.nodes.size
        position = position.play(choice.column).play(choice.column)


def test_opinions_cover_all_columns_or_those_that_win() -> None:
    limits = Limits(playouts=500)
    for position in random_positions(CONNECT4, 8, seed=12, least=6):
        engine, silent = seated(CONNECT4), seated(CONNECT4)
        values = engine.ask_opinions(position, limits)
        wins = wins_at_once(position)
        assert set(values) == (wins or set(position.legal))
        assert all(-1 <= value <= 1 for value in values.values())
        assert all(values[column] == 1.0 for column in wins)
        assert wins or all(values[column] == -1.0 for column in holes(position))
        assert engine.ask(position, limits) == silent.ask(position, limits)


def test_a_network_of_lines_is_evaluated_unfolded() -> None:
    network = Network(SCORE4, line_orbits(SCORE4))
    network.weights[:] = np.random.default_rng(3).normal(0, 0.05, network.weights.shape)
    engine = seated(SCORE4, network=network)
    engine.ask(Position(SCORE4), Limits(playouts=20))
    assert engine.network.record.symmetries == 1
    tree = Tree(engine)
    for child in tree.children(0):
        after = Position(SCORE4).play(tree.column(child))
        assert tree.nodes[child]["value"] == pytest.approx(
            -math.tanh(naive_sum(network, after)), abs=1e-5
        )


def test_a_proof_of_all_children_is_one_of_the_parent() -> None:
    engine = seated(CONNECT4)
    engine.ask(Position.parse("4455"), Limits(playouts=5000))
    tree = Tree(engine)
    assert int(tree.nodes[0]["proven"]) == LOST  # to whoever moved there
    assert any(int(tree.nodes[child]["proven"]) == WON for child in tree.children(0))


@pytest.mark.parametrize(
    "wrong",
    [
        "c=-1",
        "iterations=0",
        "temperature=0",
        "mixing=2",
        "memory=0",
        "solver=perhaps",
        "playout=light",
    ],
)
def test_wrong_options_are_refused(wrong: str) -> None:
    with pytest.raises(BadOption, match=wrong.partition("=")[0]):
        build_engine(f"puct {wrong}")


def test_weights_of_another_board_are_refused_in_a_sentence(tmp_path: Path) -> None:
    save_network(random_network(Rules.flat(5, 4), 3, 4, seed=1), tmp_path / "a.net")
    engine = build_engine(f"puct weights={tmp_path / 'a.net'}")
    with pytest.raises(BadRules, match=r"a\.net has the weights of 5x4.*, not of 7x6"):
        engine.begin(CONNECT4, 1)
    with pytest.raises(BadOption, match="expected shipped, or a"):
        build_engine("puct weights=other")
