"""Hints and opinions: the move of a strong engine, and the opponent's values of the columns."""

from __future__ import annotations

from arena.bots.find import build_engine
from arena.engine.contract import Choice, Engine, Limits, read_column, read_score
from arena.engine.errors import sentence
from arena.engine.warm_up import Report, warm_up
from arena.errors import ArenaError, BadFile, BadOption, EngineFailure
from arena.game.position import Position
from arena.human.levels import ADVISER, offers, perfect_engine
from arena.show.numbers import signed
from arena.solver.book import book_for
from arena.solver.solver import is_solvable

HINT_SECONDS = 1.5
OPINION_SECONDS = 3.0  # for all columns
QUICK = 33  # free cells, from which on the solver needs no patience


class Adviser:
    """Asks a strong engine, which is built and warmed up at the first question on a board."""

    def __init__(self) -> None:
        self.ready: dict[tuple[str, str], Engine] = {}

    def hint(self, position: Position, report: Report | None = None) -> tuple[str, Choice]:
        """An engine and its choice; if the first engine fails, the second is asked."""
        first, *others = advisers(position)
        try:
            return self._ask(first, position, report)
        except ArenaError:
            if not others:
                raise
            return self._ask(others[0], position, report)

    def _ask(self, words: str, position: Position, report: Report | None) -> tuple[str, Choice]:
        name, key = words.partition(" ")[0], (words, position.rules.name)
        if key not in self.ready:
            engine = build_engine(words)
            warm_up([(name, engine)], position.rules, report)
            self.ready[key] = engine
        engine = self.ready[key]
        try:
            engine.begin(position.rules, 0)
            choice = engine.ask(position, Limits(seconds=HINT_SECONDS))
            position.play(read_column(choice))
        except ArenaError:
            raise
        except Exception as error:
            raise EngineFailure(f"engine {name}: {sentence(error, engine)}") from error
        return name, choice


def advisers(position: Position) -> list[str]:
    """The engines to ask about a position, in words: the solver first, where it is quick."""
    engines = [ADVISER] if ADVISER.partition(" ")[0] in offers() else []
    solver = perfect_engine() if _is_quick(position) else None
    if solver is not None:
        engines.insert(0, solver)
    if not engines:
        raise BadOption("no engine that gives hints is installed")
    return engines


def _is_quick(position: Position) -> bool:
    """Whether the solver finds the best column within a second or two."""
    rules = position.rules
    if not is_solvable(rules):
        return False
    try:
        book = book_for(rules.plain)
    except BadFile:
        return False
    in_book = book is not None and position.ply <= book.plies
    return in_book or rules.cells - position.ply <= QUICK


def opinions(engine: Engine, name: str, position: Position) -> dict[int, float]:
    """An engine's values of the legal columns; it may leave some out."""
    try:
        scores = engine.ask_opinions(position, Limits(seconds=OPINION_SECONDS))
    except (Exception, SystemExit) as error:
        raise EngineFailure(f"{name}: {sentence(error, engine)}") from error
    values = {column: read_score(scores.get(column)) for column in position.legal}
    return {column: value for column, value in values.items() if value is not None}


def opinion_lines(name: str, values: dict[int, float], position: Position) -> list[str]:
    """An engine's value of each column, the best marked: in a row, or in space peg by peg."""
    rules = position.rules
    if not values:
        return [f"{name} has no opinion of single columns."]
    best = max(values.values())

    def cell(column: int) -> str:
        if column not in values:
            return "full " if column not in position.legal else "? "
        return signed(values[column]) + ("*" if values[column] == best else " ")

    width = max(7, 1 + max(len(cell(column)) for column in range(rules.columns)))
    heads = [f"{x + 1} ".rjust(width) for x in range(rules.width)]
    lines = [f"{name} on each column, for the player to move (* best):"]
    lines.append(("column" if rules.is_flat else "     x") + "".join(heads).rstrip())
    for y in range(rules.depth):
        label = "value" if rules.is_flat else f"y {y + 1}"
        row = (cell(x * rules.depth + y).rjust(width) for x in range(rules.width))
        lines.append(f"{label:>6}" + "".join(row).rstrip())
    return lines
