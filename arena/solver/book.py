"""The opening book: exact scores of all positions of few discs, one of each pair of mirror images.

A book file is a line of JSON that describes it, with the checksum of the whole file, and a
compressed block of keys and scores: a damaged file is refused.

A book is built from its deepest layer, which is solved; those above follow by minimax. Every
score is on disk as soon as it is known: a build that was stopped can be resumed.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import lru_cache
from importlib import resources
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.errors import ArenaError, BadFile
from arena.files import write_atomic
from arena.game.position import Position
from arena.game.rules import Rules
from arena.solver.solver import Budget, refuse, score_of_end

FORM = "connect-arena book 1"
REMEDY = "delete it or build it again"
ENTRY = 9  # bytes of a key and its score
MAX_POSITIONS = 50_000_000  # as many take an hour to read

RECORD = struct.Struct("<QbI")  # a key, its score, and the checksum of both

Keys = NDArray[np.uint64]
Scores = NDArray[np.int8]
OnProgress = Callable[[int, int], None]  # positions solved, of how many


class Book:
    """Scores by key, for one board, complete up to a number of discs."""

    def __init__(
        self, rules: Rules, plies: int, keys: Keys, scores: Scores, name: str = "a new book"
    ) -> None:
        self.name, self.rules, self.plies = name, rules, plies
        order = np.argsort(keys)
        self.keys, self.scores = keys[order], scores[order]

    def __len__(self) -> int:
        return len(self.keys)

    def score(self, position: Position) -> int | None:
        """The score of a position that is not over; None beyond the plies of the book."""
        if position.ply > self.plies:
            return None
        key = np.uint64(key_of(position))
        at = self.keys.searchsorted(key)
        found = at < len(self.keys) and self.keys[at] == key
        return int(self.scores[at]) if found else None

    def to_bytes(self) -> bytes:
        """The contents of the book's file."""
        steps = np.diff(self.keys, prepend=np.uint64(0)).astype("<u8")
        planes = steps.view(np.uint8).reshape(len(steps), 8).T  # equal bytes side by side
        body = zlib.compress(planes.tobytes() + self.scores.astype(np.int8).tobytes(), 9)
        head = {
            "form": FORM,
            "board": f"{self.rules.width}x{self.rules.height}c{self.rules.connect}",
            "plies": self.plies,
            "positions": len(self),
        }
        return json.dumps({**head, "sha256": _checksum(head, body)}).encode() + b"\n" + body

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "the book") -> Book:
        """Read a book; BadFile if it is damaged."""
        first, _, body = data.partition(b"\n")
        try:
            head = dict(json.loads(first))
        except (ValueError, TypeError, RecursionError):
            head = {}
        if head.get("form") != FORM:
            raise BadFile(f"{name} is not an opening book of this version; {REMEDY}")
        if head.pop("sha256", None) != _checksum(head, body):
            raise BadFile(f"{name} is damaged: its checksum does not match; {REMEDY}")
        try:
            return _read(head, body, name)
        except (ArenaError, ArithmeticError, LookupError, TypeError, ValueError, zlib.error):
            words = "its description does not fit its contents"
            raise BadFile(f"{name} is damaged: {words}; {REMEDY}") from None

    def save(self, path: Path) -> None:
        """Write the book, whole or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, self.to_bytes())

    @classmethod
    def load(cls, path: Path) -> Book:
        """Read a book file."""
        try:
            return cls.from_bytes(path.read_bytes(), str(path))
        except OSError as error:
            raise BadFile(f"{path} cannot be read: {error.strerror}") from error


def _checksum(head: dict[str, Any], body: bytes) -> str:
    return hashlib.sha256(json.dumps(head, sort_keys=True).encode() + b"\n" + body).hexdigest()


def _read(head: dict[str, Any], body: bytes, name: str) -> Book:
    """A book from its parts; ValueError, or the like, where they do not fit."""
    rules, plies, count = Rules.named(head["board"]), int(head["plies"]), int(head["positions"])
    refuse(rules)
    if not 0 <= count <= MAX_POSITIONS:
        raise ValueError("more positions than a book can have")
    plain = np.frombuffer(zlib.decompressobj().decompress(body, ENTRY * count + 1), np.uint8)
    if len(plain) != ENTRY * count:
        raise ValueError("another number of positions")
    planes, scores = plain[: 8 * count].reshape(8, count), plain[8 * count :]
    steps = np.ascontiguousarray(planes.T).view("<u8").reshape(count)
    return Book(rules, plies, np.cumsum(steps, dtype=np.uint64), scores.view(np.int8), name)


def key_of(position: Position) -> int:
    """A number for a position and its mirror image, as the book sorts them."""
    rules = position.rules
    height, column = rules.height, rules.column_masks[0]
    own, discs = position.own, position.first | position.second
    places = range(0, rules.cells, height)
    stacks = [(own >> at & column) + (discs >> at & column) for at in places]
    key = image = 0
    for stack, other in zip(stacks, reversed(stacks), strict=True):
        key = key << height + 1 | stack
        image = image << height + 1 | other
    return min(key, image)


def file_name(rules: Rules) -> str:
    """The name of the file that holds a board's book."""
    return f"book-{rules.width}x{rules.height}c{rules.connect}.bin"


def own_books() -> Path:
    """The folder of the user's books."""
    given = os.environ.get("ARENA_BOOKS")
    if given:
        return Path(given)
    import platformdirs

    return Path(platformdirs.user_data_dir("connect-arena")) / "books"


@lru_cache(maxsize=4)
def book_for(rules: Rules) -> Book | None:
    """The book of a board: the user's or the bundled one, whichever has more plies."""
    if not rules.is_flat:
        return None
    own = own_books() / file_name(rules)
    packed = resources.files("arena.solver").joinpath("books", file_name(rules))
    books = [Book.load(own)] if own.is_file() else []
    if packed.is_file():
        books.append(Book.from_bytes(packed.read_bytes(), "the book of the package"))
    for book in books:
        if book.rules != rules:
            raise BadFile(f"{book.name} is the book of {book.rules}, not of {rules}")
    return max(books, key=lambda book: book.plies, default=None)


# ---- how a book is built


class Stopped(Exception):
    """Raised in a thread to stop it."""


def build(
    rules: Rules, plies: int, records: Path, workers: int = 1,
    megabytes: float = 1024, progress: OnProgress = lambda done, count: None,
) -> Book:  # fmt: skip
    """Build the book of a board, or resume an earlier build from its records."""
    tree = layers(rules, plies)
    deepest = tree[-1]
    scores = {key: score for key, score in read_records(records) if key in deepest}
    missing = [position for key, position in deepest.items() if key not in scores]
    progress(len(scores), len(deepest))
    with records.open("ab") as file:
        for key, score in solve_all(rules, missing, workers, megabytes):
            file.write(RECORD.pack(key, score, _record_checksum(key, score)))
            file.flush()
            scores[key] = score
            progress(len(scores), len(deepest))

    def score_of(position: Position) -> int:
        return score_of_end(position) if position.is_over else scores[key_of(position)]

    for layer in reversed(tree[:-1]):
        for key, position in layer.items():
            scores[key] = max(-score_of(position.play(column)) for column in position.legal)
    keys = np.array(list(scores), np.uint64)
    return Book(rules, plies, keys, np.array(list(scores.values()), np.int8))


def layers(rules: Rules, plies: int) -> list[dict[int, Position]]:
    """All positions that are not over, by number of discs, one of each pair of images.

    Each layer is in the order of a walk through the tree: neighbours share most of their moves.
    """
    tree = [{key_of(Position(rules)): Position(rules)}]
    for _ in range(plies):
        layer: dict[int, Position] = {}
        for position in tree[-1].values():
            for column in position.legal:
                child = position.play(column)
                if not child.is_over:
                    layer.setdefault(key_of(child), child)
        tree.append(layer)
    return tree


def read_records(file: Path) -> Iterator[tuple[int, int]]:
    """Yield the scores of earlier builds; skip damaged records."""
    if not file.exists():
        return
    data = file.read_bytes()
    whole = len(data) - len(data) % RECORD.size
    if whole != len(data):
        os.truncate(file, whole)
    for key, score, checksum in RECORD.iter_unpack(data[:whole]):
        if checksum == _record_checksum(key, score):
            yield key, score


def _record_checksum(key: int, score: int) -> int:
    return zlib.crc32(struct.pack("<Qb", key, score))


def solve_all(
    rules: Rules, positions: list[Position], workers: int, megabytes: float
) -> Iterator[tuple[int, int]]:
    """Yield keys and scores in any order; threads search in parallel, as kernels free the GIL."""
    from arena.solver.flat.search import Solver  # which reads books

    shared, is_stopped = Solver(rules, megabytes, book=False), Event()

    def check() -> None:
        if is_stopped.is_set():
            raise Stopped

    def solve(position: Position) -> tuple[int, int]:
        budget = Budget(on_wait=check)
        return key_of(position), shared.partner().score(position, budget)

    with ThreadPoolExecutor(workers) as pool:
        try:
            futures = [pool.submit(solve, position) for position in positions]
            yield from (future.result() for future in as_completed(futures))
        finally:
            is_stopped.set()
            pool.shutdown(cancel_futures=True)
