"""`arena book`: opening books of exact scores, built and shown."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.commands import LightGroup
from arena.cli.options import AsJson, option

app = typer.Typer(cls=LightGroup)

Board = Annotated[str, option(..., "--board GAME", "A flat board.")]


@app.callback(invoke_without_command=True)
def book(context: typer.Context) -> None:
    """Build or show opening books of exact scores.

    They are solved; the engine book learns another one from the games that it plays: arena engines
    book.
    """
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def build(
    board: Board = "connect4",
    plies: int = option(
        8, "--plies", "Solve all positions with up to this many discs.", min=1, max=12
    ),
    workers: int | None = option(
        None, "--workers", "Threads; by default one per core.", min=1, max=4096
    ),
    memory: int = option(1024, "--memory", "Megabytes of the shared table.", min=1, max=1_000_000),
    output: Path | None = option(
        None, "--output -o", "The file to write; by default in your folder of books."
    ),
) -> None:
    """Build a book: exact scores of positions with few discs.

    Arena saves results as it solves; stop at any moment, and the same command resumes. On 7x6,
    8 plies take about an hour on two cores; smaller boards take seconds. If you and the package
    both have a book of a board, the solver uses the one that reaches further.

    Example: arena book build --board 6x5 --plies 6
    """
    from arena.cli.actions.book import build_book

    build_book(board, plies, workers, memory, output)


@app.command()
def show(board: Board = "connect4", as_json: AsJson = False) -> None:
    """Show which book the solver uses for a board.

    Example: arena book show --board 7x6
    """
    from arena.cli.actions.book import show_book

    show_book(board, as_json)
