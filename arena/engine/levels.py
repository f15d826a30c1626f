"""Levels from too easy to perfect: how an engine is held back to each of them.

An engine says so itself (`Engine.levels`); for others it follows from the options they have.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

TOO_EASY, EASY, MEDIUM, ADVANCED = "too easy", "easy", "medium", "advanced"
HARD, PERFECT = "hard", "perfect"
LEVELS = (TOO_EASY, EASY, MEDIUM, ADVANCED, HARD, PERFECT)

PATIENCE = 5.0  # seconds that an engine below perfect thinks at most
VARIED = {"tie_break": "random"}  # of moves that are worth the same not always the same one


class Grade(NamedTuple):
    """Options to set, how many moves are played at random, and the most seconds for a move."""

    options: Mapping[str, str | int | float]
    slips: float = 0.0
    seconds: float | None = PATIENCE

    def __str__(self) -> str:
        """The grade in words: "depth 2, 20 % random moves"."""
        words = [f"{name} {value}" for name, value in self.options.items() if name not in VARIED]
        words += [f"{self.slips:.0%} random moves".replace("%", " %")] if self.slips else []
        own = [] if self.seconds in (None, PATIENCE) else [f"{self.seconds:g} s a move"]
        return ", ".join(words + own) or "all it can"


Ladder = Mapping[str, Grade]


class Offer(NamedTuple):
    """How `arena play` offers an engine to a person.

    An engine plays the levels that it suits where no other was asked for; of several that suit
    one, the strongest does.
    """

    place: int  # in the menu, where the weakest engine comes first
    about: str
    suits: Collection[str] = ()
    suits_in_space: bool = True  # or on flat boards alone
    advises: str | None = None  # the options with which it gives hints; None: it gives none


def by_option(option: str, *values: float | str, varied: bool = False) -> Ladder:
    """Values of one option for the levels below perfect; the two lowest slip as well."""
    more = VARIED if varied else {}
    return {
        level: Grade({option: value, **more}, slips)
        for level, value, slips in zip(LEVELS, values, (0.4, 0.2, 0.0, 0.0, 0.0), strict=False)
    }


def by_chance(*slips: float) -> Ladder:
    """Levels that nothing but the share of random moves tells apart."""
    return {level: Grade({}, share) for level, share in zip(LEVELS, slips, strict=False)}


# Engines that do not say: by the first of these options that they have, or else by chance.
USUAL: Mapping[str, Ladder] = {
    "playouts": by_option("playouts", 50, 200, 1000, 3000, 10_000),
    "seconds": by_option("seconds", 0.02, 0.05, 0.5, 1.5, 3.0),
    "depth": by_option("depth", 1, 2, 4, 5, 7),
}
WITHOUT_OPTION = by_chance(0.5, 0.25, 0.1, 0.05, 0.0)
