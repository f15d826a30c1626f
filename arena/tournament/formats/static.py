"""Formats whose meetings are all known in advance: round-robin, gauntlet and pyramid."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, product
from math import isqrt
from typing import Annotated, Any, ClassVar, Literal

from arena.errors import BadOption, suggestion
from arena.tournament.formats.format import (
    Field,
    Format,
    GameResult,
    Pairing,
    Ranking,
    Scored,
    setting,
)
from arena.tournament.numbered import Lazy

MOST_HEROES = 1000


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

    def pairings(
        self, field: Field, round: int, results: Sequence[GameResult] = ()
    ) -> Sequence[Pairing] | None:
        """The meetings of a round; results do not matter."""
        if not 1 <= round <= self.rounds(field):
            return None
        return self.everything(field)[self.start(field, round) : self.start(field, round + 1)]

    def pairs_that_meet(self, field: Field) -> Iterator[tuple[int, int]]:
        """All pairs that have games, each of them as many as the field says."""
        return combinations(range(field.players), 2)

    def round_in_words(
        self, field: Field, round: int, results: Sequence[GameResult], names: Sequence[str]
    ) -> str:
        """The round, of so many."""
        return f"round {round} of {self.rounds(field)}"

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
    def pair_count(self, field: Field) -> int:
        """How many pairs there are."""

    @abstractmethod
    def pair(self, field: Field, place: int) -> tuple[int, int]:
        """The pair at a place, from 0, in the order of play; who moves first in its first game."""

    def rounds(self, field: Field) -> int:
        """As many as two players have meetings."""
        return field.meetings

    def start(self, field: Field, round: int) -> int:
        """All rounds have the same length."""
        return (round - 1) * self.pair_count(field)

    def pairing(self, field: Field, place: int) -> Pairing:
        """Every pair once, then all of them again with the next opening."""
        meeting, place = divmod(place, self.pair_count(field))
        return Pairing(meeting + 1, *self.pair(field, place), meeting)


@dataclass(frozen=True)
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
        """Each of n players has n - 1 others to meet."""
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


class _HeroesInAFile:
    """How heroes are written: so many, or their names; a single name needs no list."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema  # not before a file is read

        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        name = {"type": "string", "minLength": 1}
        number = {"type": "integer", "minimum": 1, "maximum": MOST_HEROES}
        names = {"type": "array", "items": name, "minItems": 1}
        return {"anyOf": [number, name, names]}

    def read(self, value: Any) -> int | tuple[str, ...]:
        names = [value] if isinstance(value, str) else value
        if isinstance(names, list):
            if not names or not all(isinstance(name, str) for name in names):
                raise ValueError("how many heroes there are, or a list of their names")
            return tuple(name.strip() for name in names)
        if type(value) is not int or not 1 <= value <= MOST_HEROES:
            raise ValueError(f"a whole number from 1 to {MOST_HEROES}")
        return value


@dataclass(frozen=True)
class Gauntlet(EveryPairAgain):
    """The heroes, by default the first engine of the list, each meet all others.

    They do not meet each other. Heroes that are named are counted once the players are known.
    """

    heroes: Annotated[int | tuple[str, ...], _HeroesInAFile()] = setting(
        "Who meets all others: how many from the top of the list, or their names.",
        1,
        ["mcts", "my_bot"],
        default=1,
    )
    kind: Literal["gauntlet"] = "gauntlet"

    @property
    def count(self) -> int:
        """How many heroes there are."""
        return self.heroes if isinstance(self.heroes, int) else len(self.heroes)

    def misfits(self, names: Sequence[str]) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """Heroes must be players, each of them once, and all need an opponent."""
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

    def seat(self, names: Sequence[str]) -> tuple[Format, list[int]]:
        """The heroes at the top of the line-up."""
        heroes = () if isinstance(self.heroes, int) else self.heroes
        first = [names.index(name) for name in heroes]
        others = [place for place in range(len(names)) if place not in first]
        return replace(self, heroes=self.count), [*first, *others]

    def never_meet(self, names: Sequence[str], one: str, other: str) -> str | None:
        """Two who are no heroes never meet."""
        heroes = names[: self.count]
        return None if {one, other} & set(heroes) else f"the heroes are {', '.join(heroes)}"

    def check(self, field: Field) -> None:
        """There must be a hero and somebody to meet."""
        if not 1 <= self.count < field.players:
            raise BadOption(
                f"a gauntlet of {field.players} players has 1 to {field.players - 1} heroes, "
                f"not {self.heroes}"
            )

    def pairs_that_meet(self, field: Field) -> Iterator[tuple[int, int]]:
        """A hero and another."""
        return product(range(self.count), range(self.count, field.players))

    def pair_count(self, field: Field) -> int:
        """Each hero meets everybody who is none."""
        return self.count * (field.players - self.count)

    def pair(self, field: Field, place: int) -> tuple[int, int]:
        """The heroes in turn, each against another opponent: neighbours share as few as can be."""
        turn, hero = divmod(place, self.count)
        return hero, self.count + (turn - hero) % (field.players - self.count)


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
