"""A few against all the others."""

from __future__ import annotations

from dataclasses import dataclass

from arena.errors import BadOption
from arena.tournament.formats.format import EveryPairAgain, Field


@dataclass(frozen=True)
class Gauntlet(EveryPairAgain):
    """The first `heroes` players each meet all the others, but not each other."""

    heroes: int = 1

    def check(self, field: Field) -> None:
        """There must be a hero and somebody to meet."""
        if not 1 <= self.heroes < field.players:
            raise BadOption(
                f"a gauntlet of {field.players} players has 1 to {field.players - 1} heroes, "
                f"not {self.heroes}"
            )

    def pairs(self, field: Field) -> int:
        """Each hero meets everybody who is none."""
        return self.heroes * (field.players - self.heroes)

    def pair(self, field: Field, place: int) -> tuple[int, int]:
        """The heroes in turn, each against another opponent: neighbours share as few as can be."""
        turn, hero = divmod(place, self.heroes)
        return hero, self.heroes + (turn - hero) % (field.players - self.heroes)
