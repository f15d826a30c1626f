"""The menu as a state machine: where it is, and where a typed line leads. It does no I/O.

    opponent -> colour -> name -> difficulty -> board -> time -> game -> again, swap, menu, quit

Two people give two names and no difficulty; two engines are named and graded one after the other.
`back` goes to the question before, `quit` ends it, and a wrong answer is asked again with a note.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from enum import Enum, unique
from typing import NamedTuple

from arena.bots.find import build_engine
from arena.bots.names import engine_words
from arena.errors import ArenaError, BadOption, UnknownName
from arena.game.rules import PIE, Rules
from arena.human.game import TimeControl
from arena.human.levels import (
    ADVANCED,
    AS_IT_IS,
    EASY,
    HARD,
    HUMAN,
    LEVELS,
    MEDIUM,
    PERFECT,
    SUITED,
    TOO_EASY,
    Setup,
    check_level,
    level_in_words,
    offers,
    perfect_engine,
    read_level,
    usual_level,
)
from arena.show.board import COLOURS

WATCH, CHANCE = "watch", "random"
AGAIN, SWAP, MENU, QUIT = "again", "swap", "menu", "quit"
MAX_NAME = 24
HELP = "type a number or a word; Enter takes what is in brackets"
AT_THE_START = "this is the first question; quit leaves"


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
    """A choice: the word to type, and its meaning."""

    word: str
    about: str = ""


LEVEL_ITEMS = (
    Item(TOO_EASY, "plays half of its moves at random"),
    Item(EASY, "looks 2 moves ahead, plays some moves at random"),
    Item(MEDIUM, "looks 4 moves ahead"),
    Item(ADVANCED, "looks 6 moves ahead; in space 5"),
    Item(HARD, "tries 10 000 games in its head; in space looks 6 moves ahead"),
    Item(PERFECT, "never makes a mistake; flat boards up to 9x6 and 8x7"),
)
ITEMS = {
    Step.BOARD: (
        Item("7x6", "the classic"),
        Item("8x7", "wider"),
        Item("9x7", "large"),
        Item("6x5", "shorter"),
        Item("5x4", "a short game"),
        Item("4x4x4", "in space: Score Four"),
    ),
    Step.TIME: (
        Item("none", "think as long as you like"),
        Item("10 s", "a turn"),
        Item("30 s", "a turn"),
        Item("3 min", "for the whole game"),
        Item("10 min", "for the whole game"),
    ),
    Step.AFTER: (
        Item(AGAIN, "the same once more"),
        Item(SWAP, "the same with the sides swapped"),
        Item(MENU, "another opponent, board or level"),
        Item(QUIT, "leave"),
    ),
}
ANY_ENGINE = "or any other engine by name, or a file: my_bot.py"
OTHER_ANSWERS = {
    Step.OPPONENT: ANY_ENGINE,
    Step.FIRST_ENGINE: ANY_ENGINE,
    Step.SECOND_ENGINE: ANY_ENGINE,
    Step.BOARD: "or any size up to 64 cells: 10x6, 5x5x2, or 9x6c5 to connect five",
    Step.TIME: "or any other: 20 s, 1 min, 5 s 2 min",
}
PATHS: dict[int, tuple[Step, ...]] = {  # by the number of people
    1: (Step.OPPONENT, Step.COLOUR, Step.FIRST_NAME, Step.SECOND_LEVEL, Step.BOARD, Step.TIME),
    2: (Step.OPPONENT, Step.COLOUR, Step.FIRST_NAME, Step.SECOND_NAME, Step.BOARD, Step.TIME),
    0: (Step.OPPONENT, Step.FIRST_ENGINE, Step.SECOND_ENGINE, Step.FIRST_LEVEL, Step.SECOND_LEVEL,
        Step.BOARD, Step.TIME),
}  # fmt: skip


def board_name(rules: Rules) -> str:
    """A board as it is typed: 7x6, 5x4c3 where lines are not of four discs, 7x6+pie."""
    size = rules.size if rules.connect == 4 else f"{rules.size}c{rules.connect}"
    return size + PIE if rules.pie else size


class MenuPage(NamedTuple):
    """One question of the menu, ready to be shown."""

    question: str
    items: Sequence[Item]
    usual: str
    other_answers: str
    note: str
    answers: Sequence[str]  # to the questions before


@dataclass(frozen=True)
class Menu:
    """Where the menu is, all answers so far, and why it asks again, if it does."""

    step: Step
    setup: Setup
    given: frozenset[Step] = frozenset()  # answered beforehand, and not asked
    note: str = ""
    last_seat: int = 0  # of the first side, in the last game

    def page(self) -> MenuPage:
        """The question of this step."""
        step, setup = self.step, self.setup
        names = list(setup.sides)
        for which, number in enumerate(("first", "second")):
            if setup.sides[which] == SUITED:
                names[which] = "your opponent" if setup.people else f"the {number} engine"
        path = PATHS[setup.people]
        before = path[: path.index(step)] if step in path else ()
        return MenuPage(
            step.value.format(*names),
            self._items(),
            self._usual(step),
            OTHER_ANSWERS.get(step, ""),
            self.note,
            [self._usual(earlier) for earlier in before],
        )

    def at(self, step: Step) -> Menu:
        """The menu at another step."""
        return replace(self, step=step, note="")

    def enter(self, path: Sequence[Step]) -> Menu:
        """The menu at the first of these steps that is to be asked, or at the game."""
        return self.at(next((step for step in path if step not in self.given), Step.GAME))

    def _items(self) -> list[Item]:
        """The choices, in the order of their numbers."""
        step = self.step
        if step is Step.OPPONENT or step in ENGINE_STEPS:
            items = [Item(SUITED, "a player of the strength that you choose")]
            if step is Step.OPPONENT:
                items.append(Item(HUMAN, "another person at this keyboard"))
                items.append(Item(WATCH, "two engines play, you watch"))
            return items + [Item(name, about) for name, about in offers().items()]
        if step is Step.COLOUR:
            first, second = COLOURS
            return [Item(first, "moves first"), Item(second, "moves second"),
                    Item(CHANCE, "at random")]  # fmt: skip
        if step not in LEVEL_STEPS:
            return list(ITEMS.get(step, ()))
        name = engine_words(self.setup.sides[step.side])[0]
        if name == SUITED and perfect_engine() is None:
            return [*LEVEL_ITEMS[:-1], Item(PERFECT, "the engine for it is not installed")]
        if name == SUITED:
            return list(LEVEL_ITEMS)
        levels = LEVELS if name == perfect_engine() else LEVELS[:-1]
        return [Item(level, level_in_words(name, level)) for level in (*levels, AS_IT_IS)]

    def _usual(self, step: Step) -> str:
        """The choice of an empty line: the last answer, or the default."""
        setup = self.setup
        if step is Step.OPPONENT:
            return {2: HUMAN, 0: WATCH}.get(setup.people, setup.sides[1])
        if step in ENGINE_STEPS:
            return setup.sides[step.side]
        if step is Step.COLOUR:
            return CHANCE if setup.seat is None else COLOURS[setup.seat]
        if step in NAME_STEPS:
            return setup.names[step.side]
        if step in LEVEL_STEPS:
            return setup.levels[step.side]
        if step is Step.BOARD:
            return board_name(setup.rules)
        return AGAIN if step is Step.AFTER else setup.time_control.short


def start(menu: Menu) -> Menu:
    """The menu at its first question that is not answered yet, or at the game."""
    return menu.enter(PATHS[menu.setup.people])


def answer(menu: Menu, text: str) -> Menu:
    """Where a typed line leads."""
    line = " ".join(text.split())
    word = line.lower()
    short = menu.step not in NAME_STEPS  # where a letter may be a name
    if word in (QUIT, "exit") or (short and word == "q"):
        return menu.at(Step.END)
    if word == "back" or (short and word == "b"):
        return back(menu)
    if word in ("help", "?"):
        return replace(menu, note=HELP)
    try:
        page = menu.page()
        line = pick(line or page.usual, page.items)
        if menu.step is Step.AFTER:
            return _after(menu, line)
        setup = _READERS[menu.step](menu, line)
    except ArenaError as error:
        return replace(menu, note=str(error))
    path = PATHS[setup.people]
    return replace(menu, setup=setup).enter(path[path.index(menu.step) + 1 :])


def back(menu: Menu) -> Menu:
    """The question before this one; after a game, the first."""
    if menu.step in (Step.GAME, Step.AFTER):
        return replace(menu.at(Step.OPPONENT), given=frozenset())
    path = PATHS[menu.setup.people]
    before = [step for step in path[: path.index(menu.step)] if step not in menu.given]
    return menu.at(before[-1]) if before else replace(menu, note=AT_THE_START)


def refused(menu: Menu, step: Step, why: str) -> Menu:
    """The game cannot begin: ask for something else, and say why."""
    return replace(menu, step=step, given=menu.given - {step}, note=why)


def _after(menu: Menu, word: str) -> Menu:
    """The next step after a game."""
    if word == AGAIN:
        return menu.at(Step.GAME)
    if word == SWAP:
        return replace(menu.at(Step.GAME), setup=replace(menu.setup, seat=1 - menu.last_seat))
    if word == MENU:
        return back(menu)
    if word == QUIT:
        return menu.at(Step.END)
    raise UnknownName("answer", word, [AGAIN, SWAP, MENU, QUIT])


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


def _opponent(menu: Menu, word: str) -> Setup:
    setup = menu.setup
    if word == HUMAN:
        return replace(setup, sides=(HUMAN, HUMAN))
    if word == WATCH:
        return setup if setup.people == 0 else replace(setup, sides=(SUITED, SUITED))
    return _with_engine(setup.with_side(0, side=HUMAN), 1, word)


def _engine(menu: Menu, word: str) -> Setup:
    if word in (HUMAN, WATCH):
        raise BadOption("two engines play; go back for another opponent")
    return _with_engine(menu.setup, menu.step.side, word)


def _with_engine(setup: Setup, which: int, engine: str) -> Setup:
    """An engine takes a side, at its usual level unless it was there before."""
    if engine != SUITED:
        build_engine(engine)  # or say why it cannot be
    if setup.sides[which] == engine:
        return setup
    return setup.with_side(which, side=engine, level=usual_level(engine))


def read_colour(word: str) -> int | None:
    """The seat of a colour: 0 moves first; None is left to chance."""
    seats: dict[str, int | None] = {CHANCE: None, "first": 0, "second": 1, "x": 0, "o": 1}
    seats |= {colour.lower(): seat for seat, colour in enumerate(COLOURS)}
    if word.lower() not in seats:
        raise UnknownName("colour", word, [*COLOURS, CHANCE])
    return seats[word.lower()]


def _name(menu: Menu, word: str) -> Setup:
    which = menu.step.side
    other = menu.setup.names[0] if which else ""
    return menu.setup.with_side(which, name=read_name(word, other))


def read_name(text: str, other: str = "") -> str:
    """A name that fits on a screen and is not the other's."""
    name = " ".join(text.split())
    if not name or not name.isprintable() or len(name) > MAX_NAME:
        raise BadOption(f"a name has 1 to {MAX_NAME} printable characters")
    if name.casefold() == other.casefold():
        raise BadOption(f"{other} is taken; two people need two names")
    return name


def _level(menu: Menu, word: str) -> Setup:
    level = read_level(word)
    check_level(menu.setup.sides[menu.step.side], level)
    return menu.setup.with_side(menu.step.side, level=level)


_READERS: dict[Step, Callable[[Menu, str], Setup]] = {
    Step.OPPONENT: _opponent,
    Step.FIRST_ENGINE: _engine,
    Step.SECOND_ENGINE: _engine,
    Step.COLOUR: lambda menu, word: replace(menu.setup, seat=read_colour(word)),
    Step.FIRST_NAME: _name,
    Step.SECOND_NAME: _name,
    Step.FIRST_LEVEL: _level,
    Step.SECOND_LEVEL: _level,
    Step.BOARD: lambda menu, word: replace(menu.setup, rules=read_board(word)),
    Step.TIME: lambda menu, word: replace(menu.setup, time_control=TimeControl.parse(word)),
}


def read_board(word: str) -> Rules:
    """A board by its name or its size, with or without spaces: "10 x 6"."""
    return Rules.named(word.replace(" ", ""))
