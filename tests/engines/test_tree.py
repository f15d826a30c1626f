"""The trees of `mcts` and `puct`: proofs are true, counts add up, limits are kept."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from itertools import islice, product
from typing import Any

import numpy as np
import pytest

from arena import CONNECT4, SCORE4, Choice, Limits, Position, Rules
from arena.bots.find import build_engine
from arena.engines import puct, tree
from arena.engines.mcts import MCTS
from arena.engines.puct import PUCT
from arena.engines.tree import LOST, OPEN, WON, TreeEngine
from arena.errors import BadOption
from arena.network.network import Network
from arena.network.tuples import line_orbits
from tests.engines.exhaustive import column_scores, exact_score, sign
from tests.engines.positions import holes, random_positions, wins_at_once
from tests.engines.trees import Tree
from tests.network.naive import naive_sum, random_network

KINDS: list[type[TreeEngine]] = [MCTS, PUCT]
OPTIONS: list[dict[str, Any]] = [
    {"expand": expand, "playout": playout, "solver": solver}
    for expand, playout, solver in product((1, 4, "all"), ("light", "winblock"), (False, True))
]
BOARDS = [CONNECT4, SCORE4, Rules.flat(5, 4, 3), Rules.space(3, 3, 3, 3)]
TEMPERATURE = 0.3

on_both = pytest.mark.parametrize("kind", KINDS)


def seated(
    kind: type[TreeEngine], rules: Rules = CONNECT4, seed: int = 1, **options: Any
) -> TreeEngine:
    """An engine at the start of a game; a network is a random one, alone at new nodes."""
    if kind is PUCT:
        network = options.pop("network", None) or random_network(rules, 5, 4, seed=3)
        options = {"weights": network, "temperature": TEMPERATURE, "mixing": 0.0, **options}
    engine = kind(**options)
    engine.begin(rules, seed)
    return engine


def quiet_positions(rules: Rules, count: int, seed: int, least: int = 0) -> Iterator[Position]:
    """Positions in which nobody wins at once."""
    many = random_positions(rules, 10 * count, seed, least, rules.cells - 1)
    return islice((position for position in many if not wins_at_once(position)), count)


def forcing(position: Position) -> set[int]:
    """The columns that win with the third disc from now on, whatever the opponent does."""
    return {
        column
        for column in position.legal
        if not position.wins_with(column)
        and not wins_at_once(after := position.play(column))
        and not after.is_over
        and all(wins_at_once(after.play(reply)) for reply in after.legal)
    }


def opened(tree: Tree, position: Position, node: int = 0) -> Iterator[tuple[int, Position]]:
    """All nodes with children, and their positions."""
    if tree.nodes[node]["count"]:
        yield node, position
    for child in tree.children(node):
        if tree.nodes[child]["count"]:
            yield from opened(tree, position.play(tree.column(child)), child)


def visits(engine: TreeEngine) -> dict[int, int]:
    """How often each column was tried at the root."""
    found = Tree(engine)
    return {found.column(child): int(found.nodes[child]["visits"]) for child in found.children(0)}


# ---- what both trees must do


@pytest.mark.parametrize(
    ("kind", "options"), [*((MCTS, options) for options in OPTIONS), (PUCT, {"solver": True})]
)
def test_wins_are_taken_and_with_the_solver_losses_blocked(
    kind: type[TreeEngine], options: dict[str, Any]
) -> None:
    for rules in BOARDS:
        engine = seated(kind, rules, **options)
        for position in random_positions(rules, 25, seed=3, least=4):
            wins = wins_at_once(position)
            safe = set(position.legal) - holes(position)
            for playouts in (1, 20):
                choice = engine.ask(position, Limits(playouts=playouts))
                assert choice.column in (wins or position.legal)
                assert choice.score == 1.0 or not wins
                if engine.solver and not wins:
                    assert choice.column in (safe or position.legal)
                    assert safe or choice.score == -1.0


@on_both
def test_a_lost_position_is_still_defended(kind: type[TreeEngine]) -> None:
    position = Position.parse("44553")  # the row 3 4 5 is open at both ends
    choice = seated(kind).ask(position, Limits(playouts=100))
    assert choice.column in {1, 5}
    assert (choice.score, choice.nodes) == (-1.0, 0)  # seen without a playout


@on_both
def test_a_win_in_three_plies_is_proven(kind: type[TreeEngine]) -> None:
    row, engine = Position.parse("4455"), seated(kind)
    assert forcing(row) == {2, 5}
    choice = engine.ask(row, Limits(playouts=5000))
    assert choice.column in {2, 5}
    assert choice.score == 1.0
    assert (choice.nodes or 0) < 5000  # a proof ends the search
    found = Tree(engine)
    assert int(found.nodes[0]["proven"]) == LOST  # to whoever moved there
    assert any(int(found.nodes[child]["proven"]) == WON for child in found.children(0))


@on_both
@pytest.mark.parametrize(
    ("rules", "least"),
    [(Rules.flat(4, 4, 3), 4), (Rules.flat(5, 4), 11), (Rules.space(2, 2, 3, 3), 6),
     (Rules.space(3, 3, 2, 3), 8), (Rules.flat(1, 5), 0)],
    ids=str,
)  # fmt: skip
def test_proven_values_are_the_true_ones(kind: type[TreeEngine], rules: Rules, least: int) -> None:
    proven = 0
    positions = list(quiet_positions(rules, 15, seed=5, least=least))
    network = random_network(rules, 2, 2, seed=2)
    options: dict[str, Any] = {"c": 20, "temperature": 5, "network": network}
    for position in positions:
        engine = seated(kind, rules, **(options if kind is PUCT else {}))
        choice = engine.ask(position, Limits(playouts=20_000))
        if choice.nodes == 20_000:
            continue
        proven += 1
        assert choice.score == sign(exact_score(position))
        assert sign(column_scores(position)[choice.column]) == sign(exact_score(position))
        found = Tree(engine)
        for node, place in opened(found, position):
            known = int(found.nodes[node]["proven"])
            assert known == OPEN or known - 2 == -sign(exact_score(place))
        for column, opinion in engine.ask_opinions(position, Limits(playouts=20_000)).items():
            if opinion in (-1.0, 1.0):
                assert opinion == sign(column_scores(position)[column])
    assert proven > 0.7 * len(positions) > 0


@pytest.mark.parametrize(
    ("kind", "options"), [*((MCTS, options) for options in OPTIONS[::3]), (PUCT, {"mixing": 0.5})]
)
def test_same_seed_same_choices_in_any_chunks(
    kind: type[TreeEngine], options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    positions = list(random_positions(CONNECT4, 4, seed=8, most=12))

    def choices(limits: Limits, **more: Any) -> list[Choice]:
        engine = seated(kind, seed=9, **options, **more)
        return [engine.ask(position, limits) for position in positions]

    once = choices(Limits(playouts=1001))
    assert choices(Limits(), **{kind.amount: 1001}) == once
    assert choices(Limits(playouts=1001, seconds=60.0)) == once
    monkeypatch.setattr(tree, "CHUNK", 7)
    assert choices(Limits(nodes=1001, playouts=5000)) == once


@on_both
@pytest.mark.parametrize("depth", [1, 2, 5])
def test_the_depth_limit_keeps_the_tree_low(kind: type[TreeEngine], depth: int) -> None:
    choice = seated(kind).ask(Position(), Limits(depth=depth, playouts=5000))
    assert (choice.depth, choice.nodes) == (depth, 5000)
    assert choice.line is not None
    assert len(choice.line) <= depth


@on_both
def test_a_choice_has_the_line_that_the_tree_expects(kind: type[TreeEngine]) -> None:
    engine = seated(kind, solver=False)
    choice = engine.ask(Position(), Limits(playouts=5000))
    assert choice.line is not None
    assert choice.depth is not None
    assert choice.score is not None
    assert choice.line[0] == choice.column
    assert 3 <= len(choice.line) <= choice.depth
    assert -1 < choice.score < 1
    position = Position()
    for column in choice.line:
        position = position.play(column)
    counted = visits(engine)
    assert sum(counted.values()) == 5000
    assert counted[choice.column] == max(counted.values())


@on_both
@pytest.mark.parametrize("solver", [False, True])
def test_a_full_tree_stops_growing_but_not_searching(kind: type[TreeEngine], solver: bool) -> None:
    engine = seated(kind, SCORE4, memory=1, solver=solver)
    position = Position(SCORE4)
    for _ in range(2):
        choice = engine.ask(position, Limits(playouts=60_000))
        found = Tree(engine)
        assert choice.nodes == 60_000
        assert found.nodes.nbytes <= 2**20
        assert found.nodes.size - 16 <= int(found.search.used) <= found.nodes.size
        position = position.play(choice.column).play(choice.column)


@on_both
def test_opinions_cover_all_columns_or_those_that_win(kind: type[TreeEngine]) -> None:
    limits = Limits(playouts=500)
    for position in random_positions(CONNECT4, 10, seed=12, least=6):
        values = seated(kind).ask_opinions(position, limits)
        wins = wins_at_once(position)
        assert set(values) == (wins or set(position.legal))
        assert all(-1 <= value <= 1 for value in values.values())
        assert all(values[column] == 1.0 for column in wins)
        assert wins or all(values[column] == -1.0 for column in holes(position))


def test_opinions_keep_the_limits() -> None:
    engine, began = seated(MCTS), time.process_time()
    assert len(engine.ask_opinions(Position(), Limits(seconds=0.2))) == 7
    assert time.process_time() - began < 0.4
    assert len(engine.ask_opinions(Position(), Limits(nodes=1))) == 7


@pytest.mark.parametrize(
    "wrong",
    ["mcts expand=3", "mcts playout=heavy", "mcts playouts=0", "puct c=-1", "puct temperature=0",
     "puct mixing=2", "puct memory=0", "puct solver=perhaps"],
)  # fmt: skip
def test_wrong_options_are_refused(wrong: str) -> None:
    with pytest.raises(BadOption, match=wrong.split()[1].partition("=")[0]):
        build_engine(wrong)


# ---- mcts


def test_without_the_solver_values_come_near_the_true_ones() -> None:
    for position in random_positions(Rules.flat(4, 4, 3), 20, seed=6, least=6):
        choice = seated(MCTS, position.rules, solver=False).ask(position, Limits(playouts=20_000))
        assert choice.score == pytest.approx(sign(exact_score(position)), abs=0.15)


def test_limits_are_counted_in_playouts() -> None:
    engine = seated(MCTS, playouts=123, expand=4)
    assert engine.ask(Position(), Limits()).nodes == 123
    assert engine.ask(Position(), Limits(depth=3)).nodes == 123
    assert engine.ask(Position(), Limits(playouts=50)).nodes == 50
    assert engine.ask(Position(), Limits(nodes=70, playouts=500)).nodes == 70
    assert (engine.ask(Position(), Limits(seconds=0.05)).nodes or 0) > 500
    assert engine.ask(Position(), Limits(clock=10.0, playouts=60)).nodes == 60


@pytest.mark.parametrize("rules", [CONNECT4, SCORE4], ids=str)
@pytest.mark.parametrize("seconds", [0.005, 0.1])
def test_the_time_limit_is_kept(rules: Rules, seconds: float) -> None:
    engine = MCTS()
    engine.get_ready(rules)
    engine.begin(rules, 1)
    position = Position(rules)
    for _ in range(3):
        began, used = time.perf_counter(), time.process_time()
        choice = engine.ask(position, Limits(seconds=seconds))
        spent, used = time.perf_counter() - began, time.process_time() - used
        position = position.play(choice.column)
        assert used < seconds + max(0.02, 0.1 * seconds)  # a busy machine may take more time
        assert spent > 0.5 * seconds - 0.002  # an engine that was late stops earlier next time


def test_expand_and_c_change_the_tree() -> None:
    shapes = {}
    for expand, c in product((1, 2, 4, "all"), (0.2, 0.6, 1.5)):
        engine = seated(MCTS, expand=expand, c=c)
        engine.ask(Position(), Limits(playouts=4000))
        shapes[expand, c] = visits(engine), int(Tree(engine).search.used)
    assert len({str(shape) for shape in shapes.values()}) == len(shapes)
    assert max(shapes[1, 0.2][0].values()) > max(shapes[1, 1.5][0].values())
    assert shapes["all", 0.6][1] < shapes[1, 0.6][1]  # no room is left for later


def test_expand_all_visits_all_children_of_a_node_at_once() -> None:
    engine = seated(MCTS, expand="all", solver=False)
    engine.ask(Position(), Limits(playouts=14))
    assert sorted(visits(engine).values()) == [1, 1, 1, 1, 1, 1, 8]


def test_the_first_move_is_the_centre() -> None:
    for seed in range(4):
        engine = seated(MCTS, CONNECT4, seed, playout="light", solver=False)
        assert engine.ask(Position(), Limits(playouts=30_000)).column == 3


# ---- puct


@pytest.mark.parametrize("rules", BOARDS, ids=str)
def test_values_and_priors_are_those_of_looking_cell_by_cell(rules: Rules) -> None:
    network = random_network(rules, 5, 4, seed=8)
    engine = seated(PUCT, rules, network=network)
    for position in quiet_positions(rules, 3, seed=2):
        engine.ask(position, Limits(playouts=60))
        found = Tree(engine)
        for node, place in opened(found, position):
            children = found.nodes[list(found.children(node))]
            for child in found.children(node):
                if found.nodes[child]["proven"] == OPEN:
                    after = place.play(found.column(child))
                    value = -math.tanh(naive_sum(network, after))
                    assert found.nodes[child]["value"] == pytest.approx(value, abs=1e-5)
            powers = np.exp(children["value"].astype(float) / TEMPERATURE)
            assert children["prior"] == pytest.approx(powers / powers.sum(), abs=1e-5)


@pytest.mark.parametrize("rules", BOARDS, ids=str)
def test_visits_and_points_add_up(rules: Rules) -> None:
    engine, position = seated(PUCT, rules, solver=False), Position(rules)
    for _ in range(3):
        choice = engine.ask(position, Limits(playouts=300))
        found, nodes = Tree(engine), Tree(engine).nodes
        assert choice.nodes == 300
        for node, _place in opened(found, position):
            below = nodes[list(found.children(node))]
            before = int(nodes[node]["visits"]) - int(below["visits"].sum())
            assert before == 1 if node else before in (0, 1)  # the visit before it was opened
            points = 2 * below["visits"].sum() - below["points"].sum()
            points += before * (1 + nodes[node]["value"])
            assert float(nodes[node]["points"]) == pytest.approx(points, abs=1e-3)
            assert int(nodes[node]["tried"]) == int((below["visits"] > 0).sum())
        position = position.play(choice.column)


def test_more_exploring_and_warmer_priors_spread_the_visits() -> None:
    def most_visited(**options: Any) -> int:
        engine = seated(PUCT, **options)
        engine.ask(Position(), Limits(playouts=2000))
        return max(visits(engine).values())

    assert most_visited(c=0.1) > most_visited(c=20)
    assert most_visited(c=20, temperature=0.05) > most_visited(c=20, temperature=5)


def test_a_share_of_random_games_is_mixed_in() -> None:
    """The results of games are 0, 1 and 2 points; half of one, half of the network's points."""

    def at_the_root(seed: int, mixing: float) -> list[tuple[float, float]]:
        """Of the columns that were visited once: the points, and what the network says."""
        engine = seated(PUCT, seed=seed, mixing=mixing, c=20, temperature=5)
        engine.ask(Position(), Limits(playouts=7))
        nodes = [Tree(engine).nodes[child] for child in Tree(engine).children(0)]
        return [(float(n["points"]), 1 + float(n["value"])) for n in nodes if n["visits"] == 1]

    results = set()
    for seed in range(6):
        alone, mixed, games = (at_the_root(seed, mixing) for mixing in (0.0, 0.5, 1.0))
        assert all(points == pytest.approx(value) for points, value in alone)
        results |= {points for points, _ in games}
        assert {round(2 * points - value, 5) for points, value in mixed} <= {0.0, 1.0, 2.0}
    assert {0.0, 2.0} <= results <= {0.0, 1.0, 2.0}


def test_a_network_of_lines_is_evaluated_unfolded() -> None:
    network = Network(SCORE4, line_orbits(SCORE4))
    network.weights[:] = np.random.default_rng(3).normal(0, 0.05, network.weights.shape)
    engine = seated(PUCT, SCORE4, network=network)
    engine.ask(Position(SCORE4), Limits(playouts=20))
    assert isinstance(engine, puct.PUCT)
    assert engine.network.record.symmetries == 1
    found = Tree(engine)
    for child in found.children(0):
        value = -math.tanh(naive_sum(network, Position(SCORE4).play(found.column(child))))
        assert found.nodes[child]["value"] == pytest.approx(value, abs=1e-5)
