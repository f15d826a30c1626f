"""Which games are finished: a set of numbers at one bit each."""

from __future__ import annotations

from collections.abc import Iterator

SHIFT = 16  # numbers in a leaf, as a power of two
LEAF = 1 << SHIFT
FULL = b"\xff" * (LEAF // 8)


class Numbers:
    """A set of whole numbers from 0, in leaves of 65536 bits; a million cost 125 kB."""

    __slots__ = ("_count", "_leaves")

    def __init__(self) -> None:
        self._leaves: dict[int, bytearray] = {}
        self._count = 0

    def add(self, number: int) -> None:
        """Put a number in; once is enough."""
        if number < 0:
            raise ValueError(f"games are numbered from 0, not {number}")
        leaf = self._leaves.get(number >> SHIFT)
        if leaf is None:
            leaf = self._leaves[number >> SHIFT] = bytearray(LEAF // 8)
        place, bit = (number & LEAF - 1) >> 3, 1 << (number & 7)
        self._count += not leaf[place] & bit
        leaf[place] |= bit

    def fill(self, leaf: int) -> None:
        """Put all numbers of a leaf in."""
        before = self._leaves.get(leaf, b"")
        self._count += LEAF - sum(byte.bit_count() for byte in before)
        self._leaves[leaf] = bytearray(FULL)

    def __contains__(self, number: object) -> bool:
        if not isinstance(number, int):
            return False
        leaf = self._leaves.get(number >> SHIFT)
        return leaf is not None and bool(leaf[(number & LEAF - 1) >> 3] >> (number & 7) & 1)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[int]:
        for key in sorted(self._leaves):
            for place, byte in enumerate(self._leaves[key]):
                if byte:
                    start = (key << SHIFT) + (place << 3)
                    yield from (start + bit for bit in range(8) if byte >> bit & 1)
