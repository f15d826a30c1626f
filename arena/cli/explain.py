"""`arena explain`: a position as an engine sees it, column by column, and why."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from arena.cli import completing
from arena.cli.options import AsJson, GameName
from arena.errors import BadOption, EngineFailure, IllegalMove

if TYPE_CHECKING:
    from arena.engine.contract import Choice, Engine, Limits
    from arena.evaluation import Evaluation
    from arena.game.position import Position

T = TypeVar("T")
Branch = tuple[int, float | None, list[Any]]  # a column, its worth (None: pruned), its children


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
        return self.evaluation.breakdown(self.position, self.position.to_move)

    def as_data(self) -> dict[str, Any]:
        """All of it for JSON; columns count from 1, as in notation."""
        choice, parts = asdict(self.choice), self.breakdown
        choice["column"] += 1
        if choice["line"] is not None:
            choice["line"] = [column + 1 for column in choice["line"]]
        return {
            "rules": self.position.rules.name,
            "position": self.position.notation,
            "opinions": {str(column + 1): worth for column, worth in self.opinions.items()},
            "choice": choice,
            "evaluation": self.evaluation and self.evaluation.name,
            "breakdown": parts,
            "value": None if parts is None else sum(parts.values()),
            **({} if self.tree is None else {"tree": _tree_data(self.tree)}),
        }


def explain(
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION", help='Moves ("4453"), a drawn board, or - to read one from stdin.'
        ),
    ] = "",
    engine: Annotated[
        str,
        typer.Option(
            "--engine",
            metavar="ENGINE",
            help="Whose opinion to ask, with options.",
            autocompletion=completing.engines,
        ),
    ] = "alphabeta",
    game: GameName = "connect4",
    evaluation: Annotated[
        str | None,
        typer.Option(
            "--evaluation",
            metavar="EVALUATION",
            help="What to break down; unless given, the engine's own, if it uses one.",
            autocompletion=completing.evaluations,
        ),
    ] = None,
    limit: Annotated[
        str,
        typer.Option(
            "--limit",
            metavar="LIMITS",
            help='Of the search: "depth=4", "playouts=1000".',
            autocompletion=completing.limits,
        ),
    ] = "",
    seed: Annotated[int, typer.Option(help="For all chance in the engine.")] = 1,
    tree: Annotated[bool, typer.Option("--tree", help="Show two plies of the search.")] = False,
    as_json: AsJson = False,
) -> None:
    """Explain how an engine sees a position, and why.

    Example: arena explain 4453 --engine "alphabeta depth=8" --tree
    """
    from arena.engine.contract import Limits
    from arena.engine.errors import build_engine
    from arena.game.position import Position
    from arena.game.rules import Rules
    from arena.show.terminal import print_json
    from arena.show.warming import saying, warm_up_shown

    rules = Rules.named(game)
    text = sys.stdin.read() if position == "-" else position
    asked = open_position(Position.parse(text, rules))
    limits = Limits.parse(limit)
    player = build_engine(engine)
    which_evaluation(player, evaluation)  # a wrong name is told before anything compiles
    if tree and not hasattr(player, "tree"):
        raise BadOption(f"engine {engine} has no search tree to show")
    warm_up_shown([(engine, player)], rules)
    with saying() as say:
        say(f"{engine} is thinking")
        told = ask(player, asked, limits, seed, evaluation, tree)
    if as_json:
        print_json(told.as_data())
    else:
        from arena.cli.views.explain import show

        show(told, engine)


def open_position(position: Position) -> Position:
    """The position, if there is still something to decide in it."""
    from arena.game.position import DISCS

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

    All of them look as deep as the tree, so that a column is worth the same wherever it is shown.
    """
    from arena.engine.errors import sentence
    from arena.play.referee import read_score
    from arena.play.subject import wrong_with

    depth: int | None = None
    if tree and hasattr(engine, "tree_depth"):
        depth = engine.tree_depth(position, limits)
        limits = replace(limits, depth=depth)

    def fresh(question: Callable[[Position, Limits], T]) -> T:
        try:
            engine.new_game(position.rules, seed)
            return question(position, limits)
        except Exception as error:
            raise EngineFailure(f"the engine failed: {sentence(error, engine)}") from error

    choice = fresh(engine.choose)
    complaint = wrong_with(choice, position)
    if complaint:
        raise EngineFailure(f"the engine broke the contract: {complaint}")
    worths = fresh(engine.opinions)
    weights = which_evaluation(engine, evaluation)
    branches: list[Branch] | None = fresh(engine.tree) if tree else None  # type: ignore[attr-defined]
    return Explanation(
        position,
        choice,
        {
            column: worth
            for column in position.legal
            if (worth := read_score(worths.get(column))) is not None
        },
        weights,
        branches,
        depth,
    )


def which_evaluation(engine: Engine, asked: str | None) -> Evaluation | None:
    """The evaluation asked for, else the engine's own, if it uses one."""
    from arena.evaluation import Evaluation

    if asked is not None:
        return Evaluation.from_option(asked)
    own = getattr(engine, "evaluation", None)
    return own if isinstance(own, Evaluation) else None


def _tree_data(branches: list[Branch]) -> list[dict[str, Any]]:
    return [
        {"column": column + 1, "worth": worth, "children": _tree_data(children)}
        for column, worth, children in branches
    ]
