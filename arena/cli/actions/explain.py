"""The body of `arena explain`: an engine is asked for its choice, its opinions and its tree."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from arena.cli.actions.explanation import Branch, Explanation, show
from arena.engine.contract import Engine, Limits
from arena.engine.errors import sentence
from arena.engine.registry import build_engine
from arena.errors import BadOption, EngineFailure, IllegalMove
from arena.evaluation import Evaluation
from arena.game.position import DISCS, Position
from arena.game.rules import Rules
from arena.play.referee import read_score
from arena.play.subject import wrong_with
from arena.show.progress import saying, warm_up_with_progress
from arena.show.terminal import print_json

T = TypeVar("T")


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
    _evaluation_of(engine, evaluation)  # a wrong name is told before anything compiles
    if tree and not hasattr(engine, "tree"):
        raise BadOption(f"engine {words} has no search tree to show")
    warm_up_with_progress([(words, engine)], rules)
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

    All of them look as deep as the tree, so that a column is worth the same wherever it is shown.
    """
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
    weights = _evaluation_of(engine, evaluation)
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


def _evaluation_of(engine: Engine, asked: str | None) -> Evaluation | None:
    """The evaluation asked for, else the engine's own, if it uses one."""
    if asked is not None:
        return Evaluation.from_option(asked)
    own = getattr(engine, "evaluation", None)
    return own if isinstance(own, Evaluation) else None
