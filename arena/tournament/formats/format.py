"""What all formats have in common: rounds of meetings, one after the other.

A *meeting* is the smallest thing that is paired: two games with the same opening and the seats
swapped, or a single game where seats are not swapped.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from arena.errors import BadOption
from arena.tournament.lazy import Lazy


class Pairing(NamedTuple):
    """A meeting: in which round, who moves first in its first game, and the number of its opening.

    Players are places in the line-up, from 0.
    """

    round: int
    first: int
    second: int
    opening: int


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game ended: 1 if the player who moved first won, 0 for a draw, -1 if he lost."""

    number: int
    round: int
    first: int
    second: int
    result: int


@dataclass(frozen=True, slots=True)
class Field:
    """How many players there are, and how many games two of them play when they are paired."""

    players: int
    games: int
    swap_seats: bool = True

    def __post_init__(self) -> None:
        if self.players < 2:
            raise BadOption(f"a tournament needs two players or more, not {self.players}")
        if self.games < 1:
            raise BadOption(f"two players need at least one game, not {self.games}")
        if self.swap_seats and self.games % 2:
            raise BadOption(
                f"{self.games} games cannot be shared between both seats; use an even number"
            )

    @property
    def legs(self) -> int:
        """How many games a meeting has."""
        return 2 if self.swap_seats else 1

    @property
    def meetings(self) -> int:
        """How many meetings two players have when they are paired."""
        return self.games // self.legs


def meet(round: int, pairs: Sequence[tuple[int, int]], openings: range) -> Lazy[Pairing]:
    """A round in which these pairs meet once with each opening, all of them in turn."""

    def pairing(place: int) -> Pairing:
        meeting, pair = divmod(place, len(pairs))
        return Pairing(round, *pairs[pair], openings[meeting])

    return Lazy(range(len(pairs) * len(openings)), pairing)


class Format(ABC):
    """The pairings of one round after the other, each from the results of all rounds before it."""

    needs_results: bool = True

    @property
    def known_length(self) -> bool:
        """Whether the number of games is known in advance."""
        return True

    def check(self, field: Field) -> None:  # noqa: B027 - most formats take any field
        """Refuse, with a sentence, a field that this format cannot serve."""

    @abstractmethod
    def pairings(
        self, field: Field, round: int, results: Sequence[GameResult]
    ) -> Sequence[Pairing] | None:
        """The meetings of a round, from 1; None when the tournament is over.

        `results` are those of all games of the rounds before, in the order of their numbers.
        """

    @abstractmethod
    def expected(self, field: Field, results: Sequence[GameResult]) -> int:
        """How many meetings there are in all; a guess where `known_length` is False."""

    def openings(self, field: Field) -> int:
        """How many openings there are, as far as that is known in advance."""
        return field.meetings

    def before(self, field: Field, round: int, results: Sequence[GameResult]) -> int:
        """How many meetings come before a round."""
        return len(results) // field.legs


class StaticFormat(Format):
    """A format whose meetings are all known in advance, and each can be computed by its place."""

    needs_results = False

    @abstractmethod
    def rounds(self, field: Field) -> int:
        """How many rounds there are."""

    @abstractmethod
    def start(self, field: Field, round: int) -> int:
        """The place, from 0, of the first meeting of a round."""

    @abstractmethod
    def pairing(self, field: Field, place: int) -> Pairing:
        """The meeting at a place, from 0, in the whole tournament."""

    def pairings(
        self, field: Field, round: int, results: Sequence[GameResult] = ()
    ) -> Sequence[Pairing] | None:
        """The meetings of a round; results do not matter."""
        if not 1 <= round <= self.rounds(field):
            return None
        return self.everything(field)[self.start(field, round) : self.start(field, round + 1)]

    def everything(self, field: Field) -> Lazy[Pairing]:
        """The meetings of all rounds as one long sequence."""
        return Lazy(range(self.expected(field)), partial(self.pairing, field))

    def expected(self, field: Field, results: Sequence[GameResult] = ()) -> int:
        """How many meetings there are in all."""
        return self.start(field, self.rounds(field) + 1)

    def before(self, field: Field, round: int, results: Sequence[GameResult] = ()) -> int:
        """How many meetings come before a round."""
        return self.start(field, round)


class EveryPairAgain(StaticFormat):
    """A round is one meeting of every pair of the format, all with the same opening.

    So a tournament that is stopped early is still balanced.
    """

    @abstractmethod
    def pairs(self, field: Field) -> int:
        """How many pairs there are."""

    @abstractmethod
    def pair(self, field: Field, place: int) -> tuple[int, int]:
        """The pair at a place, from 0, in the order of play."""

    def rounds(self, field: Field) -> int:
        """As many as two players have meetings."""
        return field.meetings

    def start(self, field: Field, round: int) -> int:
        """All rounds have the same length."""
        return (round - 1) * self.pairs(field)

    def pairing(self, field: Field, place: int) -> Pairing:
        """The player who comes first in the line-up moves first in the first game."""
        meeting, place = divmod(place, self.pairs(field))
        one, other = self.pair(field, place)
        return Pairing(meeting + 1, min(one, other), max(one, other), meeting)
