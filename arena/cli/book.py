"""`arena book`: opening books of exact scores, built and shown."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import completing
from arena.cli.commands import LightGroup
from arena.cli.options import AsJson

if TYPE_CHECKING:
    from arena.game.rules import Rules

app = typer.Typer(cls=LightGroup)

Board = Annotated[
    str,
    typer.Option("--board", metavar="GAME", autocompletion=completing.games, help="A flat board."),
]


@app.callback(invoke_without_command=True)
def book(context: typer.Context) -> None:
    """Build or show opening books of exact scores."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def build(
    board: Board = "connect4",
    plies: Annotated[int, typer.Option("--plies", min=1, max=12, help="Discs on the board.")] = 8,
    workers: Annotated[
        int | None,
        typer.Option("--workers", min=1, max=4096, help="Threads; by default one a core."),
    ] = None,
    memory: Annotated[
        int,
        typer.Option("--memory", min=1, max=1_000_000, help="Megabytes of table, shared by all."),
    ] = 1024,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file; by default among your books.")
    ] = None,
) -> None:
    """Build the book of a board: all positions of few discs, exactly.

    What is solved is on disk at once: stop it at any moment, and the same command goes on from
    there. On 7x6, 8 plies take about an hour on two cores; books of smaller boards take seconds.
    The solver uses whichever book of a board reaches further, yours or that of the package.

    Example: arena book build --board 6x5 --plies 6
    """
    from arena.machine import usable_cores
    from arena.show.progress import Progress
    from arena.solver.build import build as build_book

    rules = _rules(board)
    file = output or _own_file(rules)
    _refuse_to_shrink(file, plies)
    file.parent.mkdir(parents=True, exist_ok=True)
    progress = Progress("solving", at_once=True)

    def show(done: int, count: int) -> None:
        if not progress.total:
            progress.begin("solving", count, done)
        progress.at(done)

    begun = file.with_name(f"{file.stem}.{rules.width}x{rules.height}c{rules.connect}-{plies}")
    try:
        made = build_book(rules, plies, begun, workers or usable_cores(), memory, show)
    except KeyboardInterrupt:
        progress.clear()
        print(f"arena: stopped; the same command goes on from {begun}", file=sys.stderr)
        raise
    finally:
        progress.clear()
    made.save(file)
    begun.unlink(missing_ok=True)
    print(f"{file}: {len(made)} positions of up to {made.plies} discs")


@app.command()
def show(board: Board = "connect4", as_json: AsJson = False) -> None:
    """Show which book the solver uses for a board.

    Example: arena book show --board 7x6
    """
    from arena.show.terminal import print_json
    from arena.solver.book import book_for

    rules = _rules(board)
    found = book_for(rules)
    if as_json:
        known = None
        if found is not None:
            known = {"name": found.name, "plies": found.plies, "positions": len(found)}
        print_json({"board": str(rules), "own_file": str(_own_file(rules)), "book": known})
    elif found is None:
        print(f"{rules}: no book; arena book build --board {board} makes one")
    else:
        print(f"{rules}: {len(found):,} positions of up to {found.plies} discs, {found.name}")


def _refuse_to_shrink(file: Path, plies: int) -> None:
    """A book that reaches as far is not replaced."""
    from arena.errors import BadOption
    from arena.solver.book import Book

    if file.is_file() and (there := Book.load(file)).plies >= plies:
        raise BadOption(
            f"{file} is a book of {there.plies} plies already; delete it, or name another --output"
        )


def _rules(board: str) -> Rules:
    """A board that the solver can play on."""
    from arena.game.rules import Rules
    from arena.solver.flat.field import refuse

    rules = Rules.named(board)
    refuse(rules)
    return rules


def _own_file(rules: Rules) -> Path:
    from arena.solver.book import file_name, own_books

    return own_books() / file_name(rules)
