"""The menu as a state machine: where it is, and where a typed line leads. It does no I/O.

    opponent -> colour -> name -> difficulty -> board -> time -> game -> again, swap, menu, quit

Two people give two names and no difficulty; two engines are named and graded one after the other.
`back` goes to the question before, `quit` ends it, and a wrong answer is asked again with a note.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from arena.engine.errors import build_engine
from arena.errors import ArenaError, BadOption, UnknownName
from arena.game.rules import Rules
from arena.human.levels import SUITED, check_level, read_level, usual_level
from arena.human.questions import (
    AGAIN,
    CHANCE,
    MENU,
    NAME_STEPS,
    OTHER_ANSWERS,
    QUIT,
    SWAP,
    WATCH,
    Item,
    Step,
    items,
    pick,
    question,
    usual,
)
from arena.human.setup import HUMAN, Setup, TimeControl

LONGEST_NAME = 24
HELP = "type a number or a word; Enter takes what is in brackets"
AT_THE_START = "this is the first question; quit leaves"

PATHS: dict[int, tuple[Step, ...]] = {  # by the number of people
    1: (Step.OPPONENT, Step.COLOUR, Step.FIRST_NAME, Step.SECOND_LEVEL, Step.BOARD, Step.TIME),
    2: (Step.OPPONENT, Step.COLOUR, Step.FIRST_NAME, Step.SECOND_NAME, Step.BOARD, Step.TIME),
    0: (Step.OPPONENT, Step.FIRST_ENGINE, Step.SECOND_ENGINE, Step.FIRST_LEVEL, Step.SECOND_LEVEL,
        Step.BOARD, Step.TIME),
}  # fmt: skip


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
    colours: tuple[str, str] = ("red", "yellow")  # what the discs are called

    def page(self) -> MenuPage:
        """The question of this step."""
        step, setup, colours = self.step, self.setup, self.colours
        path = PATHS[setup.people]
        before = path[: path.index(step)] if step in path else ()
        return MenuPage(
            question(step, setup),
            items(step, setup, colours),
            usual(step, setup, colours),
            OTHER_ANSWERS.get(step, ""),
            self.note,
            [usual(earlier, setup, colours) for earlier in before],
        )

    def at(self, step: Step) -> Menu:
        """The menu at another step."""
        return replace(self, step=step, note="")

    def enter(self, path: Sequence[Step]) -> Menu:
        """The menu at the first of these steps that is to be asked, or at the game."""
        return self.at(next((step for step in path if step not in self.given), Step.GAME))


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
        return _after(menu, line) if menu.step is Step.AFTER else _on(menu, line)
    except ArenaError as error:
        return replace(menu, note=str(error))


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


def _on(menu: Menu, word: str) -> Menu:
    """The next step, after this answer."""
    setup = _READERS[menu.step](menu, word)
    path = PATHS[setup.people]
    return replace(menu, setup=setup).enter(path[path.index(menu.step) + 1 :])


def _after(menu: Menu, word: str) -> Menu:
    """What is done after a game."""
    if word == AGAIN:
        return menu.at(Step.GAME)
    if word == SWAP:
        return replace(menu.at(Step.GAME), setup=replace(menu.setup, seat=1 - menu.last_seat))
    if word == MENU:
        return back(menu)
    if word == QUIT:
        return menu.at(Step.END)
    raise UnknownName("answer", word, [AGAIN, SWAP, MENU, QUIT])


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


def _colour(menu: Menu, word: str) -> Setup:
    return replace(menu.setup, seat=read_colour(word, menu.colours))


def read_colour(word: str, colours: tuple[str, str]) -> int | None:
    """The seat of a colour: 0 moves first; None is left to chance."""
    seats: dict[str, int | None] = {CHANCE: None, "first": 0, "second": 1, "x": 0, "o": 1}
    seats |= {colour.lower(): seat for seat, colour in enumerate(colours)}
    if word.lower() not in seats:
        raise UnknownName("colour", word, [*colours, CHANCE])
    return seats[word.lower()]


def _name(menu: Menu, word: str) -> Setup:
    which = menu.step.side
    other = menu.setup.names[0] if which else ""
    return menu.setup.with_side(which, name=read_name(word, other))


def read_name(text: str, other: str = "") -> str:
    """A name that fits on a screen and is not the other's."""
    name = " ".join(text.split())
    if not name or not name.isprintable() or len(name) > LONGEST_NAME:
        raise BadOption(f"a name has 1 to {LONGEST_NAME} printable characters")
    if name.casefold() == other.casefold():
        raise BadOption(f"{other} is taken; two people need two names")
    return name


def _level(menu: Menu, word: str) -> Setup:
    level = read_level(word)
    check_level(menu.setup.sides[menu.step.side], level)
    return menu.setup.with_side(menu.step.side, level=level)


def _board(menu: Menu, word: str) -> Setup:
    return replace(menu.setup, rules=Rules.named(word.replace(" ", "")))


def _time(menu: Menu, word: str) -> Setup:
    return replace(menu.setup, time_control=TimeControl.parse(word))


_READERS: dict[Step, Callable[[Menu, str], Setup]] = {
    Step.OPPONENT: _opponent,
    Step.FIRST_ENGINE: _engine,
    Step.SECOND_ENGINE: _engine,
    Step.COLOUR: _colour,
    Step.FIRST_NAME: _name,
    Step.SECOND_NAME: _name,
    Step.FIRST_LEVEL: _level,
    Step.SECOND_LEVEL: _level,
    Step.BOARD: _board,
    Step.TIME: _time,
}
