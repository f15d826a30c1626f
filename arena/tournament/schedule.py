"""From a tournament to its games: who sits first, which opening, which seed.

A schedule is a function, not a list: game N is computed when it is asked for, and it is the same
game on every machine and in every order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from functools import lru_cache, partial
from types import SimpleNamespace
from typing import Any, NamedTuple, Protocol

from arena.errors import BadOption, UnknownName
from arena.game.rules import Rules
from arena.tournament.balanced import Balanced, Scores
from arena.tournament.formats import (
    Field,
    Format,
    GameResult,
    Gauntlet,
    Knockout,
    Pairing,
    Pyramid,
    RoundRobin,
    StaticFormat,
    Swiss,
)
from arena.tournament.lazy import Lazy
from arena.tournament.openings import EveryLine, FromList, NoOpenings, Openings, RandomPlies
from arena.tournament.seed import derive_seed

__all__ = ["GameResult", "Schedule", "ScheduledGame", "format_of", "make_schedule"]


class ScheduledGame(NamedTuple):
    """A game to be played: its number and round, from 1, the players as places in the line-up.

    `first` moves first, after the columns of the opening; the seed is for the engines.
    """

    number: int
    round: int
    first: int
    second: int
    opening: tuple[int, ...]
    seed: int


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
        self._opening = lru_cache(maxsize=64)(openings.opening)

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

    def round(
        self, number: int, results: Sequence[GameResult] = ()
    ) -> Iterator[ScheduledGame] | None:
        """The games of a round, from 1; None when the tournament is over.

        Where results are needed they must hold all games of the rounds before; those of later
        rounds are not looked at, and their order does not matter.
        """
        games = self.games(number, results)
        return None if games is None else iter(games)

    def games(self, round: int, results: Sequence[GameResult] = ()) -> Lazy[ScheduledGame] | None:
        """The same as a sequence, whose games are made when they are asked for."""
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

    def _numbered(self, pairings: Sequence[Pairing], before: int) -> Lazy[ScheduledGame]:
        """Both games of each meeting, by their numbers."""
        legs = self.field.legs
        first = before * legs + 1
        numbers = range(first, first + len(pairings) * legs)
        return Lazy(numbers, partial(self._game, pairings, first))

    def _game(self, pairings: Sequence[Pairing], start: int, number: int) -> ScheduledGame:
        place, leg = divmod(number - start, self.field.legs)
        pairing = pairings[place]
        first, second = pairing.first, pairing.second
        if leg:
            first, second = second, first
        opening, seed = self._opening(pairing.opening), derive_seed(self.seed, number)
        return ScheduledGame(number, pairing.round, first, second, opening, seed)


def before(round: int, results: Iterable[GameResult]) -> list[GameResult]:
    """The results of earlier rounds, sorted: the order in which games finished cannot matter."""
    return sorted((game for game in results if game.round < round), key=lambda game: game.number)


class Choice(Protocol):
    """A choice in a tournament file; the settings that belong to it are its other attributes."""

    @property
    def kind(self) -> str:
        """What was chosen."""


class Tournament(Protocol):
    """What a schedule needs to know of a tournament."""

    @property
    def rules(self) -> Rules:
        """The game."""

    @property
    def format(self) -> Choice:
        """Who meets whom."""

    @property
    def openings(self) -> Choice:
        """How games begin."""

    @property
    def players(self) -> Sized:
        """The line-up."""

    @property
    def games(self) -> int:
        """How many games two players have when they are paired."""

    @property
    def swap_seats(self) -> bool:
        """Whether each opening is played from both sides."""

    @property
    def seed(self) -> int:
        """The source of all chance."""


FORMATS: dict[str, Callable[[Any], Format]] = {
    "round-robin": lambda choice: RoundRobin(),
    "gauntlet": lambda choice: Gauntlet(choice.heroes),
    "swiss": lambda choice: Swiss(choice.rounds),
    "knockout": lambda choice: Knockout(choice.tiebreaks),
    "pyramid": lambda choice: Pyramid(),
}

OPENINGS: dict[str, Callable[[Any, Rules, int], Openings]] = {
    "none": lambda choice, rules, seed: NoOpenings(),
    "every": lambda choice, rules, seed: EveryLine(rules, choice.plies, seed),
    "random": lambda choice, rules, seed: RandomPlies(rules, choice.plies, seed),
    "balanced": lambda choice, rules, seed: Balanced(
        rules, choice.plies, Scores(choice.least, choice.most), seed
    ),
    "file": lambda choice, rules, seed: FromList(choice.lines, seed),
}


def format_of(canonical: Mapping[str, Any], players: int) -> tuple[Format, Field] | None:
    """The format of a tournament as its journal describes it; None if that says nothing."""
    try:
        chosen = SimpleNamespace(**canonical["format"])
        size = Field(players, canonical["games"], canonical["swap_seats"])
        kind = FORMATS[chosen.kind](chosen)
        kind.check(size)
    except (KeyError, TypeError, AttributeError, BadOption):
        return None
    return kind, size


def make_schedule(tournament: Tournament) -> Schedule:
    """The schedule of a tournament."""
    chosen, openings = tournament.format, tournament.openings
    if chosen.kind not in FORMATS:
        raise UnknownName("format", chosen.kind, FORMATS)
    if openings.kind not in OPENINGS:
        raise UnknownName("kind of openings", openings.kind, OPENINGS)
    return Schedule(
        FORMATS[chosen.kind](chosen),
        len(tournament.players),
        tournament.games,
        tournament.swap_seats,
        OPENINGS[openings.kind](openings, tournament.rules, tournament.seed),
        tournament.seed,
    )
