"""How an engine sees a position: its choice, the value of each column, evaluation and tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, TypeVar

from arena.bots.find import build_engine
from arena.engine.contract import Choice, Engine, Limits, read_score
from arena.engine.errors import sentence
from arena.engine.warm_up import warm_up
from arena.errors import BadOption, EngineFailure, IllegalMove
from arena.evaluation import Evaluation
from arena.evaluation.kernels import breakdown
from arena.game.notation import move_data, move_words, write_move
from arena.game.position import DISCS, STEAL, Position
from arena.game.rules import Rules
from arena.library.engines import AnyEngine, AnyLimits, is_engine, name_of, read_limits, read_rules
from arena.show.board import board_html
from arena.show.numbers import signed
from arena.show.table import Column, Table, table_html, titled
from arena.table.probe import wrong_with

T = TypeVar("T")
Branch = tuple[int, float | None, list[Any]]  # a column, its value (None: pruned), its children
TREE_DEPTH = 5  # plies of a tree unless a depth is given


@dataclass(frozen=True)
class Explanation:
    """What an engine says about a position; columns count from 0.

    `opinions` are the values of columns to the player to move. `evaluation` is the one the engine
    uses, if any, and `breakdown` its parts. `tree` has two plies of the search if it was asked for.
    """

    engine: str
    position: Position
    choice: Choice
    opinions: dict[int, float]
    evaluation: Evaluation | None = None
    tree: list[Branch] | None = None
    tree_depth: int | None = None  # plies

    @property
    def breakdown(self) -> dict[str, float] | None:
        """The parts of the evaluation, for the player to move."""
        if self.evaluation is None:
            return None
        return breakdown(self.evaluation, self.position.plain)

    @property
    def data(self) -> dict[str, Any]:
        """All of it for programs; columns count from 1, as in notation."""
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

    @property
    def table(self) -> Table:
        """A row for each column with a value, counted from 1."""
        rows = [(write_move(column), value) for column, value in self.opinions.items()]
        return Table("", (Column("column"), Column("value", signed)), tuple(rows))

    def __str__(self) -> str:
        """What the engine plays, and its values of the columns."""
        column = self.choice.column
        place = "steals the first disc" if column == STEAL else f"plays {self._words(column)}"
        values = ", ".join(": ".join(row) for row in self.table.text())
        return f"{self.engine} {place}{f'; {values}' if values else ''}"

    def _words(self, column: int) -> str:
        return move_words(column, self.position.rules)

    def _repr_html_(self) -> str:
        return titled(str(self), board_html(self.position), table_html(self.table))


def _tree_data(branches: list[Branch]) -> list[dict[str, Any]]:
    return [
        {"column": column + 1, "value": value, "children": _tree_data(children)}
        for column, value, children in branches
    ]


def explain(
    position: str | Position,
    engine: AnyEngine = "alphabeta",
    *,
    game: str | Rules = "connect4",
    limits: AnyLimits | None = None,
    evaluation: str | None = None,
    tree: bool = False,
    seed: int = 1,
) -> Explanation:
    """Ask an engine how it sees a position.

    >>> arena.explain("4453", "alphabeta depth=8").opinions
    """
    if isinstance(position, str):
        position = Position.parse(position, read_rules(game))
    position = open_position(position)
    if not isinstance(engine, str) and not is_engine(engine):
        raise BadOption(f"found {engine!r}; expected an engine: a name, a class or an object")
    built = engine if isinstance(engine, Engine) else build_engine(engine)
    warm_up([(name_of(engine), built)], position.rules)
    return ask(built, name_of(engine), position, read_limits(limits), seed, evaluation, tree)


def open_position(position: Position) -> Position:
    """The position, unless the game is over."""
    if position.winner is not None:
        raise IllegalMove(f"the game is over: {DISCS[position.winner]} has won")
    if position.is_over:
        raise IllegalMove("the game is over: the board is full")
    return position


def evaluation_of(engine: Engine, asked: str | None) -> Evaluation | None:
    """The evaluation asked for, else the engine's own, if it uses one."""
    if asked is not None:
        return Evaluation.from_option(asked)
    own = getattr(engine, "evaluation", None)
    return own if isinstance(own, Evaluation) else None


def ask(
    engine: Engine,
    name: str,
    position: Position,
    limits: Limits,
    seed: int,
    evaluation: str | None = None,
    tree: bool = False,
) -> Explanation:
    """Ask an engine for its choice, its opinions and its tree, each in a game of its own.

    With a tree, all of them look equally deep, so that a column has one value in all views.
    """
    if tree and type(engine).opinions is Engine.opinions:
        raise BadOption(f"engine {name} has no search tree to show")
    depth: int | None = None
    if tree:
        depth = getattr(engine, "depth", None) or limits.depth or TREE_DEPTH
        depth = min(depth, position.rules.cells - position.ply)
        limits = replace(limits, depth=depth)

    def fresh(question: Callable[[Position, Limits], T]) -> T:
        try:
            engine.begin(position.rules, seed)
            return question(position, limits)
        except Exception as error:
            raise EngineFailure(f"the engine failed: {sentence(error, engine)}") from error

    choice = fresh(engine.ask)
    if complaint := wrong_with(choice, position):
        raise EngineFailure(f"the engine broke the contract: {complaint}")
    values = fresh(engine.ask_opinions)
    branches = fresh(partial(_branches, engine)) if tree else None
    opinions = {
        c: value for c in position.legal if (value := read_score(values.get(c))) is not None
    }
    weights = evaluation_of(engine, evaluation)
    return Explanation(name, position, choice, opinions, weights, branches, depth)


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
