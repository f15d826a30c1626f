"""Levels from too easy to perfect: which engine suits each, and how any engine is held back to it.

Without a choice of engine (SEEDS section 5): too easy is reflex that plays every other move at
random, easy is two plies of alpha-beta with a fifth of random moves, medium is four plies, hard is
MCTS of 10 000 playouts on flat boards and six plies of alpha-beta in space, perfect is the solver.
Advanced stands between medium and hard: six plies on flat boards, five in space.
"""

from __future__ import annotations

from collections.abc import Collection

from arena.engine.levels import (
    HARD,
    LEVELS,
    PERFECT,
    TOO_EASY,
    USUAL,
    WITHOUT_OPTION,
    Grade,
)
from arena.engine.registry import Entry, engine_words
from arena.errors import BadOption, UnknownName

AS_IT_IS = "as it is"

SUITED = "suited"  # stands for the engine that suits the level
SOLVER = "perfect"  # the name of the engine that never errs


def read_level(text: str) -> str:
    """A level by its name, however it is joined: "too-easy" is "too easy"."""
    level = " ".join(text.lower().replace("-", " ").replace("_", " ").split())
    if level in ("as is", AS_IT_IS):
        return AS_IT_IS
    if level not in LEVELS:
        raise UnknownName("difficulty", text, [*LEVELS, AS_IT_IS])
    return level


def suited(level: str, is_flat: bool) -> str:
    """The engine that plays a level where none was asked for."""
    if level == HARD:
        return "mcts" if is_flat else "alphabeta"
    return {TOO_EASY: "reflex", PERFECT: SOLVER}.get(level, "alphabeta")


def check_level(engine: str, level: str, known: Collection[str]) -> None:
    """Refuse a level that this engine cannot play, given the names of all that are installed."""
    name = engine_words(engine)[0]
    if level == AS_IT_IS and name == SUITED:
        raise BadOption(f"{AS_IT_IS!r} needs an engine; expected one of {', '.join(LEVELS)}")
    if level != PERFECT:
        return
    if SOLVER not in known:
        raise BadOption(f"the engine {SOLVER} is not installed; the highest level here is {HARD}")
    if name not in (SUITED, SOLVER):
        raise BadOption(
            f"{name} does not play perfectly, only the engine {SOLVER} does; "
            f"its highest level is {HARD}"
        )


def grade(entry: Entry, level: str, is_flat: bool) -> Grade:
    """How an engine plays a level: as it says, by the options that it has, or all it can."""
    if entry.engine.levels and not entry.preset:
        ladder = {**entry.engine.levels, **({} if is_flat else entry.engine.levels_in_space)}
    else:
        usual = (ladder for option, ladder in USUAL.items() if option in entry.engine.options)
        ladder = {**next(usual, WITHOUT_OPTION)}
    return ladder.get(level, Grade({}, seconds=None))
