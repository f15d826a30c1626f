"""An explanation on the screen: the board, the columns, the choice, the evaluation, the tree."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from arena.cli.explain import Explanation
from arena.game.notation import write_moves
from arena.game.position import DISCS, Position
from arena.show.board import COLOURS, MARGIN, board_width, drawn
from arena.show.terminal import amount, console, symbol, value

BAR = 20
LIST_WIDTH = 44


def show(told: Explanation, engine: str) -> None:
    """Print an explanation."""
    out = console()
    position = told.position
    mover = position.to_move
    title = Text(f"{position.rules}, ").append(f"{DISCS[mover]}", style=f"bold {COLOURS[mover]}")
    out.print(title.append(" to move\n"))
    out.print(_picture(told, out.width))
    out.print()
    out.print(_choice(told, engine))
    if told.evaluation is not None and told.breakdown is not None:
        out.print(f"\n{told.evaluation.name} weighs the board for {DISCS[mover]}", style="bold")
        out.print(_breakdown(told.breakdown))
    if told.tree is not None:
        deep = f", {told.tree_depth} plies deep" if told.tree_depth else ""
        out.print(f"\ntwo plies of the tree{deep}, worth to {DISCS[mover]}", style="bold")
        out.print(_tree(told))


def _picture(told: Explanation, width: int) -> Table:
    """The board, and beside it, or below where there is no room, what each column is worth."""
    board = drawn(told.position)
    worths: Table | Text = Text(f"{MARGIN}No opinion of single columns.", style="dim")
    if told.opinions:
        worths = _column_list(told) if told.position.rules.is_flat else _peg_grid(told)
    grid = Table.grid(padding=(0, 3))
    if told.position.rules.is_flat and board_width(told.position) + LIST_WIDTH <= width:
        grid.add_row(board, worths)
    else:
        grid.add_row(board)
        grid.add_row("")
        grid.add_row(worths)
    return grid


def _choice(told: Explanation, engine: str) -> Text:
    """What it plays; its worth stands here only where no list of all columns says it."""
    choice, rules = told.choice, told.position.rules
    parts = []
    if choice.score is not None and choice.column not in told.opinions:
        parts.append(f"worth {value(choice.score)}")
    if choice.depth is not None:
        parts.append(f"{choice.depth} plies deep")
    if choice.nodes is not None:
        parts.append(f"{amount(choice.nodes)} nodes")
    if choice.line:
        parts.append(f"line {write_moves(choice.line, rules)}")
    told_so = Text(engine, style="bold").append(" plays ", style="not bold")
    told_so.append(f"column {choice.column + 1}", style="bold green")
    told_so.append("".join(f", {part}" for part in parts), style="not bold")
    return told_so.append(_at_odds(told), style="dim")


def _at_odds(told: Explanation) -> str:
    """That another column looks best when each is searched for itself, on a line, if so."""
    best = max(told.opinions.values(), default=0.0)
    columns = [column for column, worth in told.opinions.items() if worth == best]
    if not columns or told.choice.column in columns:
        return ""
    which = " or ".join(str(column + 1) for column in columns)
    return f"\nLooked at one by one, as in the list, {which} seems best."


def _column_list(told: Explanation) -> Table:
    table = Table(box=None, padding=(0, 1), header_style="dim")
    table.add_column("column", justify="right")
    table.add_column("worth", justify="right")
    table.add_column("")
    best = max(told.opinions.values())
    worst = min(told.opinions.values())
    for column in range(told.position.rules.columns):
        if column not in told.opinions:
            table.add_row(str(column + 1), _why_none(told.position, column), style="dim")
            continue
        worth = told.opinions[column]
        filled = round(BAR * (worth - worst) / (best - worst)) if best > worst else BAR
        bar = Text(symbol("█", "#") * filled + (" best" if worth == best else ""))
        table.add_row(str(column + 1), value(worth), bar, style="green" if worth == best else "")
    return table


def _peg_grid(told: Explanation) -> Table:
    rules = told.position.rules
    grid = Table(box=None, padding=(0, 1), show_header=False)
    best = max(told.opinions.values())
    for _ in range(2 * rules.width):
        grid.add_column(justify="right", no_wrap=True)
    for y in range(rules.depth):
        row: list[Text] = []
        for x in range(rules.width):
            column = x * rules.depth + y
            worth = told.opinions.get(column)
            style = "bold green" if worth == best else ""
            text = _why_none(told.position, column) if worth is None else value(worth)
            row += [Text(f"{column + 1}:", style="dim"), Text(text, style=style)]
        grid.add_row(*row)
    return grid


def _why_none(position: Position, column: int) -> str:
    return "?" if column in position.legal else "full"


def _breakdown(parts: dict[str, float]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(min_width=20)
    table.add_column(justify="right", min_width=8)
    for name, worth in parts.items():
        table.add_row(MARGIN + name, value(worth), style="dim" if worth == 0 else "")
    table.add_row(f"{MARGIN}total", value(sum(parts.values())), style="bold")
    return table


def _tree(told: Explanation) -> Table:
    """A row for each column, behind it the answers to it; what was pruned is cut off."""
    assert told.tree is not None
    cut = symbol("✂", "cut")
    best = max((worth for _, worth, _ in told.tree if worth is not None), default=None)
    flat = told.position.rules.is_flat
    table = Table(box=None, padding=(0, 1), header_style="dim", show_header=flat)
    for heading in ("column", "worth"):
        table.add_column(heading, justify="right")
    for column in range(told.position.rules.columns) if flat else (0,):
        table.add_column(f"then {column + 1}", justify="right" if flat else "left")
    for column, worth, answers in sorted(told.tree, key=lambda branch: branch[0]):
        shown = {k: cut if theirs is None else value(-theirs) for k, theirs, _ in answers}
        style = "green" if worth == best else ""
        cells = _spread(shown, told.position) if flat else [_listed(shown, cut)]
        most = symbol("≤", "<=") if cut in shown.values() else ""  # what was cut may be worse
        words = cut if worth is None else f"{most}{value(worth)}"
        table.add_row(f"{column + 1}", words, *cells, style=style)
    return table


def _spread(answers: dict[int, str], position: Position) -> list[str]:
    return [answers.get(column, "") for column in range(position.rules.columns)]


def _listed(answers: dict[int, str], cut: str) -> str:
    seen = {column: worth for column, worth in answers.items() if worth != cut}
    listed = [f"{column + 1}:{worth}" for column, worth in sorted(seen.items())]
    pruned = len(answers) - len(seen)
    return "  ".join(listed + ([f"{cut} {pruned} pruned"] if pruned else []))
