"""What was judged is found again, and its loss is no matter."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from arena.game.rules import CONNECT4, Rules
from arena.journal import Journal
from arena.judge.game import Judged
from arena.judge.memory import Memory
from tests.journal.examples import make_header

GAME = Judged(2, bytes([3, 3, 3, 2, 4]), (2, -2, None, 1), (True, None, False), {3: (0, 5)})
BLANK = Judged.blank(GAME.moves, GAME.opening), 0


def stored(path: Path) -> None:
    with Memory(CONNECT4, path) as memory:
        memory.put(GAME, 5000)


def found(path: Path, rules: Rules = CONNECT4) -> tuple[Judged, int]:
    with Memory(rules, path) as memory:
        return memory.get(GAME.moves, GAME.opening)


def test_a_game_is_found_again(tmp_path: Path) -> None:
    path = tmp_path / "games.judged"
    stored(path)
    assert found(path) == (GAME, 5000)
    with Memory(CONNECT4, path) as memory:
        memory.put(Judged.blank(GAME.moves, GAME.opening), 7000)
    assert found(path)[1] == 7000


def test_it_stands_beside_the_journal(tmp_path: Path) -> None:
    with Journal.open(tmp_path, make_header()) as journal:
        with Memory.beside(journal) as memory:
            assert memory.get(GAME.moves, GAME.opening) == BLANK
        assert not (tmp_path / "games.judged").exists(), "nothing was judged"
        with Memory.beside(journal) as memory:
            memory.put(GAME, 1)
    assert (tmp_path / "games.judged").exists()


def test_other_games_are_not_taken_for_it(tmp_path: Path) -> None:
    path = tmp_path / "games.judged"
    stored(path)
    assert found(path, Rules.named("6x6"))[0].scores == (None,) * 4
    with Memory(CONNECT4, path) as memory:
        assert memory.get(GAME.moves, 3)[1] == 0
        assert memory.get(GAME.moves[:-1], 2)[1] == 0


SPOILT = (
    "{}",
    "[]",
    "no",
    '{"scores":[1],"critical":[],"keepers":{}}',
    '{"scores":[1,-3,3,1],"critical":[null,null,null],"keepers":{}}',
    '{"scores":[3,-3,3,1],"critical":[null,null,null],"keepers":[]}',
    '{"scores":[3,"no",3,1],"critical":[null,null,null],"keepers":{}}',
    '{"scores":[3,-3,3,1],"critical":[null,7,null],"keepers":{}}',
)


@pytest.mark.parametrize("text", SPOILT)
def test_a_spoilt_entry_is_no_entry(tmp_path: Path, text: str) -> None:
    path = tmp_path / "games.judged"
    stored(path)
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("UPDATE judged SET found = ?", [text])
    connection.close()
    assert found(path) == BLANK


def test_a_damaged_file_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "games.judged"
    for damage in (b"", b"SQLite format 3\0" + bytes(100)):
        path.write_bytes(damage)
        assert found(path) == BLANK
        stored(path)
        assert found(path) == (GAME, 5000)


def test_a_file_of_others_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.judged"
    path.write_text("my notes about who judged what, and they are long enough" * 40)
    before = path.read_bytes()
    stored(path)
    assert path.read_bytes() == before


def test_an_older_layout_is_thrown_away(tmp_path: Path) -> None:
    path = tmp_path / "games.judged"
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("CREATE TABLE judged (x)")
    connection.close()
    assert found(path) == BLANK
    stored(path)
    assert found(path) == (GAME, 5000)


def test_where_nothing_can_be_written_it_remembers_for_now(tmp_path: Path) -> None:
    for path in (tmp_path / "no" / "such" / "place.judged", None):
        with Memory(CONNECT4, path) as memory:
            memory.put(GAME, 5)
            memory.save()
            assert memory.get(GAME.moves, GAME.opening) == (GAME, 5)
