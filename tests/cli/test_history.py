"""`arena games`: the list, the leaderboards, single games, JSON, and mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.game import Rules
from arena.human.history import VARIABLE, History
from tests.cli.running import assert_one_sentence, run, run_json
from tests.human.games import engine, finished, person

ANNA, BOB, MCTS = person("Anna"), person("Bob"), engine("mcts hard")


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> History:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "history.db"))
    return History()


@pytest.fixture
def played(history: History) -> History:
    """Five games on two boards, one of them with help."""
    for game in (
        finished(ANNA, MCTS, -1),
        finished(MCTS, ANNA, 1),
        finished(ANNA, BOB, 1),
        finished(BOB, MCTS, 1, helps=3),
        finished(ANNA, MCTS, 0, Rules.flat(4, 4)),
    ):
        history.add(game)
    return history


def test_before_the_first_game(history: History) -> None:
    result = run("games")
    assert result.exit_code == 0
    assert result.stdout == ""
    assert result.stderr.startswith("no games yet; arena play records")
    assert run_json("games") == {"file": str(history.path), "games": [], "boards": []}
    assert_one_sentence(run("games", "1"), "game 1 is not among your games")
    assert not history.path.exists()


def test_games_leaderboards_and_scores(played: History) -> None:
    result = run("games")
    assert result.exit_code == 0, result.output
    shown = result.stdout
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert any(line.startswith("1 20") and line.endswith("7x6 Anna mcts hard 0-1 8 line")
               for line in lines)  # fmt: skip
    assert any(line.endswith("7x6 Bob mcts hard 1-0 * 7 line") for line in lines)
    assert "5 games; arena games NUMBER shows one" in shown
    assert "* not rated: played with help" in shown
    assert "leaderboard · 7x6" in shown
    assert "leaderboard · 4x4" in shown
    assert any(line.startswith("1 mcts hard +") for line in lines)
    assert any(line.startswith("2 Anna ") and " 33.3 % 1 0 2" in line for line in lines)
    assert "1 game is not rated." in shown
    assert "nan" not in shown
    assert shown.count("Elo with 95 % errors") == 1


def test_the_list_fits_a_narrow_terminal(played: History) -> None:
    played.add(finished(person("Anna of the long name"), engine("alphabeta-time too easy"), 1))
    shown = run("games", COLUMNS="80").stdout
    assert max(map(len, shown.splitlines())) <= 80
    assert "ended by" in shown


def test_filters(played: History) -> None:
    shown = run("games", "--player", "Bob", "--most", "1").stdout
    assert "1 of 5 games" in shown
    data = run_json("games", "--player", "Bob")
    assert [game["number"] for game in data["games"]] == [3, 4]
    assert [board["game"] for board in data["boards"]] == ["connect4", "4x4"]
    data = run_json("games", "--game", "4x4")
    assert [game["number"] for game in data["games"]] == [5]
    assert [board["game"] for board in data["boards"]] == ["4x4"]
    assert run_json("games", "--most", "0")["games"] == []
    assert "no games on 8x7 yet" in run("games", "--game", "8x7").stderr


def test_in_numbers(played: History) -> None:
    data = run_json("games")
    first = data["games"][0]
    assert (first["first"], first["second"], first["winner"]) == ("Anna", "mcts hard", "mcts hard")
    assert (first["moves"], first["plies"], first["rated"]) == ("12321242", 8, True)
    assert first["first_engine"] is None
    assert first["second_engine"] == "tests/support/bots/good.py:Leftmost"
    assert data["games"][3]["helps"] == 3
    assert data["games"][3]["rated"] is False
    board = data["boards"][0]
    assert board["unrated"] == 1
    anna = next(row for row in board["players"] if row["player"] == "Anna")
    assert (anna["won"], anna["drawn"], anna["lost"], anna["person"]) == (1, 0, 2, True)
    pairs = {(pair["player"], pair["opponent"]): pair for pair in board["head_to_head"]}
    assert pairs["Anna", "mcts hard"]["lost"] == 2
    assert ("Bob", "mcts hard") not in pairs


def test_ratings_are_those_of_the_same_games_in_a_list(played: History, tmp_path: Path) -> None:
    lines = [f"{game.first},{game.second},{(1 + game.result) / 2}" for game in played.games()[:3]]
    file = tmp_path / "games.csv"
    file.write_text("\n".join(lines))
    listed = {row["player"]: row["elo"] for row in run_json("rate", str(file))["players"]}
    board = run_json("games", "--game", "7x6")["boards"][0]
    assert {row["player"]: row["elo"] for row in board["players"]} == listed


def test_one_game(played: History) -> None:
    shown = run("games", "2").stdout
    assert "game 2" in shown
    assert "X mcts hard against O Anna" in shown
    assert shown.endswith("1-0 · X mcts hard wins by a column (1,1) (1,2) (1,3) (1,4)\n")
    assert shown.count("1  2  3  4  5  6  7") == 8
    assert run("games", "2", "--ply", "3").stdout.count("1  2  3  4  5  6  7") == 1
    data = run_json("games", "2")
    assert data["moves"] == "1212121"
    assert len(data["positions"]) == 8


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["9"], ["game 9 is not among your games: 1 to 5"]),
        (["--player", "Ana"], ["unknown player 'Ana'; did you mean 'Anna'?"]),
        (["--bad"], ["--bad cannot be used for your own games"]),
    ],
)
def test_mistakes_are_one_sentence(played: History, words: list[str], parts: list[str]) -> None:
    assert_one_sentence(run("games", *words), *parts)


def test_a_file_that_is_no_history(history: History) -> None:
    history.path.write_text("no database " * 100)
    assert_one_sentence(run("games"), "not an SQLite file")
