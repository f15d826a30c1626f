"""A hint: what a strong engine would play. The solver answers where it is there and quick."""

from __future__ import annotations

from typing import NamedTuple

from arena.engine.contract import Choice, Engine, Limits
from arena.engine.errors import build_engine, sentence
from arena.engine.registry import names
from arena.engine.warm_up import Report, warm_up
from arena.errors import ArenaError, BadBook, EngineFailure
from arena.game.position import Position
from arena.human.levels import SOLVER
from arena.play.referee import read_column, read_score
from arena.solver.book import book_for
from arena.solver.flat.field import solvable

THINKER = "iterative evaluation=counts"
SECONDS = 1.5  # for a hint
OPINION_SECONDS = 3.0  # for all columns
QUICK = 33  # free cells, from which on the solver needs no patience


class Hint(NamedTuple):
    """Which engine says so, and what."""

    engine: str
    choice: Choice


class Adviser:
    """Asks a strong engine, which is built and made ready when it is first asked on a board."""

    def __init__(self) -> None:
        self.ready: dict[tuple[str, str], Engine] = {}

    def who(self, position: Position) -> str:
        """The engine that is asked about a position."""
        return SOLVER if _is_quick(position) and SOLVER in names() else THINKER

    def hint(self, position: Position, report: Report | None = None) -> Hint:
        """What to play; an engine that will not answer gives way to the other."""
        who = self.who(position)
        try:
            return self._ask(who, position, report)
        except ArenaError:
            if who == THINKER:
                raise
            return self._ask(THINKER, position, report)

    def _ask(self, words: str, position: Position, report: Report | None) -> Hint:
        engine = self._engine(words, position, report)
        name = words.partition(" ")[0]
        try:
            engine.new_game(position.rules, 0)
            choice = engine.choose(position, Limits(seconds=SECONDS))
            position.play(read_column(choice))
        except ArenaError:
            raise
        except Exception as error:
            raise EngineFailure(f"engine {name}: {sentence(error, engine)}") from error
        return Hint(name, choice)

    def _engine(self, words: str, position: Position, report: Report | None) -> Engine:
        key = (words, position.rules.name)
        if key not in self.ready:
            engine = build_engine(words)
            warm_up([(words.partition(" ")[0], engine)], position.rules, report)
            self.ready[key] = engine
        return self.ready[key]


def _is_quick(position: Position) -> bool:
    """Whether the solver tells the best column at once, or within a second or two."""
    rules = position.rules
    if not solvable(rules):
        return False
    try:
        book = book_for(rules)
    except BadBook:
        return False
    in_book = book is not None and position.ply <= book.plies
    return in_book or rules.cells - position.ply <= QUICK


def opinions(engine: Engine, name: str, position: Position) -> dict[int, float]:
    """What an engine thinks of each legal column, as far as it can tell."""
    try:
        told = engine.opinions(position, Limits(seconds=OPINION_SECONDS))
    except (Exception, SystemExit) as error:
        raise EngineFailure(f"{name}: {sentence(error, engine)}") from error
    worths = {column: read_score(told.get(column)) for column in position.legal}
    return {column: worth for column, worth in worths.items() if worth is not None}
