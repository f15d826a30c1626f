"""Rows carry a game and its telemetry, and the pulse tells who is thinking."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.play.pulse import Pulse
from arena.play.record import MoveRecord
from arena.play.row import pack_telemetry, unpack_telemetry

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


class Plain:
    """Shares nothing with anybody."""

    def RawArray(self, kind: str, size: int) -> list[float]:  # noqa: N802
        return [0] * size


def test_the_pulse_shows_who_thinks_and_since_when() -> None:
    pulse = Pulse(Plain())
    assert pulse.thinking() is None
    pulse.begin_game(7, (3, 3))
    pulse.begin(1, 2.5)
    thinking = pulse.thinking()
    assert thinking is not None
    assert (thinking.game, thinking.seat, thinking.allowed) == (7, 1, 2.5)
    assert thinking.deadline == thinking.since + 2.5
    pulse.end()
    assert pulse.thinking() is None


def test_the_pulse_shows_the_moves_of_the_game_on_the_table() -> None:
    pulse = Pulse(Plain())
    pulse.begin_game(1, (3, 3))
    pulse.show((3, 3, 4))
    assert pulse.moves() == bytes((3, 3, 4))
    pulse.begin_game(2, ())
    assert pulse.moves() == b""
