"""A match: two sides, the same openings from both seats; in this process, or on tables.

On tables it is the same games, on several cores, told in their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain

from arena.engine.contract import Engine, Limits
from arena.engine.errors import split_log
from arena.errors import ArenaError, EngineFailure
from arena.game.rules import Rules
from arena.table.lessons import played_game, teach
from arena.table.local import LocalRunner, TableLost
from arena.table.record import GameRecord, GameRow, Reason
from arena.table.referee import NO_LIMITS, play_game
from arena.table.seating import Seating
from arena.tournament.agenda import Agenda
from arena.tournament.formats import GameResult, RoundRobin
from arena.tournament.numbered import Lazy, derive_seed
from arena.tournament.openings import NoOpenings, RandomPlies
from arena.tournament.schedule import Schedule, ScheduledGame


@dataclass(frozen=True, slots=True)
class Side:
    """An engine in a match: under what name, and with what limits."""

    name: str
    engine: Engine
    limits: Limits = NO_LIMITS


def play_match(
    sides: tuple[Side, Side], rules: Rules, games: int, seed: int = 0, opening_plies: int = 0
) -> Iterator[GameRecord]:
    """Play the games of a match in this process; a side that learns is told each of them."""
    failures: dict[int, EngineFailure] = {}  # of sides that could not learn: they lose from then on
    for game in MatchSchedule(rules, games, seed, opening_plies).all:
        places = game.first, game.second
        failed = [seat for seat, place in enumerate(places) if place in failures]
        if failed:
            record = _lost(game, sides, rules, failed[0], failures[places[failed[0]]])
        else:
            record = _play(game, sides, rules)
        yield record
        if game.number == games:
            return
        for seat, place in enumerate(places):
            if sides[place].engine.learns and place not in failures:
                side, played = sides[place], played_game(record, game.number, seat, rules)
                try:
                    teach(side.engine, side.name, played, game.seed)
                except EngineFailure as failure:
                    failures[place] = failure


def _play(game: ScheduledGame, sides: tuple[Side, Side], rules: Rules) -> GameRecord:
    first, second = sides[game.first], sides[game.second]
    return play_game(
        (first.engine, second.engine),
        rules,
        (first.limits, second.limits),
        game.seed,
        game.opening,
        (first.name, second.name),
    )


def _lost(
    game: ScheduledGame, sides: tuple[Side, Side], rules: Rules, seat: int, failure: EngineFailure
) -> GameRecord:
    """A game that a side loses before its first move, as it has failed in getting ready."""
    names = sides[game.first].name, sides[game.second].name
    detail, result = str(failure).removeprefix("engine "), 1 if seat else -1
    return GameRecord(
        rules.name, names, game.opening, (), result, "exception", detail, game.seed, failure.trace
    )


def play_match_on_tables(
    seating: Seating, workers: int, games: int, seed: int = 0, opening_plies: int = 0
) -> Iterator[GameRecord]:
    """The games of a match in their order, whatever order they end in; whoever reads may stop."""
    schedule = MatchSchedule(seating.rules, games, seed, opening_plies)
    agenda = Agenda(schedule, (), list, seating.learners)
    ended: dict[int, GameRow] = {}
    following = 1
    with closing(LocalRunner(seating, workers)) as runner:
        for event in chain.from_iterable(runner.play(agenda)):
            if isinstance(event, TableLost):
                if event.unplayed is not None:
                    raise ArenaError(f"game {event.unplayed} cannot be played: {event.why}")
                continue
            agenda.done(event.row.number)
            ended[event.row.number] = event.row
            while following in ended:
                yield record_of(ended.pop(following), seating)
                following += 1


class MatchSchedule(Schedule):
    """Pairs of games, each pair from one opening with the seats swapped."""

    def __init__(self, rules: Rules, games: int, seed: int, opening_plies: int) -> None:
        super().__init__(RoundRobin(), 2, 2, True, NoOpenings(), seed)
        openings = RandomPlies(rules, opening_plies, seed)

        def at(number: int) -> ScheduledGame:
            pair, swapped = divmod(number - 1, 2)
            first, second = (1, 0) if swapped else (0, 1)
            opening, own_seed = openings.opening(pair), derive_seed(seed, number)
            return ScheduledGame(number, pair + 1, first, second, opening, own_seed)

        self.all = Lazy(range(1, games + 1), at)

    def expected(self, round: int = 1, results: Sequence[GameResult] = ()) -> int:
        """How many games there are."""
        return len(self.all)

    def part(self, number: int, results: Sequence[GameResult] = ()) -> Lazy[ScheduledGame] | None:
        """All games at once."""
        return self.all if number == 1 else None


def record_of(row: GameRow, seating: Seating) -> GameRecord:
    """A game from a table as the referee writes it down."""
    reason: Reason = row.reason  # type: ignore[assignment]  # a table knows no others
    return GameRecord(
        seating.rules.name,
        (seating.players[row.first].name, seating.players[row.second].name),
        tuple(row.opening),
        tuple(row.move_records()),
        row.result,
        reason,
        row.detail,
        row.seed,
        *split_log(row.log),
    )


@dataclass(frozen=True, slots=True)
class MoveTotals:
    """What all moves of one side took: time, nodes and depth."""

    moves: int
    seconds: float
    longest: float
    cpu: float  # of the moves that count their nodes
    nodes: int
    depth: int | None

    @property
    def mean_seconds(self) -> float | None:
        """The mean time of a move, on the wall."""
        return self.seconds / self.moves if self.moves else None

    @property
    def node_rate(self) -> float | None:
        """Nodes for each second of the processor."""
        return self.nodes / self.cpu if self.nodes and self.cpu > 0 else None


def move_totals(records: Iterable[GameRecord], name: str) -> MoveTotals:
    """What the moves of the side of this name took."""
    games = [record for record in records if name in record.players]
    moves = [move for game in games for move in game.moves_of(game.players.index(name))]
    return MoveTotals(
        len(moves),
        sum(move.seconds for move in moves),
        max((move.seconds for move in moves), default=0.0),
        sum(move.cpu for move in moves if move.nodes is not None),
        sum(move.nodes for move in moves if move.nodes is not None),
        max((move.depth for move in moves if move.depth is not None), default=None),
    )
