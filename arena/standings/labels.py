"""Which games are independent evidence: numbers for copies of a game and for clusters of games."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena.standings.evidence import Labels

Keys = NDArray[np.uint64]


def clusters(openings: Keys, seats: Keys, copies: Labels) -> Labels:
    """The cluster of each game: (opening, k), this being the k-th different one of its seats.

    `openings` and `seats` are hashes, those of seats with the opening in them; equal numbers in
    `copies` mean copies of a game, which get the cluster of the first one.
    """
    is_first = np.diff(np.maximum.accumulate(copies), prepend=-1) > 0
    times = times_before(seats[is_first]).astype(np.uint64)
    return numbered(mixed(mixed(openings[is_first]) + times))[copies]


def mixed(words: Keys) -> Keys:
    """Hashes of words: the mixing of splitmix64 (Steele, Lea and Flood 2014)."""
    words = (words + np.uint64(0x9E3779B97F4A7C15)).astype(np.uint64)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def numbered(keys: Keys) -> Labels:
    """The keys as numbers from 0, in the order in which they first appear."""
    _, first, places = np.unique(keys, return_index=True, return_inverse=True)
    numbers = np.empty(len(first), np.intp)
    numbers[np.argsort(first)] = np.arange(len(first))
    return numbers[places.reshape(-1)]


def times_before(keys: Keys) -> Labels:
    """How often each key has been there before."""
    order = np.argsort(keys, kind="stable")
    at = np.arange(len(keys))
    ordered = keys[order]
    begins = np.ones(len(keys), np.bool_)
    begins[1:] = ordered[1:] != ordered[:-1]
    times = np.empty(len(keys), np.intp)
    times[order] = at - np.maximum.accumulate(np.where(begins, at, 0))
    return times
