"""One player after the other joins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isqrt
from typing import Literal

from arena.tournament.formats.format import Field, GameResult, Pairing, StaticFormat


@dataclass(frozen=True)
class Pyramid(StaticFormat):
    """Each engine, in the order of the list, meets all that stand before it.

    First it meets all of them once, then again. A round is the step of one newcomer, so what is
    played does not change when others are added at the end of the line-up.
    """

    kind: Literal["pyramid"] = "pyramid"

    def round_in_words(
        self, field: Field, round: int, results: Sequence[GameResult], names: Sequence[str]
    ) -> str:
        """Who joins."""
        return f"{names[round]} joins, {round} of {self.rounds(field)}"

    def pairs_that_meet(self, field: Field) -> Iterator[tuple[int, int]]:
        """In the end everybody has met everybody."""
        return combinations(range(field.players), 2)

    def rounds(self, field: Field) -> int:
        """Everybody but the first player joins once."""
        return field.players - 1

    def start(self, field: Field, round: int) -> int:
        """The newcomers before had 1, 2, 3 ... players to meet."""
        return round * (round - 1) // 2 * field.meetings

    def pairing(self, field: Field, place: int) -> Pairing:
        """The newcomer of round k is player k, with k players before it."""
        newcomer = (1 + isqrt(1 + 8 * (place // field.meetings))) // 2
        meeting, opponent = divmod(place - self.start(field, newcomer), newcomer)
        return Pairing(newcomer, opponent, newcomer, meeting)
