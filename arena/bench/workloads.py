"""What is measured: the rules, the searches, the trees, and the referee around them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import process_time

import numpy as np

from arena.bench.rate import Work, Workload
from arena.engine.contract import Engine, Limits
from arena.engine.registry import build
from arena.errors import EngineFailure, UnknownName
from arena.game.kernels import perft, random_games
from arena.game.position import Position
from arena.game.rules import Rules
from arena.game.tables import board_of
from arena.play.referee import NO_LIMITS, play_game
from arena.tournament.seed import derive_seed

FLAT, SPACE = "7x6", "4x4x4"
PLAYOUTS = ((FLAT, 5e6), ("8x7", 5e6), (SPACE, 2e6))
NODE_AIM, TREE_AIM, REFEREE_AIM = 20e6, 0.7e6, 10e-6

# name, board, engine, limits, aim: what an engine does in one move from the empty board
SEARCHES = (
    ("alpha-beta nodes", FLAT, "alphabeta evaluation=rivest table=0", Limits(depth=12), NODE_AIM),
    ("alpha-beta nodes", SPACE, "alphabeta evaluation=rivest table=0", Limits(depth=7), NODE_AIM),
    ("minimax nodes", FLAT, "minimax evaluation=rivest", Limits(depth=7), None),
    ("minimax nodes", SPACE, "minimax evaluation=rivest", Limits(depth=5), None),
    ("iterative nodes", FLAT, "iterative", Limits(nodes=1_000_000), None),
    ("iterative nodes", SPACE, "iterative", Limits(nodes=1_000_000), None),
)
PLAIN = "mcts playout=light solver=no reuse=no"
STRONG = "mcts playout=winblock solver=yes reuse=no"
TREES = (
    ("UCT iterations, 10 k", FLAT, PLAIN, Limits(playouts=10_000), TREE_AIM),
    ("UCT iterations, 10 k", SPACE, PLAIN, Limits(playouts=10_000), TREE_AIM),
    ("UCT iterations, 400 k", FLAT, PLAIN, Limits(playouts=400_000), TREE_AIM),
    ("UCT iterations, 400 k", SPACE, PLAIN, Limits(playouts=400_000), TREE_AIM),
    ("UCT win/block + solver", FLAT, STRONG, Limits(playouts=10_000), None),
    ("UCT win/block + solver", SPACE, STRONG, Limits(playouts=10_000), None),
)


def every_workload() -> Iterator[Workload]:
    """Every workload whose engine is installed."""
    for board, aim in PLAYOUTS:
        yield Workload("random playouts", board, "per second", _playouts(board), aim)
    yield Workload("perft nodes", FLAT, "per second", _perft(FLAT, 8))
    yield Workload("perft nodes", SPACE, "per second", _perft(SPACE, 5))
    for name, board, words, limits, hoped in SEARCHES + TREES:
        try:
            engine = build(words)
        except (UnknownName, EngineFailure):
            continue
        yield Workload(name, board, "per second", _move(engine, board, limits), hoped)
    yield Workload("referee, each ply", FLAT, "seconds", _referee(), REFEREE_AIM)


def _timed(count: Callable[[], int]) -> tuple[float, float]:
    begin = process_time()
    units = count()
    return float(units), process_time() - begin


def _playouts(name: str, games: int = 20_000) -> Work:
    board = board_of(Rules.named(name))
    state = np.array([derive_seed("bench", name)], dtype=np.uint64)
    return lambda: _timed(lambda: sum(random_games(board, games, state)))


def _perft(name: str, depth: int) -> Work:
    board, none = board_of(Rules.named(name)), np.uint64(0)
    return lambda: _timed(lambda: int(perft(board, none, none, depth)))


def _move(engine: Engine, name: str, limits: Limits) -> Work:
    """One move from the empty board: the nodes or iterations that the engine reports."""
    rules = Rules.named(name)
    position = Position(rules)

    def work() -> tuple[float, float]:
        engine.new_game(rules, 1)
        return _timed(lambda: engine.choose(position, limits).nodes or 0)

    return work


def _referee(games: int = 200) -> Work:
    """Games of random engines; the time that these take for themselves is not the referee's."""
    rules = Rules.named(FLAT)
    engines = (build("random"), build("random"))

    def work() -> tuple[float, float]:
        begin = process_time()
        records = [play_game(engines, rules, NO_LIMITS, seed) for seed in range(games)]
        spent = process_time() - begin
        moves = [move for record in records for move in record.moves]
        return float(len(moves)), spent - sum(move.cpu for move in moves)

    return work
