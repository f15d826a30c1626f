"""Figures of a tournament: what can be measured of its games, and of whom.

`arena help figures` prints the table of measures, tournament files name its keys under `figures`,
`expect` and `published`, and `standings/measures.py` measures them. They do not affect play.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import BeforeValidator, Field, WithJsonSchema

from arena.errors import suggestion
from arena.game.rules import Rules
from arena.tournament.mistakes import Trail
from arena.tournament.values import MANY, Names, Part, Text, in_words, integral, misfit, optional

Unit = Literal["share", "games", "moves", "seconds", "number", "elo"]

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

WHOSE = "NAME, or NAME against NAME, as first or as second; all for every game"
EXAMPLE = "{score: my_bot against random, at_least: 90%}"
KEYS = ("against", "seat", "take", "move", "by", "when")


def _read_move(value: Any) -> Any:
    number = integral(value)
    if number not in ("first", "last") and (type(number) is not int or not 0 < number < MANY):
        raise misfit(value, "first, last, or the number of a move")
    return number


_MOVE = {"anyOf": [{"type": "integer", "minimum": 1}, {"enum": ["first", "last"]}]}
MoveOfGame = Annotated[
    int | Literal["first", "last"], BeforeValidator(_read_move), WithJsonSchema(_MOVE)
]
Whose = Annotated[str, Text()]
Take = Literal["count", "share", "mean", "median", "p95", "max", "value", "critical", "exact"]


class Misfit(Exception):
    """A figure that cannot be: where in its entry, and the sentence."""

    def __init__(self, at: Trail, sentence: str) -> None:
        super().__init__(sentence)
        self.at, self.sentence = at, sentence


class Context(NamedTuple):
    """The tournament that figures are of."""

    names: Sequence[str]
    rules: Rules
    never_meet: Callable[[str, str], str | None] = lambda one, other: None  # why, if so


def _measured(name: str) -> Any:
    """The key of a measure."""
    measure = MEASURES[name]
    return optional(
        f"{measure.words[0].upper()}{measure.words[1:]}.", measure.example.split(",")[0]
    )


class Figure(Part):
    """A figure: what is measured, of whom, and what narrows it down."""

    model_config = in_words("a mapping such as {score: my_bot against random}")

    score: Whose | None = _measured("score")
    wins: Whose | None = _measured("wins")
    draws: Whose | None = _measured("draws")
    losses: Whose | None = _measured("losses")
    elo: Whose | None = _measured("elo")
    accuracy: Whose | None = _measured("accuracy")
    blunders: Whose | None = _measured("blunders")
    missed_wins: Whose | None = _measured("missed_wins")
    length: Whose | None = _measured("length")
    time: Whose | None = _measured("time")
    cpu: Whose | None = _measured("cpu")
    nodes: Whose | None = _measured("nodes")
    depth: Whose | None = _measured("depth")
    nodes_per_second: Whose | None = _measured("nodes_per_second")
    distinct: Whose | None = _measured("distinct")
    games: Whose | None = _measured("games")

    against: Names = Field(default=(), description="Only games against these.", examples=["random"])
    seat: Literal["first", "second"] | None = optional("Only games in this seat.", "first")
    take: Take | None = optional(
        "Which number of several: of a time its p95, of wins their share.", "p95"
    )
    move: MoveOfGame | None = optional(
        "Only this move of the player in each game: first, last, or its number.", "first", 3
    )
    by: Annotated[str, Text()] | None = optional(
        "Only games that ended so: a fault, or the direction of the line.", "time", "row"
    )
    when: Literal["won", "drawn", "lost"] | None = optional(
        "Only games that ended so for the player.", "won"
    )
    over: Figure | None = optional("Another figure to divide by.", {"nodes": "minimax"})

    @property
    def measures(self) -> list[str]:
        """The measures that it names; it should be one."""
        return [name for name in MEASURES if getattr(self, name) is not None]

    @property
    def measure(self) -> str:
        """What it measures, by name."""
        return self.measures[0]

    @property
    def of(self) -> str:
        """Its player; empty: all games."""
        player: str = getattr(self, self.measure)
        return "" if player == EVERYBODY else player

    @property
    def kind(self) -> Measure:
        """What it measures."""
        return MEASURES[self.measure]

    @property
    def unit(self) -> Unit:
        """The unit of its numbers; a ratio is a plain number."""
        if self.over is not None:
            return "number"
        return "share" if self.take == "share" else self.kind.unit

    @property
    def has_interval(self) -> bool:
        """Whether an interval is known, in which it lies."""
        own = self.kind.varies and (self.take or "") in SURE_ENDS
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
        name = WORDS.get(self.measure, self.measure.replace("_", " "))
        if self.take in (*SPREAD[1:], "critical", "exact"):
            name = f"{self.take} {name}"
        if self.move is not None:
            is_number = isinstance(self.move, int)
            name += f" at move {self.move}" if is_number else f" at the {self.move} move"
        words = name + (f" of {self.of}" if self.of else " of all games")
        words += f" against {' or '.join(self.against)}" if self.against else ""
        words += f" as {self.seat}" if self.seat else ""
        words += f" by {self.by}" if self.by else ""
        words += f" in games {self.when}" if self.when else ""
        return words if self.over is None else f"{words}, over {self.over}"

    # ---- from a file to the players of a tournament

    def resolve(self, context: Context) -> list[Self]:
        """This figure of each player that it names; `Misfit` says why it cannot be."""
        if len(self.measures) != 1:
            found = " and ".join(self.measures) or "none"
            raise Misfit((), f"found {found}; expected one figure, as in {EXAMPLE}")
        name, measure = self.measure, self.kind
        self._check_keys()
        players, against, seat = _read_whose(getattr(self, name), name, context)
        if self.against and against:
            raise Misfit(("against",), f"stands in {name} too; expected it once")
        for at, each in enumerate(self.against):
            against += _find_players(each, context, ("against", at))
        if seat and self.seat:
            raise Misfit(("seat",), f"stands in {name} too; expected it once")
        if (against and "against" not in measure.keys) or (seat and "seat" not in measure.keys):
            what = "against" if against and "against" not in measure.keys else "as"
            raise Misfit((name,), f"found {what!r}; {name} is that of all games of a player")
        if name == "elo" and len(against) > 1:
            raise Misfit((name,), f"found {len(against)} opponents; expected one, or none")
        if EVERYBODY in players:
            sentence = f"a player is called {EVERYBODY!r}, which means all games here"
            raise Misfit((name,), f"{sentence}; expected another name for it")
        if len(players) > 1:  # by a pattern, which may fit opponents too
            players = [player for player in players if player not in against] or players
        for player in players:
            _check_meeting(player, against, name, context)
        if self.by is not None:
            _check_end(self.by, context.rules)
        take = self.take or ("share" if self._is_in_percent and "share" in measure.takes else None)
        over = None if self.over is None else self.over.resolve_one(context, ("over",))
        rest = {
            "against": tuple(against),
            "seat": self.seat or seat or None,
            "take": take or (measure.takes[0] if measure.takes else None),
            "over": over,
        }
        return [self.model_copy(update={name: player or EVERYBODY, **rest}) for player in players]

    def resolve_one(self, context: Context, at: Trail) -> Self:
        """The same of a figure within another entry, of one player."""
        try:
            figures = self.resolve(context)
        except Misfit as error:
            raise Misfit((*at, *error.at), error.sentence) from None
        if len(figures) != 1:
            raise Misfit(at, f"stands for {len(figures)} players; expected one")
        return figures[0]

    @property
    def _is_in_percent(self) -> bool:
        """Whether a count is meant as a share, as it is held against one."""
        return False

    def _check_keys(self) -> None:
        """Refuse keys that say nothing about this measure."""
        name, measure = self.measure, self.kind
        for key in KEYS:
            if getattr(self, key) in (None, ()) or key in measure.keys:
                continue
            if key != "take":
                others = [other for other, each in MEASURES.items() if key in each.keys]
                raise Misfit((key,), f"goes with {', '.join(others)}; found it beside {name}")
            if self.take not in measure.takes:
                expected = f"one of {', '.join(measure.takes)}" if measure.takes else "none"
                raise Misfit((key,), f"found {self.take}; {name} has {expected}")
        if self.over is not None and "elo" in (name, *self.over.measures):
            raise Misfit(("over",), "an Elo difference has no zero to divide by; expected no elo")


def _check_meeting(player: str, against: Sequence[str], key: str, context: Context) -> None:
    """Refuse a figure of games that are never played."""
    if player in against:
        raise Misfit((key,), f"{player!r} does not play against itself")
    reasons = [context.never_meet(player, other) if player else None for other in against]
    if reasons and all(reasons):
        raise Misfit((key,), f"{player} and {against[0]} never meet; {reasons[0]}")


def _check_end(by: str, rules: Rules) -> None:
    """Refuse what is no cause of losses and wins, nor the direction of a winning line."""
    lines = dict.fromkeys(each.name_on(rules.is_flat) for each in rules.directions)
    known = [*CAUSES, FAULT, *lines, DIAGONAL]
    if by not in known:
        raise Misfit(("by",), f"unknown end {by!r}{suggestion(by, known)}")


def _read_whose(text: str, key: str, context: Context) -> tuple[list[str], list[str], Any]:
    """ "A against B as first" as players, opponents and seat; names may hold these words too."""
    if _matches(text, context.names):
        return _matches(text, context.names), [], ""
    if text == EVERYBODY:
        if not MEASURES[key].of_all:
            raise Misfit((key,), f"found all; expected {WHOSE.partition(';')[0]}")
        return [""], [], ""
    for seat in ("first", "second"):
        if text.endswith(f" as {seat}"):
            players, against, _ = _read_whose(
                text.removesuffix(f" as {seat}").rstrip(), key, context
            )
            return players, against, seat
    parts = text.split(" against ")
    for cut in range(1, len(parts)):
        sides = " against ".join(parts[:cut]), " against ".join(parts[cut:])
        players, others = (_matches(side.strip(), context.names) for side in sides)
        if players and others:
            return players, others, ""
    one, _, other = text.partition(" against ")
    _find_players(one.strip(), context, (key,))
    return [], _find_players(other.strip(), context, (key,)), ""


def _find_players(name: str, context: Context, at: Trail) -> list[str]:
    if not (found := _matches(name, context.names)):
        raise Misfit(at, f"no player is called {name!r}{suggestion(name, context.names)}")
    return found


def _matches(name: str, names: Sequence[str]) -> list[str]:
    """The player of this name; or all that a pattern such as *.py fits."""
    return [name] if name in names else [each for each in names if fnmatchcase(each, name)]
