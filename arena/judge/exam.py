"""An exam: positions whose exact scores are known, the same for all by seed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from arena.errors import BadOption
from arena.game.notation import play_moves
from arena.game.position import Position
from arena.game.rules import Rules
from arena.judge.judge import PHASES, Verdict, phase_of, sign
from arena.solver.flat.search import Solver
from arena.solver.solver import PATIENT
from arena.tournament.numbered import derive_seed
from arena.tournament.openings import RandomPlies

MAX_MISSES = 200  # draws in a row without a new position, before giving up


class ExamQuestion(NamedTuple):
    """A position, and the score of each column."""

    position: Position
    scores: dict[int, int]

    @property
    def is_critical(self) -> bool:
        """True if the columns differ in value."""
        return len(set(map(sign, self.scores.values()))) > 1

    def verdict(self, column: int) -> Verdict:
        """The verdict on an answer."""
        ply, best = self.position.ply, max(self.scores.values())
        phase = phase_of(ply, self.position.rules.cells)
        return Verdict(ply, column, best, self.scores[column], self.is_critical, phase)


def draw_positions(rules: Rules, count: int, seed: int, at_most: bool = False) -> list[Position]:
    """Draw different positions, equally many of each phase; mirror images count as the same.

    If the board has fewer: BadOption, or with `at_most` those that there are.
    """
    random = Random(derive_seed(seed, "exam"))
    drawn: dict[tuple[int, int], Position] = {}
    missed = 0
    while len(drawn) < count:
        position = _draw_position(rules, PHASES[len(drawn) % len(PHASES)], random)
        if position is None or position.symmetry_key in drawn:
            missed += 1
            if missed > MAX_MISSES and at_most:
                break
            if missed > MAX_MISSES:
                raise BadOption(f"{rules} has only {len(drawn)} positions to ask about")
            continue
        drawn[position.symmetry_key] = position
        missed = 0
    return list(drawn.values())


def _draw_position(rules: Rules, phase: str, random: Random) -> Position | None:
    """A random position of a phase that leaves a choice; the first and last plies are left out."""
    plies = [
        ply
        for ply in range(rules.cells // 4, rules.cells - rules.cells // 8)
        if phase_of(ply, rules.cells) == phase
    ]
    if not plies:  # the board is too small to have this phase
        return None
    ply, seed = plies[int(random.random() * len(plies))], random.getrandbits(48)
    try:
        position = play_moves(RandomPlies(rules, ply, seed).opening(0), rules)
    except BadOption:  # no game of this length is still open
        return None
    return position if len(position.legal) > 1 else None


def solve_positions(positions: list[Position], solver: Solver) -> Iterator[ExamQuestion]:
    """Yield the positions with the scores of their columns."""
    for position in positions:
        yield ExamQuestion(position, solver.scores(position, PATIENT))
