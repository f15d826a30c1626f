"""Boards and games for property tests: many sizes, played at random by the naive rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from arena.game import Position, Rules
from tests import naive

# The boards people play, and the edges: one column, one level, the most cells, all 64 bits.
FAMILIAR = ("7x6", "8x7", "9x7", "8x8", "5x4", "3x3c3", "4x4x4", "3x3x3c3", "4x4x4c3")
ODD = ("1x6", "9x1", "64x1", "2x32", "4x16", "6x5c2", "9x6c5", "2x3x5", "5x1x8c5", "1x7x6", "4x2x8")


@dataclass(frozen=True)
class Game:
    """A game, or its beginning, on the naive board and as a `Position`."""

    rules: Rules
    board: naive.Board
    position: Position


def empty(rules: Rules) -> naive.Board:
    """The naive twin of an empty board."""
    return naive.Board(rules.width, rules.depth, rules.height, rules.connect)


def twin(position: Position) -> naive.Board:
    """The naive board after the moves of a position."""
    return naive.play(empty(position.rules), position.moves)


def random_games(rules: Rules, count: int, seed: int = 1) -> Iterator[Game]:
    """Games of random length, some of them to the end."""
    random = Random(seed)
    for _ in range(count):
        yield random_game(rules, random.randint(0, rules.cells), random)


def random_game(rules: Rules, plies: int, random: Random) -> Game:
    """A game of so many random moves, fewer if it ends before."""
    board, position = empty(rules), Position(rules)
    while board.discs() < plies and (legal := board.legal()):
        column = random.choice(legal)
        board, position = board.drop(column), position.play(column)
    return Game(rules, board, position)


@st.composite
def sizes(draw: st.DrawFn) -> Rules:
    """Any board of up to 64 cells with connect 2 to 5."""
    if draw(st.booleans()):
        return Rules.named(draw(st.sampled_from(FAMILIAR + ODD)))
    width = draw(st.integers(1, 9))
    depth = draw(st.sampled_from((1, 1, 2, 3, 4)))
    height = draw(st.integers(1, max(1, min(9, 64 // (width * depth)))))
    longest = max(width, depth, height)
    connect = draw(st.integers(2, max(2, min(5, longest))))
    return Rules.space(max(width, 2) if longest == 1 else width, depth, height, connect)


@st.composite
def games(draw: st.DrawFn, rules: st.SearchStrategy[Rules] | None = None) -> Game:
    """A game on any board, from no move at all to the last one."""
    chosen = draw(sizes() if rules is None else rules)
    plies = draw(st.integers(0, chosen.cells))
    return random_game(chosen, plies, Random(draw(st.integers(0, 10**6))))
