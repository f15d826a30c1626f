"""Wins by a line: those that were one move away and not taken, and which way the others lay.

Games are replayed from bytes as a journal keeps them, one a move, all games one after the other. A
game with a move against the rules, in a journal from elsewhere, counts for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.game.bits import NONE, Board, Ints, landing, record_of, winning_disc
from arena.game.position import STEAL
from arena.game.rules import Direction, Rules
from arena.jit import kernel, lowest
from arena.standings.games import Counts, Flags
from arena.table.game import Game

NO_LINE, ILLEGAL = -1, -2  # in place of the way of a line

Bytes = NDArray[np.uint8]


class Ways(NamedTuple):
    """The directions of a board's lines in words, and the direction of each of `board.through`."""

    names: tuple[str, ...]
    through: Ints


@lru_cache(maxsize=64)
def ways_of(rules: Rules) -> Ways:
    """The ways in which a line can win on a board: the straight ones first."""
    directions = sorted({line.direction for line in rules.lines}, key=_slant)
    place = {direction: number for number, direction in enumerate(directions)}
    masks = [mask for lines in rules.lines_through for mask in lines]
    through = [place[rules.line_of[mask].direction] for mask in masks]
    names = tuple(direction.name_on(rules.is_flat) for direction in directions)
    return Ways(names, np.array(through, np.int64))


def _slant(direction: Direction) -> tuple[int, int, int, int]:
    """Along how many axes, and then upwards before level before downwards."""
    dx, dy, dz = direction.dx, direction.dy, direction.dz
    return abs(dx) + abs(dy) + abs(dz), -dz, -dx, -dy


class Missed(NamedTuple):
    """Moves with which a player could have won at once, and those of them that did not."""

    chances: int
    missed: int

    @property
    def share(self) -> float | None:
        """The share of its chances that it missed; None without one."""
        return self.missed / self.chances if self.chances else None


class Wins(NamedTuple):
    """By game and seat, without the moves of the opening."""

    chances: Counts  # moves with which the player could have won
    missed: Counts  # those with which it did not
    made: Counts  # [game, seat, way]: whether it won by a line in this direction

    def won_by(self, rules: Rules, direction: str, other: str) -> Flags:
        """[game, seat]: won by a line in this direction; `other` stands for all slanting ones."""
        names = ways_of(rules.plain).names
        ways = [at for at, name in enumerate(names)
                if name == direction or (direction == other and other in name)]  # fmt: skip
        return np.asarray(self.made[:, :, ways].any(axis=2), np.bool_)


def wins_of(rows: Sequence[Game], rules: Rules) -> Wins:
    """Immediate wins and winning lines of some games."""
    count, seats = len(rows), np.arange(2 * len(rows)).reshape(-1, 2)
    games = np.empty((count, 5), np.int64)
    games[:, 0] = np.cumsum([len(row.moves) for row in rows])
    games[:, 1] = [len(row.opening) for row in rows]
    games[:, 2:4] = seats
    games[:, 4] = [row.result for row in rows]
    moves = np.frombuffer(b"".join([row.moves for row in rows]), np.uint8)
    board, ways = record_of(rules.board), ways_of(rules.plain)
    chances, missed = np.zeros(2 * count, np.int64), np.zeros(2 * count, np.int64)
    made = np.zeros((2 * count, len(ways.names)), np.int64)
    _count_wins(board, rules.pie, ways.through, moves, games, chances, missed, made)
    return Wins(chances.reshape(-1, 2), missed.reshape(-1, 2), made.reshape(count, 2, -1))


@kernel
def _count_wins(
    board: Board, pie: bool, ways: Ints, moves: Bytes, games: Ints,
    chances: Ints, missed: Ints, made: Ints,
) -> None:  # fmt: skip
    """Add the wins of some games to the counts of each player.

    `games` has a row for each: where its moves end, the plies of its opening, the places of both
    seats in the counts, and the result of the first. `chances` are moves of a player's own choice
    with a column that wins at once, `missed` those on which another was chosen, `made` games won by
    the way of the line.
    """
    counts = np.zeros((2, 2), np.int64)  # of each seat: chances, and missed ones
    start = 0
    for game in range(len(games)):
        end, opening, result = games[game, 0], games[game, 1], games[game, 4]
        counts[:] = 0
        way = _replay(board, pie, ways, moves[start:end], opening, counts)
        winner = (end - start + 1) % 2  # if it ended with a line
        start = end
        if way == ILLEGAL:
            continue
        for seat in range(2):
            chances[games[game, 2 + seat]] += counts[seat, 0]
            missed[games[game, 2 + seat]] += counts[seat, 1]
        if way != NO_LINE and result == 1 - 2 * winner:
            made[games[game, 2 + winner], way] += 1


@kernel
def _replay(board: Board, pie: bool, ways: Ints, moves: Bytes, opening: int, counts: Ints) -> int:
    """The way of the line that a game ended with, if it did; the chances of both seats."""
    own, opp = NONE, NONE
    for ply in range(len(moves)):
        move = np.int64(moves[ply])
        if pie and ply == 1 and move == STEAL:
            continue  # it is the first player's turn again, and his disc is the other's
        disc = landing(board, own | opp, move) if move < board.width else NONE
        if disc == NONE:
            return ILLEGAL
        way = _way(board, ways, own | disc, disc)
        if ply >= opening and (way != NO_LINE or _can_win(board, own, opp, ply)):
            counts[ply % 2, 0] += 1
            counts[ply % 2, 1] += way == NO_LINE
        if way != NO_LINE:
            return way if ply == len(moves) - 1 else ILLEGAL
        own, opp = opp, own | disc
    return NO_LINE


@kernel
def _can_win(board: Board, own: np.uint64, opp: np.uint64, ply: int) -> bool:
    """Whether a column wins at once; at first there are not enough discs."""
    return ply // 2 >= board.connect - 1 and winning_disc(board, own, opp) != NONE


@kernel
def _way(board: Board, ways: Ints, discs: np.uint64, disc: np.uint64) -> int:
    """The way of the first complete line through a disc."""
    cell = lowest(disc)
    for k in range(board.start[cell], board.start[cell + 1]):
        if discs & board.through[k] == board.through[k]:
            return ways[k]
    return NO_LINE
