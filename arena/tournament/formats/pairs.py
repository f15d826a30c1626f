"""Only those meet who are written down as a pair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from arena.errors import BadOption, suggestion
from arena.tournament.formats.format import Field, Format, setting
from arena.tournament.formats.static import EveryPairAgain

EXAMPLE = "[[A, B], [A, C]]"
MOST_NAMED = 5  # players in a sentence

Pair = tuple[str, str] | tuple[int, int]


class _PairsInAFile:
    """How pairs are written: a list of lists of two names; what is wrong is told of its item."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema as schema  # not before a file is read

        name = schema.no_info_plain_validator_function(self.read_name)
        pair = schema.no_info_before_validator_function(self.read_pair, schema.list_schema(name))
        return schema.no_info_before_validator_function(self.read, schema.list_schema(pair))

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        name = {"type": "string", "minLength": 1}
        pair = {"type": "array", "items": name, "minItems": 2, "maxItems": 2}
        return {"type": "array", "items": pair, "minItems": 1}

    def read(self, value: Any) -> Any:
        if not isinstance(value, list) or not any(isinstance(item, list) for item in value):
            raise ValueError(f"a list of pairs, as in {EXAMPLE}")
        return value

    def read_pair(self, value: Any) -> Any:
        if not isinstance(value, list):
            raise ValueError("two names, as in [A, B]")
        if len(value) != 2:
            raise ValueError(f"two names, as in [A, B], not {len(value)}")
        return value

    def read_name(self, value: Any) -> str:
        if not isinstance(value, str):
            raise ValueError("the name of a player, as text")
        return value.strip()


@dataclass(frozen=True)
class Pairs(EveryPairAgain):
    """The listed pairs meet, and nobody else does.

    Who is named first in a pair moves first, in every game where seats are not swapped. Players
    that are named become places in the line-up once that is known.
    """

    pairs: Annotated[tuple[Pair, ...], _PairsInAFile()] = setting(
        "The pairs that meet, in this order; the first of a pair moves first.",
        [["mcts", "random"], ["mcts", "reflex"]],
        missing=f"who meets, as in format: {{kind: pairs, pairs: {EXAMPLE}}}",
    )
    kind: Literal["pairs"] = "pairs"

    def __post_init__(self) -> None:
        object.__setattr__(self, "pairs", tuple(map(tuple, self.pairs)))  # from a journal: lists

    def settings(self, names: Sequence[str] = ()) -> dict[str, Any]:
        """The pairs by name: places mean nothing to a reader."""
        pairs = (
            [[names[place] for place in pair] for pair in self._seated()] if names else self.pairs
        )
        return {"kind": self.kind, "pairs": pairs}

    def misfits(self, names: Sequence[str]) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """Both of a pair must be players, no pair stands twice, and everybody needs one."""
        known, places = set(names), dict[frozenset[str | int], int]()
        sound = True
        for number, pair in enumerate(self.pairs):
            strangers = [place for place, name in enumerate(pair) if name not in known]
            for place in strangers:
                name = str(pair[place])
                sentence = f"no player is called {name!r}{suggestion(name, names)}"
                yield ("pairs", number, place), sentence
            sound = sound and not strangers
            first = places.setdefault(frozenset(pair), number)
            if pair[0] == pair[1]:
                sentence = f"{pair[0]!r} is paired with itself; expected two different names"
                yield ("pairs", number), sentence
            elif first != number:
                twice = f"{pair[0]!r} and {pair[1]!r} are a pair already, pairs[{first}]"
                yield ("pairs", number), f"{twice}; expected each pair once"
        alone = [name for name in names if name not in set().union(*places)]
        if sound and alone:
            yield ("pairs",), f"{_in_no_pair(alone)}; expected everybody in one, or not in engines"

    def seat(self, names: Sequence[str]) -> tuple[Format, list[int]]:
        """The players in the order of the list, and the pairs by their places in it."""
        place: dict[str | int, int] = {name: number for number, name in enumerate(names)}
        seated = tuple((place[one], place[other]) for one, other in self.pairs)
        return replace(self, pairs=seated), list(range(len(names)))

    def never_meet(self, names: Sequence[str], one: str, other: str) -> str | None:
        """Two who are no pair never meet."""
        player = names.index(one)
        met = [names[sum(pair) - player] for pair in self._seated() if player in pair]
        return None if other in met else f"{one} meets {', '.join(met)}"

    def check(self, field: Field) -> None:
        """Two different players in each pair, and no pair twice."""
        players = range(field.players)
        sound = all(
            len(pair) == 2 and pair[0] != pair[1] and set(pair) <= set(players)
            for pair in self.pairs
        )
        if not sound or not self.pairs or len(set(map(frozenset, self.pairs))) < len(self.pairs):
            raise BadOption(f"pairs of {field.players} players are two places in the line-up each")

    def pairs_that_meet(self, field: Field) -> Iterator[tuple[int, int]]:
        """The pairs themselves."""
        return iter(self._seated())

    def pair_count(self, field: Field) -> int:
        """As many as are listed."""
        return len(self.pairs)

    def pair(self, field: Field, place: int) -> tuple[int, int]:
        """In the order of the list; as written, the first named moves first."""
        return self._seated()[place]

    def _seated(self) -> tuple[tuple[int, int], ...]:
        return self.pairs  # type: ignore[return-value]


def _in_no_pair(names: Sequence[str]) -> str:
    """Who has nobody to meet, in words."""
    if len(names) == 1:
        return f"{names[0]} is in no pair"
    rest = len(names) - MOST_NAMED
    last = f"{rest} more" if rest > 0 else names[-1]
    first = names[:MOST_NAMED] if rest > 0 else names[:-1]
    return f"{', '.join(first)} and {last} are in no pair"
