"""Judge one game from its end to its beginning.

Positions near the end are easy, and their scores help with those before. A score that
cannot be proven within the budget stays open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from arena.game.position import STEAL, Position
from arena.game.rules import Rules
from arena.judge.judge import Judge, Verdict, phase_of, sign
from arena.solver.solver import Budget
from arena.table.game import GOOD_ENDS

FIRST_NODES, NODE_FACTOR = 100_000, 10  # for each question, and in each further round
QUICK_NODES = 1000  # for a first look at other columns: most that lose do so soon
GIVE_UP = 2  # positions in a row without a score; those before get a quick look only


@dataclass(frozen=True, slots=True)
class Judged:
    """The proven scores of a game from the end of its opening; None is not proven.

    There is a score for each position, one more than moves after the opening, seen from the player
    to move.
    """

    opening: int  # plies
    moves: bytes  # every move of the game, those of the opening first
    scores: tuple[int | None, ...]
    critical: tuple[bool | None, ...]  # whether the legal columns differ in value, by move
    better_moves: dict[int, tuple[int, ...]] = field(default_factory=dict)  # by ply

    @classmethod
    def blank(cls, moves: bytes, opening: int = 0) -> Judged:
        """A game without any scores."""
        chosen = max(0, len(moves) - opening)
        return cls(opening, moves, (None,) * (chosen + 1), (None,) * chosen)

    @property
    def plies(self) -> range:
        """The plies after the opening."""
        return range(self.opening, len(self.moves))

    @property
    def is_complete(self) -> bool:
        """Check whether everything is proven."""
        return None not in self.scores and None not in self.critical

    @property
    def values(self) -> tuple[int | None, ...]:
        """The value of each position for the first player: 1 won, 0 drawn, -1 lost."""
        return tuple(
            None if score is None else sign(score) * (-1) ** (self.opening + place)
            for place, score in enumerate(self.scores)
        )

    def most_loss(self, ply: int, rules: Rules) -> int:
        """The largest part of the score that the move at a ply can have given away."""
        before, then = self.scores[ply - self.opening :][:2]
        free, left = rules.cells - self.discs(ply), rules.cells - self.discs(ply + 1)
        highest = (free + 1) // 2 if before is None else before
        return highest + ((left + 1) // 2 if then is None else then)

    def discs(self, ply: int) -> int:
        """The number of discs on the board at a ply: a steal drops none."""
        return ply - self.moves[:ply].count(STEAL)

    def verdict(self, ply: int, rules: Rules) -> Verdict | None:
        """The verdict on the move at a ply; None if it is unjudged."""
        place = ply - self.opening
        before, then = self.scores[place], self.scores[place + 1]
        if before is None or then is None:
            return None
        return Verdict(
            ply, self.moves[ply], before, -then, self.critical[place],
            phase_of(ply, rules.cells), self.better_moves.get(ply, ()), ply - self.discs(ply),
        )  # fmt: skip

    def verdicts(self, rules: Rules) -> Iterator[tuple[int, Verdict | None]]:
        """The plies after the opening with their verdicts."""
        return ((ply, self.verdict(ply, rules)) for ply in self.plies)


@dataclass(frozen=True, slots=True)
class Decision:
    """The cause of a result.

    move: a mistake at a ply, after which the value stayed that of the result;
    start: the value after the opening, which never changed;
    end: not the value on the board: a player forfeited, or the game was broken off;
    unknown: not enough of the game is judged.
    """

    how: Literal["move", "start", "end", "unknown"]
    ply: int | None = None

    @property
    def seat(self) -> int | None:
        """The player who made the move."""
        return None if self.ply is None else self.ply % 2


def decision(judged: Judged, result: int, reason: str) -> Decision:
    """The last ply at which the value changed, if the board decided the game at all."""
    values = judged.values
    if reason not in GOOD_ENDS:
        return Decision("end")
    if values[-1] is None:
        return Decision("unknown")
    if values[-1] != result:
        return Decision("end")
    for place in reversed(range(len(values) - 1)):
        if values[place] is None:
            return Decision("unknown")
        if values[place] != values[place + 1]:
            return Decision("move", judged.opening + place)
    return Decision("start")


def judge_moves(judge: Judge, rules: Rules, game: Judged, budget: Budget) -> Judged:
    """Prove the score of each position, and whether its columns differ in value.

    The score after a move is that of the next position. Other columns are searched only until it
    is clear whether they differ in value. Positions that need more nodes or time stay open; those
    before them are as hard, unless a book has them.
    """
    positions = _positions(rules, game)
    scores, critical = list(game.scores), list(game.critical)
    failed = 0
    for place in reversed(range(len(scores))):
        if budget.is_over:
            break
        if scores[place] is None:
            look = budget if failed < GIVE_UP else _quick(budget)
            scores[place] = judge.score(positions[place], look)
            failed = failed + 1 if scores[place] is None else 0
        if place == len(critical) or critical[place] is not None:
            continue
        before, then = scores[place], scores[place + 1]
        if before is None or then is None:
            continue
        assert -then <= before, "no move has a higher score than its position"
        column = game.moves[game.opening + place]
        critical[place] = _is_critical(judge, positions[place], column, before, -then, budget)
    return replace(game, scores=tuple(scores), critical=tuple(critical))


def find_better_moves(
    judge: Judge, rules: Rules, game: Judged, plies: Iterable[int], budget: Budget
) -> Judged:
    """Find the columns that would have kept the value, for the blunders among these plies."""
    positions, better_moves = _positions(rules, game), dict(game.better_moves)
    for ply in plies:
        verdict = game.verdict(ply, rules)
        if ply in better_moves or verdict is None or verdict.keeps_value:
            continue
        if budget.is_over:
            break
        position = positions[ply - game.opening]
        better_moves[ply] = tuple(
            column for column in position.choices if column != verdict.column
            and _is_worse(judge, position, column, verdict.before, budget) is False
        )  # fmt: skip
    return replace(game, better_moves=better_moves)


def judge_in_rounds(judge: Judge, rules: Rules, game: Judged, budget: Budget) -> Judged:
    """Prove all of a game, easy positions first, until time runs out."""
    nodes = FIRST_NODES
    while not game.is_complete and not budget.is_over:
        game = judge_moves(judge, rules, game, budget.with_nodes(nodes))
        nodes *= NODE_FACTOR
    return find_better_moves(judge, rules, game, game.plies, budget)


def _is_critical(
    judge: Judge, position: Position, column: int, before: int, after: int, budget: Budget
) -> bool | None:
    """True if the legal columns differ in value, given the scores of the best and of one."""
    if sign(before) < 0:  # every column loses
        return False
    if sign(after) < sign(before):
        return True
    others = [other for other in position.choices if other != column]
    for look in (_quick(budget), budget):
        is_worse: dict[int, bool | None] = {}
        for other in others:
            is_worse[other] = _is_worse(judge, position, other, before, look)
            if is_worse[other]:
                return True
        others = [other for other, worse in is_worse.items() if worse is None]
    return None if others else False


def _is_worse(
    judge: Judge, position: Position, column: int, before: int, budget: Budget
) -> bool | None:
    """Check whether a column gives the value away."""
    return judge.beats(position.play(column), -sign(before), budget)


def _quick(budget: Budget) -> Budget:
    """A small budget for a first look."""
    nodes = QUICK_NODES if budget.nodes is None else min(QUICK_NODES, budget.nodes)
    return budget.with_nodes(nodes)


def _positions(rules: Rules, game: Judged) -> list[Position]:
    """The positions from the end of the opening."""
    position = Position(rules)
    positions = [position]
    for column in game.moves:
        position = position.play(column)
        positions.append(position)
    return positions[game.opening :]
