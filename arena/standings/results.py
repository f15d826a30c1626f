"""What a tournament's games add up to, from one pass over the journal.

Games are read a few thousand at a time; every counter reads the same arrays. Of a game some 30
bytes are kept, everything else in tables whose size depends on the line-up and the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import isfinite

import numpy as np

from arena.engine.contract import Limits
from arena.engine.errors import EngineMistake, EngineMistakes
from arena.game.rules import Rules
from arena.journal import Journal
from arena.standings.batch import Batch, batches
from arena.standings.endings import Endings, LastValues
from arena.standings.games import Counts, Games
from arena.standings.measures import Figures, Totals
from arena.standings.moves import Moves, MoveStatistics
from arena.standings.sprt import DECIDED, DecidedTest
from arena.standings.timekeeping import PLAYED_AT, Hosts, HostTimes, Timekeeping, usual_speed
from arena.standings.wins import Missed, ways_of
from arena.table.game import GOOD_ENDS, Game
from arena.tournament.figures import EVERYBODY, Figure
from arena.tournament.sprt import Sprt

SHORTEST, LONGEST = "shortest win", "longest game"  # that are worth showing

Listener = Callable[[Batch], None]


@dataclass(frozen=True)
class Results:
    """All that the games of a tournament say, except for ratings.

    Players are their numbers in the line-up; first index is always the one who moved first, or
    whose row it is.
    """

    scoreboard: Games  # who beat whom, in columns
    moves: tuple[Moves, ...]  # by player
    notable: dict[str, Game]  # games worth showing, by why
    time: Timekeeping  # of moves of 1 ms of the processor or more
    seconds: float  # of all games together
    missed: tuple[Missed, ...] = ()  # by player: wins that were one move away
    lines: dict[str, Counts] = field(default_factory=dict)  # direction -> [player]: games won by it
    endings: tuple[Endings, ...] = ()  # by player: how games ended for it
    hosts: tuple[HostTimes, ...] = ()  # where games depend on their speed
    mistakes: tuple[EngineMistake, ...] = ()
    figures: Figures | None = None  # those that were asked for

    @property
    def names(self) -> tuple[str, ...]:
        """The line-up."""
        return self.scoreboard.names

    @property
    def games(self) -> int:
        """The number of games."""
        return self.scoreboard.games

    @property
    def causes(self) -> dict[str, Counts]:
        """Reason -> [player]: games lost by it."""
        return self.scoreboard.causes

    @property
    def distinct(self) -> float:
        """The share of games that are no copies: other players, seats, opening or moves."""
        return self.scoreboard.different / self.games if self.games else 1.0


def read(
    journal: Journal, figures: Iterable[Figure] = (), listeners: Sequence[Listener] = ()
) -> Results:
    """What a journal's games add up to so far; listeners get every batch as it is read."""
    header = journal.header
    places = [event.text for event in journal.events() if event.kind == PLAYED_AT]
    speed = usual_speed(places)
    limits = [read_limits(player.limits).at_speed(speed) for player in header.players]
    games = Games(header.names, ended_by=decided_test(journal))
    return collect(journal.rows(), games, limits, header.rules, figures, listeners, Hosts(places))


def read_limits(text: str) -> Limits:
    """Limits as a journal words them."""
    return Limits() if text == str(Limits()) else Limits.parse(text)


def decided_test(journal: Journal) -> DecidedTest | None:
    """The sequential test that has ended the last run, if one has."""
    header, sessions = journal.header, journal.sessions()
    sprt = (header.canonical.get("stop") or {}).get("sprt")
    if not sprt or not sessions or not str(sessions[-1].why).startswith(DECIDED):
        return None
    player, other = map(header.names.index, sprt.get("engines") or header.names[:2])
    keys = "elo0", "elo1", "alpha", "beta", "model"
    return DecidedTest(player, other, Sprt(**{key: sprt[key] for key in keys}))


def collect(
    rows: Iterable[Game],
    games: Games,
    limits: Sequence[Limits],
    rules: Rules,
    figures: Iterable[Figure] = (),
    listeners: Sequence[Listener] = (),
    hosts: Hosts | None = None,
) -> Results:
    """What the games, in the order of their numbers, add up to for a line-up."""
    players, hosts = len(games.names), hosts or Hosts(())
    moves, last_values = MoveStatistics(players, rules.max_moves), LastValues(players)
    asked, mistakes = Figures(figures, games.names, rules), EngineMistakes()
    wins = Totals(Figure(missed_wins=EVERYBODY, take="share"), players)
    ways = ways_of(rules.plain).names
    lines: Counts = np.zeros((players, len(ways)), np.int64)
    notable: dict[str, Game] = {}
    seconds = 0.0
    for batch in batches(rows, rules):
        games.extend(batch.games)
        for counter in (moves, last_values, asked, wins):
            counter.add(batch)
        np.add.at(lines, batch.seats, batch.wins.made)
        hosts.add(batch.games)
        _keep_notable(notable, batch)
        seconds += sum(game.seconds for game in batch.games if isfinite(game.seconds))
        for place in np.flatnonzero(~batch.is_whole).tolist():
            game = batch.games[place]
            loser = "" if game.loser is None else games.names[game.loser]
            mistakes.add(game.number, game.detail, game.log, loser)
        for listener in listeners:
            listener(batch)
    extreme = {why: notable[why] for why in (SHORTEST, LONGEST) if why in notable}
    chances, missed = wins.weights.astype(int).tolist(), wins.totals.astype(int).tolist()
    return Results(
        scoreboard=games,
        moves=tuple(moves.moves(player, each) for player, each in enumerate(limits)),
        notable={**extreme, **notable},
        time=moves.time,
        seconds=seconds,
        missed=tuple(map(Missed, chances, missed)),
        lines={name: lines[:, way] for way, name in enumerate(ways)},
        endings=tuple(
            last_values.endings(player, lengths)
            for player, lengths in enumerate(games.lengths_by_player)
        ),
        hosts=hosts.times,
        mistakes=tuple(mistakes),
        figures=asked,
    )


def _keep_notable(notable: dict[str, Game], batch: Batch) -> None:
    """The shortest win, the longest game, and the first game of each kind of fault."""
    for reason in dict.fromkeys(batch.reason[~batch.is_whole].tolist()):
        first = batch.games[int((batch.reason == reason).argmax())]
        notable.setdefault(f"first game ended by {reason}", first)
    for why, ends, sign in ((SHORTEST, ("line",), 1), (LONGEST, GOOD_ENDS, -1)):
        there = np.flatnonzero(np.isin(batch.reason.astype(str), ends))
        if len(there):
            game = batch.games[there[(sign * batch.plies[there]).argmin()]]
            best = notable.get(why)
            if best is None or sign * len(game.moves) < sign * len(best.moves):
                notable[why] = game
