"""Who can be compared with whom: groups that met, and what games alone leave without bounds.

Tables of who met or beat whom are square and boolean; [i, j] is about player i against player j.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena.standings.results import Numbers

Flags = NDArray[np.bool_]


def reachable(edges: Flags) -> Flags:
    """Whom one gets to from whom, oneself included, over any number of steps."""
    reach = edges | np.eye(len(edges), dtype=np.bool_)
    steps = 1
    while steps < len(edges):
        further = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
        if np.array_equal(further, reach):
            break
        reach, steps = further, 2 * steps
    return reach


def components(met: Flags) -> list[NDArray[np.intp]]:
    """The players in groups that are connected by games, each sorted by number."""
    reach = reachable(met | met.T)
    first = reach.argmax(axis=1)  # the smallest number of one's group
    return [np.flatnonzero(first == leader) for leader in np.unique(first)]


def bounded(reach: Flags) -> NDArray[np.intp]:
    """The largest circle of players each of whom took points, by whatever way, from each other.

    The likelihood has a maximum only within such a circle (Ford 1957): whoever is above it or
    below it is so by any number of Elo. Of two as large, it is the one that is above.
    """
    both = reach & reach.T
    leader = max(range(len(reach)), key=lambda one: (both[one].sum(), reach[one].sum()))
    return np.flatnonzero(both[leader])


def advantage_is_bounded(played: Numbers, points: Numbers) -> bool:
    """Whether the games alone tell how much the first move is worth.

    They do not if ratings can be moved along with it, in either direction, without any result
    becoming less likely: if whoever moves first wins always, or if seats were never swapped.
    """
    first, second = points > 0, points < played  # who took something, in the cell [first, second]
    return not (_can_shift(first, second.T) or _can_shift(second.T, first))


def _can_shift(up: Flags, down: Flags) -> bool:
    """Whether numbers exist that differ as asked: a[j] <= a[i] + 1 where `up`, - 1 where `down`.

    They do unless some circle of these demands adds up to less than 0 (Bellman 1958).
    """
    if (down & (down | up).T & ~(up & ~down).T).any():
        return False  # a circle of two
    cost = np.where(down, -1.0, np.where(up, 1.0, np.inf))
    numbers = np.zeros(len(up))
    while numbers.min() > -len(up):
        lower = np.minimum(numbers, (numbers[:, None] + cost).min(axis=0))
        if np.array_equal(lower, numbers):
            return True
        numbers = lower
    return False
