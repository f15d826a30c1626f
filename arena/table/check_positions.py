"""Positions that an engine under check is asked about."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from arena.game.notation import play_moves
from arena.game.position import Position
from arena.game.rules import Rules

TRIES, RESTARTS = 300, 8  # to find a long game


@lru_cache(maxsize=64)
def sample_positions(rules: Rules) -> tuple[Position, ...]:
    """Unfinished positions of all phases, with full columns and single columns left.

    The empty board and the fullest one come first: a slow engine is asked only a few.
    """
    random = Random(0)
    long = _long_game(rules, random)
    end = long.ply
    plies = sorted({1, end // 3, end // 2, 3 * end // 4, *range(max(0, end - 5), end)} - {0, end})
    along = [play_moves(long.moves[:ply], rules) for ply in (0, end, *plies)]
    others = [random_position(rules, random, random.randrange(rules.cells // 2)) for _ in range(6)]
    return tuple(position for position in along + others if not position.is_over)


def winning_positions(rules: Rules) -> Iterator[Position]:
    """Positions in which the player to move can win at once, and need not."""
    for position in _random_positions(rules):
        if 0 < sum(map(position.wins_with, position.legal)) < len(position.legal):
            yield position


def threatened_positions(rules: Rules) -> Iterator[Position]:
    """Positions in which the player to move cannot win at once, but can stop the opponent."""
    for position in _random_positions(rules):
        if any(map(position.wins_with, position.legal)):
            continue
        if 0 < sum(is_safe(position, column) for column in position.legal) < len(position.legal):
            yield position


def is_safe(position: Position, column: int) -> bool:
    """Whether the opponent has no immediate win after this move."""
    after = position.play(column)
    return not any(map(after.wins_with, after.legal))


def _random_positions(rules: Rules) -> Iterator[Position]:
    random = Random(0)
    while True:
        position = random_position(rules, random, random.randrange(4, rules.cells))
        if not position.is_over:
            yield position


def random_position(rules: Rules, random: Random, plies: int) -> Position:
    """The position after this many random moves, or at the end of the game."""
    position = Position(rules)
    while position.ply < plies and not position.is_over:
        position = position.play(random.choice(position.legal))
    return position


def _long_game(rules: Rules, random: Random) -> Position:
    """Find an unfinished position with as many discs as possible, often all but one.

    Play moves that do not win, backtrack where there is none, and keep the longest game.
    """
    longest = Position(rules)
    for _ in range(RESTARTS):
        waiting, most = [Position(rules)], 0
        for _ in range(TRIES):
            if not waiting or most == rules.cells - 1:
                break
            position = waiting.pop()
            most = max(most, position.ply)
            longest = max(longest, position, key=lambda one: one.ply)
            quiet = [column for column in position.legal if not position.wins_with(column)]
            random.shuffle(quiet)
            waiting += [position.play(column) for column in quiet]
    return longest
