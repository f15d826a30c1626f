"""Strength: what is counted, full marks for perfect play, and no dependence on order."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from arena import Limits, Rules
from arena.bench.strength import (
    Bench,
    Score,
    Skipped,
    Strength,
    balanced,
    every_engine,
)
from arena.engine.registry import find, names, preset_of
from arena.game.notation import play_moves
from arena.judge.exam import draw_positions, solve_positions
from arena.show.progress import Progress
from arena.solver.flat.search import Solver
from arena.standings.evidence import value_of
from arena.table.game import Game
from tests.engines.exhaustive import exact_score

RULES = Rules.flat(5, 4)
BOTS = Path(__file__).parents[1] / "support" / "bots"
LEFT, CHEAT = f"{BOTS / 'good.py'}:Leftmost", f"{BOTS / 'bad.py'}:OffBoard"
BUDGETS = (Limits(nodes=30), Limits(nodes=3000))


@cache
def bench() -> Bench:
    questions = tuple(solve_positions(draw_positions(RULES, 30, seed=1), Solver(RULES, 1)))
    return Bench(RULES, questions, tuple(balanced(RULES, 2, seed=1)), games=2, seed=1)


def measured(*engines: str) -> list[Strength | Skipped]:
    return list(bench().measure(engines, BUDGETS, Progress("measuring")))


def row(engine: str) -> Strength:
    (found,) = measured(engine)
    assert isinstance(found, Strength)
    return found


def test_perfect_play_has_full_marks_and_never_loses_a_drawn_game() -> None:
    found = [row for row in measured("perfect") if isinstance(row, Strength)][-1]
    assert found.budget == BUDGETS[-1]
    for count in found.counts.values():
        assert value_of(count.kept_value) == value_of(count.kept_score) == 1
        assert value_of(count.mean_loss) == 0
    assert found.from_start.wdl.drawn == 2  # 5x4 is a draw
    assert found.from_draws.wdl == (0, 4, 0)


def test_marks_are_counted_by_hand() -> None:
    found = row(LEFT)
    verdicts = [q.verdict(q.position.legal[0]) for q in bench().questions]
    assert found.counts["all"].moves == 30
    kept, exact = (np.mean([getattr(verdict, name) for verdict in verdicts])
                   for name in ("keeps_value", "keeps_score"))  # fmt: skip
    assert value_of(found.counts["all"].kept_value) == pytest.approx(kept)
    assert value_of(found.counts["all"].kept_score) == pytest.approx(exact)
    critical = [verdict for verdict in verdicts if verdict.critical]
    assert found.counts["critical"].moves == len(critical)
    kept = np.mean([verdict.keeps_value for verdict in critical])
    assert value_of(found.counts["critical"].kept_value) == pytest.approx(kept)
    for phase in ("opening", "middle", "end"):
        mine = [verdict for verdict in verdicts if verdict.phase == phase]
        kept = np.mean([verdict.keeps_value for verdict in mine])
        assert value_of(found.counts[phase].kept_value) == pytest.approx(kept)


def test_who_makes_no_use_of_a_budget_is_measured_once() -> None:
    assert row("random").budget is None
    assert row(LEFT).budget is None
    rows = [found for found in measured("mcts") if isinstance(found, Strength)]
    assert [found.budget for found in rows] == list(BUDGETS)


def facts_of(row: Strength) -> list[list[list[int]]]:
    return [count.table.tolist() for count in row.counts.values()]


def played_in(score: Score) -> tuple[list[int], list[int], int]:
    """Results and cells of all games, and the faults."""
    return score.played.rows["cell"].tolist(), score.played.copies.tolist(), score.faults


def test_nothing_depends_on_who_was_measured_before() -> None:
    def facts(found: list[Strength | Skipped]) -> list[object]:
        rows = [each for each in found if isinstance(each, Strength)]
        return [
            (each.engine, each.budget, *facts_of(each),
             played_in(each.from_start), played_in(each.from_draws))
            for each in rows
        ]  # fmt: skip

    alone, random = facts(measured("mcts")), facts(measured("random"))
    assert facts(measured("random", "mcts")) == random + alone
    assert facts(measured("mcts", "random")) == alone + random


def test_engines_that_fail_are_left_out_and_the_others_measured() -> None:
    cheat, left = measured(CHEAT, LEFT)
    assert isinstance(cheat, Skipped)
    assert "is not on the board" in cheat.why
    assert isinstance(left, Strength)


def test_steps_are_counted_to_the_end() -> None:
    steps: list[int] = []

    class Recorder(Progress):
        def at(self, done: int, what: str = "") -> None:
            steps.append(done)
            super().at(done, what)

    list(bench().measure(["random", CHEAT, "mcts"], BUDGETS, Recorder("measuring")))
    assert steps == sorted(steps)
    assert steps[-1] == bench().steps(3, 2) == 3 * 2 * (30 + 2 + 4)


def test_openings_are_draws() -> None:
    found = list(balanced(Rules.flat(4, 4), 3, seed=1))
    assert len(found) == 3
    assert all(exact_score(play_moves(line, Rules.flat(4, 4))) == 0 for line in found)
    assert list(balanced(Rules.flat(4, 4, 3), 3, seed=1)) == []  # the first player always wins


def test_all_engines_but_presets_are_measured() -> None:
    found = set(every_engine())
    assert {"random", "alphabeta", "mcts", "perfect", "perfect-eps"} <= found
    assert not {name for name in names() if preset_of(find(name).engine)} & found


@pytest.mark.parametrize(("seat", "points"), [(0, 1.0), (1, 0.0)])
def test_a_game_counts_for_whoever_sat_there(seat: int, points: float) -> None:
    score = Score()
    assert score.wdl.games == 0
    won = Game(1, 1, 0, 1, b"", b"", 1, "line", "", 1, 0.0, 0.0, b"")
    score.add(won, seat)
    assert score.wdl.share == points
    assert score.faults == 0
    score.add(replace(won, moves=b"\0", result=0, reason="full board"), seat)
    score.add(replace(won, moves=b"\1"), seat)
    assert score.estimate is not None
    low, high = score.estimate.interval()
    assert low < score.wdl.share < high
