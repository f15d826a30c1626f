"""Rows carry a game and its telemetry."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.table.game import MoveRecord, pack_telemetry, unpack_telemetry

moves = st.builds(
    MoveRecord,
    column=st.integers(0, 63),
    seconds=st.floats(0, 1e6, width=32),
    cpu=st.floats(0, 1e6, width=32),
    score=st.none() | st.floats(allow_nan=False, allow_infinity=False),
    depth=st.none() | st.integers(0, 64),
    nodes=st.none() | st.integers(0, 2**62),
)


@given(st.lists(moves, max_size=64))
def test_telemetry_comes_back_as_it_was(played: list[MoveRecord]) -> None:
    columns = bytes(move.column for move in played)
    assert unpack_telemetry(columns, pack_telemetry(played)) == played


def test_a_count_that_cannot_be_is_not_known() -> None:
    move = MoveRecord(0, 0.0, 0.0, nodes=-5, depth=10**6)
    back = unpack_telemetry(b"\0", pack_telemetry([move]))[0]
    assert (back.nodes, back.depth) == (None, None)
