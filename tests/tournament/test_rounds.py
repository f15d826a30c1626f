"""Which round it is, in the words of each format."""

from __future__ import annotations

import pytest

from arena.tournament.formats import (
    Format,
    GameResult,
    Gauntlet,
    Knockout,
    Pyramid,
    RoundRobin,
    Swiss,
)
from arena.tournament.openings import NoOpenings
from arena.tournament.schedule import Schedule

NAMES = [f"player {letter}" for letter in "ABCDEFGHI"]


def schedule(form: Format, players: int = 4) -> Schedule:
    return Schedule(form, players, 2, True, NoOpenings(), 1)


@pytest.mark.parametrize(
    ("form", "words"),
    [
        (RoundRobin(), "round 1 of 1"),
        (Gauntlet(1), "round 1 of 1"),
        (Swiss(5), "round 1 of 5"),
        (Pyramid(), "player B joins, 1 of 3"),
        (Knockout(), "semi-finals"),
    ],
)
def test_rounds(form: Format, words: str) -> None:
    assert schedule(form).round_in_words(1, [], NAMES) == words


@pytest.mark.parametrize(
    ("players", "words"), [(2, "final"), (8, "quarter-finals"), (9, "last 16")]
)
def test_stages(players: int, words: str) -> None:
    assert schedule(Knockout(), players).round_in_words(1, [], NAMES) == words


def pair(number: int, round_: int, first: int, second: int, *results: int) -> list[GameResult]:
    """Both games of a meeting, with the results of whoever moved first."""
    seats = ((first, second), (second, first))
    return [GameResult(number + k, round_, *seats[k], result) for k, result in enumerate(results)]


def test_a_knockout_goes_on_to_its_final_over_tiebreaks() -> None:
    made = schedule(Knockout(tiebreaks=1))
    level = [*pair(1, 1, 0, 3, 1, 1), *pair(3, 1, 1, 2, 1, -1)]  # 0 and 3 are level, 1 beats 2
    assert made.round_in_words(2, level, NAMES) == "semi-finals, tiebreaks"
    assert made.knocked_out(2, level) == {2: 1}
    decided = [*level, *pair(5, 2, 0, 3, -1, 1)]
    assert made.round_in_words(3, decided, NAMES) == "final"
    assert made.knocked_out(3, decided) == {2: 1, 0: 1}


def test_nobody_is_out_elsewhere() -> None:
    assert schedule(RoundRobin()).knocked_out(1, []) == {}
