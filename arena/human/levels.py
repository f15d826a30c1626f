"""Levels from too easy to perfect: which engine suits each, and how any engine is held back to it.

Without a choice of engine (SEEDS section 5): too easy is reflex that plays every other move at
random, easy is two plies of alpha-beta with a fifth of random moves, medium is four plies, hard is
MCTS of 10 000 playouts on flat boards and six plies of alpha-beta in space, perfect is the solver.
Advanced stands between medium and hard: six plies on flat boards, five in space.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from arena.engine.registry import engine_words
from arena.errors import BadOption, UnknownName

TOO_EASY, EASY, MEDIUM, ADVANCED = "too easy", "easy", "medium", "advanced"
HARD, PERFECT = "hard", "perfect"
LEVELS = (TOO_EASY, EASY, MEDIUM, ADVANCED, HARD, PERFECT)
AS_IT_IS = "as it is"

SUITED = "suited"  # stands for the engine that suits the level
SOLVER = "perfect"  # the name of the engine that never errs
PATIENCE = 5.0  # seconds that an engine below perfect thinks at most
VARIED = {"tie_break": "random"}  # of moves that are worth the same not always the same one


class Grade(NamedTuple):
    """Options to set, how many moves are played at random, and the most seconds for a move."""

    options: Mapping[str, str | int | float]
    slips: float = 0.0
    seconds: float | None = PATIENCE

    def __str__(self) -> str:
        """The grade in words: "depth 2, 20 % random moves"."""
        words = [f"{name} {value}" for name, value in self.options.items() if name not in VARIED]
        words += [f"{self.slips:.0%} random moves".replace("%", " %")] if self.slips else []
        own = [] if self.seconds in (None, PATIENCE) else [f"{self.seconds:g} s a move"]
        return ", ".join(words + own) or "all it can"


Ladder = Mapping[str, Grade]


def _ladder(option: str, *values: float | str, varied: bool = False) -> Ladder:
    """Values of one option for the levels below perfect; the two lowest slip as well."""
    more = VARIED if varied else {}
    return {
        level: Grade({option: value, **more}, slips)
        for level, value, slips in zip(LEVELS, values, (0.4, 0.2, 0.0, 0.0, 0.0), strict=False)
    }


# Engines without a knob: the share of random moves alone tells the levels apart.
BY_CHANCE: Ladder = {
    level: Grade({}, slips)
    for level, slips in zip(LEVELS, (0.5, 0.25, 0.1, 0.05, 0.0), strict=False)
}
# Engines of others, by the first of these options that they have.
BY_OPTION: Mapping[str, Ladder] = {
    "playouts": _ladder("playouts", 50, 200, 1000, 3000, 10_000),
    "seconds": _ladder("seconds", 0.02, 0.05, 0.5, 1.5, 3.0),
    "depth": _ladder("depth", 1, 2, 4, 5, 7),
}
ALPHABETA = _ladder("depth", 1, 2, 4, 6, 8, varied=True)
ORACLES = ("beginner", "easy", "medium", "hard", "expert")  # its own levels, but for the highest
BY_NAME: Mapping[str, Ladder] = {
    "minimax": _ladder("depth", 1, 2, 4, 5, 6, varied=True),
    "alphabeta": ALPHABETA,
    "iterative": {**_ladder("depth", 1, 2, 5, 8, varied=True), HARD: Grade(VARIED, seconds=2.0)},
    "oracle": {
        level: Grade({"level": own})
        for level, own in zip(LEVELS, ORACLES, strict=False)
    },
    SOLVER: {
        **{level: Grade({}, slips) for level, slips in
           ((TOO_EASY, 0.5), (EASY, 0.3), (MEDIUM, 0.15), (ADVANCED, 0.1), (HARD, 0.05))},
        PERFECT: Grade({}, seconds=None),
    },
}  # fmt: skip
ALPHABETA_IN_SPACE = {
    level: Grade({"evaluation": "counts", "depth": depth, **VARIED})
    for level, depth in ((ADVANCED, 5), (HARD, 6))
}


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


def grade(name: str, options: Collection[str], level: str, is_flat: bool) -> Grade:
    """How an engine with these options plays a level."""
    if level == AS_IT_IS:
        return Grade({}, seconds=None)
    if name == "alphabeta" and level in ALPHABETA_IN_SPACE and not is_flat:
        return ALPHABETA_IN_SPACE[level]
    by_option = (ladder for option, ladder in BY_OPTION.items() if option in options)
    return BY_NAME.get(name, next(by_option, BY_CHANCE))[level]
