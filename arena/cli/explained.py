"""What `arena explain` prints: scores of the solver, or an engine's values, evaluation and tree."""

from __future__ import annotations

import sys
from typing import Any

from rich.table import Table
from rich.text import Text

from arena.bots.find import build_engine
from arena.engine.contract import Engine, Limits
from arena.engine.timing import on_this_host
from arena.errors import BadOption
from arena.game.notation import column_name, move_data, move_words, write_move, write_moves
from arena.game.position import DISCS, STEAL, Position
from arena.judge.judge import VALUES, Solution, in_words, sign, solve_columns
from arena.library.explain import Explanation, ask, evaluation_of, open_position
from arena.show.board import COLOURS, MARGIN, board_text, board_width
from arena.show.numbers import amount, duration, plies, signed
from arena.show.progress import Progress, ready_judge, saying, warm_up_with_progress
from arena.show.terminal import console, print_json, symbol

SPACE_SECONDS = 30.0  # in 3-D, where many positions cannot be solved
LIST_WIDTH = 44
BAR_WIDTH = 20
STYLES = {1: "green", 0: "yellow", -1: "red"}


def _print_mover(position: Position) -> None:
    mover = position.to_move
    title = Text(f"{position.rules}, ").append(DISCS[mover], style=f"bold {COLOURS[mover]}")
    console().print(title.append(" to move\n"))


def _picture(position: Position, values: Table | Text, width: int) -> Table:
    """The board, and the values beside it, or below it if there is no room."""
    grid = Table.grid(padding=(0, 3))
    if position.rules.is_flat and board_width(position) + LIST_WIDTH <= width:
        grid.add_row(board_text(position), values)
    else:
        grid.add_row(board_text(position))
        grid.add_row("")
        grid.add_row(values)
    return grid


def _columns_table(headings: tuple[str, ...]) -> Table:
    table = Table(box=None, padding=(0, 1), header_style="dim")
    for heading in headings:
        table.add_column(heading, justify="right" if heading else "left")
    return table


# ---- the exact solver


def solve(position: Position, limit: str, as_json: bool) -> None:
    """Print the exact score of each column."""
    limits = Limits.parse(limit)
    if limits != Limits(seconds=limits.seconds):
        raise BadOption(f"--limit {limit!r}: the solver takes seconds only, as in seconds=10")
    seconds = limits.seconds
    if seconds is None and not position.rules.is_flat:
        seconds = SPACE_SECONDS
    judge = ready_judge(open_position(position).rules)
    with Progress("solving column", len(position.choices), at_once=True) as progress:
        solution = solve_columns(judge, position, seconds, progress.at)
    if as_json:
        print_json(_solution_data(solution))
    else:
        _print_solution(solution)
    if solution.open:
        columns = ", ".join(map(write_move, solution.open))
        which = f"columns {columns}" if len(solution.open) > 1 else f"column {columns}"
        print(f"arena: time limit reached, {which} unsolved; raise --limit seconds={seconds:g}",
              file=sys.stderr)  # fmt: skip


def _solution_data(solution: Solution) -> dict[str, Any]:
    """All of it for programs; columns count from 1."""
    position, score = solution.position, solution.score
    return {
        "rules": position.rules.name,
        "position": position.notation,
        "to_move": DISCS[position.to_move],
        "complete": not solution.open,
        "score": score,
        "value": None if score is None else VALUES[sign(score)],
        "words": None if score is None else _score_words(position, score),
        "best": [move_data(column) for column in solution.best],
        "columns": {
            write_move(column): {
                "score": each,
                "words": None if each is None else _score_words(position, each),
            }
            for column, each in solution.scores.items()
        },
        "seconds": solution.seconds,
        "nodes": solution.nodes,
    }


def _score_words(position: Position, score: int) -> str:
    """A score in words, for the player to move."""
    return in_words(score, position.ply, position.rules, position.stolen)


def _print_solution(solution: Solution) -> None:
    """Print the board, the score of each column, and what the search cost."""
    out, position, most = console(), solution.position, solution.most
    mover = DISCS[position.to_move]
    summary = f"What {mover} can reach is not proven."
    if solution.score is not None:
        summary = f"{mover} {_score_words(position, solution.score)}."
    elif most is not None and most >= 0:
        sooner = " or sooner" if most > 0 else " at least"
        summary = f"{mover} {_score_words(position, most)}{sooner}."
    _print_mover(position)
    out.print(_picture(position, _scores(solution), out.width))
    out.print(f"\n{summary}", style="bold")
    out.print(f"{duration(solution.seconds)}, {amount(solution.nodes)} nodes", style="dim")


def _scores(solution: Solution) -> Table:
    position = solution.position
    rules = position.rules
    table = _columns_table(("column", "score", ""))
    for column in [*range(rules.columns), *([STEAL] if position.can_steal else [])]:
        name = "steal" if column == STEAL else column_name(column, rules)
        score = solution.scores.get(column)
        if column not in solution.scores:
            table.add_row(name, "full", style="dim")
        elif score is None:
            table.add_row(name, "?", "not proven", style="dim")
        else:
            words = Text(_score_words(position, score), style=STYLES[sign(score)])
            if column in solution.best:
                words.append(f"{MARGIN}best", style="bold")
            table.add_row(name, signed(score), words)
    return table


# ---- an engine


def ask_engine(
    position: Position, words: str, evaluation: str | None, limit: str, seed: int, tree: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Print what an engine says about a position."""
    limits = Limits.parse(limit)
    engine = build_engine(words)
    weights = evaluation_of(engine, evaluation)  # mistakes are reported before anything compiles
    if weights is not None:
        weights.check_board(position.rules.plain)
    if tree and type(engine).opinions is Engine.opinions:
        raise BadOption(f"engine {words} has no search tree to show")
    open_position(position)
    warm_up_with_progress([(words, engine)], position.rules)
    limits = on_this_host(limits)
    with saying() as say:
        say(f"{words} is thinking")
        explanation = ask(engine, words, position, limits, seed, evaluation, tree)
    if as_json:
        print_json(explanation.data)
    else:
        _print_explanation(explanation)


def _print_explanation(view: Explanation) -> None:
    out, mover = console(), DISCS[view.position.to_move]
    values: Table | Text = Text(f"{MARGIN}No opinion of single columns.", style="dim")
    if view.opinions:
        values = _column_values(view) if view.position.rules.is_flat else _peg_values(view)
    _print_mover(view.position)
    out.print(_picture(view.position, values, out.width))
    out.print()
    out.print(_choice(view))
    if view.evaluation is not None and view.breakdown is not None:
        out.print(f"\n{view.evaluation.name} evaluation for {mover}", style="bold")
        out.print(_breakdown(view.breakdown))
    if view.tree is not None:
        deep = f", {plies(view.tree_depth)} deep" if view.tree_depth else ""
        out.print(f"\ntwo plies of the tree{deep}, values for {mover}", style="bold")
        out.print(_tree(view))


def _choice(view: Explanation) -> Text:
    """What the engine plays, and whether the list has a column of a higher value.

    The value of the move stands here only if the list does not have it.
    """
    choice, rules = view.choice, view.position.rules
    parts = []
    if choice.score is not None and choice.column not in view.opinions:
        parts.append(f"value {signed(choice.score)}")
    if choice.depth is not None:
        parts.append(f"{plies(choice.depth)} deep")
    if choice.nodes is not None:
        parts.append(f"{amount(choice.nodes)} nodes")
    if choice.line:
        parts.append(f"line {write_moves(choice.line, rules)}")
    steals = choice.column == STEAL
    text = Text(view.engine, style="bold").append(" steals " if steals else " plays ", "not bold")
    place = "the first disc" if steals else move_words(choice.column, rules)
    text.append(place, style="bold green")
    text.append("".join(f", {part}" for part in parts), style="not bold")
    best = max(view.opinions.values(), default=0.0)
    columns = [column for column, value in view.opinions.items() if value == best]
    if columns and choice.column not in columns and not steals:
        names = " or ".join(column_name(column, rules) for column in columns)
        text.append(f"\nIn the list, {names} has the highest value.", style="dim")
    return text


def _column_values(view: Explanation) -> Table:
    table = _columns_table(("column", "value", ""))
    best, worst = max(view.opinions.values()), min(view.opinions.values())
    rules = view.position.rules
    for column in range(rules.columns):
        name, value = column_name(column, rules), view.opinions.get(column)
        if value is None:
            table.add_row(name, _why_none(view.position, column), style="dim")
            continue
        filled = round(BAR_WIDTH * (value - worst) / (best - worst)) if best > worst else BAR_WIDTH
        bar = Text(symbol("█", "#") * filled + (" best" if value == best else ""))
        table.add_row(name, signed(value), bar, style="green" if value == best else "")
    return table


def _peg_values(view: Explanation) -> Table:
    """The values of a board in space, laid out as seen from above."""
    rules = view.position.rules
    grid = Table(box=None, padding=(0, 1), show_header=False)
    best = max(view.opinions.values())
    for _ in range(2 * rules.width):
        grid.add_column(justify="right", no_wrap=True)
    for y in range(rules.depth):
        row: list[Text] = []
        for x in range(rules.width):
            column = x * rules.depth + y
            value = view.opinions.get(column)
            text = _why_none(view.position, column) if value is None else signed(value)
            style = "bold green" if value == best else ""
            row += [Text(f"{column_name(column, rules)}:", style="dim"), Text(text, style=style)]
        grid.add_row(*row)
    return grid


def _why_none(position: Position, column: int) -> str:
    return "?" if column in position.legal else "full"


def _breakdown(parts: dict[str, float]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(min_width=20)
    table.add_column(justify="right", min_width=8)
    for name, value in parts.items():
        table.add_row(MARGIN + name, signed(value), style="dim" if value == 0 else "")
    table.add_row(f"{MARGIN}total", signed(sum(parts.values())), style="bold")
    return table


def _tree(view: Explanation) -> Table:
    """A row for each column with the replies to it; a pruned reply is marked."""
    assert view.tree is not None
    cut = symbol("✂", "cut")
    best = max((value for _, value, _ in view.tree if value is not None), default=None)
    rules = view.position.rules
    flat = rules.is_flat
    table = Table(box=None, padding=(0, 1), header_style="dim", show_header=flat)
    for heading in ("column", "value"):
        table.add_column(heading, justify="right")
    for column in range(rules.columns) if flat else (0,):
        table.add_column(f"then {column_name(column, rules)}", justify="right" if flat else "left")
    for column, value, replies in sorted(view.tree, key=lambda branch: branch[0]):
        values = {k: cut if each is None else signed(-each) for k, each, _ in replies}
        if flat:
            cells = [values.get(k, "") for k in range(rules.columns)]
        else:
            seen = [
                f"{column_name(k, rules)}:{words}"
                for k, words in sorted(values.items())
                if words != cut
            ]
            pruned = len(values) - len(seen)
            cells = ["  ".join(seen + ([f"{cut} {pruned} pruned"] if pruned else []))]
        bound = symbol("≤", "<=") if cut in values.values() else ""  # a pruned reply may be worse
        words = cut if value is None else f"{bound}{signed(value)}"
        style = "green" if value == best else ""
        table.add_row(column_name(column, rules), words, *cells, style=style)
    return table
