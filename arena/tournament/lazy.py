"""A long sequence whose items are made when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar, overload

T = TypeVar("T", covariant=True)


class Lazy(Sequence[T], Generic[T]):
    """The items that a function gives for some places; only the places are kept."""

    __slots__ = ("at", "places")

    def __init__(self, places: Sequence[int], at: Callable[[int], T]) -> None:
        self.places = places
        self.at = at

    def __len__(self) -> int:
        return len(self.places)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Lazy[T]: ...
    def __getitem__(self, index: int | slice) -> T | Lazy[T]:
        if isinstance(index, slice):
            return Lazy(self.places[index], self.at)
        return self.at(self.places[index])

    def __iter__(self) -> Iterator[T]:
        return map(self.at, self.places)
