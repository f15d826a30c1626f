"""Immediate wins and the directions of lines, against positions that are asked one by one."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.engine.contract import Limits
from arena.errors import IllegalMove
from arena.game.notation import play_moves, read_moves
from arena.game.position import STEAL, Position
from arena.game.rules import Rules
from arena.standings.games import Games
from arena.standings.results import collect
from arena.standings.wins import Missed, Wins, wins_of
from arena.table.game import Game
from tests.journal.examples import make_row

BOARDS = ("connect4", "8x7", "6x5c3", "4x4c2", "9x7+pie", "4x3c3+pie", "score4", "3x3x3c3+pie",
          "5x2x4", "7x1c4", "8x8c5", "1x9")  # fmt: skip
PLAYERS = 3


def some_games(game: str, seed: int, count: int = 20) -> list[Game]:
    """Games to their end or broken off, some with moves that are none, of changing openings."""
    random, rules = Random(seed), Rules.named(game)
    rows = []
    for number in range(1, count + 1):
        position, plies = Position(rules), random.randrange(1, rules.max_moves + 9)
        while not position.is_over and len(position.moves) < plies:
            position = position.play(random.choice(position.choices))
        moves, end = bytes(position.moves), position.winner
        if random.random() < 0.2:
            place = random.randrange(len(moves) + 1)
            moves = moves[:place] + bytes([random.choice([0, 1, rules.columns, STEAL, 255])])
        opening = random.choice([0, 0, 1, random.randrange(len(moves) + 1)])
        first = random.randrange(PLAYERS)
        rows.append(
            make_row(number, first=first, second=(first + 1) % PLAYERS, opening=moves[:opening],
                     moves=moves, result=0 if end is None else 1 - 2 * end, telemetry=b"")
        )  # fmt: skip
    return rows


def counted_by_hand(
    rows: list[Game], rules: Rules
) -> tuple[Counter[int], Counter[int], Counter[tuple[int, str]]]:
    """Chances, missed ones and games won by direction, each move looked at for itself."""
    chances: Counter[int] = Counter()
    missed: Counter[int] = Counter()
    made: Counter[tuple[int, str]] = Counter()
    for row in rows:
        try:
            end = play_moves(row.moves, rules)
        except IllegalMove:
            continue
        seats, position = (row.first, row.second), Position(rules)
        for ply, move in enumerate(row.moves):
            winning = [column for column in position.legal if position.wins_with(column)]
            if winning and ply >= len(row.opening):
                chances[seats[position.to_move]] += 1
                missed[seats[position.to_move]] += move not in winning
            position = position.play(move)
        line = end.winning_line
        if line is not None and row.result == 1 - 2 * line.player:
            made[seats[line.player], line.direction] += 1
    return chances, missed, made


@pytest.mark.parametrize("game", BOARDS)
@settings(max_examples=8)
@given(seed=st.integers(0, 10**6))
def test_wins_are_counted_as_positions_tell_them(game: str, seed: int) -> None:
    rules, rows = Rules.named(game), some_games(game, seed)
    results = collect(iter(rows), Games("abc"), [Limits()] * PLAYERS, rules)
    chances, missed, made = counted_by_hand(rows, rules)
    assert results.missed == tuple(Missed(chances[p], missed[p]) for p in range(PLAYERS))
    lines = {
        (player, way): int(count)
        for way, counts in results.lines.items()
        for player, count in enumerate(counts)
        if count
    }
    assert lines == made


def counted(text: str, opening: int = 0, result: int = 0) -> tuple[list[tuple[int, int]], Wins]:
    """Chances and missed ones of both seats, and everything else."""
    rules = Rules.named("connect4")
    moves = bytes(read_moves(text, rules))
    row = make_row(1, first=0, second=1, moves=moves, opening=moves[:opening], result=result)
    wins = wins_of([row], rules)
    return list(zip(wins.chances[0].tolist(), wins.missed[0].tolist(), strict=True)), wins


def test_a_win_that_is_taken_and_one_that_is_missed() -> None:
    assert counted("1212121", result=1)[0] == [(1, 0), (0, 0)]
    assert counted("12121233")[0] == [(1, 1), (1, 1)]
    assert counted("12121331")[0] == [(1, 1), (0, 0)]


def test_after_a_steal_the_disc_is_the_others() -> None:
    """The second player steals column 1 and wins on it; the first never had three discs there."""
    rules = Rules.named("9x7+pie")
    moves = bytes([0, STEAL, 1, 0, 1, 0, 2, 0])
    assert play_moves(moves, rules).winner == 1
    row = make_row(1, first=0, second=1, opening=b"", moves=moves, result=-1)
    wins = wins_of([row], rules)
    assert (wins.chances.tolist(), wins.missed.tolist()) == ([[0, 1]], [[0, 0]])
    assert wins.won_by(rules, "column", "diagonal").tolist() == [[False, True]]


def test_a_line_counts_once_and_for_who_won() -> None:
    both = "124317123556251"  # the last disc completes a column and a diagonal
    rules = Rules.named("connect4")
    assert counted("1212121", result=1)[1].won_by(rules, "column", "diagonal")[0, 0]
    assert not counted("1212121", result=-1)[1].made.any()
    assert len(Position.parse(both).winning_lines) == 2
    made = counted(both, result=1)[1]
    assert made.made.sum() == 1
    assert made.won_by(rules, "column", "diagonal")[0, 0]
