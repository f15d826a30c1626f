"""Time limits are kept, and time-estimated search goes as deep as it can afford."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

import pytest

from arena import CONNECT4, SCORE4, Engine, Limits, Position
from arena.bots.find import build_engine
from arena.engine.registry import find
from arena.engines.alphabeta_time import AlphaBetaTime, Hybrid
from arena.processes import schedstat
from tests.engines.positions import random_positions, wins_at_once

TIMED = ["minimax", "alphabeta", "alphabeta-time", "hybrid", "iterative"]


def too_late(seconds: float) -> float:
    """An answer may be late by a tenth of the limit, or by 20 ms where that is more."""
    return seconds + max(0.1 * seconds, 0.020)


def seconds_for(engine: Engine, position: Position, limits: Limits) -> float:
    """The least of three measurements, without waits for a processor: the machine's doing."""
    spent = []
    for _ in range(3):
        waits, start = schedstat().waited, time.perf_counter()
        engine.ask(position, limits)
        spent.append(time.perf_counter() - start - (schedstat().waited - waits))
    return min(spent)


@pytest.mark.parametrize("name", TIMED)
def test_a_limit_is_kept_from_the_first_call_on(name: str) -> None:
    engine = find(name).build({"depth": 30} if name in ("minimax", "alphabeta") else {})
    for rules in (CONNECT4, SCORE4):
        for limit in (0.01, 0.1):
            engine.begin(rules, 0)
            assert seconds_for(engine, Position(rules), Limits(seconds=limit)) < too_late(limit)


def cpu_for(engine: Engine, limits: Limits) -> float:
    """Seconds of the processor for the first move of a game, on all threads."""
    engine.begin(CONNECT4, 0)
    start = time.process_time()
    engine.ask(Position(), limits)
    return time.process_time() - start


@pytest.mark.parametrize("name", [*TIMED, "mcts", "perfect prefer=quick", "oracle-master"])
def test_processor_time_is_kept_alone_and_beside_the_clock(name: str) -> None:
    engine = build_engine(f"{name} depth=30" if name in ("minimax", "alphabeta") else name)
    engine.get_ready(CONNECT4)
    assert cpu_for(engine, Limits(cpu=0.05)) < too_late(0.05)
    assert cpu_for(engine, Limits(cpu=0.05, seconds=100.0)) < too_late(0.05)
    assert cpu_for(engine, Limits(cpu=100.0, seconds=0.05)) < too_late(0.05)


@pytest.mark.parametrize("name", ["iterative", "mcts"])
def test_what_others_use_of_the_processor_does_not_count(name: str) -> None:
    """Busy loops beside it take its wall time, not the processor time it may use."""
    engine = build_engine(name)
    engine.get_ready(CONNECT4)
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3)]
    try:
        assert cpu_for(engine, Limits(cpu=0.1)) > 0.08
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def test_more_time_means_more_depth() -> None:
    engine = AlphaBetaTime()
    depths = []
    for seconds in (0.001, 0.1, 10.0):
        engine.begin(CONNECT4, 0)
        depths.append(max(_depth(engine, seconds) for _ in range(3)))
    assert depths[0] < depths[1] < depths[2]


def _depth(engine: AlphaBetaTime, seconds: float) -> int:
    """How deep it looks with so much processor time; 0 if that was over before its first move."""
    return engine.ask(Position.parse("4444"), Limits(cpu=seconds)).depth or 0


@pytest.mark.parametrize(
    "limits",
    [Limits(), Limits(seconds=90), Limits(clock=900, increment=9), Limits(cpu=90),
     Limits(cpu=90, seconds=95), Limits(cpu=95, seconds=90)],
    ids=str,
)  # fmt: skip
def test_a_turn_ends_by_its_own_seconds_where_the_limits_allow_more(limits: Limits) -> None:
    engine = AlphaBetaTime(seconds=0.02)
    engine.begin(CONNECT4, 0)
    clocks = time.monotonic_ns(), time.thread_time_ns()
    engine.ask(Position(), limits)
    ends = [end - now for end, now in zip(engine._deadline, clocks, strict=True) if end]
    assert 0 < min(ends) < 1e9  # far less than 90 s, and enough for a busy machine
    assert engine.plan["budget"].tolist() == [0.02e9]


@pytest.mark.parametrize(
    ("moves", "as_published", "expected"),
    [
        ("", False, 7.0),
        ("1234567", False, 6.0),
        ("1234567123", False, 7 - 10 / 7),
        ("1234567123", True, 6.0),
    ],
)
def test_branching_is_reduced_as_stated(moves: str, as_published: bool, expected: float) -> None:
    position = Position.parse(moves)
    for pruning, exponent in (("absolute", 1.0), ("full", 0.75)):
        engine = AlphaBetaTime(as_published=as_published, pruning=pruning)
        engine.begin(CONNECT4, 0)
        assert engine.branching(position) == pytest.approx(expected**exponent)


def test_the_depth_is_where_the_estimate_first_exceeds_the_nodes() -> None:
    """In nodes the estimate is exact: depth d is first reached after d nodes, B^d d >= N."""
    cases = ((pruning, nodes) for pruning in ("absolute", "full") for nodes in (100, 1000, 100_000))
    for pruning, nodes in cases:
        engine = AlphaBetaTime(pruning=pruning)
        engine.begin(CONNECT4, 0)
        branching = 7.0 if pruning == "absolute" else 7**0.75
        expected = next(d for d in range(1, 43) if branching**d * d >= nodes)
        assert engine.ask(Position(), Limits(nodes=nodes)).depth == expected


@pytest.mark.parametrize("options", [{}, {"where": "leaves"}])
def test_out_of_time_it_still_wins_and_blocks(options: dict[str, Any]) -> None:
    """Stopped at once, it falls back on reflexes."""
    engines: list[Engine] = [AlphaBetaTime(), Hybrid(**options)]
    for engine in engines:
        for position in random_positions(CONNECT4, 60, seed=11, least=6):
            engine.begin(CONNECT4, 0)
            column = engine.ask(position, Limits(nodes=1)).column
            if wins := wins_at_once(position):
                assert column in wins
            elif safe := [c for c in position.legal if not wins_at_once(position.play(c))]:
                assert column in safe


def test_hybrid_with_h1_at_the_leaves_is_a_search_of_h1() -> None:
    leaves, plain = (
        Hybrid(where="leaves", tie_break="first"),
        AlphaBetaTime(evaluation="h1", tie_break="first"),
    )
    for position in random_positions(CONNECT4, 10, seed=2):
        for engine in (leaves, plain):
            engine.begin(CONNECT4, 0)
        limits = Limits(depth=3)
        assert leaves.ask(position, limits).score == plain.ask(position, limits).score
