"""One player after the other joins."""

from __future__ import annotations

from math import isqrt

from arena.tournament.formats.format import Field, Pairing, StaticFormat


class Pyramid(StaticFormat):
    """Each player in turn meets all players before it: first all of them once, then again.

    A round is the step of one newcomer, so what is played does not change when others are added
    at the end of the line-up.
    """

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
