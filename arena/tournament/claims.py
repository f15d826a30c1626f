"""What is said about figures: expectations, published values, claims, and the question.

A quantity stays as it is written; `Bound` and `Published.value` have it in the figure's unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, WithJsonSchema

from arena.engine.limits import read_duration
from arena.errors import suggestion
from arena.tournament.figures import COUNTED, EVERYBODY, EXAMPLE, Context, Figure, Misfit, Unit
from arena.tournament.mistakes import Trail, described
from arena.tournament.values import (
    MANY,
    Count,
    Names,
    Part,
    Real,
    Text,
    in_words,
    invalid,
    is_number,
    misfit,
    optional,
)

BOUNDS = ("at_least", "at_most", "between", "more_than", "less_than")
QUANTITIES: dict[Unit, str] = {
    "share": "a share such as 90% or 0.9",
    "games": "a number of games, or a share such as 90%",
    "moves": "a number of moves, or a share such as 5%",
    "seconds": "a time such as 100ms or 0.5",
    "number": "a number",
    "elo": "an Elo difference",
}
UNITS = {"share": "shares", "elo": "Elo", "number": "plain numbers"}  # those that are not so called
PERCENT = re.compile(r"([-+]?[0-9]+(?:\.[0-9]+)?)\s*%")


def _read_quantity(value: Any) -> str | float:
    if isinstance(value, str):
        return value
    if not is_number(value):
        raise misfit(value, "a number, a share such as 90%, or a time such as 100ms")
    return float(value)


def _read_between(value: Any) -> Any:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise misfit(value, "the lower and the upper end, as in [40%, 60%]")
    return value


_QUANTITY = {"anyOf": [{"type": "number"}, {"type": "string"}]}
_BETWEEN = {"type": "array", "items": _QUANTITY, "minItems": 2, "maxItems": 2}
Quantity = Annotated[str | float, BeforeValidator(_read_quantity), WithJsonSchema(_QUANTITY)]
Between = Annotated[
    tuple[Quantity, Quantity], BeforeValidator(_read_between), WithJsonSchema(_BETWEEN)
]


def _share(least: float) -> BeforeValidator:
    """A share from a lower bound to below 1, as 95% or 0.95."""

    def read(value: Any) -> float:
        match = PERCENT.fullmatch(value.strip()) if isinstance(value, str) else None
        share = float(match[1]) / 100 if match else value
        if not is_number(share) or not least <= share < 1:
            raise misfit(value, f"a share from {100 * least:g}% to below 100%")
        return float(share)

    return BeforeValidator(read)


Confidence = Annotated[float, _share(0.5), WithJsonSchema(_QUANTITY)]
Tolerance = Annotated[float, _share(0), WithJsonSchema(_QUANTITY)]


class Bound(NamedTuple):
    """Where a figure is expected, in its unit, or on one side of another figure."""

    at_least: float | None = None
    at_most: float | None = None
    more_than: Figure | None = None
    less_than: Figure | None = None

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The other figures that it names."""
        return tuple(each for each in (self.more_than, self.less_than) if each is not None)


class Claim(Figure):
    """A figure, and what is said about it."""

    at_least: Quantity | None = optional("Lower bound.", "90%")
    at_most: Quantity | None = optional("Upper bound.", "100ms")
    between: Between | None = optional("Lower and upper bound.", ["40%", "60%"])
    more_than: Figure | None = optional("A figure that must be smaller.")
    less_than: Figure | None = optional("A figure that must be larger.")

    @property
    def figure(self) -> Figure:
        """The figure alone."""
        return Figure.model_construct(**{key: getattr(self, key) for key in Figure.model_fields})

    @property
    def figures(self) -> tuple[Figure, ...]:
        """All that has to be measured."""
        others = (self.more_than, self.less_than)
        return self.figure, *(each for each in others if each is not None)

    @property
    def bounds(self) -> list[str]:
        """The keys of the bounds that it names."""
        return [name for name in BOUNDS if getattr(self, name) is not None]

    @property
    def bound(self) -> Bound | None:
        """Where the figure is expected; None if that is not said."""
        if not self.bounds:
            return None
        low, high = self.between or (self.at_least, self.at_most)
        return Bound(
            None if low is None else self._in_unit(low, "between" if self.between else "at_least"),
            None if high is None else self._in_unit(high, "between" if self.between else "at_most"),
            self.more_than,
            self.less_than,
        )

    def resolve(self, context: Context) -> list[Self]:
        """This claim of each player that it names, with everybody in it by name."""
        return [each._resolve_bound(context) for each in super().resolve(context)]

    def _resolve_bound(self, context: Context) -> Self:
        given = self.bounds
        if len(given) > 1 and given != ["at_least", "at_most"]:
            raise Misfit((given[1],), f"stands beside {given[0]}; expected one of the two")
        bound = self.bound or Bound()
        low, high = bound.at_least, bound.at_most
        if low is not None and high is not None and low > high:
            raise Misfit((given[-1],), "is below the lower end; expected the lower one first")
        others = {key: getattr(self, key) for key in given if key in ("more_than", "less_than")}
        for key, other in others.items():
            others[key] = other.resolve_one(context, (key,))
            units = [UNITS.get(each.unit, each.unit) for each in (self, others[key])]
            if units[0] != units[1]:
                sentence = f"is a figure in {units[1]}, the other one in {units[0]}"
                raise Misfit((key,), f"{sentence}; expected two of a kind")
        return self.model_copy(update=others)

    @property
    def _quantities(self) -> list[str | float]:
        given = [self.at_least, self.at_most, *(self.between or ())]
        return [value for value in given if value is not None]

    @property
    def _is_in_percent(self) -> bool:
        texts = [each.strip() for each in self._quantities if isinstance(each, str)]
        return self.over is None and any(map(PERCENT.fullmatch, texts))

    def _in_unit(self, value: str | float, key: str) -> float:
        """A number in the unit of the figure."""
        number: float | None = None
        if not isinstance(value, str):
            number = value
        elif match := PERCENT.fullmatch(value.strip()):
            if self.unit == "share" or self.over is not None:
                number = float(match.group(1)) / 100
        elif self.unit == "seconds":
            number = read_duration(value)
        if number is None or (self.unit == "share" and not 0 <= number <= 1):
            is_count = self.take in COUNTED and number is None
            unit = self.kind.unit if is_count else self.unit
            expected = QUANTITIES["number" if self.over is not None else unit]
            found = described(value) if isinstance(value, str) else f"{value:g}"
            raise Misfit((key,), f"found {found}; expected {expected}")
        return number


class Expectation(Claim):
    """A figure and what is expected of it; with confidence, beyond the luck of the games."""

    model_config = in_words(f"a mapping such as {EXAMPLE}")

    confidence: Confidence | None = optional(
        "Required confidence that the check holds beyond these games; without it, only these games "
        "count.",
        "95%",
    )
    points: Annotated[float, Real(0, MANY, is_open=True)] | None = optional(
        "Points for passing, in a grade.", 2
    )
    name: Annotated[str, Text(200)] | None = optional("Display name.", "beats random")

    @property
    def bound(self) -> Bound:
        """Where the figure is expected."""
        return super().bound or Bound()

    def _resolve_bound(self, context: Context) -> Self:
        if not self.bounds:
            raise Misfit((), f"does not say what is expected; add one of {', '.join(BOUNDS)}")
        resolved = super()._resolve_bound(context)
        for figure in resolved.figures if self.confidence is not None else ():
            if not figure.has_interval:
                what = f"{figure.take or ''} {figure.measure}".strip()
                sentence = f"{what} has no interval; expected none beside it"
                raise Misfit(("confidence",), sentence)
        return resolved


class Published(Claim):
    """A figure as a source has it: its value, or a claim."""

    model_config = in_words(
        "a mapping such as {score: A against B, value: 75%, of: 100, source: table 1}"
    )

    printed: Quantity | None = Field(
        default=None, alias="value", description="The published value.", examples=["75%"]
    )
    of_games: Count | None = Field(
        default=None, alias="of", description="Number of published games.", examples=[100]
    )
    within: Tolerance | None = optional(
        "Tolerance if the number of games is unknown: percentage points of a share, or a fraction "
        "of any other value.",
        "10%",
    )
    source: Annotated[str, Text(200)] = Field(
        description="Where it was published.", examples=["Blair 2011, section 3"]
    )
    status: Literal["source", "alternative", "ours", "given"] = Field(
        default="source",
        description="Whose claim it is. Only those of the source are counted; not alternative ways "
        "to read it, hypotheses of ours, or what is given by construction.",
    )
    note: Annotated[str, Text(500)] = Field(
        default="", description="What cannot be repeated here, and what is compared instead."
    )

    @property
    def source_words(self) -> str:
        """The source, and whose claim it is if not the source's."""
        return self.source if self.status == "source" else f"{self.source} ({self.status})"

    @property
    def value(self) -> float | None:
        """The published value in the unit of the figure; of wins, draws or losses the share."""
        if self.printed is None:
            return None
        if not self.of_games or self.take != "share" or isinstance(self.printed, str):
            return self._in_unit(self.printed, "value")
        if not 0 <= self.printed <= self.of_games:
            sentence = f"found {self.printed:g}; expected a number from 0 to {self.of_games}"
            raise Misfit(("value",), sentence)
        return self.printed / self.of_games

    @property
    def _is_in_percent(self) -> bool:
        return super()._is_in_percent or (self.printed is not None and bool(self.of_games))

    @property
    def _quantities(self) -> list[str | float]:
        return [*super()._quantities, *([] if self.printed is None else [self.printed])]

    def _resolve_bound(self, context: Context) -> Self:
        resolved = super()._resolve_bound(context)
        if (resolved.value is None) == (not self.bounds):
            bounds = f"{', '.join(BOUNDS[:-1])} or {BOUNDS[-1]}"
            raise Misfit((), f"expected either value, or what is claimed: {bounds}")
        return resolved


class Aims(Part):
    """The figures of a tournament: to show, to hold, and to compare with published ones."""

    about: str = ""
    shown: tuple[Figure, ...] = ()
    expect: tuple[Expectation, ...] = ()
    published: tuple[Published, ...] = ()
    early: bool = False  # whether the run may end when all expectations are decided

    def __bool__(self) -> bool:
        return bool(self.about or self.shown or self.expect or self.published)

    def figures(self) -> tuple[Figure, ...]:
        """Every figure that has to be measured, once."""
        claims: tuple[Claim, ...] = (*self.expect, *self.published)
        named = (figure for claim in claims for figure in claim.figures)
        return tuple(dict.fromkeys((*self.shown, *named)))

    def measures(self) -> frozenset[str]:
        """All that is measured."""
        parts = list(self.figures())
        for figure in parts:
            parts += [] if figure.over is None else [figure.over]
        return frozenset(figure.measure for figure in parts)

    def plain(self) -> dict[str, Any] | None:
        """All of it as the journal keeps it; None if there is nothing."""
        data = self.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        return data if self else None

    @classmethod
    def read(cls, data: Any, players: Sequence[str]) -> Aims:
        """The aims of a journal; nothing where it has others, or is about other players."""
        try:
            aims = cls.model_validate(_upgrade(data or {}))
            named = {name for figure in aims.figures() for name in figure.players}
            for claim in (*aims.expect, *aims.published):
                _ = claim.bound, getattr(claim, "value", None)
        except (ValueError, Misfit, AttributeError, IndexError, TypeError, RecursionError):
            return NO_AIMS
        return aims if named <= set(players) else NO_AIMS


NO_AIMS = Aims()


def _upgrade(data: Any) -> Any:
    """The aims of a journal of an earlier version, with every figure as a file has it now."""
    if isinstance(data, list):
        return [_upgrade(each) for each in data]
    if not isinstance(data, Mapping):
        return data
    plain = {key: _upgrade(value) for key, value in data.items()}
    if "measure" in plain:
        plain[str(plain.pop("measure"))] = plain.pop("of", EVERYBODY)
    if isinstance(plain.get("figure"), Mapping):
        games = {"of": plain.pop("games")} if "games" in plain else {}
        plain |= {**plain.pop("figure"), **plain.pop("bound", {}), **games}
        if games and plain.get("take") == "share" and "value" in plain:
            plain["value"] = f"{100 * plain['value']:.15g}%"
    return plain


def _check_mark(ask: str) -> str:
    if not ask.endswith("?"):
        raise invalid("found no question mark at the end; expected a question that ends with ?")
    return ask


class Question(Part):
    """What the tournament is played to find out: are some engines better than others?"""

    model_config = in_words('a mapping such as {ask: "Is A stronger?", better: A, than: [B, C]}')

    ask: Annotated[str, Text(200), AfterValidator(_check_mark)] = Field(
        description="The question. The answer is yes, no, or not decided.",
        examples=["Would you play better using it?"],
    )
    better: Names = Field(
        description="Players that may be better; the best is compared with the best of than.",
        examples=["my_bot"],
    )
    than: Names = Field(default=(), description="Those to compare with; by default all the others.")

    @property
    def pairs(self) -> int:
        """In how many ways one of each side can be held against each other."""
        return len(self.better) * len(self.than)

    def resolve_names(self, players: Sequence[str]) -> Question:
        """The question about these players, with everybody on a side by name."""
        others = tuple(name for name in players if name not in self.better)
        return self.model_copy(update={"than": self.than or others})

    def check_names(self, players: Sequence[str]) -> Iterator[tuple[Trail, str]]:
        """What is wrong with it for these players."""
        sides: dict[str, str] = {}  # of the names so far
        for side in ("better", "than"):
            for number, name in enumerate(getattr(self, side)):
                if name not in players:
                    sentence = f"no player is called {name!r}{suggestion(name, players)}"
                    yield (side, number), sentence
                elif name in sides:
                    twice = "there twice" if sides[name] == side else f"in {sides[name]} too"
                    sentence = f"{name!r} is {twice}; expected each player on one side, once"
                    yield (side, number), sentence
                sides[name] = side
        if not self.than and sides.keys() >= set(players):
            sentence = "found every player; expected at least one other to compare with"
            yield ("better",), sentence

    @classmethod
    def read(cls, data: Any, players: Sequence[str]) -> Question | None:
        """The question of a journal; None without one, or if it is not about these players."""
        try:
            question = cls.model_validate(data)
        except ValidationError:
            return None
        is_about_them = question.than and not any(question.check_names(players))
        return question if is_about_them else None
