"""`arena replay`: one game of a journal, move by move."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.options import AsJson, JournalPath
from arena.errors import BadOption

if TYPE_CHECKING:
    from arena.cli.views.replay import Replay


def replay(
    journal: JournalPath,
    game: Annotated[int, typer.Argument(metavar="GAME", help="The number of the game.")],
    ply: Annotated[
        int | None, typer.Option(min=0, help="Only the position after so many moves.")
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Print it all and ask nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Step through a game, move by move.

    It shows the board after each move, and what the engine said about it. Enter or an arrow goes
    on, b goes back, a number and Enter jump to that move, q quits.

    Example: arena replay reports/quickstart 12
    """
    from arena.cli.journals import open_journal
    from arena.cli.views.replay import Replay, step_through

    with open_journal(journal) as opened:
        replay = Replay(opened.header, opened.row(game))
    if ply is not None and ply > replay.last:
        raise BadOption(f"--ply {ply} is after the end: game {game} has {replay.last} moves")
    if as_json:
        from arena.show.terminal import print_json

        print_json(replay.as_data(_plies(replay, ply)))
    elif ply is None and not plain and _is_terminal():
        step_through(replay)
    else:
        _print(replay, ply)


def _print(replay: Replay, ply: int | None) -> None:
    """All positions, or one, below each other."""
    from arena.show.terminal import console

    out = console()
    out.print(replay.title())
    for each in _plies(replay, ply):
        out.print(replay.position(each), soft_wrap=True)
        out.print()
    if ply is None or ply == replay.last:
        out.print(replay.ending(), soft_wrap=True)


def _plies(replay: Replay, ply: int | None) -> list[Any]:
    return list(range(replay.last + 1)) if ply is None else [ply]


def _is_terminal() -> bool:
    import os

    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
