"""Leaderboards: ratings by board over people and engines, and who beat whom."""

from __future__ import annotations

from arena.cli.history import leaderboards
from arena.game import Rules
from arena.standings.games import WDL
from tests.human.games import engine, finished, person

ANNA, BOB, MCTS = person("Anna"), person("Bob"), engine("mcts hard")
FOUR = Rules.flat(4, 4)


def test_boards_are_rated_apart_and_the_busiest_comes_first() -> None:
    games = [finished(ANNA, MCTS, 0, FOUR), *[finished(MCTS, ANNA, 1)] * 3, finished(ANNA, BOB, 1)]
    first, second = leaderboards(games)
    assert (first.game, second.game) == ("connect4", "4x4")
    assert first.scoreboard.names == ("mcts hard", "Anna", "Bob")
    assert first.is_person == (False, True, True)
    assert [first.scoreboard.names[player] for player in first.ratings.order] == [
        "mcts hard",
        "Anna",
        "Bob",
    ]
    assert first.scoreboard.scores[1] == WDL(won=1, lost=3)
    assert first.scoreboard.versus(1, 0) == WDL(lost=3)
    assert first.scoreboard.versus(0, 1) == WDL(won=3)
    assert first.scoreboard.versus(0, 2) == WDL()
    elo = second.ratings.elo
    assert elo[0] is not None
    assert abs(elo[0]) < 1e-9  # one draw tells nothing


def test_ratings_are_finite_with_errors() -> None:
    (board,) = leaderboards([finished(ANNA, MCTS, 1)])
    assert all(elo is not None and abs(elo) < 500 for elo in board.ratings.elo)
    assert board.ratings.error == (None, None)  # one game says nothing


def test_games_with_help_and_of_an_engine_against_itself_are_not_rated() -> None:
    helped = finished(ANNA, MCTS, 1, helps=1)
    alone = finished(MCTS, MCTS, 1)
    assert not helped.is_rated
    assert not alone.is_rated
    (board,) = leaderboards([helped, alone])
    assert board.scoreboard.names == ()
    assert board.unrated == 2
    (board,) = leaderboards([helped, finished(ANNA, MCTS, -1)])
    assert (board.unrated, board.scoreboard.scores[0]) == (1, WDL(lost=1))


def test_a_person_who_is_called_like_an_engine_is_told_apart() -> None:
    (board,) = leaderboards([finished(person("mcts hard"), MCTS, 1)])
    assert board.scoreboard.names == ("mcts hard (person)", "mcts hard")
    assert board.scoreboard.versus(0, 1) == WDL(won=1)
