"""Positions to ask engines about: openings, crowded boards, full columns, the last cell."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from arena.game.notation import play_moves
from arena.game.position import Position
from arena.game.rules import Rules

TRIES, RESTARTS = 300, 8


@lru_cache(maxsize=64)
def sample_positions(rules: Rules, seed: int = 0) -> tuple[Position, ...]:
    """Unfinished positions of all phases, among them those with full columns or one column left."""
    random = Random(seed)
    long = long_game(rules, random)
    end = long.ply
    plies = sorted({0, 1, end // 3, end // 2, 3 * end // 4, *range(max(0, end - 5), end + 1)})
    along = [play_moves(long.moves[:ply], rules) for ply in plies]
    others = [_wander(rules, random, random.randrange(rules.cells // 2)) for _ in range(6)]
    return tuple(position for position in along + others if not position.is_over)


def long_game(rules: Rules, random: Random) -> Position:
    """An unfinished position with as many discs as can be found, often all but one."""
    return max(
        (_deepest(rules, random) for _ in range(RESTARTS)), key=lambda position: position.ply
    )


def winning_positions(rules: Rules, seed: int = 0) -> Iterator[Position]:
    """Positions in which the player to move can win at once, and need not."""
    for position in _random_positions(rules, seed):
        wins = [column for column in position.legal if position.wins_with(column)]
        if wins and len(wins) < len(position.legal):
            yield position


def threatened_positions(rules: Rules, seed: int = 0) -> Iterator[Position]:
    """Positions in which the player to move cannot win at once, but can stop the opponent."""
    for position in _random_positions(rules, seed):
        if any(map(position.wins_with, position.legal)):
            continue
        safe = [column for column in position.legal if not _loses_to_answer(position, column)]
        if 0 < len(safe) < len(position.legal):
            yield position


def _loses_to_answer(position: Position, column: int) -> bool:
    after = position.play(column)
    return any(map(after.wins_with, after.legal))


def _random_positions(rules: Rules, seed: int) -> Iterator[Position]:
    random = Random(seed)
    while True:
        position = _wander(rules, random, random.randrange(4, rules.cells))
        if not position.is_over:
            yield position


def _wander(rules: Rules, random: Random, plies: int) -> Position:
    position = Position(rules)
    while position.ply < plies and not position.is_over:
        position = position.play(random.choice(position.legal))
    return position


def _deepest(rules: Rules, random: Random) -> Position:
    """Play moves that do not win, going back where there is none, and keep the longest game."""
    longest = Position(rules)
    waiting = [longest]
    for _ in range(TRIES):
        if not waiting or longest.ply == rules.cells - 1:
            break
        position = waiting.pop()
        longest = max(longest, position, key=lambda known: known.ply)
        quiet = [column for column in position.legal if not position.wins_with(column)]
        random.shuffle(quiet)
        waiting += [position.play(column) for column in quiet]
    return longest
