"""Long lists that are computed, not kept: item k follows from k and a seed, on every machine."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from random import Random
from typing import Generic, TypeVar, overload

T = TypeVar("T", covariant=True)


def derive_seed(*parts: int | str) -> int:
    """A seed of 63 bits that depends on these parts and on nothing else."""
    is_pair = len(parts) == 2  # nearly always, and in half of the time
    text = f"{parts[0]}/{parts[1]}" if is_pair else "/".join(map(str, parts))
    digest = sha256(text.encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


@lru_cache(maxsize=4)
def shuffled(count: int, seed: int) -> Sequence[int]:
    """The numbers below `count` in an order by seed, the same in every version of Python."""
    random = Random(seed).random
    order = array("I", range(count))
    for last in range(count - 1, 0, -1):
        place = int(random() * (last + 1))
        order[last], order[place] = order[place], order[last]
    return order


class Lazy(Sequence[T], Generic[T]):
    """The items that a function gives for some places; only the places are kept."""

    __slots__ = ("at", "places")

    def __init__(self, places: Sequence[int], at: Callable[[int], T]) -> None:
        self.places = places
        self.at = at

    def some(self, places: Iterable[int]) -> Iterator[T]:
        """The items of these places, one after the other."""
        return map(self.at, places)

    def __len__(self) -> int:
        return len(self.places)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Lazy[T]: ...
    def __getitem__(self, index: int | slice) -> T | Lazy[T]:
        if type(index) is int:
            return self.at(self.places[index])
        assert isinstance(index, slice)
        return Lazy(self.places[index], self.at)

    def __iter__(self) -> Iterator[T]:
        return self.some(self.places)
