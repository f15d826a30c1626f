"""Figures: what can be measured of the games of a tournament, of whom, against whom, and where.

This page defines them all: `arena figures` prints it, tournament files name them under `expect`
and `published`, and `standings/figures.py` measures them. They decide no game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

Unit = Literal["share", "games", "moves", "seconds", "number", "elo"]
Seat = Literal["", "first", "second"]
When = Literal["", "won", "drawn", "lost"]
Move = int | Literal["first", "last"] | None  # of a player in its game, counted from 1

EVERYBODY = "all"  # stands for no player in particular
COUNTED = ("count", "share")
SPREAD = ("mean", "median", "p95", "max")
WHERE = ("against", "seat")
CAUSES = ("line", "adjudicated", "time", "crash", "exception", "illegal move", "memory")
FAULT = "fault"  # any end of a game that is somebody's fault
DIAGONAL = "diagonal"  # a line in whatever direction but along columns and rows
WORDS = {"cpu": "processor time", "elo": "Elo", "missed_wins": "wins missed"}
SURE_ENDS = ("count", "share", "mean", "value", "critical", "exact", "")  # which have an interval


@dataclass(frozen=True)
class Measure:
    """One kind of figure: what it says, its unit, and what may be asked for beside the player."""

    words: str
    example: str
    unit: Unit
    takes: tuple[str, ...] = ()  # what `take` may ask for; the first is meant without it
    keys: tuple[str, ...] = WHERE  # what else may narrow it down
    of_all: bool = False  # whether it can be asked of all games together
    judged: bool = False  # by exact scores, once the games are over
    varies: bool = True  # whether other games would give another: it has an interval


MEASURES: dict[str, Measure] = {
    "score": Measure("points a game, a draw counts one half", "my_bot against random", "share"),
    "wins": Measure(
        "games won; by a direction of the line, or by a fault of the opponent",
        "my_bot against random as first", "games", COUNTED, (*WHERE, "by"),
    ),
    "draws": Measure("games drawn", "all", "games", COUNTED, WHERE, of_all=True),
    "losses": Measure(
        "games lost; by time, crash, exception, illegal move, memory, or fault for any of them",
        "my_bot, by: time", "games", COUNTED, (*WHERE, "by"),
    ),
    "elo": Measure(
        "Elo difference to one opponent, or the rating among all", "my_bot against mcts", "elo",
        keys=("against",),
    ),
    "accuracy": Measure(
        "moves that keep the value of the game, critical ones alone, or the exact score",
        "my_bot, take: critical", "share", ("value", "critical", "exact"), judged=True,
    ),
    "blunders": Measure(
        "moves a game that give a win or a draw away", "my_bot", "number", judged=True
    ),
    "missed_wins": Measure(
        "wins at once that were not taken; as a share, of those that were there", "my_bot", "moves",
        COUNTED,
    ),
    "length": Measure(
        "plies of a game; when won, drawn or lost by the player", "my_bot, when: won", "number",
        SPREAD, (*WHERE, "when"), of_all=True,
    ),
    "time": Measure(
        "time of a move on the wall; of the first, the last, or a move by its number",
        "my_bot, take: p95", "seconds", SPREAD, (*WHERE, "move"),
    ),
    "cpu": Measure(
        "processor time of a move", "my_bot, move: first", "seconds", SPREAD, (*WHERE, "move")
    ),
    "nodes": Measure("nodes of a move", "my_bot, move: 3", "number", SPREAD, (*WHERE, "move")),
    "depth": Measure(
        "plies that a move looked ahead", "my_bot, take: max", "number", SPREAD, (*WHERE, "move")
    ),
    "nodes_per_second": Measure("nodes over processor time", "my_bot", "number"),
    "distinct": Measure(
        "share of games that repeat no other", "all", "share", of_all=True, varies=False
    ),
    "games": Measure("games played", "my_bot", "number", of_all=True, varies=False),
}  # fmt: skip


@dataclass(frozen=True)
class Figure:
    """One figure: a measure, of whom, and what narrows it down; over another it is a ratio."""

    measure: str
    of: str = ""  # a player; empty: all games
    against: tuple[str, ...] = ()  # opponents; empty: everybody
    seat: Seat = ""
    take: str = ""  # which of the measure's, where it has several
    by: str = ""
    when: When = ""
    move: Move = None
    over: Figure | None = None

    @property
    def kind(self) -> Measure:
        """What it measures."""
        return MEASURES[self.measure]

    @property
    def unit(self) -> Unit:
        """What its numbers are; a ratio is a mere number."""
        if self.over is not None:
            return "number"
        return "share" if self.take == "share" else self.kind.unit

    @property
    def has_interval(self) -> bool:
        """Whether an interval can be told, in which it lies."""
        own = self.kind.varies and self.take in SURE_ENDS
        return own and (self.over is None or self.over.has_interval)

    @property
    def is_judged(self) -> bool:
        """Whether it takes exact scores of moves, which are there when the games are over."""
        return self.kind.judged or (self.over is not None and self.over.is_judged)

    @property
    def players(self) -> tuple[str, ...]:
        """Everybody that it names."""
        own = (self.of, *self.against) if self.of else self.against
        return own if self.over is None else (*own, *self.over.players)

    def __str__(self) -> str:
        words = self._subject()
        words += f" of {self.of}" if self.of else " of all games"
        words += f" against {' or '.join(self.against)}" if self.against else ""
        words += f" as {self.seat}" if self.seat else ""
        words += f" by {self.by}" if self.by else ""
        words += f" in games {self.when}" if self.when else ""
        return words if self.over is None else f"{words}, over {self.over}"

    def _subject(self) -> str:
        """What is measured, without of whom."""
        name = WORDS.get(self.measure, self.measure.replace("_", " "))
        if self.take in (*SPREAD[1:], "critical", "exact"):
            name = f"{self.take} {name}"
        if self.move is None:
            return name
        return (
            f"{name} at move {self.move}"
            if isinstance(self.move, int)
            else (f"{name} at the {self.move} move")
        )


@dataclass(frozen=True)
class Bound:
    """Where a figure is expected: within limits, or on one side of another figure."""

    at_least: float | None = None
    at_most: float | None = None
    more_than: Figure | None = None
    less_than: Figure | None = None

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The other figures that it names."""
        return tuple(each for each in (self.more_than, self.less_than) if each is not None)


@dataclass(frozen=True)
class Expectation:
    """A figure that is expected within a bound; with confidence, beyond the luck of the games."""

    figure: Figure
    bound: Bound
    confidence: float | None = None
    points: float | None = None
    name: str = ""

    @property
    def figures(self) -> tuple[Figure, ...]:
        """All that has to be measured."""
        return self.figure, *self.bound.figures


@dataclass(frozen=True)
class Published:
    """A figure as a source has it: its value, or a claim, how many games that was, and where."""

    figure: Figure
    source: str
    value: float | None = None
    games: int | None = None
    bound: Bound | None = None
    within: float | None = None  # how far apart two agree: points of a share, or a part of a value
    note: str = ""

    @property
    def figures(self) -> tuple[Figure, ...]:
        """All that has to be measured."""
        return self.figure, *(self.bound.figures if self.bound else ())


@dataclass(frozen=True)
class Aims:
    """What a tournament is played for: figures to tell, to hold, and to compare with others'."""

    about: str = ""
    shown: tuple[Figure, ...] = ()
    expect: tuple[Expectation, ...] = ()
    published: tuple[Published, ...] = ()
    early: bool = False  # whether the run may end when all expectations are decided

    def __bool__(self) -> bool:
        return bool(self.about or self.shown or self.expect or self.published)

    def figures(self) -> tuple[Figure, ...]:
        """Every figure that has to be measured, once."""
        aims: tuple[Expectation | Published, ...] = (*self.expect, *self.published)
        named = (figure for aim in aims for figure in aim.figures)
        return tuple(dict.fromkeys((*self.shown, *named)))

    def measures(self) -> frozenset[str]:
        """All that is measured."""
        parts = list(self.figures())
        for figure in parts:
            parts += [] if figure.over is None else [figure.over]
        return frozenset(figure.measure for figure in parts)

    def plain(self) -> dict[str, Any]:
        """All of it as JSON holds it, without what is not set."""
        plain: dict[str, Any] = _without_empty(asdict(self)) if self else {}
        return plain


NO_AIMS = Aims()


def _without_empty(data: Any) -> Any:
    if isinstance(data, Mapping):
        kept = {key: _without_empty(value) for key, value in data.items()}
        return {key: value for key, value in kept.items() if value not in (None, "", [], ())}
    return [_without_empty(each) for each in data] if isinstance(data, list | tuple) else data


def read_aims(data: Mapping[str, Any] | None, players: Sequence[str]) -> Aims:
    """What `plain` wrote down; nothing where it is something else, or about other players.

    A journal may come from elsewhere.
    """
    if not data:
        return NO_AIMS
    from pydantic import TypeAdapter, ValidationError

    try:
        aims = TypeAdapter(Aims).validate_python(data)
        named = {name for figure in aims.figures() for name in figure.players}
        known = all(figure.measure in MEASURES for figure in aims.figures())
    except (ValidationError, RecursionError):
        return NO_AIMS
    return aims if known and named <= set(players) else NO_AIMS
