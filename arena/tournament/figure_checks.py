"""From the entries under `expect` and `published` to figures of the players of a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from arena.errors import suggestion
from arena.game.rules import Rules
from arena.tournament.figure_entry import (
    EXAMPLE,
    WHOSE,
    ExpectEntry,
    FigureEntry,
    PublishedEntry,
)
from arena.tournament.figures import (
    CAUSES,
    COUNTED,
    DIAGONAL,
    EVERYBODY,
    FAULT,
    MEASURES,
    Bound,
    Expectation,
    Figure,
    Published,
    Unit,
)
from arena.tournament.mistakes import Trail, described
from arena.tournament.values import read_duration

KEYS = ("against", "seat", "take", "move", "by", "when")
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

Wrong = tuple[Trail, str]  # where a mistake stands, and the sentence about it


class Place(NamedTuple):
    """The list that an entry stands in, and what it is about."""

    key: str
    names: Sequence[str]
    rules: Rules
    never_meet: Callable[[str, str], str | None] = lambda one, other: None  # why, if so


class Mistaken(Exception):
    """A figure that cannot be: where in its entry, and the sentence."""

    def __init__(self, at: Trail, sentence: str) -> None:
        super().__init__(sentence)
        self.at, self.sentence = at, sentence


def figures(
    entries: Sequence[tuple[int, FigureEntry]], place: Place, wrong: list[Wrong]
) -> Iterator[Figure]:
    """The figures of a file that are told alone; one of several players is one each."""
    for number, entry in entries:
        try:
            yield from _figures(entry, place)
        except Mistaken as error:
            wrong.append(((place.key, number, *error.at), error.sentence))


def expectations(
    entries: Sequence[tuple[int, ExpectEntry]], place: Place, wrong: list[Wrong]
) -> Iterator[Expectation]:
    """The expectations of a file; one of several players is one each. Mistakes are noted."""
    for number, entry in entries:
        try:
            for figure in _figures(entry, place, _wants_share(entry, *_limits(entry))):
                bound = _bound(entry, figure, place)
                if bound is None:
                    raise Mistaken(
                        (), f"does not say what is expected; add one of {', '.join(BOUNDS)}"
                    )
                confidence = _confidence(entry, [figure, *bound.figures])
                yield Expectation(figure, bound, confidence, entry.points, entry.name or "")
        except Mistaken as error:
            wrong.append(((place.key, number, *error.at), error.sentence))


def publications(
    entries: Sequence[tuple[int, PublishedEntry]], place: Place, wrong: list[Wrong]
) -> Iterator[Published]:
    """The published figures of a file. Mistakes are noted."""
    for number, entry in entries:
        try:
            values = [entry.value] if entry.value is not None else []
            as_share = _wants_share(entry, *values, *_limits(entry)) or bool(values and entry.of)
            for figure in _figures(entry, place, as_share):
                bound = _bound(entry, figure, place)
                if (entry.value is None) == (bound is None):
                    raise Mistaken((), "expected either value, or what is claimed: at_least, "
                                       "at_most, between, more_than or less_than")  # fmt: skip
                value = None if entry.value is None else _printed(entry.value, figure, entry.of)
                within = None if entry.within is None else _percentage(entry.within, "within", 0)
                yield Published(
                    figure, entry.source, value, entry.of, bound, within, entry.note or ""
                )
        except Mistaken as error:
            wrong.append(((place.key, number, *error.at), error.sentence))


def _printed(value: str | float, figure: Figure, of: int | None) -> float:
    """A published value; a number of games is a share of those that were played."""
    if of and figure.take == "share" and not isinstance(value, str):
        if not 0 <= value <= of:
            raise Mistaken(("value",), f"found {value:g}; expected a number from 0 to {of}")
        return value / of
    return _quantity(value, figure, "value")


def _limits(entry: ExpectEntry | PublishedEntry) -> list[str | float]:
    given = [entry.at_least, entry.at_most, *(entry.between or ())]
    return [value for value in given if value is not None]


def _wants_share(entry: FigureEntry, *quantities: str | float) -> bool:
    """Whether a count is meant as a share, as it is held against one."""
    is_share = any(isinstance(each, str) and PERCENT.fullmatch(each.strip()) for each in quantities)
    return is_share and entry.over is None


# ---- a figure


def _figures(entry: FigureEntry, place: Place, as_share: bool = False) -> list[Figure]:
    """The figure of an entry; of each player, where several are named by a pattern."""
    if len(entry.measures) != 1:
        found = " and ".join(entry.measures) or "none"
        raise Mistaken((), f"found {found}; expected one figure, as in {EXAMPLE}")
    name = entry.measures[0]
    measure = MEASURES[name]
    _check_keys(entry, name)
    players, against, seat = _whose(getattr(entry, name), name, place)
    if entry.against is not None:
        if against:
            raise Mistaken(("against",), f"stands in {name} too; expected it once")
        listed = [entry.against] if isinstance(entry.against, str) else entry.against
        several = isinstance(entry.against, list)
        for at, each in enumerate(listed):
            against += _named(each, place, ("against", at) if several else ("against",))
    if seat and entry.seat:
        raise Mistaken(("seat",), f"stands in {name} too; expected it once")
    if (against and "against" not in measure.keys) or (seat and "seat" not in measure.keys):
        what = "against" if against and "against" not in measure.keys else "as"
        raise Mistaken((name,), f"found {what!r}; {name} is that of all games of a player")
    if name == "elo" and len(against) > 1:
        raise Mistaken((name,), f"found {len(against)} opponents; expected one, or none")
    if len(players) > 1:  # by a pattern, which may fit opponents too
        players = [player for player in players if player not in against] or players
    for player in players:
        _check_meeting(player, against, name, place)
    take = entry.take or ("share" if as_share and "share" in measure.takes else "")
    over = None if entry.over is None else _one(entry.over, place, ("over",))
    return [
        Figure(
            name, player, tuple(against), entry.seat or seat, take or next(iter(measure.takes), ""),
            _by(entry, place), entry.when or "", entry.move, over,
        )
        for player in players
    ]  # fmt: skip


def _check_meeting(player: str, against: Sequence[str], key: str, place: Place) -> None:
    """Refuse a figure of games that are never played."""
    if player in against:
        raise Mistaken((key,), f"{player!r} does not play against itself")
    reasons = [place.never_meet(player, other) if player else None for other in against]
    if reasons and all(reasons):
        raise Mistaken((key,), f"{player} and {against[0]} never meet; {reasons[0]}")


def _one(entry: FigureEntry, place: Place, at: Trail) -> Figure:
    """A figure within another entry, of one player."""
    try:
        figures = _figures(entry, place)
    except Mistaken as error:
        raise Mistaken((*at, *error.at), error.sentence) from None
    if len(figures) != 1:
        raise Mistaken(at, f"stands for {len(figures)} players; expected one")
    return figures[0]


def _check_keys(entry: FigureEntry, name: str) -> None:
    """Refuse what says nothing about this measure."""
    measure = MEASURES[name]
    for key in KEYS:
        if getattr(entry, key) is None or key in measure.keys:
            continue
        if key != "take":
            others = [other for other, each in MEASURES.items() if key in each.keys]
            raise Mistaken((key,), f"goes with {', '.join(others)}; found it beside {name}")
        if entry.take not in measure.takes:
            expected = f"one of {', '.join(measure.takes)}" if measure.takes else "none"
            raise Mistaken((key,), f"found {entry.take}; {name} has {expected}")


def _by(entry: FigureEntry, place: Place) -> str:
    """A cause of losses and wins, or the direction of a winning line."""
    if entry.by is None:
        return ""
    lines = dict.fromkeys(each.name_on(place.rules.is_flat) for each in place.rules.directions)
    known = [*CAUSES, FAULT, *lines, DIAGONAL]
    if entry.by not in known:
        raise Mistaken(("by",), f"unknown end {entry.by!r}{suggestion(entry.by, known)}")
    return entry.by


def _whose(text: str, key: str, place: Place) -> tuple[list[str], list[str], Any]:
    """ "A against B as first" as players, opponents and seat; names may hold these words too."""
    if _matches(text, place.names):
        return _matches(text, place.names), [], ""
    if text == EVERYBODY:
        if not MEASURES[key].of_all:
            raise Mistaken((key,), f"found all; expected {WHOSE.partition(';')[0]}")
        return [""], [], ""
    for seat in ("first", "second"):
        if text.endswith(f" as {seat}"):
            players, against, _ = _whose(text.removesuffix(f" as {seat}").rstrip(), key, place)
            return players, against, seat
    parts = text.split(" against ")
    for cut in range(1, len(parts)):
        sides = " against ".join(parts[:cut]), " against ".join(parts[cut:])
        players, others = (_matches(side.strip(), place.names) for side in sides)
        if players and others:
            return players, others, ""
    one, _, other = text.partition(" against ")
    _named(one.strip(), place, (key,))
    return [], _named(other.strip(), place, (key,)), ""


def _named(name: str, place: Place, at: Trail) -> list[str]:
    if not (found := _matches(name, place.names)):
        raise Mistaken(at, f"no player is called {name!r}{suggestion(name, place.names)}")
    return found


def _matches(name: str, names: Sequence[str]) -> list[str]:
    """The player of this name; or all that a pattern such as *.py fits."""
    return [name] if name in names else [each for each in names if fnmatchcase(each, name)]


# ---- what is said about it


def _bound(entry: ExpectEntry | PublishedEntry, figure: Figure, place: Place) -> Bound | None:
    """Where the figure is expected; None if that is not said."""
    given = [name for name in BOUNDS if getattr(entry, name) is not None]
    if not given:
        return None
    if len(given) > 1 and given != ["at_least", "at_most"]:
        raise Mistaken((given[1],), f"stands beside {given[0]}; expected one of the two")
    low = None if entry.at_least is None else _quantity(entry.at_least, figure, "at_least")
    high = None if entry.at_most is None else _quantity(entry.at_most, figure, "at_most")
    if entry.between is not None:
        low, high = (_quantity(each, figure, "between") for each in entry.between)
    if low is not None and high is not None and low > high:
        raise Mistaken((given[-1],), "is below the lower end; expected the lower one first")
    more, less = (
        None if other is None else _beside(figure, _one(other, place, (key,)), key)
        for key, other in (("more_than", entry.more_than), ("less_than", entry.less_than))
    )
    return Bound(low, high, more, less)


def _beside(figure: Figure, other: Figure, key: str) -> Figure:
    """A figure to compare with: of the same unit."""
    units = [UNITS.get(each.unit, each.unit) for each in (figure, other)]
    if units[0] != units[1]:
        raise Mistaken((key,), f"is a figure in {units[1]}, the other one in {units[0]}; "
                               "expected two of a kind")  # fmt: skip
    return other


def _quantity(value: str | float, figure: Figure, key: str) -> float:
    """A number in the unit of the figure."""
    if not isinstance(value, str):
        if figure.unit == "share" and not 0 <= value <= 1:
            raise Mistaken((key,), f"found {value:g}; expected {_expected(figure)}")
        return value
    text = value.strip()
    if match := PERCENT.fullmatch(text):
        if figure.unit == "share" or figure.over is not None:
            return float(match.group(1)) / 100
    elif figure.unit == "seconds" and isinstance(seconds := read_duration(text), float):
        return seconds
    raise Mistaken((key,), f"found {described(value)}; expected {_expected(figure)}")


def _expected(figure: Figure) -> str:
    unit = figure.kind.unit if figure.take in COUNTED else figure.unit
    return QUANTITIES["number" if figure.over is not None else unit]


def _percentage(value: str | float, key: str, least: float) -> float:
    """A share that belongs to no figure."""
    share = value
    if isinstance(value, str) and (match := PERCENT.fullmatch(value.strip())):
        share = float(match.group(1)) / 100
    if isinstance(share, str) or not least <= share < 1:
        sentence = f"found {described(value)}; expected a share from {100 * least:g}% to below 100%"
        raise Mistaken((key,), sentence)
    return share


def _confidence(entry: ExpectEntry, figures: Sequence[Figure]) -> float | None:
    """How sure it has to be; only where an interval can be told."""
    if entry.confidence is None:
        return None
    for figure in figures:
        if not figure.has_interval:
            what = f"{figure.take} {figure.measure}".strip()
            raise Mistaken(("confidence",), f"{what} has no interval; expected none beside it")
    return _percentage(entry.confidence, "confidence", 0.5)
