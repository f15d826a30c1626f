"""What all formats have in common: rounds of meetings, one after the other.

A *meeting* is the smallest thing that is paired: two games with the same opening and the seats
swapped, or a single game where seats are not swapped.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, NamedTuple, Self, TypeVar

from arena.errors import BadOption
from arena.tournament.games import GameResult
from arena.tournament.mistakes import Trail
from arena.tournament.numbered import Lazy
from arena.tournament.values import Part

T = TypeVar("T")


class Pairing(NamedTuple):
    """A meeting: in which round, who moves first in its first game, and the number of its opening.

    Players are places in the line-up, from 0.
    """

    round: int
    first: int
    second: int
    opening: int


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


class Ranking(NamedTuple):
    """The players in the order of a format, the best first, and by what it is.

    `columns` are figures or words for each player, by heading, where points a game and ratings do
    not tell why one stands above the other.
    """

    order: tuple[int, ...]
    columns: Mapping[str, Sequence[float | str]] = MappingProxyType({})
    champion: int | None = None  # of a format that has one, once that is decided


class Scored(NamedTuple):
    """What all games say about the players, whatever the format."""

    shares: Sequence[float | None]  # points a game; None before the first
    by_rating: Sequence[int]  # the players, the strongest first

    def has_played(self, player: int) -> bool:
        """Whether there is a game to judge a player by."""
        return self.shares[player] is not None

    def by(self, *keys: Callable[[int], float]) -> tuple[int, ...]:
        """The players by these figures, the largest first, then by rating."""
        return tuple(sorted(self.by_rating, key=lambda player: [-key(player) for key in keys]))


def meet(round: int, pairs: Sequence[tuple[int, int]], openings: range) -> Lazy[Pairing]:
    """A round in which these pairs meet once with each opening, all of them in turn."""

    def pairing(place: int) -> Pairing:
        meeting, pair = divmod(place, len(pairs))
        return Pairing(round, *pairs[pair], openings[meeting])

    return Lazy(range(len(pairs) * len(openings)), pairing)


class Format(Part, ABC):
    """The pairings of one round after the other, each from the results of all rounds before it.

    The fields of a format are its settings in a tournament file.
    """

    kind: str  # what it is called in a tournament file
    needs_results: ClassVar[bool] = True

    @property
    def known_length(self) -> bool:
        """Whether the number of games is known in advance."""
        return True

    def check(self, field: Field) -> None:
        """Refuse, with a sentence, a field that this format cannot serve."""

    def check_names(self, names: Sequence[str]) -> Iterator[tuple[Trail, str]]:
        """The mistakes in the settings for these players: where, and a sentence."""
        return iter(())

    def for_players(self, names: Sequence[str]) -> Self:
        """The format once the players are known."""
        return self

    def line_up(self, players: tuple[T, ...]) -> tuple[T, ...]:
        """The players in the order that the format wants."""
        return players

    def never_meet(self, names: Sequence[str], one: str, other: str) -> str | None:
        """Why two players never meet, whatever the results are; None if they may."""
        return None

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

    def ranking(self, field: Field, results: Sequence[GameResult], scored: Scored) -> Ranking:
        """The players from the best to the worst; here by rating, where points do not compare.

        `results` are all games so far, in the order of their numbers; only formats that need
        results look at them.
        """
        return Ranking(scored.by(scored.has_played))

    def round_in_words(
        self, field: Field, round: int, results: Sequence[GameResult], names: Sequence[str]
    ) -> str:
        """A round as a viewer wants to hear it, from the results of the rounds before it."""
        return f"round {round}"

    def knocked_out(self, field: Field, results: Sequence[GameResult]) -> dict[int, int]:
        """Who is out for good, with the stage, from 1, that was too much."""
        return {}

    def openings(self, field: Field) -> int:
        """How many openings there are, as far as that is known in advance."""
        return field.meetings

    def before(self, field: Field, round: int, results: Sequence[GameResult]) -> int:
        """How many meetings come before a round."""
        return len(results) // field.legs
