"""What was judged is found again, and its loss is no matter."""

from __future__ import annotations

import json
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import pytest

from arena.game.rules import CONNECT4, Rules
from arena.journal import Journal
from arena.judge.game import Judged
from arena.judge.sampling import Memory
from tests.journal.examples import make_header

GAME = Judged(2, bytes([3, 3, 3, 2, 4]), (2, -2, None, 1), (True, None, False), {3: (0, 5)})
BLANK = Judged.blank(GAME.moves, GAME.opening), 0


def stored(path: Path) -> None:
    Memory(CONNECT4, path).put(GAME, 5000)


def found(path: Path, rules: Rules = CONNECT4) -> tuple[Judged, int]:
    return Memory(rules, path).get(GAME.moves, GAME.opening)


def test_a_game_is_found_again(tmp_path: Path) -> None:
    path = tmp_path / "games.judged"
    stored(path)
    assert found(path) == (GAME, 5000)
    Memory(CONNECT4, path).put(Judged.blank(GAME.moves, GAME.opening), 7000)
    assert found(path)[1] == 7000


def test_it_is_beside_the_journal(tmp_path: Path) -> None:
    with Journal.open(tmp_path, make_header()) as journal:
        assert Memory.beside(journal).get(GAME.moves, GAME.opening) == BLANK
        assert not (tmp_path / "games.judged").exists(), "nothing was judged"
        Memory.beside(journal).put(GAME, 1)
    assert (tmp_path / "games.judged").exists()


def test_other_games_are_not_taken_for_it(tmp_path: Path) -> None:
    path = tmp_path / "games.judged"
    stored(path)
    assert found(path, Rules.named("6x6"))[0].scores == (None,) * 4
    memory = Memory(CONNECT4, path)
    assert memory.get(GAME.moves, 3)[1] == 0
    assert memory.get(GAME.moves[:-1], 2)[1] == 0


def facts(**changes: Any) -> bytes:
    """A line whose checksum is right, whatever it says."""
    line = {
        "game": str(CONNECT4), "moves": GAME.moves.hex(), "opening": 2, "nodes": 7,
        "scores": [2, -2, None, 1], "critical": [True, None, False], "better": {}, **changes,
    }  # fmt: skip
    check = zlib.crc32(json.dumps(line, sort_keys=True).encode())
    return json.dumps({**line, "check": check}).encode() + b"\n"


SPOILT = (
    b"{}", b"[]", b"no", b"7", b"{" * 5000, b"\xff\xfe",
    facts(scores=[1]), facts(scores=3), facts(scores=[1, -3, 3, 1]), facts(scores=[3, "no", 3, 1]),
    facts(critical=[None]), facts(better=[]), facts(better={"x": [1]}), facts(moves="x"),
    facts(moves=3), b"[" * 10**6, facts(opening="2"), facts(nodes=None), facts(game=7),
)  # fmt: skip


@pytest.mark.parametrize("line", SPOILT)
def test_a_damaged_line_is_skipped(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "games.judged"
    stored(path)
    good = path.read_bytes()
    path.write_bytes(line.strip() + b"\n")
    assert found(path) == BLANK
    path.write_bytes(line.strip() + b"\n" + good)
    assert found(path) == (GAME, 5000)
    assert (Memory(CONNECT4, path).skipped == 0) == (line == facts(game=7))


def test_a_line_without_an_end_is_read_in_pieces(tmp_path: Path) -> None:
    path = tmp_path / "games.judged"
    path.write_bytes(facts() + bytes(2**24))
    tracemalloc.start()
    assert found(path)[1] == 7
    assert tracemalloc.get_traced_memory()[1] < 2**20
    tracemalloc.stop()


def test_no_flipped_bit_changes_a_score(tmp_path: Path) -> None:
    path = tmp_path / "games.judged"
    stored(path)
    good = path.read_bytes()
    for at in range(8 * len(good)):
        bad = bytearray(good)
        bad[at // 8] ^= 1 << at % 8
        path.write_bytes(bad)
        assert found(path) in (BLANK, (GAME, 5000))


def test_the_last_line_of_a_game_counts_and_a_cut_one_spoils_no_other(tmp_path: Path) -> None:
    path = tmp_path / "games.judged"
    stored(path)
    whole = path.read_bytes()
    path.write_bytes(whole + facts(nodes=9))
    assert found(path)[1] == 9
    path.write_bytes(whole + facts(nodes=9)[:-20])  # the program was killed as it wrote
    assert found(path) == (GAME, 5000)
    Memory(CONNECT4, path).put(GAME, 8000)
    assert found(path) == (GAME, 8000)


def test_damage_is_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal.open(tmp_path, make_header()) as journal:
        (tmp_path / "games.judged").write_bytes(facts() + b"x\ny\n")
        Memory.beside(journal)
    assert capsys.readouterr().err == "arena: skipped 2 damaged lines of games.judged\n"


def test_a_file_of_an_earlier_version_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "games.judged"
    for damage in (b"", b"SQLite format 3\0" + bytes(100)):
        path.write_bytes(damage)
        assert found(path) == BLANK
        stored(path)
        assert found(path) == (GAME, 5000)
        assert path.read_bytes().startswith(b"{")


def test_a_file_of_others_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.judged"
    path.write_text("my notes about who judged what, and they are long enough" * 40)
    before = path.read_bytes()
    stored(path)
    assert path.read_bytes() == before


def test_where_nothing_can_be_written_it_remembers_for_now(tmp_path: Path) -> None:
    for path in (tmp_path / "no" / "such" / "place.judged", None):
        memory = Memory(CONNECT4, path)
        memory.put(GAME, 5)
        assert memory.get(GAME.moves, GAME.opening) == (GAME, 5)
