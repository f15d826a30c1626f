"""The menu as a state machine: where it is, and where a typed line leads. It does no I/O.

    opponent -> colour -> name -> difficulty -> board -> time -> game -> again, swap, menu, quit

Two people give two names and no difficulty; two engines are named and graded one after the other.
`back` goes to the question before, `quit` ends it, and a wrong answer is asked again with a note.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from arena.errors import ArenaError, BadOption, UnknownName
from arena.game.rules import Rules
from arena.human.choices import (
    AGAIN,
    CHANCE,
    MENU,
    QUIT,
    SWAP,
    WATCH,
    Facts,
    Step,
    items,
    pick,
    usual,
)
from arena.human.levels import SUITED, check_level, read_level
from arena.human.pace import Pace
from arena.human.setup import HUMAN, Setup

LONGEST_NAME = 24
HELP = "type a number or a word; Enter takes what is in brackets"
AT_THE_START = "this is the first question; quit leaves"
NAMES = (Step.FIRST_NAME, Step.SECOND_NAME)

PATHS: dict[int, tuple[Step, ...]] = {  # by the number of people
    1: (Step.OPPONENT, Step.COLOUR, Step.FIRST_NAME, Step.SECOND_LEVEL, Step.BOARD, Step.TIME),
    2: (Step.OPPONENT, Step.COLOUR, Step.FIRST_NAME, Step.SECOND_NAME, Step.BOARD, Step.TIME),
    0: (Step.OPPONENT, Step.FIRST_ENGINE, Step.SECOND_ENGINE, Step.FIRST_LEVEL, Step.SECOND_LEVEL,
        Step.BOARD, Step.TIME),
}  # fmt: skip


@dataclass(frozen=True)
class Menu:
    """Where the menu is, all answers so far, and why it asks again, if it does."""

    step: Step
    setup: Setup
    given: frozenset[Step] = frozenset()  # answered beforehand, and not asked
    note: str = ""
    sat: int = 0  # the seat that the first side had in the last game


def start(setup: Setup, given: frozenset[Step] = frozenset()) -> Menu:
    """The menu at its first question that is not answered yet, or at the game."""
    return _enter(Menu(Step.OPPONENT, setup, given), PATHS[setup.people])


def at_once(setup: Setup) -> Menu:
    """Nothing is left to ask: the game."""
    return Menu(Step.GAME, setup)


def answer(menu: Menu, text: str, facts: Facts) -> Menu:
    """Where a typed line leads."""
    line = " ".join(text.split())
    word = line.lower()
    short = menu.step not in NAMES  # where a letter may be a name
    if word in (QUIT, "exit") or (short and word == "q"):
        return replace(menu, step=Step.LEFT, note="")
    if word == "back" or (short and word == "b"):
        return back(menu)
    if word in ("help", "?"):
        return replace(menu, note=HELP)
    try:
        line = pick(
            line or usual(menu.step, menu.setup, facts), items(menu.step, menu.setup, facts)
        )
        return _READERS[menu.step](menu, line, facts)
    except ArenaError as error:
        return replace(menu, note=str(error))


def back(menu: Menu) -> Menu:
    """The question before this one; after a game, the first."""
    if menu.step in (Step.GAME, Step.AFTER):
        return replace(menu, step=Step.OPPONENT, given=frozenset(), note="")
    path = PATHS[menu.setup.people]
    before = [step for step in path[: path.index(menu.step)] if step not in menu.given]
    if not before:
        return replace(menu, note=AT_THE_START)
    return replace(menu, step=before[-1], note="")


def game_over(menu: Menu) -> Menu:
    """A game has ended."""
    return replace(menu, step=Step.AFTER, note="")


def refused(menu: Menu, step: Step, why: str) -> Menu:
    """The game cannot begin: ask for something else, and say why."""
    return replace(menu, step=step, given=menu.given - {step}, note=why)


def _enter(menu: Menu, path: tuple[Step, ...]) -> Menu:
    """The first of these steps that is to be asked, or the game."""
    asked = [step for step in path if step not in menu.given]
    return replace(menu, step=asked[0] if asked else Step.GAME, note="")


def _on(menu: Menu, setup: Setup) -> Menu:
    """The next step, with these answers."""
    path = PATHS[setup.people]
    return _enter(replace(menu, setup=setup), path[path.index(menu.step) + 1 :])


def _opponent(menu: Menu, word: str, facts: Facts) -> Menu:
    setup = menu.setup
    if word == HUMAN:
        return _on(menu, replace(setup, sides=(HUMAN, HUMAN)))
    if word == WATCH:
        sides = setup.sides if setup.people == 0 else (SUITED, SUITED)
        return _on(menu, replace(setup, sides=sides))
    return _on(menu, _seated(replace(setup, sides=(HUMAN, setup.sides[1])), 1, word, facts))


def _engine(which: int) -> Callable[[Menu, str, Facts], Menu]:
    def read(menu: Menu, word: str, facts: Facts) -> Menu:
        if word in (HUMAN, WATCH):
            raise BadOption("two engines play; go back for another opponent")
        return _on(menu, _seated(menu.setup, which, word, facts))

    return read


def _seated(setup: Setup, which: int, engine: str, facts: Facts) -> Setup:
    """An engine takes a side, at its usual level unless it was there before."""
    if engine != SUITED:
        why = facts.refusal(engine)
        if why:
            raise BadOption(why)
    if setup.sides[which] == engine:
        return setup
    return setup.with_side(which, engine).with_level(which, facts.usual_level(engine))


def _colour(menu: Menu, word: str, facts: Facts) -> Menu:
    return _on(menu, replace(menu.setup, seat=read_colour(word, facts.colours)))


def read_colour(word: str, colours: tuple[str, str]) -> int | None:
    """The seat of a colour: 0 moves first; None is left to chance."""
    known: dict[str, int | None] = {CHANCE: None, "first": 0, "second": 1, "x": 0, "o": 1}
    known |= {colour.lower(): seat for seat, colour in enumerate(colours)}
    if word.lower() not in known:
        raise UnknownName("colour", word, [*colours, CHANCE])
    return known[word.lower()]


def _name(which: int) -> Callable[[Menu, str, Facts], Menu]:
    def read(menu: Menu, word: str, facts: Facts) -> Menu:
        taken = menu.setup.names[0] if which else ""
        return _on(menu, menu.setup.with_name(which, read_name(word, taken)))

    return read


def read_name(text: str, taken: str = "") -> str:
    """A name that fits on a screen and is not the other's."""
    name = " ".join(text.split())
    if not name or not name.isprintable() or len(name) > LONGEST_NAME:
        raise BadOption(f"a name has 1 to {LONGEST_NAME} printable characters")
    if name.casefold() == taken.casefold():
        raise BadOption(f"{taken} is taken; two people need two names")
    return name


def _level(which: int) -> Callable[[Menu, str, Facts], Menu]:
    def read(menu: Menu, word: str, facts: Facts) -> Menu:
        level = read_level(word)
        check_level(menu.setup.sides[which], level, facts.engines)
        return _on(menu, menu.setup.with_level(which, level))

    return read


def _board(menu: Menu, word: str, facts: Facts) -> Menu:
    return _on(menu, replace(menu.setup, rules=Rules.named(word.replace(" ", ""))))


def _time(menu: Menu, word: str, facts: Facts) -> Menu:
    return _on(menu, replace(menu.setup, pace=Pace.parse(word)))


def _after(menu: Menu, word: str, facts: Facts) -> Menu:
    if word == AGAIN:
        return replace(menu, step=Step.GAME, note="")
    if word == SWAP:
        return replace(menu, step=Step.GAME, setup=replace(menu.setup, seat=1 - menu.sat), note="")
    if word == MENU:
        return back(menu)
    if word == QUIT:
        return replace(menu, step=Step.LEFT, note="")
    raise UnknownName("answer", word, [AGAIN, SWAP, MENU, QUIT])


_READERS: dict[Step, Callable[[Menu, str, Facts], Menu]] = {
    Step.OPPONENT: _opponent,
    Step.FIRST_ENGINE: _engine(0),
    Step.SECOND_ENGINE: _engine(1),
    Step.COLOUR: _colour,
    Step.FIRST_NAME: _name(0),
    Step.SECOND_NAME: _name(1),
    Step.FIRST_LEVEL: _level(0),
    Step.SECOND_LEVEL: _level(1),
    Step.BOARD: _board,
    Step.TIME: _time,
    Step.AFTER: _after,
}
