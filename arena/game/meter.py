"""A meter: the nodes and the time that a search may use, and whether they have run out.

A kernel asks `out_of_budget` before each node, which counts it; the clocks are read only once in
so many nodes.
"""

from __future__ import annotations

import numpy as np

from arena.jit import CLOCK_ADDRESS, is_past, kernel

Meter = np.record

UNLIMITED = 1 << 62
CHECK_EVERY = 1024  # nodes between two looks at the clocks

METER = np.dtype(
    [
        ("nodes", np.int64),  # so far
        ("most", np.int64),  # how many there may be
        ("every", np.int64),  # how many between two looks at the clocks
        ("check", np.int64),  # at how many to look again
        ("deadline", np.int64),  # on the monotonic clock; 0: none
        ("cpu_deadline", np.int64),  # on the thread's processor clock; 0: none
        ("clock", np.int64),  # the address of both, see arena.jit
        ("stopped", np.bool_),  # out of nodes or time: what is searched now means nothing
    ],
    align=True,
)


def meter_fields(
    nodes: int | None, deadline: tuple[int, int], every: int = CHECK_EVERY
) -> tuple[int | bool, ...]:
    """The fields of a meter that allows so many nodes, none of them used, and has these deadlines.

    They are a plain tuple, which a record takes as a whole, much faster than field by field.
    """
    most = UNLIMITED if nodes is None else nodes
    return 0, most, every, min(every, most), *deadline, CLOCK_ADDRESS, False


@kernel
def is_spent(meter: Meter) -> bool:
    """Whether nodes or time have run out."""
    if meter.nodes >= meter.check:
        meter.check = min(meter.most, meter.nodes + meter.every)
        if meter.nodes >= meter.most:
            meter.stopped = True
        else:
            meter.stopped = is_past(meter.clock, meter.deadline, meter.cpu_deadline)
    return bool(meter.stopped)


@kernel
def out_of_budget(meter: Meter) -> bool:
    """Whether nodes or time have run out; if not, count a node."""
    if is_spent(meter):
        return True
    meter.nodes += 1
    return False
