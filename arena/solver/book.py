"""The opening book: exact scores of all positions of few discs, one of each pair of mirror images.

A book file is a line of JSON that describes it and a compressed block of keys and scores, sealed by
a hash: a damaged file is refused, never believed.
"""

from __future__ import annotations

import os
import zlib
from functools import lru_cache
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arena.errors import BadBook
from arena.files import BadSeal, sealed, unsealed, write_whole
from arena.game.position import Position
from arena.game.rules import Rules

FORM = "connect-arena book 1"
Keys = NDArray[np.uint64]
Scores = NDArray[np.int8]


class Book:
    """Scores by key, for one board, complete up to a number of discs."""

    def __init__(
        self, rules: Rules, plies: int, keys: Keys, scores: Scores, name: str = "a new book"
    ) -> None:
        self.name = name
        self.rules = rules
        self.plies = plies
        self.keys = keys
        self.scores = scores
        self._score_of = dict(zip(keys.tolist(), scores.tolist(), strict=True))

    def __len__(self) -> int:
        return len(self.keys)

    def score(self, position: Position) -> int | None:
        """The score of a position that is not over; None if the book does not reach so far."""
        if position.ply > self.plies:
            return None
        return self._score_of.get(key_of(position))

    def to_bytes(self) -> bytes:
        """The book as a file holds it."""
        order = np.argsort(self.keys)
        keys, scores = self.keys[order], self.scores[order]
        steps = np.diff(keys, prepend=np.uint64(0)).astype("<u8")
        planes = steps.view(np.uint8).reshape(len(steps), 8).T  # equal bytes side by side
        body = zlib.compress(planes.tobytes() + scores.astype(np.int8).tobytes(), 9)
        head = {
            "form": FORM,
            "board": f"{self.rules.width}x{self.rules.height}c{self.rules.connect}",
            "plies": self.plies,
            "positions": len(keys),
        }
        return sealed(head, body)

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "the book") -> Book:
        """Read a book, or say what is wrong with it."""
        try:
            head, body = unsealed(data, FORM, "opening book")
        except BadSeal as error:
            raise BadBook(f"{name} {error}; delete it or build it anew") from None
        count = int(head["positions"])
        plain = np.frombuffer(zlib.decompress(body), np.uint8)
        planes, scores = plain[: 8 * count].reshape(8, count), plain[8 * count :]
        steps = np.ascontiguousarray(planes.T).view("<u8").reshape(count)
        keys = np.cumsum(steps.astype(np.uint64), dtype=np.uint64)
        rules, plies = Rules.named(head["board"]), int(head["plies"])
        return cls(rules, plies, keys, scores.view(np.int8), name)

    def save(self, path: Path) -> None:
        """Write the book, whole or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, self.to_bytes())

    @classmethod
    def load(cls, path: Path) -> Book:
        """Read a book file."""
        try:
            return cls.from_bytes(path.read_bytes(), str(path))
        except OSError as error:
            raise BadBook(f"{path} cannot be read: {error.strerror}") from error


def key_of(position: Position) -> int:
    """A number for a position and its mirror image, as the book sorts them."""
    rules = position.rules
    height, column = rules.height, (1 << rules.height) - 1
    own, all_discs = position.own, position.first | position.second
    stacks = []
    for at in range(rules.width):
        discs = all_discs >> at * height & column
        stacks.append((own >> at * height & column) + discs)
    key = image = 0
    for stack, other in zip(stacks, reversed(stacks), strict=True):
        key = key << height + 1 | stack
        image = image << height + 1 | other
    return min(key, image)


def file_name(rules: Rules) -> str:
    """What the book of a board is called."""
    return f"book-{rules.width}x{rules.height}c{rules.connect}.bin"


def own_books() -> Path:
    """Where the books are kept that a user has built."""
    given = os.environ.get("ARENA_BOOKS")
    if given:
        return Path(given)
    import platformdirs

    return Path(platformdirs.user_data_dir("connect-arena")) / "books"


@lru_cache(maxsize=4)
def book_for(rules: Rules) -> Book | None:
    """The book of a board: the user's own or that of the package, whichever reaches further."""
    if not rules.is_flat:
        return None
    own = own_books() / file_name(rules)
    packed = resources.files("arena.solver").joinpath("books", file_name(rules))
    books = [Book.load(own)] if own.is_file() else []
    if packed.is_file():
        books.append(Book.from_bytes(packed.read_bytes(), "the book of the package"))
    for book in books:
        if book.rules != rules:
            raise BadBook(f"{book.name} is the book of {book.rules}, not of {rules}")
    return max(books, key=lambda book: book.plies, default=None)
