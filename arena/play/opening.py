"""Openings at random: deterministic engines need them, or they play one game over and over."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from random import Random

from arena.errors import BadOption
from arena.game.position import Position
from arena.game.rules import Rules
from arena.play.seed import derive_seed

TRIES, DISTINCT_TRIES = 1000, 50


def random_openings(rules: Rules, plies: int, seed: int) -> Iterator[tuple[int, ...]]:
    """One opening after the other, none twice as long as new ones are found."""
    seen: set[tuple[int, ...]] = set()
    for number in count():
        for attempt in range(DISTINCT_TRIES):
            opening = random_opening(rules, plies, derive_seed(seed, number, attempt))
            if opening not in seen:
                break
        else:
            seen.clear()  # all are used up: begin again
        seen.add(opening)
        yield opening


def random_opening(rules: Rules, plies: int, seed: int) -> tuple[int, ...]:
    """Some plies at random, after which nobody has won or wins with the next disc."""
    if not 0 <= plies < rules.cells:
        raise BadOption(f"an opening of {plies} plies does not fit on a {rules.size} board")
    random = Random(seed)
    for _ in range(TRIES):
        position = Position(rules)
        while position.ply < plies and not position.is_over:
            position = position.play(random.choice(position.legal))
        if not position.is_over and not any(map(position.wins_with, position.legal)):
            return position.moves
    raise BadOption(f"no opening of {plies} plies on {rules} leaves the game open")
