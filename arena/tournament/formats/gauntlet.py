"""A few against all the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

from arena.errors import BadOption, suggestion
from arena.tournament.formats.format import EveryPairAgain, Field, Format, Misfit

MOST = 1000  # heroes


class _HeroesInAFile:
    """How heroes are written: so many, or their names; a single name needs no list."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema  # not before a file is read

        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        name = {"type": "string", "minLength": 1}
        number = {"type": "integer", "minimum": 1, "maximum": MOST}
        names = {"type": "array", "items": name, "minItems": 1}
        return {"anyOf": [number, name, names]}

    def read(self, value: Any) -> int | tuple[str, ...]:
        names = [value] if isinstance(value, str) else value
        if isinstance(names, list):
            if not names or not all(isinstance(name, str) for name in names):
                raise ValueError("how many heroes there are, or a list of their names")
            return tuple(name.strip() for name in names)
        if type(value) is not int or not 1 <= value <= MOST:
            raise ValueError(f"a whole number from 1 to {MOST}")
        return value


@dataclass(frozen=True)
class Gauntlet(EveryPairAgain):
    """The heroes, by default the first engine of the list, each meet all others.

    They do not meet each other. Heroes that are named are counted once the players are known.
    """

    heroes: Annotated[int | tuple[str, ...], _HeroesInAFile()] = field(
        default=1,
        metadata={
            "description": "Who meets all others: how many from the top of the list, or their "
            "names.",
            "examples": [1, ["mcts", "my_bot"]],
        },
    )
    kind: Literal["gauntlet"] = "gauntlet"

    @property
    def count(self) -> int:
        """How many heroes there are."""
        return self.heroes if isinstance(self.heroes, int) else len(self.heroes)

    def misfits(self, names: Sequence[str]) -> Iterator[Misfit]:
        """Heroes must be players, each of them once, and all need an opponent."""
        heroes = () if isinstance(self.heroes, int) else self.heroes
        wrong = False
        for number, name in enumerate(heroes):
            if name not in names:
                sentence = f"no player is called {name!r}{suggestion(name, names)}"
            elif name in heroes[:number]:
                sentence = f"{name!r} is there twice"
            else:
                continue
            wrong = True
            yield Misfit(("heroes", number), sentence)
        if self.count >= len(names) and not wrong:
            sentence = f"found {self.count} heroes among {len(names)} players"
            yield Misfit(("heroes",), f"{sentence}; expected at least one other")

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

    def pairs(self, field: Field) -> int:
        """Each hero meets everybody who is none."""
        return self.count * (field.players - self.count)

    def pair(self, field: Field, place: int) -> tuple[int, int]:
        """The heroes in turn, each against another opponent: neighbours share as few as can be."""
        turn, hero = divmod(place, self.count)
        return hero, self.count + (turn - hero) % (field.players - self.count)
