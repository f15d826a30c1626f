"""`arena book`: built, gone on with, shown, and never mistaken for that of another board."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from arena.game.position import Position
from arena.game.rules import Rules
from arena.solver import book as building
from arena.solver.book import Book, book_for, file_name
from tests.cli.running import assert_one_sentence, run, run_json


@pytest.fixture(autouse=True)
def books(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user who has no books yet."""
    monkeypatch.setenv("ARENA_BOOKS", str(tmp_path))
    book_for.cache_clear()
    return tmp_path


def build(board: str, *words: str) -> str:
    result = run("book", board, "--memory", "1", *words)
    assert result.exit_code == 0, result.output
    book_for.cache_clear()
    return result.stdout


def test_built_and_used(books: Path) -> None:
    assert run_json("book", "4x4")["book"] is None
    assert "no book" in run("book", "4x4").stdout
    file = books / file_name(Rules.named("4x4"))
    assert build("4x4", "--build", "3") == f"{file}: 37 positions of up to 3 discs\n"
    assert [each.name for each in books.iterdir()] == [file.name]
    told = run_json("book", "4x4")
    assert told["book"] == {"name": str(file), "plies": 3, "positions": 37}
    assert str(file) in run("book", "4x4").stdout
    assert Book.load(file).score(Position(Rules.named("4x4"))) == 0


def test_a_book_that_reaches_as_far_is_kept(books: Path) -> None:
    build("4x4", "--build", "3")
    for plies in ("2", "3"):
        result = run("book", "4x4", "--build", plies)
        assert_one_sentence(result, "is a book of 3 plies already", "--output")
    build("4x4", "--build", "4")
    assert run_json("book", "4x4")["book"]["plies"] == 4


def test_broken_off_and_gone_on_with(books: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solved = building.solve_all

    def broken_off(*given: object) -> object:
        for done, answer in enumerate(solved(*given)):  # type: ignore[arg-type]
            if done == 7:
                raise KeyboardInterrupt
            yield answer

    monkeypatch.setattr(building, "solve_all", broken_off)
    stopped = run("book", "4x4", "--build", "3")
    assert stopped.exit_code == 130
    assert "stopped; run the same command to resume" in stopped.stderr
    monkeypatch.setattr(building, "solve_all", solved)
    (begun,) = books.iterdir()
    assert len(dict(building.read_records(begun))) == 7
    output = str(books / file_name(Rules.named("4x4")))
    build("4x5", "--build", "3", "--output", output)  # what was begun is of another board
    assert Book.load(Path(output)).rules == Rules.named("4x5")
    assert begun.exists()


def test_a_book_of_another_board_is_refused(books: Path) -> None:
    build("4x5", "--build", "2", "--output", str(books / file_name(Rules.named("4x4"))))
    result = run("explain", "1", "--game", "4x4")
    assert_one_sentence(result, "is the book of", "4x5", "not of")


@pytest.mark.parametrize("change", [{"positions": None}, {"plies": "x"}, {"sha256": "0"}])
def test_a_damaged_book_is_one_sentence(books: Path, change: dict[str, Any]) -> None:
    build("4x4", "--build", "2")
    file = books / file_name(Rules.named("4x4"))
    first, _, body = file.read_bytes().partition(b"\n")
    head = {**json.loads(first), **change}
    checksum = head.pop("sha256")
    head = {key: value for key, value in head.items() if value is not None}
    told = json.dumps(head, sort_keys=True).encode()
    right = hashlib.sha256(told + b"\n" + body).hexdigest()
    head["sha256"] = checksum if "sha256" in change else right
    file.write_bytes(json.dumps(head).encode() + b"\n" + body)
    book_for.cache_clear()
    for words in (("explain", "1", "--game", "4x4"), ("book", "4x4")):
        assert_one_sentence(run(*words), str(file), "is damaged", "delete it or build it again")


@pytest.mark.parametrize(("board", "why"), [("9x7", "too large"), ("4x4x4", "in space")])
def test_boards_that_cannot_be_solved(board: str, why: str) -> None:
    assert_one_sentence(run("book", board), why)
