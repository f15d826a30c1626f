"""The body of `arena solve`: the columns are solved, and shown on the screen or as data."""

from __future__ import annotations

import sys
from typing import Any

from rich.table import Table
from rich.text import Text

from arena.cli.actions.explain import open_position
from arena.game.notation import column_name, move_data, write_move
from arena.game.position import DISCS, STEAL, Position
from arena.game.rules import Rules
from arena.judge.judge import VALUES, Solution, in_words, sign, solve_columns
from arena.show.board import COLOURS, MARGIN, board_text, board_width
from arena.show.numbers import amount, duration, signed
from arena.show.progress import Progress, ready_judge
from arena.show.terminal import console, print_json

SPACE_SECONDS = 30.0  # without which many a position would take for ever
LIST_WIDTH = 40
STYLES = {1: "green", 0: "yellow", -1: "red"}


def solve_position(text: str, game: str, seconds: float | None, as_json: bool) -> None:
    """Solve a position and print the value of each column."""
    text = sys.stdin.read() if text == "-" else text
    position = open_position(Position.parse(text, Rules.named(game)))
    if seconds is None and not position.rules.is_flat:
        seconds = SPACE_SECONDS
    judge = ready_judge(position.rules)
    with Progress("solving column", len(position.choices), at_once=True) as progress:
        solution = solve_columns(judge, position, seconds, progress.at)
    if as_json:
        print_json(as_data(solution))
    else:
        show(solution)
    if solution.open:
        columns = ", ".join(map(write_move, solution.open))
        which = f"columns {columns} are" if len(solution.open) > 1 else f"column {columns} is"
        print(f"arena: {seconds:g} s were not enough: {which} not proven; give more with --seconds",
              file=sys.stderr)  # fmt: skip


def as_data(solution: Solution) -> dict[str, Any]:
    """All of it for JSON; columns count from 1."""
    position, score = solution.position, solution.score
    return {
        "rules": position.rules.name,
        "position": position.notation,
        "to_move": DISCS[position.to_move],
        "complete": not solution.open,
        "score": score,
        "value": None if score is None else VALUES[sign(score)],
        "words": None if score is None else _words(position, score),
        "best": [move_data(column) for column in solution.best],
        "columns": {
            write_move(column): {
                "score": each,
                "words": None if each is None else _words(position, each),
            }
            for column, each in solution.scores.items()
        },
        "seconds": solution.seconds,
        "nodes": solution.nodes,
    }


def _words(position: Position, score: int) -> str:
    """A score as the player to move would say it."""
    return in_words(score, position.ply, position.rules, position.stolen)


def show(solution: Solution) -> None:
    """Print the board, the value of each column, and how much work that was."""
    out, position = console(), solution.position
    mover = position.to_move
    title = Text(f"{position.rules}, ").append(DISCS[mover], style=f"bold {COLOURS[mover]}")
    out.print(title.append(" to move\n"))
    grid = Table.grid(padding=(0, 3))
    if position.rules.is_flat and board_width(position) + LIST_WIDTH <= out.width:
        grid.add_row(board_text(position), _columns(solution))
    else:
        grid.add_row(board_text(position))
        grid.add_row("")
        grid.add_row(_columns(solution))
    out.print(grid)
    out.print()
    out.print(_summary(solution), style="bold")
    out.print(f"{duration(solution.seconds)}, {amount(solution.nodes)} nodes", style="dim")


def _columns(solution: Solution) -> Table:
    table = Table(box=None, padding=(0, 1), header_style="dim")
    table.add_column("column", justify="right")
    table.add_column("score", justify="right")
    table.add_column("")
    steal = [STEAL] if solution.position.can_steal else []
    for column in [*range(solution.position.rules.columns), *steal]:
        name = "steal" if column == STEAL else column_name(column, solution.position.rules)
        if column not in solution.scores:
            table.add_row(name, "full", style="dim")
            continue
        score = solution.scores[column]
        if score is None:
            table.add_row(name, "?", "not proven", style="dim")
            continue
        words = Text(_words(solution.position, score), style=STYLES[sign(score)])
        if column in solution.best:
            words.append(f"{MARGIN}best", style="bold")
        table.add_row(name, signed(score), words)
    return table


def _summary(solution: Solution) -> str:
    """The value of the position, in a sentence."""
    position, most = solution.position, solution.most
    mover = DISCS[position.to_move]
    if solution.score is not None:
        return f"{mover} {_words(position, solution.score)}."
    if most is None or most < 0:
        return f"What {mover} can reach is not proven."
    return f"{mover} {_words(position, most)}{' or sooner' if most > 0 else ' at least'}."
