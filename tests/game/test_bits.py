"""Boards and meters: tables reach kernels as arrays of one record; searches stop in time."""

from __future__ import annotations

import time

import numpy as np
import pytest

from arena import Position, Rules
from arena.game.bits import (
    BOARD,
    METER,
    Meter,
    OneRecord,
    board_of,
    is_spent,
    meter_fields,
    new_record,
)
from arena.jit import kernel
from arena.kernels import landing

HOUR = 3600 * 10**9
NEVER = (0, 0)


@kernel
def cell_of(board: OneRecord, own: np.uint64, opp: np.uint64, column: int) -> np.uint64:
    """Where a disc lands, by a kernel that Python calls."""
    return landing(board[0], own | opp, column)


def test_the_last_cell_of_64_is_no_overflow() -> None:
    position = Position.parse("16 16 16 16 1 1 1 1", Rules.space(4, 4, 4)).play(1)
    own, opp = position.words
    assert (int(own), int(opp)) == (position.own, position.opponent)
    assert (int(own) | int(opp)) >> 63 == 1
    assert cell_of(board_of(position.rules), own, opp, 1) == 1 << 5


def test_all_boards_share_one_type_and_a_rule_has_one_board() -> None:
    flat, space = Rules.flat(7, 6), Rules.space(4, 4, 4)
    assert board_of(flat).dtype is board_of(space).dtype is BOARD
    assert board_of(flat) is flat.board


# ---- meters


def meter_with(nodes: int | None, deadline: tuple[int, int], every: int) -> Meter:
    meter = new_record(METER)
    for name, value in zip(METER.names or (), meter_fields(nodes, deadline, every), strict=True):
        meter[name] = value
    return meter


def nodes_until_spent(meter: Meter, most: int = 10_000) -> int:
    """How many nodes a search gets that would like to have more."""
    while meter.nodes < most and not is_spent(meter):
        meter.nodes += 1
    return int(meter.nodes)


@pytest.mark.parametrize("nodes", [1, 7, 16, 17, 1000])
def test_no_node_more_than_allowed_and_none_less(nodes: int) -> None:
    meter = meter_with(nodes, NEVER, 16)
    assert nodes_until_spent(meter) == nodes
    assert meter.stopped


def test_without_limits_nothing_stops_it() -> None:
    meter = meter_with(None, NEVER, 16)
    assert nodes_until_spent(meter) == 10_000
    assert not meter.stopped


@pytest.mark.parametrize("clock", ["wall", "cpu"])
def test_a_clock_is_looked_at_once_in_so_many_nodes(clock: str) -> None:
    past = (1, 0) if clock == "wall" else (0, 1)
    assert nodes_until_spent(meter_with(None, past, 16)) == 16
    assert nodes_until_spent(meter_with(5, past, 16)) == 5
    later = (time.monotonic_ns() + HOUR, time.thread_time_ns() + HOUR)
    assert nodes_until_spent(meter_with(None, later, 16)) == 10_000


def test_what_is_stopped_stays_stopped() -> None:
    meter = meter_with(3, NEVER, 16)
    nodes_until_spent(meter)
    assert is_spent(meter)
    assert nodes_until_spent(meter) == 3
