"""The speed of the kernels: rules, searches, trees, and the referee around them.

Rates are by processor time, so that a busy machine distorts them little.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Literal

import numpy as np

from arena.bench.measurements import Measurement, show_measurements
from arena.bench.networks import Work, one_ply, self_play
from arena.bots.find import build_engine
from arena.engine.contract import Engine, Limits
from arena.errors import BadOption, EngineFailure, UnknownName
from arena.game.bits import NONE, Bits, Board, completes, landing, record_of
from arena.game.playouts import playout
from arena.game.position import Position
from arena.game.rules import Rules
from arena.jit import kernel
from arena.show.terminal import console
from arena.table.referee import NO_LIMITS, play_game
from arena.tournament.numbered import derive_seed

BUSY = 1.25  # wall time over processor time; above it the machine was doing something else

FLAT, SPACE = "7x6", "4x4x4"
PLAYOUTS = ((FLAT, 5e6), ("8x7", 5e6), (SPACE, 2e6))
NODE_AIM, TREE_AIM, REFEREE_AIM, MOVE_AIM = 20e6, 0.7e6, 10e-6, 10e-6
GAME_AIM, THREADS, SPEED_UP = 3000, 2, 1.8  # games of self-play a second; with two threads

# name, board, engine, limits, aim: one move from the empty board
SEARCHES = (
    ("alpha-beta nodes", FLAT, "alphabeta evaluation=rivest", Limits(depth=12), NODE_AIM),
    ("alpha-beta nodes", SPACE, "alphabeta evaluation=rivest", Limits(depth=7), NODE_AIM),
    ("minimax nodes", FLAT, "minimax evaluation=rivest", Limits(depth=7), None),
    ("minimax nodes", SPACE, "minimax evaluation=rivest", Limits(depth=5), None),
    ("iterative nodes", FLAT, "iterative", Limits(nodes=1_000_000), None),
    ("iterative nodes", SPACE, "iterative", Limits(nodes=1_000_000), None),
    ("network nodes", FLAT, "alphabeta evaluation=ntuple", Limits(depth=10), None),
    ("network nodes", SPACE, "alphabeta evaluation=ntuple", Limits(depth=6), None),
)
PLAIN = "mcts playout=light solver=no"
STRONG = "mcts playout=winblock solver=yes"
TREES = (
    ("UCT iterations, 10 k", FLAT, PLAIN, Limits(playouts=10_000), TREE_AIM),
    ("UCT iterations, 10 k", SPACE, PLAIN, Limits(playouts=10_000), TREE_AIM),
    ("UCT iterations, 400 k", FLAT, PLAIN, Limits(playouts=400_000), TREE_AIM),
    ("UCT iterations, 400 k", SPACE, PLAIN, Limits(playouts=400_000), TREE_AIM),
    ("UCT win/block + solver", FLAT, STRONG, Limits(playouts=10_000), None),
    ("UCT win/block + solver", SPACE, STRONG, Limits(playouts=10_000), None),
    ("PUCT iterations, 10 k", FLAT, "puct", Limits(playouts=10_000), None),
    ("PUCT iterations, 10 k", SPACE, "puct", Limits(playouts=10_000), None),
)

# Engines measured with moves that search one ply or node: nearly all of that time is the fixed cost
# of a move.
FIXED_COSTS = (
    "random", "reflex", "probabilities", "minimax", "alphabeta", "alphabeta-time", "iterative",
    "mcts",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Workload:
    """Work to repeat, and the aim for its rate or for the seconds of a unit."""

    name: str
    board: str
    unit: Literal["/s", "s"]
    work: Work
    aim: float | None = None


def measure(workload: Workload, seconds: float, repeats: int) -> Measurement:
    """Do the work for this many processor seconds, split into repeats."""
    values = tuple(_value(workload, seconds / repeats) for _ in range(repeats))
    return Measurement(workload.name, workload.unit, values, workload.aim, workload.board)


def _value(workload: Workload, seconds: float) -> float:
    """Measure one repeat, which does the work at least once."""
    units = spent = 0.0
    begin = process_time()
    while units == 0 or process_time() - begin < seconds:
        done, took = workload.work()
        units += done
        spent += took
    return units / spent if workload.unit == "/s" else spent / units


def every_workload() -> Iterator[Workload]:
    """Every workload whose engine is installed."""
    for board, aim in PLAYOUTS:
        yield Workload("random playouts", board, "/s", _playouts(board), aim)
    yield Workload("perft nodes", FLAT, "/s", _perft(FLAT, 8))
    yield Workload("perft nodes", SPACE, "/s", _perft(SPACE, 5))
    for name, board, words, limits, hoped in SEARCHES + TREES:
        try:
            engine = build_engine(words)
        except (UnknownName, EngineFailure):
            continue
        yield Workload(name, board, "/s", _move(engine, board, limits), hoped)
    for board in (FLAT, SPACE):
        yield Workload("network, one ply", board, "/s", one_ply(board))
    for workers, hoped in ((1, GAME_AIM), (THREADS, SPEED_UP * GAME_AIM)):
        name = "self-play games" if workers == 1 else f"self-play games, {workers} threads"
        yield Workload(name, FLAT, "/s", self_play(FLAT, workers), hoped)
    for words in FIXED_COSTS:
        for board in (FLAT, SPACE):
            name = f"fixed cost of a move, {words}"
            yield Workload(name, board, "s", _fixed_cost(words, board), MOVE_AIM)
    yield Workload("referee, each ply", FLAT, "s", _referee(), REFEREE_AIM)


def _timed(count: Callable[[], int]) -> tuple[float, float]:
    begin = process_time()
    units = count()
    return float(units), process_time() - begin


def _playouts(name: str, games: int = 20_000) -> Work:
    board = record_of(Rules.named(name).board)
    state = np.array([derive_seed("bench", name)], dtype=np.uint64)
    return lambda: _timed(lambda: sum(random_games(board, games, state)))


def _perft(name: str, depth: int) -> Work:
    board, none = record_of(Rules.named(name).board), np.uint64(0)
    return lambda: _timed(lambda: int(perft(board, none, none, depth)))


def _move(engine: Engine, name: str, limits: Limits) -> Work:
    """Count the nodes or iterations that the engine reports for a move from the empty board."""
    rules = Rules.named(name)
    position = Position(rules)

    def work() -> tuple[float, float]:
        engine.begin(rules, 1)
        return _timed(lambda: engine.ask(position, limits).nodes or 0)

    return work


def _fixed_cost(words: str, board: str, moves: int = 2000) -> Work:
    """Moves of one ply, or of one node of a tree."""
    rules, engine = Rules.named(board), build_engine(words)
    limits = Limits(nodes=1) if words == "mcts" else Limits(depth=1)
    position = Position(rules)

    def work() -> tuple[float, float]:
        engine.begin(rules, 1)
        begin = process_time()
        for _ in range(moves):
            engine.ask(position, limits)
        return float(moves), process_time() - begin

    return work


def _referee(games: int = 200) -> Work:
    """Games of random engines, without the time of the engines themselves."""
    rules = Rules.named(FLAT)
    engines = (build_engine("random"), build_engine("random"))

    def work() -> tuple[float, float]:
        begin = process_time()
        games_played = [play_game(engines, rules, NO_LIMITS, seed) for seed in range(games)]
        spent = process_time() - begin
        moves = [move for game in games_played for move in game.move_records()]
        return float(len(moves)), spent - sum(move.cpu for move in moves)

    return work


def bench_kernels(only: str, seconds: float, repeats: int, as_json: bool) -> None:
    """Measure the workloads with these words in their names, and print the rates."""
    planned = [workload for workload in every_workload() if only in workload.name]
    if not planned:
        names = ", ".join(dict.fromkeys(workload.name for workload in every_workload()))
        raise BadOption(f"--only {only!r} names no row; expected a part of one of {names}")
    wall = cpu = 0.0

    def measurements() -> Iterator[Measurement]:
        nonlocal wall, cpu
        for workload in planned:
            workload.work()  # compiles, loads, and fills the processor's caches
            wall, cpu = wall - perf_counter(), cpu - process_time()
            measured = measure(workload, seconds, repeats)
            wall, cpu = wall + perf_counter(), cpu + process_time()
            yield measured

    show_measurements(measurements(), len(planned), as_json)
    if wall > BUSY * cpu and not as_json:
        note = f"the machine was busy: {wall:.0f} s of wall time for {cpu:.0f} s of processor time"
        console().print(
            f"{note}; rates are by processor time, but still lower than on an idle machine",
            style="yellow",
        )


@kernel
def perft(board: Board, own: np.uint64, opp: np.uint64, depth: int) -> int:
    """Count the sequences of `depth` moves; finished games are not continued."""
    total = 0
    for column in range(board.width):
        disc = landing(board, own | opp, column)
        if disc == NONE:
            continue
        if depth == 1:
            total += 1
        elif not completes(board, own | disc, disc):
            total += perft(board, opp, own | disc, depth - 1)
    return total


@kernel
def random_games(board: Board, games: int, state: Bits) -> tuple[int, int, int]:
    """Play random games from the empty board; count wins, draws and losses of the first player."""
    won = drawn = 0
    for _ in range(games):
        result = playout(board, NONE, NONE, state)
        won += result == 1
        drawn += result == 0
    return won, drawn, games - won - drawn
