"""What searches cost: numbers made by hand, and a small tournament that is really played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.engine.contract import Limits
from arena.game.rules import CONNECT4
from arena.journal import Contestant, Journal
from arena.standings.branching import (
    Searcher,
    branching,
    families,
    fixed_depth,
    is_cut_short,
    matched,
    pruned,
    search_costs,
    searchers,
)
from arena.standings.moves import Curve, Moves
from arena.standings.results import read
from arena.standings.sketch import Spread
from tests.cli.running import run

PLAYED = """
name: growth
games: 2
workers: 1
engines:
  - {engine: minimax, options: {depth: [2, 3, 4]}}
  - {engine: alphabeta, options: {depth: [2, 3, 4]}}
"""


def curve(*mean: float, count: Sequence[int] = (), start: int = 1) -> Curve:
    x = np.arange(start, start + len(mean))
    counts = np.array(count or [10] * len(mean))
    return Curve("nodes", x, np.array(mean, dtype=float), counts)


def made(depth: int, nodes: Curve, seconds: float = 0.1, by_ply: Curve | None = None) -> Moves:
    """Moves of a search that always reached its depth, if nothing else is said."""
    reached = by_ply or Curve("depth", np.arange(1, 9), np.full(8, float(depth)), np.full(8, 5))
    most = float(nodes.mean.max())
    return Moves(
        count=40,
        seconds=Spread(seconds, seconds, seconds, seconds, 40),
        cpu=None,
        nodes=Spread(most, most, most, most, 40),
        depth=Spread(depth, depth, depth, depth, 40),
        nodes_per_second=None,
        used=None,
        by_move=(nodes,),
        depth_by_ply=reached,
    )


def searcher(player: int, engine: str, depth: int, nodes: Curve) -> Searcher:
    return Searcher(player, engine, depth, engine == "minimax", nodes)


def test_means_are_compared_at_equal_moves() -> None:
    one, other = curve(10, 20, 99, count=(4, 1, 7)), curve(100, 200, count=(2, 6))
    means, moves = matched([one, other])
    assert moves == 3  # two first moves and a second one
    assert means.tolist() == [pytest.approx(40 / 3), pytest.approx(400 / 3)]
    assert matched([one, other], last=1)[0].tolist() == [10, 100]
    assert matched([one, curve(5, start=9)])[1] == 0


def test_families_differ_in_depth_alone() -> None:
    found = [
        searcher(0, "a", 4, curve(2800)),
        searcher(1, "a", 2, curve(56)),
        searcher(2, "b", 2, curve(56)),
        searcher(3, "a", 2, curve(7)),
    ]
    (family,) = families(found, CONNECT4)
    assert family.players == (1, 0)
    assert family.depths.tolist() == [2, 4]
    assert family.branching == pytest.approx([7, 7])
    assert family.growth == [None, pytest.approx(50**0.5)]
    late = [replace(each, nodes=curve(9, start=11)) for each in found]
    assert families(late, CONNECT4) == []  # nothing from the first half of a game


@pytest.mark.parametrize("depth", range(1, 43))
def test_the_branching_factor_of_full_trees(depth: int) -> None:
    for b in (1, 2, 7, 16):
        nodes = float(sum(b**ply for ply in range(1, depth + 1)))
        assert branching(nodes, depth) == pytest.approx(b, rel=1e-9)
    assert 0 < branching(0.5, depth) < 1


def test_a_depth_that_nearly_all_moves_reach() -> None:
    end = Curve("depth", np.arange(38, 43), np.array([4.0, 4, 3, 2, 1]), np.full(5, 9))
    assert fixed_depth(made(4, curve(9), by_ply=end), 42) == 4
    assert fixed_depth(made(4, curve(9), by_ply=end), 60) is None
    assert fixed_depth(made(1, curve(9)), 42) is None  # nothing to prune
    assert fixed_depth(replace(made(4, curve(9)), nodes=None), 42) is None
    rarely = replace(end, x=np.arange(1, 6), mean=np.array([4, 4, 4, 4, 3.9]))
    assert fixed_depth(made(4, curve(9), by_ply=rarely), 42) == 4


def test_searches_that_ran_out_are_not_compared() -> None:
    moves = made(4, curve(900), seconds=0.4)
    assert is_cut_short(moves, Limits(nodes=900))
    assert not is_cut_short(moves, Limits(depth=4, nodes=1000, seconds=1))
    assert is_cut_short(moves, Limits(seconds=0.5))
    assert is_cut_short(replace(moves, used=0.9), Limits(clock=9))
    assert not is_cut_short(moves, Limits(clock=9))


def test_only_searches_of_one_evaluation_are_compared() -> None:
    ones = {"own": {1: 1}}
    lines: list[tuple[str, Any]] = [
        ("minimax", None), ("server", None), ("alphabeta", None), ("alphabeta", "counts"),
        ("alphabeta", "window"), ("alphabeta", ones), ("minimax", ones), ("minimax", "rivest"),
        ("gone", None), ("gaiceanu", None),
    ]  # fmt: skip
    players = [
        Contestant(str(number), engine, {"evaluation": given} if given else {}, "")
        for number, (engine, given) in enumerate(lines)
    ]
    moves = [made(3, curve(399 if engine in ("minimax", "server") else 99)) for engine, _ in lines]
    pairs = pruned(searchers(players, moves, CONNECT4))
    assert {(pair.player, pair.minimax) for pair in pairs} == {(2, 0), (2, 7), (4, 1), (5, 6)}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of minimax and alpha-beta, each with 2, 3 and 4 plies."""
    folder = tmp_path_factory.mktemp("growth")
    (folder / "growth.yaml").write_text(f"{PLAYED}output: {folder / 'out'}\n")
    result = run("run", str(folder / "growth.yaml"))
    assert result.exit_code == 0, result.output
    return folder / "out"


def test_a_real_tournament(played: Path) -> None:
    with Journal.read(played) as journal:
        results, header = read(journal), journal.header
    pairs, grown = search_costs(header.players, results, header.rules)
    shares = {pair.depth: pair.share for pair in pairs}
    assert list(shares) == [2, 3, 4]
    assert 0 < shares[2] < shares[3] < shares[4] < 1
    for depth, moves in zip((2, 3, 4), results.moves, strict=False):
        nodes = moves.curve("nodes")
        assert nodes is not None
        assert nodes.mean[0] == sum(7**ply for ply in range(1, depth + 1))
    plain, clever = grown
    assert (plain.kind, clever.kind) == ("minimax", "alphabeta")
    assert all(6 < factor <= 7 for factor in plain.branching)
    assert all(7**0.5 < factor < 6 for factor in clever.branching)
