"""How well engines play by the exact scores of their moves: shares kept, score lost, blunders.

Everything is counted from judged games. What is unjudged is counted beside it, guessed nowhere, and
widens the intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median_low

from arena.game.rules import Rules
from arena.judge.game import Decision, Judged, decision
from arena.judge.judge import (
    KINDS,
    PHASES,
    Blunder,
    Kind,
    Phase,
    phase_of,
    worst,
    worst_of_all,
)
from arena.judge.sampling import JudgedGame
from arena.standings.shares import Cluster, Count

SEATS = ("first", "second")
GROUPS = ("all", "critical", *PHASES, *SEATS)


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


@dataclass(slots=True)
class PlayerAccuracy:
    """All that was counted of one player, by groups of positions.

    Unjudged in the critical group are the moves that are not proven to belong to it or not.
    """

    groups: dict[str, Count] = field(default_factory=lambda: {name: Count() for name in GROUPS})
    kinds: dict[Kind, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    worst: list[Blunder] = field(default_factory=list)
    decisions: Decisions = field(default_factory=Decisions)

    def add_game(self, judged: Judged, seat: int, rules: Rules, copies: int = 1) -> None:
        """Count the moves of one seat; of a game that was played several times, as one."""
        clusters = {name: Cluster() for name in GROUPS}
        critical = clusters["critical"]
        for ply, verdict in judged.verdicts(rules):
            if ply % 2 != seat:
                continue
            groups = [clusters[name] for name in ("all", phase_of(ply, rules.cells), SEATS[seat])]
            if verdict is None:
                for group in (*groups, critical):
                    group.add_unjudged(judged.most_loss(ply, rules))
                continue
            self.kinds[verdict.kind] += copies
            for group in groups:
                group.add(verdict)
            if verdict.critical is None:
                critical.add_unjudged(verdict.loss)
            elif verdict.critical:
                critical.add(verdict)
        for name, cluster in clusters.items():
            self.groups[name].add_game(cluster, copies)


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

    @property
    def moves(self) -> int:
        """Judged moves of all players."""
        return sum(player.groups["all"].moves for player in self.players)

    @property
    def unjudged(self) -> int:
        """Moves of these games for which no score was proven."""
        return sum(player.groups["all"].unjudged for player in self.players)

    def blunders(self, most: int) -> list[Blunder]:
        """The worst of each player, then the second worst, up to so many in all."""
        return worst_of_all((player.worst for player in self.players), most)


def accuracy(
    judged: Sequence[JudgedGame], of: int, seconds: float, names: Sequence[str], rules: Rules
) -> Accuracy:
    """Count the judged games, of so many, that so many seconds were allowed for."""
    players = tuple(PlayerAccuracy() for _ in names)
    pairings: dict[tuple[int, int], Decisions] = {}
    games = []
    repeated: dict[tuple[int, int, bytes, int], list[Judged]] = {}  # copies add no evidence
    for game in sorted(judged, key=lambda game: game.number):
        decided = decision(game.judged, game.result, game.reason)
        games.append((game, decided))
        low, high = sorted((game.first, game.second))
        pairings.setdefault((low, high), Decisions()).add(decided, swapped=game.first != low)
        players[game.first].decisions.add(decided)
        players[game.second].decisions.add(decided, swapped=True)
        for blunder in game.blunders(rules):
            player = players[blunder.player]
            player.worst = worst([*player.worst, blunder])
        for seat, number in enumerate((game.first, game.second)):
            key = number, seat, game.judged.moves, game.judged.opening
            repeated.setdefault(key, []).append(game.judged)
    for (number, seat, *_), copies in repeated.items():
        players[number].add_game(copies[0], seat, rules, len(copies))
    return Accuracy(
        tuple(names), rules, players, dict(sorted(pairings.items())), tuple(games), of, seconds
    )
