"""How a book is built: the deepest layer is solved, those above follow by minimax.

Every score is on disk as soon as it is known: stop the build at any moment, and the next one goes
on from there. All threads share one table; neighbours are solved one after another, so that most
of what a position needs has been found for the one before.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Lock, Thread

import numpy as np

from arena.game.position import Position
from arena.game.rules import Rules
from arena.solver.ask import Budget
from arena.solver.book import Book, key_of
from arena.solver.exact import score_of_end
from arena.solver.flat.solver import Solver

RECORD = struct.Struct("<Qb")
CHUNK = 64  # neighbours that one thread solves in a row

OnProgress = Callable[[int, int], None]  # positions solved, of how many


class Stopped(Exception):
    """Nobody waits for scores any more."""


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


def build(
    rules: Rules, plies: int, begun: Path, workers: int = 1,
    megabytes: float = 1024, progress: OnProgress = lambda done, count: None,
) -> Book:  # fmt: skip
    """Build the book of a board, going on where an earlier build was stopped."""
    tree = layers(rules, plies)
    scores = dict(read_begun(begun))
    deepest = tree[-1]
    missing = [position for key, position in deepest.items() if key not in scores]
    done = len(deepest) - len(missing)
    progress(done, len(deepest))
    with begun.open("ab") as file:
        for key, score in solve_all(rules, missing, workers, megabytes):
            file.write(RECORD.pack(key, score))
            file.flush()
            scores[key] = score
            done += 1
            progress(done, len(deepest))
    return book_from(rules, tree, scores)


def read_begun(file: Path) -> Iterator[tuple[int, int]]:
    """The scores that earlier builds have found; a record cut short is left out."""
    if not file.exists():
        return
    data = file.read_bytes()
    whole = len(data) - len(data) % RECORD.size
    if whole != len(data):
        os.truncate(file, whole)
    yield from RECORD.iter_unpack(data[:whole])


def book_from(rules: Rules, tree: list[dict[int, Position]], deepest: dict[int, int]) -> Book:
    """The whole book from the scores of its deepest layer."""
    scores = {key: deepest[key] for key in tree[-1]}
    for layer in reversed(tree[:-1]):
        for key, position in layer.items():
            scores[key] = max(-_score(position.play(c), scores) for c in position.legal)
    keys = np.array(list(scores), np.uint64)
    return Book(rules, len(tree) - 1, keys, np.array(list(scores.values()), np.int8))


def _score(position: Position, scores: dict[int, int]) -> int:
    return score_of_end(position) if position.is_over else scores[key_of(position)]


def solve_all(
    rules: Rules, positions: list[Position], workers: int, megabytes: float
) -> Iterator[tuple[int, int]]:
    """Keys and scores, as they come. Kernels let go of Python, so threads search at once."""
    table = Solver(rules, megabytes, book=False).table
    chunks = iter([positions[at : at + CHUNK] for at in range(0, len(positions), CHUNK)])
    answers: SimpleQueue[tuple[int, int] | BaseException] = SimpleQueue()
    turn, stopped = Lock(), Event()

    def check() -> None:
        if stopped.is_set():
            raise Stopped

    def solve() -> None:
        solver = Solver(rules, 0, book=False)
        solver.use(table)
        while not stopped.is_set():
            with turn:
                chunk = next(chunks, [])
            if not chunk:
                return
            for position in chunk:
                answers.put((key_of(position), solver.score(position, Budget(on_wait=check))))

    def work() -> None:
        try:
            solve()
        except BaseException as error:  # for whoever waits for scores
            answers.put(error)

    threads = [Thread(target=work) for _ in range(workers)]
    for thread in threads:
        thread.start()
    try:
        for _ in positions:
            answer = answers.get()
            if isinstance(answer, BaseException):
                raise answer
            yield answer
    finally:
        stopped.set()
        for thread in threads:
            thread.join()
