"""The benchmark: what is measured, how rates are taken, and how they are shown."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from arena.bench import kernels
from arena.bench.kernels import Workload, every_workload, measure
from arena.bench.measurements import Measurement
from arena.bench.networks import one_ply, self_play
from tests.cli.running import assert_one_sentence, run, run_json


def test_every_kind_of_kernel_is_measured() -> None:
    found = list(every_workload())
    measured = {(workload.name, workload.board) for workload in found}
    for name in ("random playouts", "perft nodes", "alpha-beta nodes", "UCT iterations, 10 k"):
        assert {(name, "7x6"), (name, "4x4x4")} <= measured
    for name in ("network nodes", "network, one ply", "PUCT iterations, 10 k"):
        assert {(name, "7x6"), (name, "4x4x4")} <= measured
    for engine in ("random", "reflex", "probabilities", "minimax", "alphabeta", "mcts"):
        name = f"fixed cost of a move, {engine}"
        assert {(name, "7x6"), (name, "4x4x4")} <= measured
    assert found[-1].name == "referee, each ply"


@pytest.mark.parametrize("workers", [1, 2])
def test_self_play_is_measured_in_games(workers: int) -> None:
    work = self_play("5x4", workers, games=20)
    for _ in range(2):
        games, seconds = work()
        assert games == 20
        assert seconds > 0


def test_moves_of_one_ply_are_counted() -> None:
    moves, seconds = one_ply("4x4x4", positions=7)()
    assert moves == 7
    assert seconds > 0


def test_an_engine_that_is_not_installed_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    absent = ("x", "7x6", "no-such-engine", None, None)
    monkeypatch.setattr("arena.bench.kernels.SEARCHES", (absent,))
    assert "x" not in {workload.name for workload in every_workload()}


def test_a_rate_is_units_for_the_time_they_took() -> None:
    calls: list[int] = []

    def work() -> tuple[float, float]:
        calls.append(1)
        return 30.0, 10.0

    rate = measure(Workload("x", "7x6", "/s", work, aim=2.0), seconds=0.0, repeats=4)
    assert rate.values == (3.0,) * 4
    assert (rate.median, rate.spread, rate.reached) == (3.0, 0.0, True)
    assert len(calls) == 4


def test_less_time_for_a_unit_is_better() -> None:
    slow = Measurement("x", "s", (8.0, 10.0, 12.0), 9.0)
    assert (slow.median, slow.spread, slow.reached) == (10.0, 0.4, False)
    assert Measurement("x", "/s", (10.0,), 9.0).reached
    assert Measurement("x", "s", (1.0,)).reached is None


@pytest.fixture
def few_workloads(monkeypatch: pytest.MonkeyPatch) -> None:
    everything = list(every_workload())

    def few() -> Iterator[Workload]:
        yield from islice(everything, 4)
        yield everything[-1]

    monkeypatch.setattr(kernels, "every_workload", few)


@pytest.mark.usefixtures("few_workloads")
def test_the_bench_in_numbers() -> None:
    told = run_json("bench", "kernels", "--seconds", "0.01", "--repeats", "2")
    assert [rate["board"] for rate in told["measurements"]] == ["7x6", "8x7", "4x4x4", "7x6", "7x6"]
    assert all(rate["median"] > 0 for rate in told["measurements"])
    assert all(len(rate["values"]) == 2 for rate in told["measurements"])
    assert "numba" in told["machine"]


@pytest.mark.usefixtures("few_workloads")
def test_the_bench_as_a_table() -> None:
    result = run("bench", "kernels", "--seconds", "0.01", "--repeats", "1")
    assert result.exit_code == 0
    assert "random playouts" in result.stdout
    assert "5 M/s" in result.stdout
    assert "each ply" in result.stdout


def test_rows_can_be_chosen_by_a_part_of_their_name() -> None:
    words = ("bench", "kernels", "--seconds", "0.01", "--repeats", "1", "--only")
    told = run_json(*words, "fixed cost of a move, ra")
    assert [rate["board"] for rate in told["measurements"]] == ["7x6", "4x4x4"]
    assert all(0 < rate["median"] < 0.001 for rate in told["measurements"])
    assert_one_sentence(run(*words, "zz"), "--only 'zz' names no row; expected a part of one of")
