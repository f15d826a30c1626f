"""Sums over clusters of games that go together, against a naive count."""

from __future__ import annotations

import numpy as np
import pytest

from arena.standings.intervals import Numbers
from arena.standings.rating_errors import clusters_among
from arena.standings.scoreboard import GameLog


def naive_squares(games: list[tuple[int, int, int, bytes]], expected: Numbers) -> Numbers:
    """The sum of s s' over clusters: an opening, or a further lap through the openings."""
    size = len(expected)
    clusters: dict[tuple[bytes, int], Numbers] = {}
    seen: dict[tuple[int, int, bytes], int] = {}
    for first, second, result, opening in games:
        lap = seen[first, second, opening] = seen.get((first, second, opening), -1) + 1
        slope = clusters.setdefault((opening, lap), np.zeros(size + 1))
        above = (1 + result) / 2 - expected[first, second]
        slope += above * (np.eye(size + 1)[first] - np.eye(size + 1)[second])
        slope[-1] += above
    return np.asarray(sum(np.outer(slope, slope) for slope in clusters.values()))


def test_clusters_are_openings_and_laps_whatever_the_order_of_the_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance = np.random.default_rng(3)
    games = [
        (first, second, int(chance.integers(-1, 2)), bytes([opening % 4]))
        for opening in range(10)
        for first, second in ((0, 1), (1, 0), (0, 2), (2, 0))
    ]
    expected = chance.random((3, 3))
    in_turn, shuffled = GameLog(3), GameLog(3)
    for game in games:
        in_turn.append(*game)
    for number in chance.permutation(len(games)).tolist():
        shuffled.put(number + 1, *games[number])
    for cells in (1 << 20, 8):  # in one go, and a few clusters at a time
        monkeypatch.setattr("arena.standings.rating_errors.CELLS", cells)
        for played in (in_turn, shuffled):
            squares, even = clusters_among(played, np.arange(3)).sums(expected)
            assert squares == pytest.approx(naive_squares(games, expected))
            assert even == pytest.approx([10, 10, 10, 10])
    some, _ = clusters_among(in_turn, np.array([0, 2])).sums(expected[np.ix_([0, 2], [0, 2])])
    rest = [
        (first // 2, second // 2, *more)
        for first, second, *more in games
        if 1 not in (first, second)
    ]
    assert some == pytest.approx(naive_squares(rest, expected[np.ix_([0, 2], [0, 2])]))  # type: ignore[arg-type]
