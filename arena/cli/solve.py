"""`arena solve`: the exact score of a position, column by column."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import completing
from arena.cli.options import AsJson

if TYPE_CHECKING:
    from arena.cli.judging.solved import Solved
    from arena.game.position import Position
    from arena.judge.exact import ExactJudge

FIRST_NODES = 1_000_000  # for each column, before any gets more
SPACE_SECONDS = 30.0  # without which many a position would take for ever


def solve(
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION", help='Moves ("4453"), a drawn board, or - to read one from stdin.'
        ),
    ] = "",
    game: Annotated[
        str,
        typer.Option(
            "--game",
            "--board",
            metavar="GAME",
            help="A game by name or size: 6x5, 9x6c5, score4.",
            autocompletion=completing.games,
        ),
    ] = "connect4",
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds",
            metavar="SECONDS",
            min=0.001,
            help="What is left then stays open; 30 in space, else no limit.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Solve a position exactly: who wins, when, and with which columns.

    A score counts from the end: +3 wins with two discs of one's own left after the winning one,
    -3 loses so, 0 is a draw. Discs are counted over both players. Early positions of large
    boards may take very long, and in space only the last part of a game can be solved.

    Example: arena solve 4453
    """
    from arena.cli.actions.explain import open_position
    from arena.cli.judging.ready import ready_judge
    from arena.game.position import Position
    from arena.game.rules import Rules
    from arena.show.terminal import print_json

    text = sys.stdin.read() if position == "-" else position
    asked = open_position(Position.parse(text, Rules.named(game)))
    if seconds is None and not asked.rules.is_flat:
        seconds = SPACE_SECONDS
    solved = solved_in(ready_judge(asked.rules), asked, seconds)
    if as_json:
        print_json(solved.as_data())
    else:
        from arena.cli.judging.solved import show_solved

        show_solved(solved)
    if solved.open:
        print(f"arena: {_out_of_time(solved, seconds)}", file=sys.stderr)


def solved_in(judge: ExactJudge, position: Position, seconds: float | None = None) -> Solved:
    """Ask for every column within so many seconds for all; those that are cheap come first."""
    from arena.cli.judging.solved import Solved
    from arena.judge.asking import Allowance
    from arena.show.progress import Progress

    began, before = time.perf_counter(), judge.nodes
    scores: dict[int, int | None] = dict.fromkeys(position.legal)
    left = [column for column in position.rules.centre_order if column in scores]
    with Progress("solving column", len(left), at_once=True) as progress:

        def waiting() -> None:
            progress.at(len(scores) - len(left))

        allowed = Allowance.of(seconds, FIRST_NODES, waiting)
        while left and not allowed.is_over:
            for column in left:
                found = judge.score(position.play(column), allowed)
                scores[column] = None if found is None else -found
            left = [column for column in left if scores[column] is None]
            allowed = allowed.with_nodes(10 * (allowed.nodes or FIRST_NODES))
    return Solved(position, scores, time.perf_counter() - began, judge.nodes - before)


def _out_of_time(solved: Solved, seconds: float | None) -> str:
    """Which columns are open, and what to do about it."""
    columns = [str(column + 1) for column in solved.open]
    which = f"columns {', '.join(columns)} are" if len(columns) > 1 else f"column {columns[0]} is"
    return f"{seconds:g} s were not enough: {which} not proven; give more with --seconds"
