"""Running out of nodes never makes a move worse than what the search has proven, by the solver."""

from __future__ import annotations

from typing import Any

import pytest

from arena import CONNECT4, Limits, Position
from arena.engine.registry import find
from arena.engines.mcts import MCTS
from arena.engines.search import UNKNOWN, SearchEngine
from arena.engines.tree import LOST, WON
from arena.solver.flat.search import Solver
from tests.engines.positions import random_positions
from tests.engines.trees import Tree

TRAP = "3166775766777355333446"  # column 5 alone wins; column 4 looks better for five plies
BUDGETS = (1, 10, 30, 100, 200, 350, 600, 1000, 1700, 3000)

PLAIN = {"ordering": "centre", "killers": False, "history": False, "table": 0}
SEARCHERS: list[tuple[str, dict[str, Any]]] = [
    ("minimax", {"depth": 4}),
    ("minimax", {"depth": 6, "evaluation": "h2"}),
    ("alphabeta", {"depth": 6}),
    ("alphabeta", {"depth": 8, "evaluation": "counts", "tie_break": "random"}),
    ("iterative", PLAIN),
    ("iterative", {**PLAIN, "evaluation": "gaiceanu", "prefer_quick": False}),
    ("iterative", {**PLAIN, "evaluation": "h2", "tie_break": "random"}),
    ("alphabeta-time", {}),
    ("alphabeta-time", {"evaluation": "rivest", "pruning": "full"}),
    ("hybrid", {}),
    ("hybrid", {"where": "leaves"}),
    ("iterative", {"table": 1}),
    ("iterative", {"table": 1, "evaluation": "window", "tie_break": "random"}),
    ("gaiceanu", {}),
    ("server", {}),
]
PROVERS: list[tuple[str, dict[str, Any], float]] = [  # from which score on a win is proven
    ("iterative", {"table": 1}, 900_000),
    ("iterative", {**PLAIN, "killers": True}, 900_000),
    ("perfect", {"memory": 1}, 1.0),
    ("perfect", {"memory": 1, "prefer": "value"}, 1.0),
    ("perfect-eps", {"memory": 1, "error": 0.0}, 1.0),
]


def label(value: Any) -> str:
    return str(value).replace(" ", "")


def won(engine: SearchEngine) -> float:
    """The value that only finished games exceed."""
    return 0.5 if engine.evaluation.name == "h2" else 900_000


@pytest.fixture(scope="module")
def judged() -> list[tuple[Position, dict[int, int]]]:
    """Positions in which columns differ in value, and the exact score of each column."""
    solver = Solver(CONNECT4, 16)
    positions = [Position.parse(TRAP), *random_positions(CONNECT4, 36, seed=34, least=16, most=34)]
    values = [(position, solver.scores(position)) for position in positions]
    return [each for each in values if min(each[1].values()) < 0 <= max(each[1].values())]


@pytest.mark.parametrize(("name", "options"), SEARCHERS, ids=label)
def test_no_column_is_played_that_the_search_has_proven_lost(
    name: str,
    options: dict[str, Any],
    judged: list[tuple[Position, dict[int, int]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Unless all columns lose, which the positions leave out."""
    seen: dict[int, int] = {}
    engine = find(name).build(options)
    assert isinstance(engine, SearchEngine)
    plain_search = engine.search

    def search(*given: Any) -> tuple[int, int]:
        result = plain_search(*given)
        values = enumerate(engine.values.tolist())
        seen.update({column: value for column, value in values if value != UNKNOWN})
        return result

    monkeypatch.setattr(engine, "search", search)
    for position, values in judged:
        for nodes in BUDGETS:
            engine.begin(CONNECT4, 1)
            seen.clear()
            column = engine.ask(position, Limits(nodes=nodes)).column
            lost = {c for c, value in seen.items() if value / engine.scale < -won(engine)}
            assert all(values[c] < 0 for c in lost), "a proof is one"
            assert column not in lost, f"{position.notation}, {nodes} nodes"


@pytest.mark.parametrize(("name", "options", "proven"), PROVERS, ids=label)
def test_a_proven_win_is_not_given_away_for_more_nodes(
    name: str,
    options: dict[str, Any],
    proven: float,
    judged: list[tuple[Position, dict[int, int]]],
) -> None:
    wins = 0
    engine = find(name).build(options)
    for position, values in judged[:25]:
        known = False
        for count in BUDGETS:
            engine.begin(CONNECT4, 1)
            choice = engine.ask(position, Limits(nodes=count, playouts=count))
            known = known or (choice.score is not None and choice.score >= proven)
            wins += known
            assert not known or values[choice.column] > 0, f"{position.notation}, {count} nodes"
    assert wins >= 5


@pytest.mark.parametrize("options", [{}, {"expand": "all"}], ids=label)
def test_a_tree_plays_what_it_has_proven_won_and_not_what_it_has_proven_lost(
    options: dict[str, Any], judged: list[tuple[Position, dict[int, int]]]
) -> None:
    wins = 0
    engine = MCTS(memory=4, **options)
    for position, values in judged:
        known = False
        for playouts in BUDGETS:
            engine.begin(CONNECT4, 1)
            column = engine.ask(position, Limits(playouts=playouts)).column
            tree = Tree(engine)
            if tree.search.used == 0:  # a win at once needs none
                break
            proofs = {tree.column(node): tree.nodes[node]["proven"] for node in tree.children(0)}
            assert proofs[column] != LOST, f"{position.notation}, {playouts} playouts"
            known = known or WON in proofs.values()
            wins += known
            assert not known or values[column] > 0, f"{position.notation}, {playouts} playouts"
    assert wins >= 5


def test_a_column_whose_loss_is_just_proven_is_left_for_the_next_best() -> None:
    engine = find("iterative").build({"table": 1})
    for nodes in range(300, 2100, 100):
        engine.begin(CONNECT4, 1)
        choice = engine.ask(Position.parse(TRAP), Limits(nodes=nodes))
        assert choice.score is None or choice.score > -900_000
    engine.begin(CONNECT4, 1)
    assert engine.ask(Position.parse(TRAP), Limits(nodes=1000)).column == 4
