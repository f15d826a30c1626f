"""Hashes in columns: mixed, numbered and counted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena.standings.evidence import Labels

Keys = NDArray[np.uint64]


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
