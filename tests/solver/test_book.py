"""Opening books: built from the deepest layer, resumed, sealed, and right."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from arena.errors import BadBook
from arena.game.position import Position
from arena.game.rules import Rules
from arena.solver.ask import Budget
from arena.solver.book import Book, book_for, key_of
from arena.solver.build import RECORD, build, layers, read_begun
from arena.solver.flat.solver import Solver, words_of
from tests.support.retrograde import solved


def truth(name: str) -> dict[tuple[int, int], int]:
    """The exact score of every position by its words."""
    board = solved(name)
    pairs = zip(board.own.tolist(), board.discs.tolist(), strict=True)
    return dict(zip(pairs, board.scores.tolist(), strict=True))


def as_dict(book: Book) -> dict[int, int]:
    return dict(zip(book.keys.tolist(), book.scores.tolist(), strict=True))


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    return tmp_path / "begun"


@pytest.mark.parametrize(("name", "plies"), [("4x4", 3), ("4x4", 0), ("4x4c3", 4), ("3x6", 5)])
def test_a_book_is_right_and_complete(name: str, plies: int, begun: Path) -> None:
    rules, true = Rules.named(name), truth(name)
    book = build(rules, plies, begun, megabytes=1)
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


def test_a_build_goes_on_where_it_was_stopped(begun: Path) -> None:
    rules = Rules.named("5x4")
    steps: list[tuple[int, int]] = []
    whole = build(rules, 2, begun, megabytes=1, progress=lambda *count: steps.append(count))
    records = begun.read_bytes()
    count = len(records) // RECORD.size
    assert steps == [(done, count) for done in range(count + 1)]

    kept = 3 * RECORD.size
    begun.write_bytes(records[: kept + 4])  # a record was being written
    steps.clear()
    again = build(rules, 2, begun, megabytes=1, progress=lambda *count: steps.append(count))
    assert steps[0] == (3, count)
    assert begun.read_bytes() == records
    assert again.to_bytes() == whole.to_bytes()
    assert dict(read_begun(begun)).items() <= as_dict(whole).items()


def test_two_workers_build_the_same_book(begun: Path, tmp_path: Path) -> None:
    rules = Rules.named("5x4")
    alone = build(rules, 3, begun, megabytes=1)
    together = build(rules, 3, tmp_path / "other", workers=2, megabytes=1)
    assert together.to_bytes() == alone.to_bytes()


def test_a_file_holds_the_book(begun: Path, tmp_path: Path) -> None:
    rules = Rules.named("4x4c3")
    book = build(rules, 2, begun, megabytes=1)
    book.save(tmp_path / "book.bin")
    read = Book.load(tmp_path / "book.bin")
    assert (read.rules, read.plies, as_dict(read)) == (rules, 2, as_dict(book))
    assert [file.name for file in tmp_path.glob("*.part")] == []


def test_a_solver_with_a_book_searches_nothing(begun: Path) -> None:
    rules = Rules.named("5x4")
    solver = Solver(rules, 1, book=False)
    expected = solver.scores(Position(rules))
    solver.book, before = build(rules, 1, begun, megabytes=1), solver.nodes
    assert solver.scores(Position(rules), Budget(nodes=0)) == expected
    assert solver.sign(Position(rules)) == 0
    assert solver.beats(Position(rules), -1)
    assert solver.nodes == before


def a_file(folder: Path) -> Path:
    keys = np.array([1, 5, 2**50], np.uint64)
    book = Book(Rules.named("7x6"), 1, keys, np.array([1, -2, 0], np.int8))
    file = folder / "book.bin"
    book.save(file)
    return file


def test_any_damage_is_noticed(tmp_path: Path) -> None:
    file = a_file(tmp_path)
    good = file.read_bytes()
    head = good.index(b"\n")
    for at in range(len(good)):  # also in what the head says: another board would be a lie
        file.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        with pytest.raises(BadBook):
            Book.load(file)
    for length in (len(good) - 1, head + 1, head, head // 2, 0):
        file.write_bytes(good[:length])
        with pytest.raises(BadBook):
            Book.load(file)


@pytest.mark.parametrize("text", [b"", b"{}\n", b"[1]\n", b"no book\n", b'{"form": "other"}\nx'])
def test_what_is_no_book_is_refused(text: bytes, tmp_path: Path) -> None:
    file = tmp_path / "book.bin"
    file.write_bytes(text)
    with pytest.raises(BadBook, match="no opening book of this version"):
        Book.load(file)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadBook, match="cannot be read"):
        Book.load(tmp_path / "absent.bin")


def test_boards_without_a_book() -> None:
    assert book_for(Rules.named("3x3c3")) is None
    assert book_for(Rules.named("4x4x4")) is None
