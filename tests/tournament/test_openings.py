"""Openings: legal, open, by seed, and the same wherever one starts to ask."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import ArenaError, BadOption
from arena.game import CONNECT4, SCORE4, Position, Rules
from arena.game.notation import play_moves
from arena.tournament.openings import EveryLine, FromList, Openings, RandomPlies
from tests.game.strategies import sizes

SEEDS = st.integers(0, 2**63 - 1)


def first(openings: Openings, count: int) -> list[tuple[int, ...]]:
    return [openings.opening(k) for k in range(count)]


def is_quiet(position: Position) -> bool:
    return not position.is_over and not any(map(position.wins_with, position.legal))


def lines_by_trying(rules: Rules, plies: int, quiet: bool) -> set[tuple[int, ...]]:
    """Every sequence of columns, kept if it can be played and the game goes on."""
    found = set()
    for line in product(range(rules.columns), repeat=plies):
        try:
            position = play_moves(line, rules)
        except ArenaError:
            continue
        if not position.is_over and (not quiet or is_quiet(position)):
            found.add(line)
    return found


@pytest.mark.parametrize(
    ("game", "plies"),
    [
        ("7x6", 0),
        ("7x6", 2),
        ("3x3c3", 4),
        ("3x3c3", 5),
        ("2x2x2c2", 2),
        ("4x1c3", 3),
        ("3x2c2", 2),
    ],
)
def test_every_line_is_every_line(game: str, plies: int) -> None:
    rules = Rules.named(game)
    expected = lines_by_trying(rules, plies, quiet=False)
    openings = EveryLine(rules, plies, seed=5)
    assert openings.count == len(expected)
    assert set(first(openings, openings.count)) == expected


def test_every_line_of_large_boards_is_counted_without_listing() -> None:
    assert EveryLine(CONNECT4, 4, 1).count == 2401
    assert EveryLine(CONNECT4, 6, 1).count == 117_649
    assert EveryLine(SCORE4, 4, 1).count == 65_536


@given(seed=SEEDS, lap=st.integers(0, 5))
@settings(max_examples=20)
def test_a_list_repeats_in_a_new_order(seed: int, lap: int) -> None:
    lines = [(k,) for k in range(40)]
    openings = FromList(lines, seed)
    one = [openings.opening(lap * 40 + k) for k in range(40)]
    other = [openings.opening((lap + 1) * 40 + k) for k in range(40)]
    assert sorted(one) == sorted(other) == lines
    assert one != other


def test_the_order_depends_on_the_seed_and_stays_for_ever() -> None:
    lines = [(k,) for k in range(8)]
    assert first(FromList(lines, 1), 8) != first(FromList(lines, 2), 8)
    assert first(FromList(lines, 1), 8) == [(7,), (2,), (4,), (5,), (6,), (1,), (0,), (3,)]
    assert first(EveryLine(CONNECT4, 2, 1), 4) == [(6, 0), (4, 2), (4, 3), (6, 5)]
    assert first(RandomPlies(CONNECT4, 8, 1), 2) == [
        (0, 0, 3, 1, 1, 5, 0, 6),
        (2, 2, 5, 6, 6, 2, 1, 2),
    ]


@given(rules=sizes(), plies=st.integers(0, 16), seed=SEEDS, k=st.integers(0, 10**9))
def test_random_openings_leave_the_game_open(rules: Rules, plies: int, seed: int, k: int) -> None:
    try:
        openings = RandomPlies(rules, plies, seed)
    except BadOption:
        return  # see below for boards on which there are none
    line = openings.opening(k)
    assert len(line) == plies
    assert is_quiet(play_moves(line, rules))
    assert line == RandomPlies(rules, plies, seed).opening(k)


@pytest.mark.parametrize(
    ("game", "plies"), [("3x3c3", 4), ("3x3c3", 3), ("3x3x2c3", 3), ("7x6", 3)]
)
def test_few_random_openings_are_all_drawn_before_one_comes_again(game: str, plies: int) -> None:
    rules = Rules.named(game)
    openings = RandomPlies(rules, plies, seed=9)
    assert openings.count is not None
    assert set(first(openings, openings.count)) == lines_by_trying(rules, plies, quiet=True)


@pytest.mark.parametrize("game", ["3x3c3", "3x2c2", "2x2x2c2", "4x1c3", "4x2c3"])
def test_random_openings_are_refused_exactly_where_there_are_none(game: str) -> None:
    rules = Rules.named(game)
    for plies in range(rules.cells):
        if lines_by_trying(rules, plies, quiet=True):
            RandomPlies(rules, plies, seed=1)
        else:
            with pytest.raises(BadOption, match="leaves the game open"):
                RandomPlies(rules, plies, seed=1)
