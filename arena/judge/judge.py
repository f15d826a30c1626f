"""The judge: exact scores within a budget, each searched once, and verdicts on moves.

Scores are those of the solver, seen from the player who moves: 0 is a draw, +k wins with k - 1
discs of one's own left, -k loses so. The value of a position is the sign of its score.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable
from copy import copy
from dataclasses import dataclass
from typing import Literal, get_args

from arena.game.position import STEAL, Position
from arena.game.rules import Rules
from arena.solver.book import key_of
from arena.solver.solver import Budget, OutOfBudget, solver_for, winning_disc

MEGABYTES = 64  # of table
MAX_SCORES = 1_000_000  # that are remembered
FIRST_NODES, NODE_FACTOR = 1_000_000, 10  # for each column, and in each further round

Kind = Literal["best", "slower win", "faster loss", "win to draw", "draw to loss", "win to loss"]
KINDS: tuple[Kind, ...] = get_args(Kind)
VALUES = {1: "win", 0: "draw", -1: "loss"}

Phase = Literal["opening", "middle", "end"]
PHASES: tuple[Phase, ...] = get_args(Phase)

WORST = 3  # blunders kept of each player
EXPLAINED = 5  # blunders of all players for which every report has the better moves


class Judge:
    """Exact scores, seen from the player to move; None if the budget was too small for a proof.

    It judges any position of a flat board, and positions near the end of a game in space.
    """

    def __init__(self, rules: Rules, megabytes: float = MEGABYTES) -> None:
        self.rules = rules
        self.solver = solver_for(rules.plain, megabytes)
        self.scores: dict[Hashable, int] = {}

    def partner(self) -> Judge | None:
        """A judge for another thread, with the same table and scores; None if there is none."""
        solver = self.solver.partner()
        if solver is None:
            return None
        other = copy(self)
        other.solver = solver
        return other

    def score(self, position: Position, budget: Budget) -> int | None:
        """The score of a position; also of a game that is over."""
        if position.rules.pie:
            return self._score_with_pie(position, budget)
        key = _key(position)
        score = self.scores.get(key)
        if score is None:
            try:
                score = self._search(position, budget)
            except OutOfBudget:
                return None
            if len(self.scores) < MAX_SCORES:
                self.scores[key] = score
        return score

    def _search(self, position: Position, budget: Budget) -> int:
        """Ask the solver; columns with a known score are a lower bound."""
        children = (_key(position.play(column)) for column in position.legal)
        scores = [score for key in children if (score := self.scores.get(key)) is not None]
        if not scores:
            return self.solver.score(position, budget)
        return self.solver.score_from(position, -min(scores), budget)

    def _score_with_pie(self, position: Position, budget: Budget) -> int | None:
        """The score by the pie rule: the second player takes the better side."""
        if position.ply == 0:
            after = [self.score(position.play(column), budget) for column in position.legal]
            scores = [score for score in after if score is not None]
            return -min(scores) if len(scores) == len(after) else None
        score = self.score(position.plain, budget)
        return abs(score) if score is not None and position.can_steal else score

    def beats(self, position: Position, score: int, budget: Budget) -> bool | None:
        """Check whether a position has more than a score, often cheaper to prove than the score."""
        if position.rules.pie:
            if position.ply <= 1:
                exact = self.score(position, budget)
                return None if exact is None else exact > score
            position = position.plain
        own = self.scores.get(_key(position))
        if own is not None:
            return own > score
        try:
            return self.solver.beats(position, score, budget)
        except OutOfBudget:
            return None


def _key(position: Position) -> Hashable:
    """A key of a position; mirror images on flat boards share one."""
    return key_of(position) if position.rules.is_flat else (position.first, position.second)


@dataclass(frozen=True)
class Solution:
    """The exact score of each choice of the player to move; None is not proven."""

    position: Position
    scores: dict[int, int | None]
    seconds: float
    nodes: int

    @property
    def open(self) -> list[int]:
        """The columns without a proven score."""
        return [column for column, score in self.scores.items() if score is None]

    @property
    def most(self) -> int | None:
        """The highest proven score of a column."""
        return max((score for score in self.scores.values() if score is not None), default=None)

    @property
    def score(self) -> int | None:
        """The score of the position; None until every column has one."""
        return None if self.open else self.most

    @property
    def best(self) -> list[int]:
        """The columns that keep this score."""
        if self.score is None:
            return []
        return [column for column, score in self.scores.items() if score == self.score]


def solve_columns(
    judge: Judge,
    position: Position,
    seconds: float | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> Solution:
    """Solve every column within these seconds; `progress` gets the number of solved ones."""
    began, before = time.perf_counter(), judge.solver.nodes
    scores: dict[int, int | None] = dict.fromkeys(position.choices)
    left = sorted(scores, key=[*position.rules.centre_order, STEAL].index)

    def on_wait() -> None:
        progress(len(scores) - len(left))

    nodes, budget = FIRST_NODES, Budget.lasting(seconds, on_wait=on_wait)
    while left and not budget.is_over:
        for column in left:
            score = judge.score(position.play(column), budget.with_nodes(nodes))
            scores[column] = None if score is None else -score
        left = [column for column in left if scores[column] is None]
        nodes *= NODE_FACTOR
    return Solution(position, scores, time.perf_counter() - began, judge.solver.nodes - before)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The exact scores before and after a move, seen from the mover."""

    ply: int  # moves before it
    column: int
    before: int  # the score of the best column
    after: int  # the score of this one
    critical: bool | None  # whether the legal columns differ in value; None: not proven
    phase: Phase
    better_moves: tuple[int, ...] = ()  # proven to keep the value, where this one did not
    steals: int = 0  # before it

    @property
    def seat(self) -> int:
        """The player who moved: 0 the first, 1 the second."""
        return self.ply % 2

    @property
    def discs(self) -> int:
        """The number of discs on the board before it."""
        return self.ply - self.steals

    def outcome(self, score: int, rules: Rules) -> str:
        """A score in words, as the mover reaches it."""
        return in_words(score, self.discs, rules, self.steals > 0)

    @property
    def loss(self) -> int:
        """The score that was given away; 0 for a best move."""
        return self.before - self.after

    @property
    def value_before(self) -> int:
        """1 won, 0 drawn, -1 lost, with best play from here."""
        return sign(self.before)

    @property
    def value_after(self) -> int:
        """1 won, 0 drawn, -1 lost after the move, still seen from the mover."""
        return sign(self.after)

    @property
    def keeps_value(self) -> bool:
        """True if a won game stays won, and a drawn one drawn."""
        return self.value_before == self.value_after

    @property
    def keeps_score(self) -> bool:
        """True if no column was better: the fastest win, the slowest loss."""
        return self.loss == 0

    @property
    def kind(self) -> Kind:
        """The kind of the move."""
        if self.keeps_score:
            return "best"
        if self.keeps_value:
            return "slower win" if self.value_before > 0 else "faster loss"
        if self.value_before > 0:
            return "win to draw" if self.value_after == 0 else "win to loss"
        return "draw to loss"

    @property
    def words(self) -> str:
        """The kind as part of a sentence."""
        return self.kind if self.keeps_value else f"blunder from {self.kind}"

    @property
    def size(self) -> tuple[int, int]:
        """The loss of value, then the loss of score, to compare blunders."""
        return self.value_before - self.value_after, self.loss


@dataclass(frozen=True, slots=True)
class Blunder:
    """A move that gave the value away."""

    game: int
    player: int
    opponent: int
    moves: bytes  # up to the blunder, which is the last one
    verdict: Verdict

    @property
    def order(self) -> tuple[int, int, int, int]:
        """A sort key: the worst first, then the earliest."""
        value, score = self.verdict.size
        return -value, -score, self.game, self.verdict.ply


def worst(blunders: Iterable[Blunder], most: int = WORST) -> list[Blunder]:
    """At most this many blunders, the worst first."""
    return sorted(blunders, key=lambda blunder: blunder.order)[:most]


def worst_of_all(players: Iterable[list[Blunder]], most: int) -> list[Blunder]:
    """The worst blunder of each player, then the second worst, at most this many in all."""
    chosen: list[Blunder] = []
    each = list(players)
    for place in range(WORST):
        chosen += worst((blunders[place] for blunders in each if place < len(blunders)), len(each))
    return worst(chosen[:most], most)


def nth(ply: int, rules: Rules) -> str:
    """The move at a ply by its number from 1, "disc 5"; with the pie rule not each is a disc."""
    return f"{'move' if rules.pie else 'disc'} {ply + 1}"


def sign(score: int) -> int:
    """The value of a score: 1 a win, 0 a draw, -1 a loss."""
    return (score > 0) - (score < 0)


def phase_of(ply: int, cells: int) -> Phase:
    """The part of the game by thirds of the board: 7x6 has 14 plies of opening, middle and end."""
    return PHASES[min(3 * ply // cells, 2)]  # a steal makes one ply more than cells


def in_words(score: int, discs: int, rules: Rules, stolen: bool = False) -> str:
    """A score in words, seen from the player to move: "wins with disc 41".

    Until the first disc can no longer be stolen, the owners of later discs are open.
    """
    disc = winning_disc(score, discs, rules.cells)
    if rules.pie and discs <= 1 and not stolen:
        return {1: "wins", 0: "draws", -1: "loses"}[sign(score)]
    if disc is None:
        return "draws"
    return f"wins with disc {disc}" if score > 0 else f"loses at disc {disc}"
