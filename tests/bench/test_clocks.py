"""`arena bench clocks`: what is counted, and a small run on real tables."""

from __future__ import annotations

import subprocess
import sys

import pytest

from arena import Limits, Rules
from arena.bench.clocks import LOOP, ClockStats, busy_loops, play_timed
from arena.processes import UNKNOWN, schedstat
from tests.cli.running import assert_one_sentence, run, run_json
from tests.dashboard.rows import row


def test_each_seat_is_counted_and_a_late_answer_too() -> None:
    first, second = ClockStats("a", 0, 0.25), ClockStats("b", 0, 0.25)
    detail = "a: took 0.480 s (0.100 s of it waiting for a processor) where 0.25 s were allowed"
    for each, seat in ((first, 0), (second, 1)):
        each.note(row(1), seat)  # moves of 0.1, 0.2, 0.3 and 0.4 s
        each.note(row(2, result=-1, reason="time", detail=detail, moves=b"", telemetry=b""), seat)
    assert (first.moves, first.losses, second.moves, second.losses) == (3, 1, 2, 0)
    assert first.worst == pytest.approx(0.23)
    assert second.worst == pytest.approx(0.15)
    assert second.percentile(0.5) == pytest.approx(-0.05)


def test_a_late_answer_is_counted_by_the_clock_of_its_limit() -> None:
    detail = "a: took 0.480 s of the processor where 0.25 s were allowed"
    late = row(2, result=-1, reason="time", detail=detail, moves=b"", telemetry=b"")
    for by_cpu, moves in ((True, 1), (False, 0)):
        stats = ClockStats("a", 0, 0.25, by_cpu)
        stats.note(late, 0)
        assert (stats.losses, stats.moves, stats.walls) == (1, moves, [])
        assert stats.worst == pytest.approx(0.23 if by_cpu else 0.0)


def test_an_engine_that_never_moved_is_not_late() -> None:
    never = ClockStats("a", 0, 0.1)
    assert (never.worst, never.share, never.moves) == (0.0, 0.0, 0)


def test_busy_loops_end_with_the_block_and_with_their_owner() -> None:
    with busy_loops(2) as loops:
        assert [loop.poll() for loop in loops] == [None, None]
    assert all(loop.returncode for loop in loops)
    another = LOOP.replace("owner = os.getppid()", "owner = -1")
    assert subprocess.run([sys.executable, "-c", another], check=False).returncode == 0


def test_a_run_by_processor_time_loses_nothing_beside_a_busy_loop() -> None:
    few = ("--limit", "cpu=0.1", "--busy", "1", "--workers", "1", "--game", "5x4")
    found = run_json("bench", "clocks", "reflex", "greedy", *few)
    assert [each["engine"] for each in found["engines"]] == ["reflex", "greedy"]
    for each in found["engines"]:
        assert each["busy_loops"] == 1
        assert each["lost_on_time"] == 0
        assert each["moves"] > 0
        assert each["worst_late"] >= each["p99_late"]


def test_mistakes_are_reported() -> None:
    assert_one_sentence(run("bench", "clocks", "--limit", "depth=3"), "expected seconds or cpu")
    assert_one_sentence(run("bench", "clocks", "mcts"), "two or more")
    assert_one_sentence(run("bench", "clocks", "mtcs", "mcts"), "did you mean 'mcts'?")


@pytest.mark.skipif(schedstat() == UNKNOWN, reason="the system does not report waiting time")
def test_our_timed_engines_lose_no_game_on_time_beside_four_busy_loops() -> None:
    engines = ("iterative", "mcts", "perfect")
    found = play_timed(engines, Rules.named("5x4"), Limits(seconds=0.1), 2, workers=2, loops=4)
    assert [each.losses for each in found] == [0, 0, 0]
    assert all(each.moves for each in found)
