"""The questions of the menu: what can be chosen at each step, and what a typed line chooses."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, unique
from typing import NamedTuple, Protocol

from arena.engine.levels import HARD, LEVELS, PERFECT
from arena.errors import BadOption
from arena.human.commands import match
from arena.human.levels import AS_IT_IS, SOLVER, SUITED
from arena.human.setup import HUMAN, Setup

WATCH = "watch"
CHANCE = "random"
AGAIN, SWAP, MENU, QUIT = "again", "swap", "menu", "quit"


@unique
class Step(Enum):
    """Where the menu is; each step is a question but for the game and the end."""

    OPPONENT = "Who is your opponent?"
    FIRST_ENGINE = "Which engine plays first?"
    SECOND_ENGINE = "Which engine plays second?"
    COLOUR = "Which colour is yours?"
    FIRST_NAME = "What is your name?"
    SECOND_NAME = "And the other one's name?"
    FIRST_LEVEL = "How strong is {0}?"
    SECOND_LEVEL = "How strong is {1}?"
    BOARD = "On which board?"
    TIME = "How much time does each side have?"
    GAME = "The game"
    AFTER = "And now?"
    LEFT = "The end"


class Item(NamedTuple):
    """Something to choose: the word to type, and what it stands for."""

    word: str
    about: str = ""


class Facts(Protocol):
    """What the menu has to know of the world, which it does not touch itself."""

    @property
    def colours(self) -> tuple[str, str]:
        """What the discs of the first and of the second player are called."""

    @property
    def engines(self) -> Sequence[str]:
        """The names of all engines that are installed."""

    def refusal(self, engine: str) -> str:
        """Why an engine cannot play, in a sentence; empty if it can."""

    def usual_level(self, engine: str) -> str:
        """The level of an engine for which none was chosen."""

    def level_words(self, engine: str, level: str) -> str:
        """What a level of an engine amounts to."""


ENGINES = (
    Item("random", "any column"),
    Item("reflex", "wins or blocks at once, else any column"),
    Item("greedy", "one ply of an evaluation"),
    Item("probabilities", "Blair's count of open rays"),
    Item("minimax", "every line of play, to a depth"),
    Item("alphabeta", "the same without what cannot matter"),
    Item("alphabeta-time", "Blair's estimate of how deep time allows"),
    Item("iterative", "ever deeper, with a memory: the strong one"),
    Item("hybrid", "alphabeta-time, with rays where all looks equal"),
    Item("mcts", "a tree of random games"),
    Item("oracle", "FourPlay's opponent, made for 4x4x4"),
    Item(SOLVER, "never errs; flat boards alone"),
)
LEVEL_ABOUT = {
    "too easy": "half of its moves are random",
    "easy": "two plies ahead, with slips",
    "medium": "four plies ahead",
    "advanced": "six plies ahead; in space five",
    HARD: "10 000 playouts; in space six plies ahead",
    PERFECT: "never errs; flat boards of columns x (rows + 1) up to 64",
}
BOARDS = (
    Item("7x6", "the classic"),
    Item("8x7", "wider"),
    Item("9x7", "the widest in the shops"),
    Item("6x5", "shorter"),
    Item("5x4", "over in minutes"),
    Item("4x4x4", "in space: Score Four"),
)
TIMES = (
    Item("none", "think as long as you like"),
    Item("10 s", "a turn"),
    Item("30 s", "a turn"),
    Item("3 min", "for the whole game"),
    Item("10 min", "for the whole game"),
)
AFTERWARDS = (
    Item(AGAIN, "the same once more"),
    Item(SWAP, "the same with the sides swapped"),
    Item(MENU, "another opponent, board or level"),
    Item(QUIT, "leave"),
)
FREE = {
    Step.OPPONENT: "or any other engine by name, or a file: my_bot.py",
    Step.FIRST_ENGINE: "or any other engine by name, or a file: my_bot.py",
    Step.SECOND_ENGINE: "or any other engine by name, or a file: my_bot.py",
    Step.BOARD: "or any size: 10x6, 5x5x2, or 9x6c5 to connect five",
    Step.TIME: "or any other: 20 s, 1 min, 5 s 2 min",
}


def question(step: Step, setup: Setup) -> str:
    """The words in which a step asks."""
    names = ["your opponent" if side == SUITED else side for side in setup.sides]
    if setup.people == 0:
        names = [f"the {nth} engine" if side == SUITED else side
                 for nth, side in zip(("first", "second"), setup.sides, strict=True)]  # fmt: skip
    return step.value.format(*names)


def items(step: Step, setup: Setup, facts: Facts) -> list[Item]:
    """What can be chosen at a step, in the order of its numbers."""
    if step in (Step.OPPONENT, Step.FIRST_ENGINE, Step.SECOND_ENGINE):
        others = [Item(HUMAN, "another person at this keyboard"), Item(WATCH, "two engines play")]
        suited = Item(SUITED, "the engine that suits the level you choose")
        known = [item for item in ENGINES if item.word in facts.engines]
        return [suited, *(others if step is Step.OPPONENT else []), *known]
    if step is Step.COLOUR:
        first, second = facts.colours
        return [Item(first, "moves first"), Item(second, "moves second"), Item(CHANCE, "by lot")]
    if step in (Step.FIRST_LEVEL, Step.SECOND_LEVEL):
        return _levels(setup.sides[step is Step.SECOND_LEVEL], facts)
    return list({Step.BOARD: BOARDS, Step.TIME: TIMES, Step.AFTER: AFTERWARDS}.get(step, ()))


def _levels(engine: str, facts: Facts) -> list[Item]:
    if engine == SUITED:
        missing = "the engine for it is not installed"
        about = LEVEL_ABOUT | ({} if SOLVER in facts.engines else {PERFECT: missing})
        return [Item(level, about[level]) for level in LEVELS]
    levels = LEVELS if engine.partition(" ")[0] == SOLVER else LEVELS[:-1]
    return [Item(level, facts.level_words(engine, level)) for level in (*levels, AS_IT_IS)]


def usual(step: Step, setup: Setup, facts: Facts) -> str:
    """What an empty line chooses: what was chosen before, or what most would."""
    if step is Step.OPPONENT:
        return {2: HUMAN, 0: WATCH}.get(setup.people, setup.sides[1])
    if step in (Step.FIRST_ENGINE, Step.SECOND_ENGINE):
        return setup.sides[step is Step.SECOND_ENGINE]
    if step is Step.COLOUR:
        return CHANCE if setup.seat is None else facts.colours[setup.seat]
    if step in (Step.FIRST_NAME, Step.SECOND_NAME):
        return setup.names[step is Step.SECOND_NAME]
    if step in (Step.FIRST_LEVEL, Step.SECOND_LEVEL):
        return setup.levels[step is Step.SECOND_LEVEL]
    if step is Step.BOARD:
        rules = setup.rules
        return rules.size if rules.connect == 4 else rules.name
    return AGAIN if step is Step.AFTER else _usual_time(setup)


def _usual_time(setup: Setup) -> str:
    pace = setup.pace
    parts = [f"{pace.seconds:g} s"] if pace.seconds is not None else []
    parts += [f"{pace.minutes:g} min"] if pace.minutes is not None else []
    return " ".join(parts) or TIMES[0].word


def pick(text: str, offered: Sequence[Item]) -> str:
    """The word that a line chooses: by number, by its beginning, or the line itself."""
    if text.isascii() and text.isdecimal() and len(text) < 4 and 1 <= int(text) <= len(offered):
        return offered[int(text) - 1].word
    found = match(text.lower(), [item.word for item in offered])
    if len(found) > 1:
        raise BadOption(f"{text!r} could be {' or '.join(found)}")
    return found[0] if found else text
