"""Formats whose meetings are all known in advance: round-robin, gauntlet, pyramid and pairs."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations, product
from math import isqrt
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, PrivateAttr, WithJsonSchema
from pydantic import Field as Key

from arena.errors import BadOption, suggestion
from arena.tournament.formats.format import Field, Format, Pairing, Ranking, Scored, T
from arena.tournament.games import GameResult
from arena.tournament.mistakes import Trail
from arena.tournament.numbered import Lazy
from arena.tournament.values import Text, integral, misfit

MAX_HEROES = 1000
MAX_NAMED = 5  # players in a sentence


class StaticFormat(Format):
    """A format whose meetings are all known in advance, and each can be computed by its place."""

    needs_results: ClassVar[bool] = False

    @abstractmethod
    def rounds(self, field: Field) -> int:
        """How many rounds there are."""

    @abstractmethod
    def start(self, field: Field, round: int) -> int:
        """The place, from 0, of the first meeting of a round."""

    @abstractmethod
    def pairing(self, field: Field, place: int) -> Pairing:
        """The meeting at a place, from 0, in the whole tournament."""

    def pairs_that_meet(self, field: Field) -> Iterator[tuple[int, int]]:
        """All pairs that have games, each of them as many as the field says."""
        return combinations(range(field.players), 2)

    def everything(self, field: Field) -> Lazy[Pairing]:
        """The meetings of all rounds as one long sequence."""
        return Lazy(range(self.expected(field)), partial(self.pairing, field))

    def pairings(
        self, field: Field, round: int, results: Sequence[GameResult] = ()
    ) -> Sequence[Pairing] | None:
        if not 1 <= round <= self.rounds(field):
            return None
        return self.everything(field)[self.start(field, round) : self.start(field, round + 1)]

    def round_in_words(
        self, field: Field, round: int, results: Sequence[GameResult], names: Sequence[str]
    ) -> str:
        return f"round {round} of {self.rounds(field)}"

    def expected(self, field: Field, results: Sequence[GameResult] = ()) -> int:
        return self.start(field, self.rounds(field) + 1)

    def before(self, field: Field, round: int, results: Sequence[GameResult] = ()) -> int:
        return self.start(field, round)


class EveryPairAgain(StaticFormat):
    """A round is one meeting of every pair of the format, all with the same opening.

    So a tournament that is stopped early is still balanced.
    """

    @abstractmethod
    def pair_count(self, field: Field) -> int:
        """How many pairs there are."""

    @abstractmethod
    def pair(self, field: Field, place: int) -> tuple[int, int]:
        """The pair at a place, from 0, in the order of play; who moves first in its first game."""

    def rounds(self, field: Field) -> int:
        return field.meetings

    def start(self, field: Field, round: int) -> int:
        return (round - 1) * self.pair_count(field)

    def pairing(self, field: Field, place: int) -> Pairing:
        meeting, place = divmod(place, self.pair_count(field))
        return Pairing(meeting + 1, *self.pair(field, place), meeting)


class RoundRobin(EveryPairAgain):
    """Every engine meets every other.

    All pairs come in the order of the circle method: neighbours in it are different players. All
    sit in a circle, the last one in the middle; each meets the one opposite, then all move on by
    one seat. With an odd number nobody sits in the middle.
    """

    kind: Literal["round-robin"] = "round-robin"

    def ranking(self, field: Field, results: Sequence[GameResult], scored: Scored) -> Ranking:
        """By points a game: all have had the same opponents."""
        return Ranking(scored.by(scored.has_played, lambda player: scored.shares[player] or 0.0))

    def pair_count(self, field: Field) -> int:
        return field.players * (field.players - 1) // 2

    def pair(self, field: Field, place: int) -> tuple[int, int]:
        """Who sit opposite at a table after some turns of the circle, by the line-up."""
        circle = field.players - 1 + field.players % 2
        turn, table = divmod(place, field.players // 2)
        if field.players % 2:
            table += 1
        elif table == 0:
            return turn, circle
        one, other = (turn + table) % circle, (turn - table) % circle
        return min(one, other), max(one, other)


def _read_heroes(value: Any) -> int | tuple[str, ...]:
    """So many heroes, or their names; a single name needs no list."""
    names = [value] if isinstance(value, str) else value
    if isinstance(names, list | tuple):
        if not names or not all(isinstance(name, str) for name in names):
            raise misfit(value, "how many heroes there are, or a list of their names")
        return tuple(name.strip() for name in names)
    number = integral(value)
    if type(number) is not int or not 1 <= number <= MAX_HEROES:
        raise misfit(value, f"a whole number from 1 to {MAX_HEROES}")
    return number


_NAME = {"type": "string", "minLength": 1}
_HEROES: dict[str, Any] = {
    "anyOf": [
        {"type": "integer", "minimum": 1, "maximum": MAX_HEROES},
        _NAME,
        {"type": "array", "items": _NAME, "minItems": 1},
    ]
}


class Gauntlet(EveryPairAgain):
    """The heroes, by default the first engine of the list, each meet all others.

    They do not meet each other. Heroes that are named are counted once the players are known.
    """

    kind: Literal["gauntlet"] = "gauntlet"
    heroes: Annotated[
        int | tuple[str, ...], BeforeValidator(_read_heroes), WithJsonSchema(_HEROES)
    ] = Key(
        default=1,
        description="Who meets all others: how many from the top of the list, or their names.",
        examples=[1, ["mcts", "my_bot"]],
    )

    _first: tuple[int, ...] = PrivateAttr(default=())  # heroes named, as places in the list

    @property
    def count(self) -> int:
        """How many heroes there are."""
        return self.heroes if isinstance(self.heroes, int) else len(self.heroes)

    def check_names(self, names: Sequence[str]) -> Iterator[tuple[Trail, str]]:
        heroes = () if isinstance(self.heroes, int) else self.heroes
        for number, name in enumerate(heroes):
            if name not in names:
                hint = suggestion(name, names)
                yield ("heroes", number), f"no player is called {name!r}{hint}"
            elif name in heroes[:number]:
                yield ("heroes", number), f"{name!r} is there twice"
        if self.count >= len(names) and len({*heroes} & {*names}) == len(heroes):
            sentence = f"found {self.count} heroes among {len(names)} players"
            yield ("heroes",), f"{sentence}; expected at least one other"

    def for_players(self, names: Sequence[str]) -> Self:
        heroes = () if isinstance(self.heroes, int) else self.heroes
        counted = self.model_copy(update={"heroes": self.count})
        counted._first = tuple(names.index(name) for name in heroes)
        return counted

    def line_up(self, players: tuple[T, ...]) -> tuple[T, ...]:
        """The heroes first."""
        others = (player for n, player in enumerate(players) if n not in self._first)
        return (*(players[n] for n in self._first), *others)

    def never_meet(self, names: Sequence[str], one: str, other: str) -> str | None:
        heroes = self.line_up(tuple(names))[: self.count]
        return None if {one, other} & set(heroes) else f"the heroes are {', '.join(heroes)}"

    def check(self, field: Field) -> None:
        if not self.count < field.players:
            raise BadOption(
                f"a gauntlet of {field.players} players has 1 to {field.players - 1} heroes, "
                f"not {self.heroes}"
            )

    def pairs_that_meet(self, field: Field) -> Iterator[tuple[int, int]]:
        return product(range(self.count), range(self.count, field.players))

    def pair_count(self, field: Field) -> int:
        return self.count * (field.players - self.count)

    def pair(self, field: Field, place: int) -> tuple[int, int]:
        """The heroes in turn, each against another opponent: neighbours share as few as can be."""
        turn, hero = divmod(place, self.count)
        return hero, self.count + (turn - hero) % (field.players - self.count)


class Pyramid(StaticFormat):
    """Each engine, in the order of the list, meets all that stand before it.

    First it meets all of them once, then again. A round is the step of one newcomer, so what is
    played does not change when others are added at the end of the line-up.
    """

    kind: Literal["pyramid"] = "pyramid"

    def round_in_words(
        self, field: Field, round: int, results: Sequence[GameResult], names: Sequence[str]
    ) -> str:
        return f"{names[round]} joins, {round} of {self.rounds(field)}"

    def rounds(self, field: Field) -> int:
        return field.players - 1

    def start(self, field: Field, round: int) -> int:
        """The newcomers before had 1, 2, 3 ... players to meet."""
        return round * (round - 1) // 2 * field.meetings

    def pairing(self, field: Field, place: int) -> Pairing:
        """The newcomer of round k is player k, with k players before it."""
        newcomer = (1 + isqrt(1 + 8 * (place // field.meetings))) // 2
        meeting, opponent = divmod(place - self.start(field, newcomer), newcomer)
        return Pairing(newcomer, opponent, newcomer, meeting)


Pair = Annotated[tuple[Annotated[str, Text()], ...], Key(min_length=2, max_length=2)]


class Pairs(EveryPairAgain):
    """The listed pairs meet, and nobody else does.

    Who is named first in a pair moves first, in every game where seats are not swapped.
    """

    kind: Literal["pairs"] = "pairs"
    pairs: Annotated[tuple[Pair, ...], Key(min_length=1)] = Key(
        description="The pairs that meet, in this order; the first of a pair moves first.",
        examples=[[["mcts", "random"], ["mcts", "reflex"]]],
    )
    _places: tuple[tuple[int, int], ...] = PrivateAttr(default=())  # once the players are known

    def check_names(self, names: Sequence[str]) -> Iterator[tuple[Trail, str]]:
        """Both of a pair must be players, no pair stands twice, and everybody needs one."""
        known, places = set(names), dict[frozenset[str], int]()
        for number, pair in enumerate(self.pairs):
            for place, name in enumerate(pair):
                if name not in known:
                    hint = suggestion(name, names)
                    yield ("pairs", number, place), f"no player is called {name!r}{hint}"
            first = places.setdefault(frozenset(pair), number)
            if pair[0] == pair[1]:
                sentence = f"{pair[0]!r} is paired with itself; expected two different names"
                yield ("pairs", number), sentence
            elif first != number:
                twice = f"{pair[0]!r} and {pair[1]!r} are a pair already, pairs[{first}]"
                yield ("pairs", number), f"{twice}; expected each pair once"
        paired = set().union(*places)
        alone = [name for name in names if name not in paired]
        if alone and paired <= known:
            words = f"{_in_no_pair(alone)}; expected everybody in one, or not in engines"
            yield ("pairs",), words

    def for_players(self, names: Sequence[str]) -> Self:
        place = {name: number for number, name in enumerate(names)}
        copy = self.model_copy()
        copy._places = tuple((place[one], place[other]) for one, other in self.pairs)
        return copy

    def never_meet(self, names: Sequence[str], one: str, other: str) -> str | None:
        met = [name for pair in self.pairs if one in pair for name in pair if name != one]
        return None if other in met else f"{one} meets {', '.join(met)}"

    def check(self, field: Field) -> None:
        if not self._places or max(map(max, self._places)) >= field.players:
            raise BadOption(f"the pairs are not those of {field.players} players")

    def pairs_that_meet(self, field: Field) -> Iterator[tuple[int, int]]:
        return iter(self._places)

    def pair_count(self, field: Field) -> int:
        return len(self._places)

    def pair(self, field: Field, place: int) -> tuple[int, int]:
        return self._places[place]


def _in_no_pair(names: Sequence[str]) -> str:
    """Who has nobody to meet, in words."""
    if len(names) == 1:
        return f"{names[0]} is in no pair"
    rest = len(names) - MAX_NAMED
    last = f"{rest} more" if rest > 0 else names[-1]
    first = names[:MAX_NAMED] if rest > 0 else names[:-1]
    return f"{', '.join(first)} and {last} are in no pair"
