"""The pie rule from a tournament file to its report, in matches, and for people at the board."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.game import STEAL, Rules
from arena.journal import Journal
from arena.table.game import Game
from tests import naive_pie
from tests.cli.running import assert_one_sentence, run, run_json
from tests.game.strategies import empty
from tests.support.stories import story

PIE = Rules.named("5x4+pie")
FILE = """\
name: pie
game: {size: 5x4, pie: true}
games: 6
engines: [random, reflex, greedy, "BOT"]
adjudication: {solver: true}
"""
NAMES = ("random", "reflex", "greedy", "Thief")
THIEF = '''\
from arena import STEAL, Choice, Engine

class Thief(Engine):
    """Knows the rule: it begins in the corner and steals whatever it can."""

    plays_pie = True

    def choose(self, position, limits):
        return Choice(STEAL if position.can_steal else position.legal[0], 1.5)
'''


@pytest.fixture(scope="module", autouse=True)
def without_plots() -> Iterator[None]:
    """Plots take longer than all these games."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.report.write.can_plot", lambda: False)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament that has been played, with its report."""
    folder = tmp_path_factory.mktemp("pie")
    (folder / "thief.py").write_text(THIEF)
    text = FILE.replace("BOT", f"{folder / 'thief.py'}:Thief")
    (folder / "pie.yaml").write_text(f"{text}output: {folder / 'out'}\n")
    played = run("run", str(folder / "pie.yaml"), "--workers", "2", ARENA_ACCURACY="5")
    assert played.exit_code == 0, played.output
    return folder


def rows_of(folder: Path) -> list[Game]:
    with Journal.read(folder / "out") as journal:
        assert journal.header.rules == PIE
        return list(journal.rows())


def naively(row: Game) -> naive_pie.PieGame:
    game = naive_pie.PieGame(empty(PIE))
    for move in row.moves:
        game = game.after(naive_pie.STEAL if move == STEAL else move)
    return game


def test_every_game_is_one_by_the_naive_rules_and_counts_for_its_owner(folder: Path) -> None:
    rows = rows_of(folder)
    stolen = [row for row in rows if STEAL in row.moves]
    assert len(rows) == 36
    assert 9 <= len(stolen) < 36
    points = dict.fromkeys(range(4), 0.0)
    for row in rows:
        game = naively(row)
        assert row.reason in ("line", "full board", "adjudicated"), row.detail
        if row.reason == "line":
            assert game.board.winner() == (0 if row.result > 0 else 1)
            winner = ("random", "reflex", "greedy", "Thief")[
                row.first if row.result > 0 else row.second
            ]
            assert row.detail.startswith(f"{winner} made a ")
        elif row.reason == "adjudicated":
            sign = game.score({})
            assert ((sign > 0) - (sign < 0)) * (1, -1)[game.turn] == row.result
        assert len(row.move_records()) == len(row.moves)
        points[row.first] += (1 + row.result) / 2
        points[row.second] += (1 - row.result) / 2
    with (folder / "out" / "standings.csv").open() as lines:
        told = {line["engine"]: float(line["points"]) for line in csv.DictReader(lines)}
    assert told == {name: points[place] for place, name in enumerate(NAMES)}


def test_the_thief_is_asked_and_its_time_is_its_own(folder: Path) -> None:
    for row in rows_of(folder):
        if row.second == 3:
            assert row.moves[1] == STEAL
            assert row.move_records()[1].score == 1.5
        if row.first == 3:
            assert row.moves[0] == 0


def test_the_same_file_plays_the_same_games_and_goes_on_after_a_stop(
    folder: Path, tmp_path: Path
) -> None:
    text = (folder / "pie.yaml").read_text().replace(str(folder / "out"), str(tmp_path / "out"))
    (tmp_path / "pie.yaml").write_text(text)
    assert run("run", str(tmp_path / "pie.yaml"), "--workers", "1").exit_code == 0
    assert list(map(story, rows_of(tmp_path))) == list(map(story, rows_of(folder)))
    with closing(sqlite3.connect(tmp_path / "out" / "games.db")) as journal, journal:
        journal.execute("DELETE FROM games WHERE number > 10")
    assert run("run", str(tmp_path / "pie.yaml"), "--workers", "2").exit_code == 0
    assert list(map(story, rows_of(tmp_path))) == list(map(story, rows_of(folder)))


def test_games_are_exported_and_read_back(folder: Path, tmp_path: Path) -> None:
    file, copy = tmp_path / "games.jsonl", tmp_path / "copy.db"
    assert run("games", str(folder / "out"), "--export", str(file)).exit_code == 0
    assert run("games", "--import", str(file), "--into", str(copy)).exit_code == 0
    with Journal.read(copy) as journal:
        assert list(journal.rows()) == rows_of(folder)
    stolen = next(row for row in rows_of(folder) if STEAL in row.moves)
    moves = [json.loads(line)["moves"] for line in file.read_text().splitlines() if "moves" in line]
    assert f"{stolen.moves[0] + 1}s" in {text[:2] for text in moves}


def test_a_game_is_replayed(folder: Path) -> None:
    stolen = next(row for row in rows_of(folder) if row.second == 3)
    shown = run("games", str(folder / "out"), str(stolen.number)).stdout
    assert f"move 2 of {len(stolen.moves)}: O Thief steals the first disc" in shown
    data = run_json("games", str(folder / "out"), str(stolen.number))
    after_one, after_two = data["positions"][1:3]
    assert after_two["column"] == "s"
    assert after_two["player"] == "Thief"
    assert [line.replace("X", "O") for line in after_one["board"]] == after_two["board"]


def test_the_report_tells_of_it(folder: Path) -> None:
    out = folder / "out"
    text = (out / "report.md").read_text()
    assert "5x4 connect 4 with the pie rule" in text
    with (out / "moves.csv").open() as lines:
        steals = [line for line in csv.DictReader(lines) if line["column"] == "s"]
    assert {line["ply"] for line in steals} == {"2"}
    assert run("report", str(out), "--html").exit_code == 0
    assert '"pie":true' in (out / "report.html").read_text()
    analysed = run_json("analyse", str(out))
    assert analysed["judged_moves"] > 0


def test_a_stolen_game_is_analysed_move_by_move() -> None:
    shown = run("analyse", "3s25", "--game", "5x4+pie").stdout
    assert "   2  O   steal  best" in shown
    data = run_json("analyse", "3s25", "--game", "5x4+pie")
    assert [move["column"] for move in data["verdicts"]] == [3, "s", 2, 5]
    assert [move["player"] for move in data["verdicts"]] == ["first", "second"] * 2


def test_a_position_with_a_steal_is_solved_and_explained() -> None:
    solved = run_json("explain", "2", "--game", "4x3c3+pie")
    assert solved["best"] == ["s"]
    assert solved["columns"]["s"]["words"] == "wins"
    assert "steal" in run("explain", "2", "--game", "4x3c3+pie").stdout
    shown = run("explain", "2", "--engine", "perfect", "--game", "4x3c3+pie").stdout
    assert "perfect steals the first disc, value +2" in shown


def test_a_match() -> None:
    data = run_json("match", "random", "reflex", "--game", "9x7+pie", "--games", "6")
    assert {len(game["opening"]) for game in data["game_list"]} == {0}
    wrong = run("match", "random", "reflex", "--game", "9x7+pie", "--opening-plies", "2")
    assert_one_sentence(wrong, "an opening of 2 plies leaves no first disc to steal; with the pie")


def test_people_steal() -> None:
    typed = "3\nsteal\n4\nsteal\nmoves\nundo\nundo\nmoves\nsteal\nresign\nquit\n"
    flags = ("human", "--game", "5x4+pie", "--plain", "--no-history")
    shown = run("play", *flags, "--name", "Anna", "--name", "Bob", input=typed).stdout
    assert "Or type steal, and the first disc is yours." in shown
    assert shown.count("O Bob steals the first disc") == 2
    assert "Only the first disc can be stolen, and only in answer to it." in shown
    assert "Moves: 3s4\n" in shown
    assert "Moves: 3\n" in shown
    assert "--O--" in shown
    assert "Bob (O) wins: Anna gave up (resigned)." in shown


def test_a_person_against_an_engine_that_steals() -> None:
    flags = ("reflex", "--game", "5x4+pie", "--plain", "--no-history")
    words = ("--name", "Anna", "--colour", "first", "--level", "as it is")
    shown = run("play", *flags, *words, input="3\nresign\nquit\n").stdout
    assert "O reflex steals the first disc" in shown


def test_nothing_is_stolen_without_the_rule() -> None:
    flags = ("human", "--game", "5x4", "--plain", "--no-history")
    shown = run("play", *flags, "--name", "A", "--name", "B", input="3\nsteal\nhelp\n").stdout
    assert "Nothing is stolen here: the game is played without the pie rule." in shown
    assert "make the first disc yours" not in shown
