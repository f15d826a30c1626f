"""The body of `arena book`: books are built, and the one that the solver uses is shown."""

from __future__ import annotations

import sys
from pathlib import Path

from arena.errors import BadOption
from arena.game.rules import Rules
from arena.machine import usable_cores
from arena.show.progress import Progress
from arena.show.terminal import print_json
from arena.solver.book import Book, book_for, build, file_name, own_books
from arena.solver.solver import refuse


def build_book(
    board: str, plies: int, workers: int | None, memory: int, output: Path | None
) -> None:
    """Build the book of a board, or continue where it was stopped."""
    rules = _rules(board)
    file = output or own_books() / file_name(rules)
    if file.is_file() and (there := Book.load(file)).plies >= plies:
        raise BadOption(
            f"{file} is a book of {there.plies} plies already; delete it, or name another --output"
        )
    file.parent.mkdir(parents=True, exist_ok=True)
    progress = Progress("solving", at_once=True)

    def show(done: int, count: int) -> None:
        if not progress.total:
            progress.begin("solving", count, done)
        progress.at(done)

    records = file.with_name(f"{file.stem}.{rules.width}x{rules.height}c{rules.connect}-{plies}")
    try:
        book = build(rules, plies, records, workers or usable_cores(), memory, show)
    except KeyboardInterrupt:
        progress.clear()
        words = f"run the same command to continue (saved in {records})"
        print(f"arena: stopped; {words}", file=sys.stderr)
        raise
    finally:
        progress.clear()
    book.save(file)
    records.unlink(missing_ok=True)
    print(f"{file}: {len(book)} positions of up to {book.plies} discs")


def show_book(board: str, as_json: bool) -> None:
    """Print which book the solver uses for a board."""
    rules = _rules(board)
    book = book_for(rules)
    if as_json:
        facts = None
        if book is not None:
            facts = {"name": book.name, "plies": book.plies, "positions": len(book)}
        print_json(
            {"board": str(rules), "own_file": str(own_books() / file_name(rules)), "book": facts}
        )
    elif book is None:
        print(f"{rules}: no book; arena book build --board {board} makes one")
    else:
        print(f"{rules}: {len(book):,} positions of up to {book.plies} discs, {book.name}")


def _rules(board: str) -> Rules:
    """A board that the solver can play on."""
    rules = Rules.named(board).plain
    refuse(rules)
    return rules
