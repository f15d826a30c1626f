"""Opening books: built from the deepest layer, resumed, sealed, and right."""

from __future__ import annotations

import hashlib
import json
import tracemalloc
import zlib
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from arena.errors import BadFile
from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules
from arena.solver.book import RECORD, Book, book_for, build, key_of, layers, read_records
from arena.solver.flat.search import Solver, words_of
from arena.solver.solver import Budget
from tests.support.retrograde import solved


def truth(name: str) -> dict[tuple[int, int], int]:
    """The exact score of every position by its words."""
    board = solved(name)
    pairs = zip(board.own.tolist(), board.discs.tolist(), strict=True)
    return dict(zip(pairs, board.scores.tolist(), strict=True))


def as_dict(book: Book) -> dict[int, int]:
    return dict(zip(book.keys.tolist(), book.scores.tolist(), strict=True))


@pytest.fixture
def records(tmp_path: Path) -> Path:
    return tmp_path / "records"


@pytest.mark.parametrize(("name", "plies"), [("4x4", 3), ("4x4", 0), ("4x4c3", 4), ("3x6", 5)])
def test_a_book_is_right_and_complete(name: str, plies: int, records: Path) -> None:
    rules, true = Rules.named(name), truth(name)
    book = build(rules, plies, records, megabytes=1)
    layer, seen = {Position(rules)}, set()
    for _ in range(plies + 1):
        for position in layer:
            own, discs = words_of(position)
            score = true[int(own), int(discs)]
            assert book.score(position) == score
            assert book.score(position.mirrored()) == score
            seen.add(key_of(position))
        layer = {child for p in layer for child in map(p.play, p.legal) if not child.is_over}
    assert len(book) == len(seen)  # one of each pair of mirror images, nothing else
    assert {book.score(position) for position in layer} == {None}


def test_a_key_is_shared_by_images_alone() -> None:
    found: dict[int, set[tuple[int, int]]] = {}
    for layer in layers(Rules.named("5x4"), 4):
        for position in layer.values():
            for image in (position, position.mirrored()):
                found.setdefault(key_of(image), set()).add((image.first, image.second))
    assert max(len(images) for images in found.values()) == 2


def test_a_stopped_build_is_resumed(records: Path) -> None:
    rules = Rules.named("5x4")
    steps: list[tuple[int, int]] = []
    whole = build(rules, 2, records, megabytes=1, progress=lambda *count: steps.append(count))
    data = records.read_bytes()
    count = len(data) // RECORD.size
    assert steps == [(done, count) for done in range(count + 1)]

    kept = 3 * RECORD.size
    records.write_bytes(data[: kept + 4])  # a record was being written
    steps.clear()
    again = build(rules, 2, records, megabytes=1, progress=lambda *count: steps.append(count))
    assert steps[0] == (3, count)
    assert records.read_bytes() == data
    assert again.to_bytes() == whole.to_bytes()
    assert dict(read_records(records)).items() <= as_dict(whole).items()


def test_two_workers_build_the_same_book(records: Path, tmp_path: Path) -> None:
    rules = Rules.named("5x4")
    alone = build(rules, 3, records, megabytes=1)
    together = build(rules, 3, tmp_path / "other", workers=2, megabytes=1)
    assert together.to_bytes() == alone.to_bytes()


def test_a_solver_with_a_book_searches_nothing(records: Path) -> None:
    rules = Rules.named("5x4")
    solver = Solver(rules, 1, book=False)
    expected = solver.scores(Position(rules))
    solver.book, before = build(rules, 1, records, megabytes=1), solver.nodes
    assert solver.scores(Position(rules), Budget(nodes=0)) == expected
    assert solver.sign(Position(rules)) == 0
    assert solver.beats(Position(rules), -1)
    assert solver.nodes == before


BOOK = Book(CONNECT4, 1, np.array([1, 5, 2**50], np.uint64), np.array([1, -2, 0], np.int8))
GOOD = BOOK.to_bytes()
HEAD, _, BODY = GOOD.partition(b"\n")


def test_a_file_holds_the_book(tmp_path: Path) -> None:
    BOOK.save(tmp_path / "book.bin")
    read = Book.load(tmp_path / "book.bin")
    assert (read.rules, read.plies, as_dict(read)) == (CONNECT4, 1, as_dict(BOOK))
    assert [file.name for file in tmp_path.iterdir()] == ["book.bin"]


def test_any_damage_is_noticed() -> None:
    for at in range(len(GOOD)):  # also in what the head says: another board would be a lie
        with pytest.raises(BadFile):
            Book.from_bytes(GOOD[:at] + bytes([GOOD[at] ^ 1]) + GOOD[at + 1 :])
    for length in (len(GOOD) - 1, len(HEAD) + 1, len(HEAD), len(HEAD) // 2, 0):
        with pytest.raises(BadFile):
            Book.from_bytes(GOOD[:length])


def signed(head: dict[str, Any], body: bytes) -> bytes:
    """A file whose checksum is right, whatever it says."""
    checksum = hashlib.sha256(json.dumps(head, sort_keys=True).encode() + b"\n" + body).hexdigest()
    return json.dumps({**head, "sha256": checksum}).encode() + b"\n" + body


@pytest.mark.parametrize(
    "change",
    [{"positions": None}, {"plies": None}, {"board": None}, {"board": "7x"}, {"board": "4x4x4"},
     {"positions": "many"}, {"positions": 2}, {"positions": 4}, {"positions": -1}, {"plies": [1]},
     {"positions": 10**12}, {"positions": 1e400}],
)  # fmt: skip
def test_a_false_description_is_one_sentence(change: dict[str, Any]) -> None:
    """The checksum is right, but a key is missing or has a value that cannot be."""
    head = {**json.loads(HEAD), **change}
    del head["sha256"]
    head = {key: value for key, value in head.items() if value is not None}
    with pytest.raises(BadFile, match="its description does not fit its contents; delete it"):
        Book.from_bytes(signed(head, BODY))


def test_contents_that_never_end_are_not_unpacked() -> None:
    head = json.loads(HEAD)
    del head["sha256"]
    for bomb in (zlib.compress(bytes(2**26), 9), BODY[:-6], b"", b"x"):
        tracemalloc.start()
        with pytest.raises(BadFile, match="its description does not fit its contents; delete it"):
            Book.from_bytes(signed(head, bomb))
        assert tracemalloc.get_traced_memory()[1] < 2**20
        tracemalloc.stop()


def test_damaged_records_of_a_build_are_solved_again(records: Path) -> None:
    rules = Rules.named("4x4c3")
    book = build(rules, 2, records, megabytes=1)
    good, random = records.read_bytes(), Random(3)
    for _ in range(40):
        bad = bytearray(good)
        bad[random.randrange(len(bad))] ^= 1 << random.randrange(8)
        records.write_bytes(bad)
        assert build(rules, 2, records, megabytes=1).to_bytes() == book.to_bytes()


def test_what_is_no_book_is_refused(tmp_path: Path) -> None:
    for text in (b"", b"{}\n", b"[1]\n", b"no book\n", b'{"form": "other"}\nx'):
        with pytest.raises(BadFile, match="is not an opening book of this version"):
            Book.from_bytes(text)
    with pytest.raises(BadFile, match="cannot be read"):
        Book.load(tmp_path / "absent.bin")


def test_boards_without_a_book() -> None:
    assert book_for(Rules.named("3x3c3")) is None
    assert book_for(Rules.named("4x4x4")) is None
