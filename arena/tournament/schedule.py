"""From a tournament to its games: who sits first, which opening, which seed.

A schedule is a function, not a list: game N is computed when it is asked for, and it is the same
game on every machine and in every order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from arena.errors import BadOption
from arena.tournament.formats import FORMATS, Field, Format, Pairing, StaticFormat
from arena.tournament.games import GameResult, ScheduledGame
from arena.tournament.numbered import Lazy, derive_seed
from arena.tournament.openings import Openings


class Schedule:
    """All games of a tournament, numbered without gaps in the order of its rounds."""

    def __init__(
        self,
        format: Format,
        players: int,
        games: int,
        swap_seats: bool,
        openings: Openings,
        seed: int,
    ) -> None:
        self.format = format
        self.field = Field(players, games, swap_seats)
        format.check(self.field)
        self.openings = openings
        self.seed = seed
        # the meetings of a round share their openings
        self.opening = lru_cache(maxsize=64)(openings.opening)

    @property
    def needs_results(self) -> bool:
        """Whether who meets whom depends on the results of the rounds before."""
        return self.format.needs_results

    @property
    def total(self) -> int | None:
        """The number of games, None if it depends on the results."""
        return self.expected() if self.format.known_length else None

    @property
    def openings_needed(self) -> int:
        """How many openings the games have, as far as that is known before the first of them."""
        return self.format.openings(self.field)

    def expected(self, round: int = 1, results: Sequence[GameResult] = ()) -> int:
        """The number of games as far as the rounds before this one tell."""
        return self.format.expected(self.field, before(round, results)) * self.field.legs

    def games(self, round: int, results: Sequence[GameResult] = ()) -> Lazy[ScheduledGame] | None:
        """The games of a round, from 1; None when the tournament is over.

        Where results are needed they must hold all games of the rounds before; those of later
        rounds are not looked at, and their order does not matter.
        """
        earlier = before(round, results)
        pairings = self.format.pairings(self.field, round, earlier)
        if pairings is None:
            return None
        return self._numbered(pairings, self.format.before(self.field, round, earlier))

    def part(self, number: int, results: Sequence[GameResult] = ()) -> Lazy[ScheduledGame] | None:
        """The games that can be played without waiting: a round if results are needed, else all.

        Parts count from 1; None when the tournament is over.
        """
        if not isinstance(self.format, StaticFormat):
            return self.games(number, results)
        return self._numbered(self.format.everything(self.field), 0) if number == 1 else None

    def seats(self) -> Iterator[tuple[int, int]]:
        """Who moves first and who second in every game, where that is known beforehand."""
        if isinstance(self.format, StaticFormat):
            for pairing in self.format.everything(self.field):
                yield pairing.first, pairing.second
                if self.field.legs > 1:
                    yield pairing.second, pairing.first

    def round_in_words(
        self, round: int, results: Sequence[GameResult], names: Sequence[str]
    ) -> str:
        """A round as a viewer wants to hear it."""
        return self.format.round_in_words(self.field, round, before(round, results), names)

    def knocked_out(self, round: int, results: Sequence[GameResult]) -> dict[int, int]:
        """Who is out when a round begins, with the stage, from 1, that was too much."""
        return self.format.knocked_out(self.field, before(round, results))

    def _numbered(self, pairings: Sequence[Pairing], before: int) -> Lazy[ScheduledGame]:
        """Both games of each meeting, by their numbers."""
        first = before * self.field.legs + 1
        numbers = range(first, first + len(pairings) * self.field.legs)
        return NumberedGames(self, pairings, numbers)


class NumberedGames(Lazy[ScheduledGame]):
    """The games of some pairings by their numbers; those of one meeting follow each other."""

    __slots__ = ("_pairings", "_schedule", "_start")

    def __init__(self, schedule: Schedule, pairings: Sequence[Pairing], numbers: range) -> None:
        super().__init__(numbers, self._game)
        self._schedule, self._pairings, self._start = schedule, pairings, numbers.start

    def _game(self, number: int) -> ScheduledGame:
        return next(self.some([number]))

    def some(self, places: Iterable[int]) -> Iterator[ScheduledGame]:
        """The games of these numbers; a meeting is looked up once for both of its games."""
        schedule, last = self._schedule, -1
        legs, seed = schedule.field.legs, schedule.seed
        for number in places:
            place, leg = divmod(number - self._start, legs)
            if place != last:
                round_, first, second, at = self._pairings[place]
                opening, last = schedule.opening(at), place
            one, other = (second, first) if leg else (first, second)
            yield ScheduledGame(number, round_, one, other, opening, derive_seed(seed, number))


def before(round: int, results: Iterable[GameResult]) -> list[GameResult]:
    """The results of earlier rounds, sorted: the order in which games finished cannot matter."""
    return sorted((game for game in results if game.round < round), key=lambda game: game.number)


def format_of(canonical: Mapping[str, Any], players: int) -> tuple[Format, Field] | None:
    """The format of a tournament as its journal describes it; None if that says nothing."""
    try:
        settings = dict(canonical["format"])
        names = [player["name"] for player in canonical.get("engines", ())]
        kind = FORMATS[settings["kind"]](**settings).for_players(names)
        size = Field(players, canonical["games"], canonical["swap_seats"])
        kind.check(size)
    except (KeyError, TypeError, ValueError, BadOption):
        return None
    return kind, size
