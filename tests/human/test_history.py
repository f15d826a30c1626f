"""The personal journal: every game stays, two writers get on, and other files are left alone."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import ArenaError
from arena.game import SCORE4, Rules
from arena.game.notation import play_moves
from arena.human.history import VARIABLE, History, history_path
from arena.journal import BadJournal, JournalError
from arena.table.game import unpack_telemetry
from tests.human.games import engine, finished, person

FOUR = Rules.flat(4, 4)


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    history = History(tmp_path / "deep" / "down" / "games.db")
    games = [
        finished(person("Anna"), engine("leftmost easy"), 1),
        finished(engine("leftmost easy"), person("Anna"), -1, helps=2),
        finished(person("Anna"), person("Zoë ✨"), 0, FOUR),
    ]
    assert [history.add(game) for game in games] == [1, 2, 3]
    read = history.games()
    assert read == [replace(game, number=n) for n, game in enumerate(games, start=1)]
    assert [is_person for _, is_person in read[0].keys] == [True, False]
    assert read[0].second_engine == "tests/support/bots/good.py:Leftmost"
    assert play_moves(read[0].moves, read[0].rules).winner == 0
    assert read[2].game == "4x4"
    assert play_moves(read[2].moves, read[2].rules).is_draw
    moves = unpack_telemetry(read[0].moves, read[0].telemetry)
    assert [move.seconds for move in moves] == [0.25] * 7


def test_before_the_first_game_there_is_nothing(tmp_path: Path) -> None:
    history = History(tmp_path / "games.db")
    assert history.games() == []
    assert not history.path.exists()
    history.prepare()
    assert history.games() == []
    (tmp_path / "empty.db").touch()
    assert History(tmp_path / "empty.db").games() == []


def test_the_variable_names_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "mine.db"))
    assert history_path() == tmp_path / "mine.db"
    monkeypatch.delenv(VARIABLE)
    assert history_path().name == "history.db"
    assert "connect-arena" in str(history_path())


def test_many_processes_write_at_once(tmp_path: Path) -> None:
    """Four processes, ten games each, all at the same time: forty games with forty numbers."""
    path = tmp_path / "games.db"
    script = (
        "import sys; from pathlib import Path; from arena.human.history import History\n"
        "from tests.human.games import finished, person\n"
        "game = finished(person(sys.argv[2]), person('Bob'))\n"
        "for _ in range(10): History(Path(sys.argv[1])).add(game)\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", script, str(path), name]) for name in "ABCD"]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0, 0]
    games = History(path).games()
    assert [game.number for game in games] == list(range(1, 41))
    assert {name: sum(game.first == name for game in games) for name in "ABCD"} == dict.fromkeys(
        "ABCD", 10
    )


@pytest.mark.parametrize("read", [True, False])
def test_a_file_that_is_no_history_is_left_alone(tmp_path: Path, read: bool) -> None:
    text = tmp_path / "text.db"
    text.write_text("dear diary, " * 100)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE things (name TEXT)")
    connection.close()
    for path, words in ((text, "it is not an SQLite file"), (other, "of another kind")):
        before = path.read_bytes()
        with pytest.raises(BadJournal, match=words):
            History(path).games() if read else History(path).prepare()
        assert path.read_bytes() == before


def test_a_newer_layout_is_refused(tmp_path: Path) -> None:
    history = History(tmp_path / "games.db")
    history.prepare()
    with sqlite3.connect(history.path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(BadJournal, match="newer version"):
        history.games()


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="cannot be used"):
        History(tmp_path).prepare()
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match="cannot be created"):
        History(tmp_path / "file" / "games.db").prepare()


def test_a_damaged_file_is_told_in_a_sentence(tmp_path: Path) -> None:
    history = History(tmp_path / "games.db")
    for _ in range(40):
        history.add(finished(person("Anna"), person("Bob"), rules=SCORE4))
    data = bytearray(history.path.read_bytes())
    data[4096 : len(data) - 2048] = b"\xff" * (len(data) - 2048 - 4096)
    history.path.write_bytes(bytes(data))
    with pytest.raises(ArenaError):
        history.games()
