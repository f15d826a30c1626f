"""How well engines play by the exact scores of their moves: shares kept, score lost, blunders.

Everything is counted from judged games. What is unjudged is counted beside it, guessed nowhere, and
widens the intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import median_low
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.game.rules import Rules
from arena.judge.game import Decision, Judged, decision
from arena.judge.judge import (
    KINDS,
    PHASES,
    Blunder,
    Kind,
    Phase,
    Verdict,
    phase_of,
    worst,
    worst_of_all,
)
from arena.judge.sampling import JudgedGame
from arena.standings.evidence import DOUBT_OF_MOVES, Estimate, Scale, estimate
from arena.standings.games import Counts, Games

SEATS = ("first", "second")
GROUPS = ("all", "critical", *PHASES, *SEATS)

MOVES, VALUE, SCORE, LOSS, UNJUDGED, MOST_LOSS = range(6)  # what is summed up of a game's moves
Row = list[int]
Rows = dict[str, Row]  # by group of positions


@dataclass(slots=True)
class Decisions:
    """Where some games were decided."""

    games: int = 0
    start: int = 0  # the value stood from the beginning
    end: int = 0  # not on the board
    unknown: int = 0
    own: list[int] = field(default_factory=list)  # plies of the mistakes of whose games these are
    others: list[int] = field(default_factory=list)  # and of the opponent's

    def add(self, decided: Decision, swapped: bool = False) -> None:
        """Count a game; swapped: whose games these are moved second in it."""
        self.games += 1
        if decided.ply is None:
            setattr(self, decided.how, getattr(self, decided.how) + 1)
        elif decided.seat == int(swapped):
            self.own.append(decided.ply)
        else:
            self.others.append(decided.ply)

    @property
    def plies(self) -> list[int]:
        """The plies of all mistakes that decided."""
        return self.own + self.others

    @property
    def middle(self) -> int | None:
        """The number of the median deciding disc, from 1."""
        return median_low(self.plies) + 1 if self.plies else None

    def in_phase(self, phase: Phase, cells: int) -> int:
        """How many were decided in a part of the game."""
        return sum(phase_of(ply, cells) == phase for ply in self.plies)


class Tally:
    """Moves of one kind, counted game by game: what evidence.py makes estimates of.

    Unjudged moves count both ways: as given away for the lower end of an interval, as kept for the
    upper end.
    """

    def __init__(self) -> None:
        self._labels: list[int] = []  # the cluster of each game
        self._rows: list[Row] = []  # what its moves come to

    def add_game(self, label: int, row: Row) -> None:
        """Count the moves of a game of a cluster."""
        if row[MOVES] or row[UNJUDGED]:
            self._labels.append(label)
            self._rows.append(row)

    def add(self, verdict: Verdict) -> None:
        """Count a move that is independent of all others."""
        self.add_game(len(self._rows), _row(verdict))

    @property
    def table(self) -> NDArray[np.int64]:
        """[game, figure]."""
        return np.array(self._rows, np.int64).reshape(-1, 6)

    @property
    def games(self) -> int:
        """The games in which there were such moves."""
        return len(self._rows)

    @property
    def moves(self) -> int:
        """The judged ones."""
        return int(self.table[:, MOVES].sum())

    @property
    def unjudged(self) -> int:
        """Those that may belong here, and are not proven."""
        return int(self.table[:, UNJUDGED].sum())

    @property
    def kept_value(self) -> Estimate | None:
        """The share of moves that kept the value; None without any."""
        return self._a_move("share", VALUE, UNJUDGED)

    @property
    def kept_score(self) -> Estimate | None:
        """The share of moves that kept the exact score."""
        return self._a_move("share", SCORE, UNJUDGED)

    @property
    def mean_loss(self) -> Estimate | None:
        """The mean score that a move gave away."""
        return self._a_move("mean", LOSS, MOST_LOSS)

    @property
    def blunders(self) -> Estimate | None:
        """The mean number of moves a game that gave the value away."""
        table = self.table
        given_away = table[:, MOVES] - table[:, VALUE]
        return self._estimate("mean", np.ones_like(given_away), given_away, table[:, UNJUDGED])

    def _a_move(self, scale: Scale, figure: int, open_: int) -> Estimate | None:
        """A figure a move; its value is that of the judged ones."""
        table, moves = self.table, self.moves
        weight = table[:, MOVES] + table[:, UNJUDGED]
        estimate = self._estimate(scale, weight, table[:, figure], table[:, open_])
        if not moves or estimate is None:
            return None
        return replace(estimate, value=int(table[:, figure].sum()) / moves)

    def _estimate(
        self, scale: Scale, weight: Counts, total: Counts, open_: Counts
    ) -> Estimate | None:
        """Total over weight; its interval is wider by what is open and may be counted as well."""
        labels = np.array(self._labels, np.intp)
        found, upper = (
            estimate(labels, weight.astype(float), some.astype(float), scale, DOUBT_OF_MOVES)
            for some in (total, total + open_)
        )
        return replace(found, upper=upper) if found is not None and open_.any() else found


def _row(verdict: Verdict) -> Row:
    return [1, verdict.keeps_value, verdict.keeps_score, verdict.loss, 0, 0]


@dataclass(slots=True)
class PlayerAccuracy:
    """All that was counted of one player, by groups of positions.

    Unjudged in the critical group are the moves that are not proven to belong to it or not.
    """

    groups: dict[str, Tally] = field(default_factory=lambda: {name: Tally() for name in GROUPS})
    kinds: dict[Kind, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    worst: list[Blunder] = field(default_factory=list)
    decisions: Decisions = field(default_factory=Decisions)

    def add_game(self, judged: Judged, seat: int, rules: Rules, label: int = 0) -> Rows:
        """Count the moves of one seat in a game of this cluster, and return what they come to."""
        rows = {name: [0] * 6 for name in GROUPS}
        for ply, verdict in judged.verdicts(rules):
            if ply % 2 != seat:
                continue
            groups = ["all", phase_of(ply, rules.cells), SEATS[seat]]
            if verdict is None:
                groups.append("critical")
                row = [0, 0, 0, 0, 1, judged.most_loss(ply, rules)]
            else:
                self.kinds[verdict.kind] += 1
                groups += ["critical"] if verdict.critical else []
                row = _row(verdict)
                if verdict.critical is None:
                    _add(rows["critical"], [0, 0, 0, 0, 1, verdict.loss])
            for name in groups:
                _add(rows[name], row)
        for name, row in rows.items():
            self.groups[name].add_game(label, row)
        return rows


def _add(row: Row, more: Row) -> None:
    row[:] = [a + b for a, b in zip(row, more, strict=True)]


class JudgedMoves(NamedTuple):
    """The moves of one seat in a judged game, as they are counted."""

    seats: tuple[int, int]  # the players of the game
    seat: int
    label: int
    rows: Rows


@dataclass(frozen=True)
class Accuracy:
    """What the judged games of a tournament say about its engines."""

    names: tuple[str, ...]
    rules: Rules
    players: tuple[PlayerAccuracy, ...]
    pairings: dict[tuple[int, int], Decisions]  # of the lower number and the higher, in any seat
    games: tuple[tuple[JudgedGame, Decision], ...]  # by number
    of: int  # games in the journal
    seconds: float  # that judging was allowed
    counted: tuple[JudgedMoves, ...] = ()  # of both seats of each game

    @property
    def moves(self) -> int:
        """Judged moves of all players."""
        return sum(player.groups["all"].moves for player in self.players)

    @property
    def unjudged(self) -> int:
        """Moves of these games for which no score was proven."""
        return sum(player.groups["all"].unjudged for player in self.players)

    def blunders(self, most: int) -> list[Blunder]:
        """The worst of each player, then the second worst, up to a number in all."""
        return worst_of_all((player.worst for player in self.players), most)


def accuracy(
    judged: Sequence[JudgedGame], of: int, seconds: float, names: Sequence[str], rules: Rules
) -> Accuracy:
    """Count the judged games; `of` games were played, and judging was allowed these seconds."""
    players = tuple(PlayerAccuracy() for _ in names)
    pairings: dict[tuple[int, int], Decisions] = {}
    counted: list[JudgedMoves] = []
    games: list[tuple[JudgedGame, Decision]] = []
    ordered = sorted(judged, key=lambda game: game.number)
    for game, label in zip(ordered, clusters_of(ordered, names), strict=True):
        seats = game.first, game.second
        decided = decision(game.judged, game.result, game.reason)
        games.append((game, decided))
        low, high = sorted(seats)
        pairings.setdefault((low, high), Decisions()).add(decided, swapped=game.first != low)
        for blunder in game.blunders(rules):
            player = players[blunder.player]
            player.worst = worst([*player.worst, blunder])
        for seat, number in enumerate(seats):
            players[number].decisions.add(decided, swapped=seat == 1)
            rows = players[number].add_game(game.judged, seat, rules, label)
            counted.append(JudgedMoves(seats, seat, label, rows))
    return Accuracy(
        tuple(names), rules, players, dict(sorted(pairings.items())), tuple(games), of, seconds,
        tuple(counted),
    )  # fmt: skip


def clusters_of(judged: Sequence[JudgedGame], names: Sequence[str]) -> list[int]:
    """The cluster of each game; games of one cluster are one piece of evidence."""
    played = Games(names)
    for game in judged:
        moves = game.judged.moves
        opening = moves[: game.judged.opening]
        played.append(game.first, game.second, game.result, opening, moves=moves)
    return [int(label) for label in played.labels]
