"""The standings: one table, on a screen of any width."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from arena.show.standings import standings_screen, standings_table
from arena.standings.games import Games
from arena.standings.question import difference
from arena.standings.ranking import rank
from arena.standings.rating import rate_games

NAMES = ("alphabeta", "mcts", "oracle-hard")


def small() -> Games:
    """Each against each, from both seats: a win for who begins, then a draw."""
    board = Games(NAMES)
    for first, second in ((0, 1), (1, 2), (2, 0)):
        board.append(first, second, 1)
        board.append(second, first, 0)
    return board


def on_screen(board: Games, width: int) -> list[str]:
    ratings = rate_games(board) if board.games else None
    out = io.StringIO()
    screen = standings_screen("small", board, ratings, rank(board, ratings), width)
    Console(file=out, width=width).print(screen)
    return out.getvalue().splitlines()


@pytest.mark.parametrize("width", [44, 60, 80, 140])
def test_the_standings_fit_the_screen(width: int) -> None:
    lines = on_screen(small(), width)
    text = "\n".join(lines)
    assert "…" not in text
    assert all(word in text for word in (*NAMES, "Elo", "score"))
    assert ("+" in lines[2].split()) is (width >= 60)
    assert ("3" in lines[2].split()) is (width >= 80)


def test_without_games_there_are_names_alone() -> None:
    text = "\n".join(on_screen(Games(NAMES), 80))
    assert all(name in text for name in NAMES)


def test_two_engines_are_compared_by_their_games_with_each_other() -> None:
    board = Games(("ann", "bob"))
    for number, result in enumerate((1, 1, -1, 0, 1)):
        board.append(0, 1, result, bytes([number]), number)
    ratings = rate_games(board)
    table, apart = standings_table(board, ratings), difference(board, ratings, 0, 1)
    assert apart is not None
    assert table.headings()[-1] == "better than next"
    assert [row[-1] for row in table.rows] == [apart.los, None]


def test_all_that_a_report_has() -> None:
    board = small()
    table = standings_table(board, rate_games(board))
    assert table.headings() == (
        "place", "engine", "Elo", "±", "games", "points", "score", "won", "drawn", "lost",
        "better than next, by rating",
    )  # fmt: skip
    assert [row[4:10] for row in table.rows] == [(4, 2.0, 0.5, 1, 2, 1)] * 3
