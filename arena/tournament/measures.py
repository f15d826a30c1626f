"""What can be measured of the games of a tournament.

`arena figures` prints this table, tournament files name its keys under `figures`, `expect` and
`published`, and `standings/measures.py` measures them. They decide no game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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
