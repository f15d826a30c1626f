"""Error bars against the way Ordo makes them: play the tournament again and again, by the fit."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.standings import Counts, rate

pytestmark = pytest.mark.contract

LOSS, DRAW, WIN = range(3)  # outcomes for whoever moves first

TRUE = np.array([220.0, 110.0, 40.0, -30.0, -120.0, -220.0])
NAMES = [f"engine {k}" for k in range(len(TRUE))]
GAMES = 60  # of each pair in each seat
SIMULATED = 400


def shares(elo: np.ndarray, first: float, draws: float) -> np.ndarray:
    """The chances of loss, draw and win of whoever moves first, for every pair of players."""
    expected = 1 / (1 + 10 ** (-(elo[:, None] - elo[None, :] + first) / 400))
    drawn = draws * 4 * expected * (1 - expected)
    return np.stack([1 - expected - drawn / 2, drawn, expected - drawn / 2], axis=-1)


def play(chances: np.ndarray, chance: np.random.Generator) -> Counts:
    """One tournament: every ordered pair plays its games."""
    outcomes = chance.multinomial(GAMES, chances)
    outcomes[np.diag_indices(len(chances))] = 0
    return outcomes.astype(np.int64)


@pytest.mark.parametrize("draws", [0.0, 0.4])
def test_error_bars_are_those_of_repeated_tournaments(draws: float) -> None:
    chance = np.random.default_rng(7)
    seen = play(shares(TRUE, 60.0, draws), chance)
    fitted = rate(seen, names=NAMES, prior=0)
    elo = np.array(fitted.elo, dtype=float)
    share = float(seen[..., DRAW].sum() / seen.sum())
    expected = shares(elo, float(fitted.first_advantage or 0.0), 0.0)[..., WIN]
    spread = (4 * expected * (1 - expected))[~np.eye(len(elo), dtype=bool)].mean()
    again = shares(elo, float(fitted.first_advantage or 0.0), share / spread)
    assert again[..., LOSS].min() >= 0
    refits = [rate(play(again, chance), names=NAMES, prior=0).elo for _ in range(SIMULATED)]
    simulated = 1.959964 * np.std(np.array(refits, dtype=float), axis=0)
    assert np.array(fitted.error, dtype=float) == pytest.approx(simulated, rel=0.12)
