"""`arena rate`: lists of games from elsewhere."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path

import pytest

from tests.cli.running import assert_one_sentence, run, run_json
from tests.journal.examples import fill

GAMES = "a,b,1-0\nb,a,1-0\na,b,1-0\nb,c,1/2-1/2\nc,a,0-1\nc,b,1-0\n"


@pytest.fixture
def games(tmp_path: Path) -> Path:
    file = tmp_path / "games.csv"
    file.write_text(GAMES, encoding="utf-8")
    return file


def test_players_are_listed_best_first_with_errors(games: Path) -> None:
    result = run("rate", str(games))
    assert result.exit_code == 0, result.output
    rows = [line.split() for line in result.stdout.splitlines() if line[:4].strip().isdigit()]
    assert [row[1] for row in rows] == ["a", "c", "b"]
    assert rows[0][4:8] == ["3", "4", "75.0", "%"]
    assert "95 % errors relative to the mean of its group; half a drawn game" in result.stdout
    assert "The first move is worth" in result.stdout
    assert "16.7 % of the games are draws." in result.stdout
    assert "group" not in result.stdout.splitlines()[1]


@pytest.mark.parametrize(
    "text",
    [
        "First,Second,Result\n" + GAMES,
        "white,black,result\n" + GAMES,
        "\ufeff" + GAMES.replace("\n", "\r\n"),
        "# from elsewhere\n\n" + GAMES.replace(",", " , "),
        GAMES.replace("1-0", "1").replace("0-1", "0").replace("1/2-1/2", "0.5"),
        GAMES.replace("1-0", "W").replace("0-1", "loss").replace("1/2-1/2", "Draw"),
        GAMES.replace("1/2-1/2", "½-½").replace("a,", '"a",'),
        "result,second,x,first\n"
        + "".join(
            f"{result},{second},?,{first}\n"
            for first, second, result in (line.split(",") for line in GAMES.split())
        ),
    ],
)
def test_every_way_to_write_the_games_is_the_same(games: Path, text: str) -> None:
    expected = run_json("rate", str(games))
    games.write_text(text, encoding="utf-8")
    assert run_json("rate", str(games)) == expected


def test_the_table_of_arena_games_is_read_by_its_winners(tmp_path: Path) -> None:
    rows = fill(tmp_path / "games.db", 40)
    table = tmp_path / "games.csv"
    assert run("games", str(tmp_path), "--csv", str(table)).exit_code == 0
    found = {row["player"]: row for row in run_json("rate", str(table))["players"]}
    points = sum((1 + row.result * (1 if row.first == 0 else -1)) / 2
                 for row in rows if 0 in (row.first, row.second))  # fmt: skip
    assert found["alpha"]["points"] == points
    assert sum(row["games"] for row in found.values()) == 80


def test_an_anchor_has_the_rating_it_is_given(games: Path) -> None:
    data = run_json("rate", str(games), "--anchor", "b=1500")
    found = {row["player"]: row for row in data["players"]}
    assert (found["b"]["elo"], found["b"]["error"]) == (1500, 0)
    assert found["a"]["elo"] > 1500
    games.write_text(GAMES.replace("b", "b=2"), encoding="utf-8")
    found = {
        row["player"]: row for row in run_json("rate", str(games), "--anchor", "b=2")["players"]
    }
    assert found["b=2"]["elo"] == 0


def test_groups_that_never_met_are_told(games: Path) -> None:
    games.write_text("a,b,1-0\nc,d,1-0\nd,c,1-0\nc,d,0-1\n", encoding="utf-8")
    result = run("rate", str(games))
    assert "Groups have not met" in result.stdout
    assert "nan" not in result.stdout
    assert "inf" not in result.stdout
    data = run_json("rate", str(games))
    assert [row["player"] for row in data["players"]] == ["d", "c", "a", "b"]
    assert data["players"][2]["error"] is None  # one game says nothing
    assert data["superiority"]["likelihood"][0][2] is None


def test_csv_is_safe_for_spreadsheets(games: Path) -> None:
    games.write_text(GAMES.replace("c", "=c"), encoding="utf-8")
    result = run("rate", str(games), "--csv", "-")
    rows = list(csv.DictReader(StringIO(result.stdout)))
    assert [row["player"] for row in rows] == ["a", "'=c", "b"]
    assert float(rows[0]["elo"]) > 0
    target = games.with_name("out.csv")
    assert run("rate", str(games), "--csv", str(target)).stdout == ""
    assert target.read_text(encoding="utf-8") == result.stdout


def test_what_would_move_the_cursor_is_not_printed(games: Path) -> None:
    games.write_text(GAMES.replace("a", "a\x1b[31m"), encoding="utf-8")
    assert "\x1b" not in run("rate", str(games)).stdout


def test_stdin_is_read_too(games: Path) -> None:
    result = run("rate", "-", "--json", input=GAMES)
    assert json.loads(result.stdout) == run_json("rate", str(games))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,b,1-0\na,b,2-0\n", [":2: unknown result '2-0'; expected 1-0, 0-1"]),
        ("a,b\n", [":1: expected first,second,result and found 2"]),
        ("a,b,1,0\n", [":1: expected first,second,result and found 4 columns"]),
        ("a,a,1\n", [":1: 'a' cannot be rated by a game against itself"]),
        (",a,1\n", [":1: a player has no name"]),
        ("a,b,-1\n", [":1: result '-1': write 0-1"]),
        ("first,second,result,winner\na,b,1,c\n", [":2: the winner 'c' is neither 'a' nor 'b'"]),
        ("first,second,result\n", ["has no games"]),
        ("", ["has no games"]),
    ],
)
def test_a_bad_line_is_one_sentence(games: Path, text: str, words: list[str]) -> None:
    games.write_text(text, encoding="utf-8")
    assert_one_sentence(run("rate", str(games)), str(games), *words)


def test_many_bad_lines_are_listed(games: Path) -> None:
    games.write_text("a,b,?\n" * 30, encoding="utf-8")
    result = run("rate", str(games))
    assert result.exit_code == 2
    lines = result.stderr.splitlines()
    assert lines[0] == f"arena: {games} has 30 mistakes"
    assert lines[1].startswith(f"{games}:1: ")
    assert lines[-1] == "... and 20 more"


def test_bad_files_and_options_are_one_sentence(games: Path) -> None:
    assert_one_sentence(run("rate", f"no{games.name}"), "cannot be read: No such file")
    assert_one_sentence(run("rate", str(games), "--anchor", "z"), "unknown player 'z'")
    assert_one_sentence(run("rate", str(games), "--anchor", "a=x"), "'x' is not a rating")
    assert_one_sentence(run("rate", str(games), "--anchor", "a=nan"), "'nan' is not a rating")
    assert_one_sentence(run("rate", str(games), "--json", "--csv", "-"), "do not go together")
    games.write_bytes(b"a,b,\xff\n")
    assert_one_sentence(run("rate", str(games)), "not a text in UTF-8")
