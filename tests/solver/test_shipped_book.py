"""The opening book that comes with the package: complete, and right wherever it is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest

from arena.game.position import Position
from arena.game.rules import CONNECT4
from arena.solver.book import Book, book_for, file_name, key_of, layers
from arena.solver.flat.search import Solver
from arena.solver.solver import score_of_end
from tests.game.strategies import random_game
from tests.support.solver import published_scores

PLIES = 8

# The score of each first disc, from the left: known since the game was solved in 1988.
FIRST_DISCS = [-2, -1, 0, 1, 0, -1, -2]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Book]:
    """The book without any that the user may have built."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARENA_BOOKS", str(tmp_path_factory.mktemp("no-books")))
        book_for.cache_clear()
        found = book_for(CONNECT4)
        assert found is not None
        yield found
    book_for.cache_clear()


def score_in(position: Position, book: Book) -> int:
    """What the book says, or the end of the game."""
    score = score_of_end(position) if position.is_over else book.score(position)
    assert score is not None, position
    return score


def test_every_opening_is_in_it(book: Book) -> None:
    assert (book.plies, book.name) == (PLIES, "the book of the package")
    shallow = [key for layer in layers(CONNECT4, 6) for key in layer]
    assert set(shallow) <= set(book.keys.tolist())
    random = Random(5)
    for plies in (7, 8) * 200:
        position = random_game(CONNECT4, plies, random).position
        if not position.is_over:
            assert score_in(position, book) == score_in(position.mirrored(), book)


def test_the_scores_of_first_discs(book: Book) -> None:
    empty = Position()
    assert score_in(empty, book) == 1
    assert [-score_in(empty.play(column), book) for column in empty.legal] == FIRST_DISCS


def test_the_layers_agree(book: Book) -> None:
    """The score of a position is that of its best child, all the way down."""
    random = Random(6)
    for plies in list(range(PLIES)) * 60:
        position = random_game(CONNECT4, plies, random).position
        if not position.is_over:
            best = max(-score_in(position.play(column), book) for column in position.legal)
            assert score_in(position, book) == best


def test_published_scores_of_openings(book: Book) -> None:
    rows = [row for row in published_scores("Test_L1_R1", CONNECT4, 1) if row[0].ply <= PLIES]
    assert len(rows) > 150
    assert [score_in(position, book) for position, _ in rows] == [score for _, score in rows]


def test_the_deepest_layer_is_what_a_search_finds(book: Book) -> None:
    """By a solver without a book; some easy positions, some hard ones."""
    solver, random, asked = Solver(CONNECT4, 32, book=False), Random(8), 0
    while asked < 12:
        position = random_game(CONNECT4, PLIES, random).position
        if not position.is_over:
            assert solver.score(position) == score_in(position, book)
            asked += 1


def test_a_solver_with_a_book_can_be_warmed_up(book: Book) -> None:
    """Its kernels are called although the book knows the answer."""
    solver = Solver(CONNECT4, 1)
    solver.book = book
    solver.warm_up()
    assert solver.nodes > 0
    assert solver.score(Position()) == 1


def test_the_file_is_small(book: Book, tmp_path: Path) -> None:
    book.save(tmp_path / "book.bin")
    assert (tmp_path / "book.bin").stat().st_size < 2**20
    assert key_of(Position()) in book.keys.tolist()


@pytest.mark.parametrize(("plies", "is_used"), [(PLIES - 1, False), (PLIES + 1, True)])
def test_a_book_of_the_user_is_used_if_it_has_more_plies(
    plies: int, is_used: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Book(CONNECT4, plies, np.array([1], np.uint64), np.array([0], np.int8))
    own.save(tmp_path / file_name(CONNECT4))
    monkeypatch.setenv("ARENA_BOOKS", str(tmp_path))
    book_for.cache_clear()
    used = book_for(CONNECT4)
    book_for.cache_clear()
    assert used is not None
    assert used.plies == (plies if is_used else PLIES)
