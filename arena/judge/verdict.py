"""The verdict on one move: what it kept, what it gave away, and in which part of the game.

Scores are those of the solver, seen from whoever made the move: 0 is a draw, +k wins with k - 1
discs of one's own left, -k loses so. The value of a position is the sign of its score.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from arena.game.rules import Rules
from arena.solver.solver import winning_disc

Kind = Literal["best", "slower win", "faster loss", "win to draw", "draw to loss", "win to loss"]
KINDS: tuple[Kind, ...] = get_args(Kind)
VALUES = {1: "win", 0: "draw", -1: "loss"}

Phase = Literal["opening", "middle", "end"]
PHASES: tuple[Phase, ...] = get_args(Phase)

WORST = 3  # blunders kept of each player
EXPLAINED = 5  # blunders of all players, for which every report tells what would have been right


@dataclass(frozen=True, slots=True)
class Verdict:
    """A move that was judged: exact scores before and after it, and what follows from them."""

    ply: int  # moves before it
    column: int
    before: int  # the best that any column was worth to the mover
    after: int  # what this one was worth
    critical: bool | None  # whether the legal columns differ in value; None: not proven
    phase: Phase
    keepers: tuple[int, ...] = ()  # columns proven to keep the value, where this one did not
    steals: int = 0  # before it

    @property
    def seat(self) -> int:
        """Who moved: 0 the first player, 1 the second."""
        return self.ply % 2

    @property
    def discs(self) -> int:
        """How many discs lay on the board before it."""
        return self.ply - self.steals

    def outcome(self, score: int, rules: Rules) -> str:
        """What the mover makes of a score, in words."""
        return in_words(score, self.discs, rules, self.steals > 0)

    @property
    def loss(self) -> int:
        """How much of the score was given away; 0 for a best move."""
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
        """Whether a won game stays won and a drawn one drawn."""
        return self.value_before == self.value_after

    @property
    def keeps_score(self) -> bool:
        """Whether no column was better: the fastest win, the slowest loss."""
        return self.loss == 0

    @property
    def kind(self) -> Kind:
        """What kind of move it was."""
        if self.keeps_score:
            return "best"
        if self.keeps_value:
            return "slower win" if self.value_before > 0 else "faster loss"
        if self.value_before > 0:
            return "win to draw" if self.value_after == 0 else "win to loss"
        return "draw to loss"

    @property
    def words(self) -> str:
        """The kind as a sentence says it."""
        return self.kind if self.keeps_value else f"blunder from {self.kind}"

    @property
    def size(self) -> tuple[int, int]:
        """How bad it was, to compare with others: the value lost first, then the score."""
        return self.value_before - self.value_after, self.loss


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


def worst(blunders: Iterable[Blunder], most: int = WORST) -> list[Blunder]:
    """So many of them, the worst first."""
    return sorted(blunders, key=lambda blunder: blunder.order)[:most]


def worst_of_all(players: Iterable[list[Blunder]], most: int) -> list[Blunder]:
    """The worst of each player, then the second worst, up to so many in all."""
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
    """What whoever is to move makes of a score: "wins with disc 41".

    As long as the first disc may be stolen nobody knows who will have which disc.
    """
    disc = winning_disc(score, discs, rules.cells)
    if rules.pie and discs <= 1 and not stolen:
        return {1: "wins", 0: "draws", -1: "loses"}[sign(score)]
    if disc is None:
        return "draws"
    return f"wins with disc {disc}" if score > 0 else f"loses at disc {disc}"
