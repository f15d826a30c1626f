"""Files of finished games to learn from, and opponents that break their contract."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.engine.contract import Limits
from arena.engine.registry import find
from arena.errors import ArenaError, BadNotation, EngineFailure
from arena.evaluation import Evaluation
from arena.game import CONNECT4, SCORE4, Position
from arena.learning.linear import LinearLearner
from arena.learning.opponent import Opponent
from arena.learning.reading import load
from arena.learning.records import read_records
from arena.tournament.games import Player
from tests.learning.recorded import write_recorded_games
from tests.learning.trainings import learner

WON = "1212121"
FAILING = ["OffBoard", "Raises", "RaisesEarly", "AnswersNothing", "AnswersText", "Quits"]
BOTS = Path(__file__).resolve().parents[1] / "support" / "bots" / "bad.py"


def test_the_recorded_games_are_those_of_the_fourth_experiment(tmp_path: Path) -> None:
    """S3.9: 75 of 100 games won, 37.2 plies on average."""
    games = read_records(write_recorded_games(tmp_path), SCORE4)
    assert len(games) == 100
    assert sum(game.winner == 1 for game in games) == 75
    assert sum(game.ply for game in games) == 3721
    assert all(game.moves[0] == 0 for game in games)  # the opponent opens in the corner


def test_the_recorded_agent_explored_nothing(tmp_path: Path) -> None:
    """Every move of its own is a best one, two plies deep, for the weights 2 and 5."""
    evaluation = Evaluation("recorded", runs=((2, 2), (3, 5)))
    agent = find("alphabeta").build({"evaluation": evaluation, "depth": 2, "prefer_quick": False})
    moves = 0
    for end in read_records(write_recorded_games(tmp_path), SCORE4)[::4]:
        position = Position(SCORE4)
        for column in end.moves:
            if position.to_move == 1:
                worths = agent.ask_opinions(position, Limits())
                assert worths[column] == max(worths.values())
                moves += 1
            position = position.play(column)
    assert moves > 400


def test_comments_and_empty_lines_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text(f"# two games\n\n{WON}  # a column\n4 4 5 5 6 6 7\n", encoding="utf-8")
    assert [game.ply for game in read_records(path, CONNECT4)] == [7, 7]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"{WON}\n44\n", "line 2: the game is not over after 2 moves"),
        ("9\n", "line 1: column 9"),
        (f"{WON}1\n", "line 1: move 8: the game is over"),
        ("# nothing\n", "holds no game"),
    ],
)
def test_what_is_no_game_is_told_with_its_line(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "games.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadNotation, match=says):
        read_records(path, CONNECT4)


def test_after_the_last_game_comes_the_first_again(tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text(f"{WON}\n2121212\n", encoding="utf-8")
    file = tmp_path / "training.yaml"
    keys = "method: td\nfeatures: counts\nrecords: games.txt\nside: second\nstep: 0.001\n"
    file.write_text(keys, encoding="utf-8")
    twice = LinearLearner(load(file))
    twice.play(4)
    assert twice.path.steps == 28
    (tmp_path / "games.txt").write_text("44\n", encoding="utf-8")
    with pytest.raises(ArenaError, match=r"training.yaml:3:10: records: games.txt, line 1"):
        load(file)


@pytest.mark.parametrize("name", FAILING)
def test_an_opponent_that_fails_is_told_in_a_sentence(name: str) -> None:
    player = Player(name, f"{BOTS}:{name}", {}, Limits())
    one = learner(game="7x6", features="counts", opponent="random", side="second")
    one.table.opponent = Opponent(player, CONNECT4)
    with pytest.raises(EngineFailure, match=f"opponent {name}"):
        one.play(3)
