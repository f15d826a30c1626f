"""The questions of the menu: what can be chosen at each step, and what a typed line chooses."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import Enum, unique
from typing import NamedTuple

from arena.engine.levels import ADVANCED, EASY, HARD, LEVELS, MEDIUM, PERFECT, TOO_EASY
from arena.engine.registry import engine_words
from arena.errors import BadOption
from arena.human.levels import AS_IT_IS, SUITED, level_in_words, offers, perfect_engine
from arena.human.setup import HUMAN, Setup, TimeControl, board_name

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
    END = "The end"

    @property
    def side(self) -> int:
        """The side that a question is about, where it is about one of them."""
        return int(self.name.startswith("SECOND"))


ENGINE_STEPS = (Step.FIRST_ENGINE, Step.SECOND_ENGINE)
NAME_STEPS = (Step.FIRST_NAME, Step.SECOND_NAME)
LEVEL_STEPS = (Step.FIRST_LEVEL, Step.SECOND_LEVEL)


class Item(NamedTuple):
    """Something to choose: the word to type, and what it stands for."""

    word: str
    about: str = ""


SUITED_ITEM = Item(SUITED, "the engine that suits the level you choose")
OTHER_OPPONENTS = (
    Item(HUMAN, "another person at this keyboard"),
    Item(WATCH, "two engines play"),
)
LEVEL_ITEMS = (
    Item(TOO_EASY, "half of its moves are random"),
    Item(EASY, "two plies ahead, with slips"),
    Item(MEDIUM, "four plies ahead"),
    Item(ADVANCED, "six plies ahead; in space five"),
    Item(HARD, "10 000 playouts; in space six plies ahead"),
    Item(PERFECT, "never errs; flat boards of columns x (rows + 1) up to 64"),
)
BOARDS = (
    Item("7x6", "the classic"),
    Item("8x7", "wider"),
    Item("9x7", "the widest in the shops"),
    Item("6x5", "shorter"),
    Item("5x4", "over in minutes"),
    Item("4x4x4", "in space: Score Four"),
)
TIMES = (
    Item(TimeControl().short, "think as long as you like"),
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
ITEMS = {Step.BOARD: BOARDS, Step.TIME: TIMES, Step.AFTER: AFTERWARDS}
ANY_ENGINE = "or any other engine by name, or a file: my_bot.py"
OTHER_ANSWERS = {
    Step.OPPONENT: ANY_ENGINE,
    Step.FIRST_ENGINE: ANY_ENGINE,
    Step.SECOND_ENGINE: ANY_ENGINE,
    Step.BOARD: "or any size: 10x6, 5x5x2, or 9x6c5 to connect five",
    Step.TIME: "or any other: 20 s, 1 min, 5 s 2 min",
}


def question(step: Step, setup: Setup) -> str:
    """The words in which a step asks."""
    unnamed = ("the first engine", "the second engine") if setup.people == 0 else (
        "your opponent", "your opponent")  # fmt: skip
    names = (
        words if side == SUITED else side for side, words in zip(setup.sides, unnamed, strict=True)
    )
    return step.value.format(*names)


def items(step: Step, setup: Setup, colours: tuple[str, str]) -> list[Item]:
    """What can be chosen at a step, in the order of its numbers."""
    if step is Step.OPPONENT or step in ENGINE_STEPS:
        others = OTHER_OPPONENTS if step is Step.OPPONENT else ()
        engines = (Item(name, offer.about) for name, offer in offers().items())
        return [SUITED_ITEM, *others, *engines]
    if step is Step.COLOUR:
        first, second = colours
        return [Item(first, "moves first"), Item(second, "moves second"), Item(CHANCE, "by lot")]
    if step in LEVEL_STEPS:
        return _levels(setup.sides[step.side])
    return list(ITEMS.get(step, ()))


def _levels(engine: str) -> list[Item]:
    name = engine_words(engine)[0]
    if name == SUITED and perfect_engine() is None:
        return [*LEVEL_ITEMS[:-1], Item(PERFECT, "the engine for it is not installed")]
    if name == SUITED:
        return list(LEVEL_ITEMS)
    levels = LEVELS if name == perfect_engine() else LEVELS[:-1]
    return [Item(level, level_in_words(name, level)) for level in (*levels, AS_IT_IS)]


def usual(step: Step, setup: Setup, colours: tuple[str, str]) -> str:
    """What an empty line chooses: what was chosen before, or what most would."""
    if step is Step.OPPONENT:
        return {2: HUMAN, 0: WATCH}.get(setup.people, setup.sides[1])
    if step in ENGINE_STEPS:
        return setup.sides[step.side]
    if step is Step.COLOUR:
        return CHANCE if setup.seat is None else colours[setup.seat]
    if step in NAME_STEPS:
        return setup.names[step.side]
    if step in LEVEL_STEPS:
        return setup.levels[step.side]
    if step is Step.BOARD:
        return board_name(setup.rules)
    return AGAIN if step is Step.AFTER else setup.time_control.short


def pick(text: str, choices: Sequence[Item]) -> str:
    """The word that a line chooses: by number, by its beginning, or the line itself."""
    if text.isascii() and text.isdecimal() and len(text) < 4 and 1 <= int(text) <= len(choices):
        return choices[int(text) - 1].word
    words = matches(text.lower(), [item.word for item in choices])
    if len(words) > 1:
        raise BadOption(f"{text!r} could be {' or '.join(words)}")
    return words[0] if words else text


def matches(word: str, words: Collection[str]) -> list[str]:
    """The word itself, or all that begin with it."""
    if word in words:
        return [word]
    return [each for each in words if word and each.startswith(word)]
