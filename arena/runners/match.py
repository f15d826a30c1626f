"""A match on tables: the same games as in one process, on several cores, told in their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing

from arena.engine.errors import read_last_words
from arena.errors import ArenaError
from arena.play.match import match_games
from arena.play.record import GameRecord, GameRow, Reason
from arena.play.seating import Seating
from arena.runners.events import TableLost
from arena.runners.local import LocalRunner
from arena.tournament.agenda import Agenda
from arena.tournament.formats import GameResult, RoundRobin
from arena.tournament.lazy import Lazy
from arena.tournament.openings import NoOpenings
from arena.tournament.schedule import Schedule, ScheduledGame


def play_match_on_tables(
    seating: Seating, workers: int, games: int, seed: int = 0, opening_plies: int = 0
) -> Iterator[GameRecord]:
    """The games of a match in their order, whatever order they end in; whoever reads may stop."""
    agenda = Agenda(MatchSchedule(seating, games, seed, opening_plies), (), list)
    ended: dict[int, GameRow] = {}
    following = 1
    with closing(LocalRunner(seating, workers)) as runner:
        for event in runner.play(agenda):
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
    """The games of a match as a tournament of two has them."""

    def __init__(self, seating: Seating, games: int, seed: int, opening_plies: int) -> None:
        super().__init__(RoundRobin(), 2, 2, True, NoOpenings(), seed)
        self.all = match_games(seating.rules, games, seed, opening_plies)

    def expected(self, round: int = 1, results: Sequence[GameResult] = ()) -> int:
        """All of them."""
        return len(self.all)

    def part(self, number: int, results: Sequence[GameResult] = ()) -> Lazy[ScheduledGame] | None:
        """All of them at once."""
        return self.all if number == 1 else None


def record_of(row: GameRow, seating: Seating) -> GameRecord:
    """A game from a table as the referee writes it down."""
    reason: Reason = row.reason  # type: ignore[assignment]  # a table knows no others
    return GameRecord(
        seating.rules.name,
        (seating.players[row.first][0], seating.players[row.second][0]),
        tuple(row.opening),
        tuple(row.move_records()),
        row.result,
        reason,
        row.detail,
        row.seed,
        read_last_words(row.log)[0],
    )
