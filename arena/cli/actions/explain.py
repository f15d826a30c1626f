"""The body of `arena explain`: an engine's choice, opinions, evaluation and tree."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, TypeVar

from rich.table import Table
from rich.text import Text

from arena.bots.find import build_engine
from arena.engine.contract import Choice, Engine, Limits, read_score
from arena.engine.errors import sentence
from arena.engine.timing import on_this_host
from arena.errors import BadOption, EngineFailure, IllegalMove
from arena.evaluation import Evaluation
from arena.evaluation.kernels import breakdown
from arena.game.notation import column_name, move_data, move_words, write_moves
from arena.game.position import DISCS, STEAL, Position
from arena.game.rules import Rules
from arena.show.board import COLOURS, MARGIN, board_text, board_width
from arena.show.numbers import amount, plies, signed
from arena.show.progress import saying, warm_up_with_progress
from arena.show.terminal import console, print_json, symbol
from arena.table.probe import wrong_with

BAR = 20
LIST_WIDTH = 44

T = TypeVar("T")
Branch = tuple[int, float | None, list[Any]]  # a column, its value (None: pruned), its children
TREE_DEPTH = 5  # plies of a tree where nobody asked for another depth


@dataclass(frozen=True)
class Explanation:
    """What an engine, and the evaluation it uses if it uses one, say about a position."""

    position: Position
    choice: Choice
    opinions: dict[int, float]
    evaluation: Evaluation | None
    tree: list[Branch] | None
    tree_depth: int | None  # plies

    @property
    def breakdown(self) -> dict[str, float] | None:
        """The parts of the evaluation, for the player to move."""
        if self.evaluation is None:
            return None
        return breakdown(self.evaluation, self.position.plain)

    def as_data(self) -> dict[str, Any]:
        """All of it for JSON; columns count from 1, as in notation."""
        choice, parts = asdict(self.choice), self.breakdown
        choice["column"] = move_data(choice["column"])
        if choice["line"] is not None:
            choice["line"] = [column + 1 for column in choice["line"]]
        return {
            "rules": self.position.rules.name,
            "position": self.position.notation,
            "opinions": {str(column + 1): value for column, value in self.opinions.items()},
            "choice": choice,
            "evaluation": self.evaluation and self.evaluation.name,
            "breakdown": parts,
            "value": None if parts is None else sum(parts.values()),
            **({} if self.tree is None else {"tree": _tree_data(self.tree)}),
        }


def _tree_data(branches: list[Branch]) -> list[dict[str, Any]]:
    return [
        {"column": column + 1, "value": value, "children": _tree_data(children)}
        for column, value, children in branches
    ]


def explain_position(
    text: str,
    words: str,
    game: str,
    evaluation: str | None,
    limit: str,
    seed: int,
    tree: bool,
    as_json: bool,
) -> None:
    """Print how an engine, given in words, sees a position, which is read from stdin if it is -."""
    rules = Rules.named(game)
    position = open_position(Position.parse(sys.stdin.read() if text == "-" else text, rules))
    limits = Limits.parse(limit)
    engine = build_engine(words)
    weights = _evaluation_of(engine, evaluation)  # a wrong one is told before anything compiles
    if weights is not None:
        weights.check_board(rules.plain)
    if tree and type(engine).opinions is Engine.opinions:
        raise BadOption(f"engine {words} has no search tree to show")
    warm_up_with_progress([(words, engine)], rules)
    limits = on_this_host(limits)
    with saying() as say:
        say(f"{words} is thinking")
        explanation = ask(engine, position, limits, seed, evaluation, tree)
    if as_json:
        print_json(explanation.as_data())
    else:
        show(explanation, words)


def open_position(position: Position) -> Position:
    """The position, if there is still something to decide in it."""
    if position.winner is not None:
        raise IllegalMove(f"the game is over: {DISCS[position.winner]} has won")
    if position.is_over:
        raise IllegalMove("the game is over: the board is full")
    return position


def ask(
    engine: Engine,
    position: Position,
    limits: Limits,
    seed: int,
    evaluation: str | None,
    tree: bool = False,
) -> Explanation:
    """Ask an engine for its choice, its opinions and its tree, each in a game of its own.

    All of them look as deep as the tree, so that a column has one value wherever it is shown.
    """
    depth: int | None = None
    engine.begin(position.rules, seed)
    if tree:
        asked = getattr(engine, "depth", None) or limits.depth or TREE_DEPTH
        depth = min(asked, position.rules.cells - position.ply)
        limits = replace(limits, depth=depth)

    def fresh(question: Callable[[Position, Limits], T]) -> T:
        try:
            engine.begin(position.rules, seed)
            return question(position, limits)
        except Exception as error:
            raise EngineFailure(f"the engine failed: {sentence(error, engine)}") from error

    choice = fresh(engine.ask)
    complaint = wrong_with(choice, position)
    if complaint:
        raise EngineFailure(f"the engine broke the contract: {complaint}")
    values = fresh(engine.ask_opinions)
    weights = _evaluation_of(engine, evaluation)
    branches = fresh(partial(_branches, engine)) if tree else None
    return Explanation(
        position,
        choice,
        {
            column: value
            for column in position.legal
            if (value := read_score(values.get(column))) is not None
        },
        weights,
        branches,
        depth,
    )


def _branches(
    engine: Engine,
    position: Position,
    limits: Limits,
    plies: int = 2,
    alpha: float = float("-inf"),
    beta: float = float("inf"),
) -> list[Branch]:
    """The first plies of a search as a tree, with the branches marked that alpha-beta prunes."""
    values = engine.ask_opinions(position, limits)
    left_first = getattr(engine, "ordering", "centre") == "left"
    order = position.legal if left_first else position.rules.centre_order
    branches: list[Branch] = []
    for column in [column for column in order if column in values]:
        if alpha >= beta:
            branches.append((column, None, []))
            continue
        child, value, below = position.play(column), values[column], []
        if plies > 1 and not child.is_over and (limits.depth or 1) > 1:
            deeper = replace(limits, depth=(limits.depth or 1) - 1)
            below = _branches(engine, child, deeper, plies - 1, -beta, -alpha)
            value = -max((each for _, each, _ in below if each is not None), default=-value)
        branches.append((column, value, below))
        alpha = max(alpha, value) if "depth" in engine.options and engine.prunes else alpha
    return branches


def _evaluation_of(engine: Engine, asked: str | None) -> Evaluation | None:
    """The evaluation asked for, else the engine's own, if it uses one."""
    if asked is not None:
        return Evaluation.from_option(asked)
    own = getattr(engine, "evaluation", None)
    return own if isinstance(own, Evaluation) else None


def show(view: Explanation, engine: str) -> None:
    """Print what an engine says."""
    out = console()
    position = view.position
    mover = position.to_move
    title = Text(f"{position.rules}, ").append(f"{DISCS[mover]}", style=f"bold {COLOURS[mover]}")
    out.print(title.append(" to move\n"))
    out.print(_picture(view, out.width))
    out.print()
    out.print(_choice(view, engine))
    if view.evaluation is not None and view.breakdown is not None:
        out.print(f"\n{view.evaluation.name} evaluates the board for {DISCS[mover]}", style="bold")
        out.print(_breakdown(view.breakdown))
    if view.tree is not None:
        deep = f", {plies(view.tree_depth)} deep" if view.tree_depth else ""
        out.print(f"\ntwo plies of the tree{deep}, values for {DISCS[mover]}", style="bold")
        out.print(_tree(view))


def _picture(view: Explanation, width: int) -> Table:
    """The board, and beside it, or below where there is no room, the value of each column."""
    board = board_text(view.position)
    values: Table | Text = Text(f"{MARGIN}No opinion of single columns.", style="dim")
    if view.opinions:
        values = _column_list(view) if view.position.rules.is_flat else _peg_grid(view)
    grid = Table.grid(padding=(0, 3))
    if view.position.rules.is_flat and board_width(view.position) + LIST_WIDTH <= width:
        grid.add_row(board, values)
    else:
        grid.add_row(board)
        grid.add_row("")
        grid.add_row(values)
    return grid


def _choice(view: Explanation, engine: str) -> Text:
    """What it plays, and whether another column looks best when each is searched for itself.

    The value stands here only where no list of all columns says it.
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
    sentence = Text(engine, style="bold").append(" steals " if steals else " plays ", "not bold")
    place = "the first disc" if steals else move_words(choice.column, rules)
    sentence.append(place, style="bold green")
    sentence.append("".join(f", {part}" for part in parts), style="not bold")
    best = max(view.opinions.values(), default=0.0)
    columns = [column for column, value in view.opinions.items() if value == best]
    if columns and choice.column not in columns and not steals:
        which = " or ".join(column_name(column, rules) for column in columns)
        at_odds = f"\nIn the list, {which} has the highest value."
        sentence.append(at_odds, style="dim")
    return sentence


def _column_list(view: Explanation) -> Table:
    table = Table(box=None, padding=(0, 1), header_style="dim")
    table.add_column("column", justify="right")
    table.add_column("value", justify="right")
    table.add_column("")
    best = max(view.opinions.values())
    worst = min(view.opinions.values())
    rules = view.position.rules
    for column in range(rules.columns):
        if column not in view.opinions:
            table.add_row(column_name(column, rules), _why_none(view.position, column), style="dim")
            continue
        value = view.opinions[column]
        filled = round(BAR * (value - worst) / (best - worst)) if best > worst else BAR
        bar = Text(symbol("█", "#") * filled + (" best" if value == best else ""))
        style = "green" if value == best else ""
        table.add_row(column_name(column, rules), signed(value), bar, style=style)
    return table


def _peg_grid(view: Explanation) -> Table:
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
            style = "bold green" if value == best else ""
            text = _why_none(view.position, column) if value is None else signed(value)
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
    """A row for each column, behind it the answers to it; what was pruned is cut off."""
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
    for column, value, answers in sorted(view.tree, key=lambda branch: branch[0]):
        values = {k: cut if theirs is None else signed(-theirs) for k, theirs, _ in answers}
        style = "green" if value == best else ""
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
        most = symbol("≤", "<=") if cut in values.values() else ""  # what was cut may be worse
        words = cut if value is None else f"{most}{signed(value)}"
        table.add_row(column_name(column, rules), words, *cells, style=style)
    return table
