"""How well engines play by the exact scores of their moves: shares kept, score lost, blunders.

Everything is counted from judged games; what is unjudged is counted beside it and guessed nowhere.
Intervals are Wilson's, as if moves were independent of each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import median_low
from typing import NamedTuple

from arena.game.rules import Rules
from arena.judge.game import Decision, decision
from arena.judge.survey import JudgedGame, Survey
from arena.judge.verdict import KINDS, PHASES, Kind, Phase, Verdict, phase_of
from arena.play.tally import wilson
from arena.standings.scores import NORMAL_95

SEATS = ("first", "second")
GROUPS = ("all", "critical", *PHASES, *SEATS)
WORST = 3  # blunders kept of each player


class Share(NamedTuple):
    """So many of so many."""

    kept: int
    moves: int

    @property
    def share(self) -> float | None:
        """The share itself; None of nothing."""
        return self.kept / self.moves if self.moves else None

    @property
    def interval(self) -> tuple[float | None, float | None]:
        """Its 95 % interval; not known of nothing."""
        return wilson(self.kept, self.moves) if self.moves else (None, None)


@dataclass(slots=True)
class Count:
    """Judged moves of one kind, as they are counted."""

    moves: int = 0
    value: int = 0  # that kept the value
    score: int = 0  # that kept the exact score
    loss: int = 0  # of score, in all
    squares: int = 0

    def add(self, verdict: Verdict) -> None:
        """Count a move."""
        self.moves += 1
        self.value += verdict.keeps_value
        self.score += verdict.keeps_score
        self.loss += verdict.loss
        self.squares += verdict.loss**2

    @property
    def kept_value(self) -> Share:
        """The share of moves that kept the value."""
        return Share(self.value, self.moves)

    @property
    def kept_score(self) -> Share:
        """The share of moves that kept the exact score."""
        return Share(self.score, self.moves)

    @property
    def mean_loss(self) -> float | None:
        """How much of the score a move gave away."""
        return self.loss / self.moves if self.moves else None

    @property
    def loss_error(self) -> float | None:
        """Half of the 95 % interval of the mean loss, by the spread of the losses."""
        if self.moves < 2:
            return None
        spread = (self.squares - self.loss**2 / self.moves) / (self.moves - 1)
        return NORMAL_95 * sqrt(max(0.0, spread) / self.moves)


@dataclass(frozen=True, slots=True)
class Blunder:
    """A move that gave the value away, with all that is needed to show it."""

    game: int
    player: int
    opponent: int
    moves: bytes  # up to the blunder, which is the last one
    verdict: Verdict

    @property
    def order(self) -> tuple[int, int, int, int]:
        """The worst first; of equals the one that came first."""
        value, score = self.verdict.size
        return -value, -score, self.game, self.verdict.ply


@dataclass(slots=True)
class Decisions:
    """Where some games were decided."""

    games: int = 0
    start: int = 0  # the value stood from the beginning
    end: int = 0  # not on the board
    unknown: int = 0
    own: list[int] = field(default_factory=list)  # plies of the mistakes of whose games these are
    others: list[int] = field(default_factory=list)  # and of the opponent's

    def add(self, found: Decision, swapped: bool = False) -> None:
        """Count a game; swapped: whose games these are moved second in it."""
        self.games += 1
        if found.ply is None:
            setattr(self, found.how, getattr(self, found.how) + 1)
        elif found.seat == int(swapped):
            self.own.append(found.ply)
        else:
            self.others.append(found.ply)

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
class Player:
    """All that was counted of one player, by groups of positions.

    Unjudged moves are no part of a group's count. For the critical group these are the moves of
    which it is not proven whether they belong to it.
    """

    groups: dict[str, Count] = field(default_factory=lambda: {name: Count() for name in GROUPS})
    kinds: dict[Kind, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    unjudged: dict[str, int] = field(default_factory=lambda: dict.fromkeys(GROUPS, 0))
    worst: list[Blunder] = field(default_factory=list)
    decisions: Decisions = field(default_factory=Decisions)

    def add(self, ply: int, verdict: Verdict | None, cells: int) -> None:
        """Count a move, judged or not."""
        groups = ["all", phase_of(ply, cells), SEATS[ply % 2]]
        if verdict is None or verdict.critical is None:
            self.unjudged["critical"] += 1
        if verdict is None:
            for group in groups:
                self.unjudged[group] += 1
            return
        for group in [*groups, "critical"] if verdict.critical else groups:
            self.groups[group].add(verdict)
        self.kinds[verdict.kind] += 1


@dataclass(frozen=True)
class Accuracy:
    """What the judged games of a tournament say about its engines."""

    names: tuple[str, ...]
    rules: Rules
    players: tuple[Player, ...]
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
        return sum(player.unjudged["all"] for player in self.players)

    def blunders(self, most: int) -> list[Blunder]:
        """The worst of each player, then the second worst, up to so many in all."""
        chosen: list[Blunder] = []
        for place in range(WORST):
            each = [player.worst[place] for player in self.players if place < len(player.worst)]
            chosen += sorted(each, key=lambda blunder: blunder.order)
        return sorted(chosen[:most], key=lambda blunder: blunder.order)


def accuracy(survey: Survey, names: Sequence[str], rules: Rules) -> Accuracy:
    """Count what was judged; players are numbers in the line-up."""
    players = tuple(Player() for _ in names)
    pairings: dict[tuple[int, int], Decisions] = {}
    games = []
    for game in sorted(survey.games, key=lambda game: game.number):
        found = decision(game.judged, game.result, game.reason)
        games.append((game, found))
        _count_moves(game, players, rules)
        low, high = sorted((game.first, game.second))
        pairings.setdefault((low, high), Decisions()).add(found, swapped=game.first != low)
        players[game.first].decisions.add(found)
        players[game.second].decisions.add(found, swapped=True)
    return Accuracy(
        tuple(names), rules, players, dict(sorted(pairings.items())), tuple(games), survey.of,
        survey.seconds,
    )  # fmt: skip


def _count_moves(game: JudgedGame, players: Sequence[Player], rules: Rules) -> None:
    seats = game.first, game.second
    for ply, verdict in game.judged.verdicts(rules):
        player, opponent = seats[ply % 2], seats[1 - ply % 2]
        players[player].add(ply, verdict, rules.cells)
        if verdict is not None and not verdict.keeps_value:
            moves = game.judged.moves[: ply + 1]
            blunder = Blunder(game.number, player, opponent, moves, verdict)
            players[player].worst = _worst([*players[player].worst, blunder])


def _worst(blunders: Iterable[Blunder]) -> list[Blunder]:
    return sorted(blunders, key=lambda blunder: blunder.order)[:WORST]
