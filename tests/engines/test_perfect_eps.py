"""Errors by measure: as often as asked, only where there is one to make, each as likely."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest

from arena import Limits, Position, Rules
from arena.bots.find import build_engine
from arena.engine.registry import find
from arena.errors import BadOption
from tests.engines.exhaustive import best, column_scores, keeping_columns
from tests.engines.positions import random_positions

RULES = Rules.flat(5, 4)
PRESETS = {"perfect-eps-5": 0.05, "perfect-eps-10": 0.1, "perfect-eps-25": 0.25,
           "perfect-eps-50": 0.5}  # fmt: skip


def positions(count: int, seed: int = 1) -> list[Position]:
    return list(random_positions(RULES, count, seed, least=11))


def errors(words: str, asked: list[Position], good: str = "quick") -> tuple[int, int]:
    """How often an engine erred, of how many times it could have."""
    engine = build_engine(f"{words} memory=1 prefer={good}")
    wrong = could = 0
    for number, position in enumerate(asked):
        engine.begin(RULES, number)
        right = best(position) if good == "quick" else keeping_columns(position)
        if len(right) < len(position.legal):
            could += 1
            wrong += engine.ask(position, Limits()).column not in right
    return wrong, could


@pytest.mark.parametrize(
    ("words", "share", "good"),
    [*((words, share, "quick") for words, share in PRESETS.items()), ("perfect-eps", 0.1, "value")],
)
def test_it_errs_as_often_as_it_should(words: str, share: float, good: str) -> None:
    wrong, could = errors(words, positions(400), good)
    assert could > 150
    assert abs(wrong - share * could) < 3.5 * sqrt(share * (1 - share) * could)


@pytest.mark.parametrize("good", ["quick", "value"])
def test_always_and_never(good: str) -> None:
    asked = positions(60, seed=2)
    assert errors("perfect-eps error=0", asked, good)[0] == 0
    wrong, could = errors("perfect-eps error=1", asked, good)
    assert wrong == could > 0


def test_where_all_columns_are_as_good_it_plays_one_of_them() -> None:
    alike = [p for p in positions(80, seed=3) if len(set(column_scores(p).values())) == 1]
    assert alike
    engine = build_engine("perfect-eps error=1")
    for position in alike:
        engine.begin(RULES, 1)
        choice = engine.ask(position, Limits())
        assert choice.column in position.legal
        assert choice.score == column_scores(position)[choice.column]


def test_every_error_is_equally_likely_and_has_its_score() -> None:
    position = next(p for p in positions(200, seed=4) if len(p.legal) - len(best(p)) == 3)
    engine, chosen = build_engine("perfect-eps error=1"), Counter[int]()
    engine.begin(RULES, 1)
    for _ in range(600):
        choice = engine.ask(position, Limits())
        assert choice.score == column_scores(position)[choice.column]
        chosen[choice.column] += 1
    assert set(chosen) == set(position.legal) - best(position)
    assert all(abs(count - 200) < 3.5 * sqrt(600 * 2 / 9) for count in chosen.values())


def test_without_a_proof_any_other_column_is_an_error() -> None:
    start = Position(RULES)
    chosen = set()
    engine = build_engine("perfect-eps error=1")
    for seed in range(60):
        engine.begin(RULES, seed)
        choice = engine.ask(start, Limits(nodes=1))
        assert choice.score is None
        chosen.add(choice.column)
    assert len(chosen) == RULES.columns - 1


def test_the_presets_say_what_they_are() -> None:
    for name, share in PRESETS.items():
        assert find(name).build().settings()["error"] == share
        assert f"{share:.0%}".rstrip("%") in find(name).summary


@pytest.mark.parametrize("error", ["-0.1", "1.5", "often"])
def test_a_probability_is_a_probability(error: str) -> None:
    with pytest.raises(BadOption, match="from 0 to 1"):
        build_engine(f"perfect-eps error={error}")
