"""A match of two sides, from the same openings with both seats.

It is played in this process or on worker processes: the same games, in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import chain

from arena.engine.contract import Engine, Limits
from arena.errors import ArenaError, EngineFailure
from arena.game.rules import Rules
from arena.table.game import Game, forfeit
from arena.table.learning import played_game, teach
from arena.table.local import LocalRunner
from arena.table.referee import NO_LIMITS, Referee
from arena.table.runner import Seating, TableLost
from arena.tournament.agenda import Agenda
from arena.tournament.formats import RoundRobin
from arena.tournament.openings import RandomPlies
from arena.tournament.schedule import Schedule


@dataclass(frozen=True, slots=True)
class Side:
    """An engine of a match with its name and limits."""

    name: str
    engine: Engine
    limits: Limits = NO_LIMITS


def match_schedule(rules: Rules, games: int, seed: int, opening_plies: int) -> Schedule:
    """Pairs of games from one opening, with the seats swapped; the last pair may be cut short."""
    openings = RandomPlies(rules, opening_plies, seed)
    return Schedule(RoundRobin(), 2, games + games % 2, True, openings, seed)


def play_match(
    sides: tuple[Side, Side], rules: Rules, games: int, seed: int = 0, opening_plies: int = 0
) -> Iterator[Game]:
    """Play a match in this process; a side that learns does so after each game."""
    names = [side.name for side in sides]
    failures: dict[int, EngineFailure] = {}  # by side; it loses from then on
    for scheduled in match_schedule(rules, games, seed, opening_plies).part(1) or ():
        if scheduled.number > games:
            return
        numbers = scheduled.first, scheduled.second
        failed = [seat for seat, number in enumerate(numbers) if number in failures]
        if failed:
            failure = failures[numbers[failed[0]]]
            detail = str(failure).removeprefix("engine ")
            game = forfeit(scheduled, failed[0], "exception", detail, log=failure.trace)
        else:
            first, second = sides[scheduled.first], sides[scheduled.second]
            referee = Referee(
                (first.engine, second.engine), rules, (first.limits, second.limits), scheduled,
                (first.name, second.name),
            )  # fmt: skip
            while referee.ask():
                pass
            game = referee.finished_game()
        yield game
        for seat, number in enumerate(numbers):
            side = sides[number]
            if side.engine.learns and number not in failures and game.number < games:
                try:
                    lesson = played_game(game, seat, names, rules)
                    teach(side.engine, side.name, lesson, game.seed)
                except EngineFailure as failure:
                    failures[number] = failure


def play_match_on_tables(
    seating: Seating, workers: int, games: int, seed: int = 0, opening_plies: int = 0
) -> Iterator[Game]:
    """Play a match on worker processes; yield the games in order. The caller may stop."""
    schedule = match_schedule(seating.rules, games, seed, opening_plies)
    agenda = Agenda(schedule, range(games + 1, games + 2), list, seating.learners)
    ended: dict[int, Game] = {}
    following = 1
    with closing(LocalRunner(seating, workers)) as runner:
        for event in chain.from_iterable(runner.play(agenda)):
            if isinstance(event, TableLost):
                if event.unplayed is not None:
                    raise ArenaError(f"game {event.unplayed} cannot be played: {event.why}")
                continue
            agenda.done(event.game.number)
            ended[event.game.number] = event.game
            while following in ended:
                yield ended.pop(following)
                following += 1


@dataclass(frozen=True, slots=True)
class MoveTotals:
    """Time, nodes and depth of all moves of a side."""

    moves: int
    seconds: float
    longest: float
    cpu: float  # of the moves with a node count
    nodes: int
    depth: int | None

    @property
    def mean_seconds(self) -> float | None:
        """Mean wall time of a move."""
        return self.seconds / self.moves if self.moves else None

    @property
    def node_rate(self) -> float | None:
        """Nodes per second of processor time."""
        return self.nodes / self.cpu if self.nodes and self.cpu > 0 else None


def move_totals(games: Iterable[Game], side: int) -> MoveTotals:
    """Add up the moves of a side, 0 or 1."""
    moves = [move for game in games for move in game.moves_of(0 if game.first == side else 1)]
    return MoveTotals(
        len(moves),
        sum(move.seconds for move in moves),
        max((move.seconds for move in moves), default=0.0),
        sum(move.cpu for move in moves if move.nodes is not None),
        sum(move.nodes for move in moves if move.nodes is not None),
        max((move.depth for move in moves if move.depth is not None), default=None),
    )
