"""The part of the contract that engines keep which learn from their games."""

from __future__ import annotations

from dataclasses import replace

from arena.engine.contract import Limits
from arena.game.position import DISCS
from arena.game.rules import Rules
from arena.table.learning import played_game
from arena.table.subject import Broken, Subject
from arena.tournament.openings import RandomPlies

BOARDS = 2  # on which it is tried: learning may take its time
LESSONS = 2
FIRST_SEED, LAST_SEED = 21, 7


def learns_the_same(subject: Subject, limits: Limits) -> str:
    """Two engines that were told the same games play the same one afterwards."""
    boards = subject.boards[:BOARDS]
    for rules in boards:
        once, again = (_after_lessons(subject, rules, limits) for _ in range(2))
        if once != again:
            games = f"two games on {rules} with the same seed"
            raise Broken(f"after the same {LESSONS} games were learned, {games} differ")
    return f"{LESSONS} games on each of {len(boards)} boards"


def _after_lessons(subject: Subject, rules: Rules, limits: Limits) -> tuple[int, ...]:
    """The game that a new engine plays after its lessons, against one that has had none."""
    pupil, other = subject.fresh(rules), subject.fresh(rules)
    openings = RandomPlies(rules, 2, FIRST_SEED)
    for number in range(1, LESSONS + 1):
        seed, opening = FIRST_SEED + number, openings.opening(number)
        partners = subject.fresh(rules), subject.fresh(rules)
        game = replace(subject.play(partners, rules, limits, seed, opening), number=number)
        subject.teach(pupil, played_game(game, number % 2, DISCS, rules), seed)
    return subject.play((pupil, other), rules, limits, LAST_SEED).columns
