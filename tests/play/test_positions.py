"""The positions that engines are checked with."""

from __future__ import annotations

from itertools import islice

import pytest

from arena import CONNECT4, SCORE4, Rules
from arena.play.subject import sample_positions, threatened_positions, winning_positions


@pytest.mark.parametrize("size", ["7x6", "5x4", "4x4x4"])
def test_sample_positions_reach_the_last_cell(size: str) -> None:
    rules = Rules.named(size)
    positions = sample_positions(rules)
    assert not any(position.is_over for position in positions)
    assert max(position.ply for position in positions) == rules.cells - 1
    assert any(1 < len(position.legal) < rules.columns for position in positions)


def test_tactical_positions_are_what_they_say() -> None:
    for position in islice(winning_positions(CONNECT4), 5):
        assert any(map(position.wins_with, position.legal))
    for position in islice(threatened_positions(SCORE4), 5):
        assert not any(map(position.wins_with, position.legal))
