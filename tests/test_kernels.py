"""The names that compiled engines may import, which do not change from version to version."""

from __future__ import annotations

import arena.kernels

NAMES = {
    "board_of", "child", "completes", "drop", "has_line", "kernel", "landing", "lowest",
    "next_random", "out_of_budget", "popcount", "root", "weights_of", "win_value", "winning_disc",
}  # fmt: skip


def test_the_public_names_of_kernels_and_their_introduction() -> None:
    assert set(arena.kernels.__all__) == NAMES
    assert all(name in (arena.kernels.__doc__ or "") for name in NAMES)
