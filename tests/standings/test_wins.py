"""Immediate wins and the directions of lines, against positions that are asked one by one."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import IllegalMove
from arena.game.notation import play_moves, read_moves
from arena.game.position import STEAL, Position
from arena.game.rules import Rules
from arena.standings.wins import Missed, Wins, ways_of
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
    wins = Wins(PLAYERS, rules)
    wins.add(rows[:7])
    wins.add(rows[7:])
    chances, missed, made = counted_by_hand(rows, rules)
    assert wins.missed_by() == tuple(Missed(chances[p], missed[p]) for p in range(PLAYERS))
    lines = {
        (player, way): int(count)
        for way, counts in wins.by_direction().items()
        for player, count in enumerate(counts)
        if count
    }
    assert lines == made


def count(text: str, game: str = "connect4", opening: int = 0, result: int = 0) -> Wins:
    rules = Rules.named(game)
    moves = bytes(read_moves(text, rules))
    wins = Wins(2, rules)
    wins.add([make_row(1, first=0, second=1, moves=moves, opening=moves[:opening], result=result)])
    return wins


def test_a_win_that_is_taken_and_one_that_is_missed() -> None:
    assert count("1212121", result=1).missed_by() == (Missed(1, 0), Missed(0, 0))
    assert count("12121233").missed_by() == (Missed(1, 1), Missed(1, 1))
    assert count("12121331").missed_by() == (Missed(1, 1), Missed(0, 0))


def test_moves_of_the_opening_are_nobodys() -> None:
    text = "1212123"
    assert count(text, opening=6).missed_by() == (Missed(1, 1), Missed(0, 0))
    assert count(text, opening=7).missed_by() == (Missed(0, 0), Missed(0, 0))


def test_after_a_steal_the_disc_is_the_others() -> None:
    """The second player steals column 1 and wins on it; the first never had three discs there."""
    rules = Rules.named("9x7+pie")
    moves = bytes([0, STEAL, 1, 0, 1, 0, 2, 0])
    assert play_moves(moves, rules).winner == 1
    wins = Wins(2, rules)
    wins.add([make_row(1, first=0, second=1, opening=b"", moves=moves, result=-1)])
    assert wins.missed_by() == (Missed(0, 0), Missed(1, 0))
    assert [int(count) for count in wins.by_direction()["column"]] == [0, 1]


def test_a_line_counts_once_and_for_who_won() -> None:
    both = "124317123556251"  # the last disc completes a column and a diagonal
    assert count("1212121", result=1).by_direction()["column"].tolist() == [1, 0]
    assert count("1212121", result=-1).by_direction()["column"].tolist() == [0, 0]
    assert len(Position.parse(both).winning_lines) == 2
    made = count(both, result=1).by_direction()
    assert {way: int(counts[0]) for way, counts in made.items() if counts.any()} == {"column": 1}


@pytest.mark.parametrize("game", BOARDS)
def test_directions_are_those_of_the_board_in_its_words(game: str) -> None:
    rules = Rules.named(game)
    names = ways_of(rules.plain).names
    assert set(names) == {line.direction.name_on(rules.is_flat) for line in rules.lines}
    assert len(set(names)) == len(names)
    if game == "connect4":
        assert names == ("column", "row", "rising diagonal", "falling diagonal")


def test_a_share_needs_a_chance() -> None:
    assert Missed(0, 0).share is None
    assert Missed(4, 1).share == 0.25
