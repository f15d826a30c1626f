"""The menu as a state machine: every transition, in a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from arena.engine.levels import EASY, HARD, MEDIUM, PERFECT
from arena.game import CONNECT4, SCORE4, Rules
from arena.human.choices import FREE, Item, Step, items, question, usual
from arena.human.levels import AS_IT_IS, SUITED
from arena.human.menu import (
    AT_THE_START,
    HELP,
    PATHS,
    Menu,
    answer,
    at_once,
    back,
    game_over,
    refused,
    start,
)
from arena.human.pace import Pace
from arena.human.setup import HUMAN, Setup

ASKED = [step for step in Step if step not in (Step.GAME, Step.LEFT)]


class Known:
    """Facts of a small world."""

    colours = ("red", "yellow")
    engines: Sequence[str] = ("alphabeta", "mcts", "minimax", "random")

    def refusal(self, engine: str) -> str:
        known = engine.split()[0] in self.engines or engine == "bot.py"
        return "" if known else f"unknown engine {engine!r}"

    def usual_level(self, engine: str) -> str:
        return AS_IT_IS if engine == "bot.py" else MEDIUM

    def level_words(self, engine: str, level: str) -> str:
        return f"{engine} when {level}"


class Solved(Known):
    """The same with the solver."""

    engines = (*Known.engines, "perfect")


KNOWN, SOLVED = Known(), Solved()
ONE = Setup(names=("Anna", "Guest"))
TWO = replace(ONE, sides=(HUMAN, HUMAN))
WATCHED = replace(ONE, sides=("mcts", "random"), levels=(HARD, EASY))

TRANSITIONS: list[tuple[Step, Setup, str, Step, dict[str, object]]] = [
    # the opponent: by number, word, beginning, default, name with options, file
    (Step.OPPONENT, ONE, "", Step.COLOUR, {"sides": (HUMAN, SUITED)}),
    (Step.OPPONENT, ONE, "1", Step.COLOUR, {"sides": (HUMAN, SUITED)}),
    (Step.OPPONENT, ONE, "2", Step.COLOUR, {"sides": (HUMAN, HUMAN)}),
    (Step.OPPONENT, ONE, "human", Step.COLOUR, {"sides": (HUMAN, HUMAN)}),
    (Step.OPPONENT, ONE, "3", Step.FIRST_ENGINE, {"sides": (SUITED, SUITED)}),
    (Step.OPPONENT, ONE, "watch", Step.FIRST_ENGINE, {"sides": (SUITED, SUITED)}),
    (Step.OPPONENT, ONE, "MCTS", Step.COLOUR, {"sides": (HUMAN, "mcts")}),
    (Step.OPPONENT, ONE, "al", Step.COLOUR, {"sides": (HUMAN, "alphabeta")}),
    (Step.OPPONENT, ONE, "mcts c=0.7", Step.COLOUR, {"sides": (HUMAN, "mcts c=0.7")}),
    (Step.OPPONENT, ONE, "bot.py", Step.COLOUR,
     {"sides": (HUMAN, "bot.py"), "levels": (MEDIUM, AS_IT_IS)}),
    (Step.OPPONENT, TWO, "", Step.COLOUR, {"sides": (HUMAN, HUMAN)}),
    (Step.OPPONENT, WATCHED, "", Step.FIRST_ENGINE, {"sides": ("mcts", "random")}),
    (Step.OPPONENT, WATCHED, "suited", Step.COLOUR, {"sides": (HUMAN, SUITED)}),
    # two engines
    (Step.FIRST_ENGINE, WATCHED, "", Step.SECOND_ENGINE, {"levels": (HARD, EASY)}),
    (Step.FIRST_ENGINE, WATCHED, "minimax", Step.SECOND_ENGINE,
     {"sides": ("minimax", "random"), "levels": (MEDIUM, EASY)}),
    (Step.SECOND_ENGINE, WATCHED, "suited", Step.FIRST_LEVEL, {"sides": ("mcts", SUITED)}),
    (Step.FIRST_LEVEL, WATCHED, "easy", Step.SECOND_LEVEL, {"levels": (EASY, EASY)}),
    (Step.SECOND_LEVEL, WATCHED, "5", Step.BOARD, {"levels": (HARD, HARD)}),
    # colour, then names
    (Step.COLOUR, ONE, "", Step.FIRST_NAME, {"seat": 0}),
    (Step.COLOUR, ONE, "yellow", Step.FIRST_NAME, {"seat": 1}),
    (Step.COLOUR, ONE, "2", Step.FIRST_NAME, {"seat": 1}),
    (Step.COLOUR, ONE, "random", Step.FIRST_NAME, {"seat": None}),
    (Step.COLOUR, ONE, "second", Step.FIRST_NAME, {"seat": 1}),
    (Step.FIRST_NAME, ONE, "", Step.SECOND_LEVEL, {"names": ("Anna", "Guest")}),
    (Step.FIRST_NAME, ONE, "  Q  ", Step.SECOND_LEVEL, {"names": ("Q", "Guest")}),
    (Step.FIRST_NAME, ONE, "Zoë  M", Step.SECOND_LEVEL, {"names": ("Zoë M", "Guest")}),
    (Step.FIRST_NAME, TWO, "Cleo", Step.SECOND_NAME, {"names": ("Cleo", "Guest")}),
    (Step.SECOND_NAME, TWO, "Bob", Step.BOARD, {"names": ("Anna", "Bob")}),
    # level, board, time
    (Step.SECOND_LEVEL, ONE, "", Step.BOARD, {"levels": (MEDIUM, MEDIUM)}),
    (Step.SECOND_LEVEL, ONE, "1", Step.BOARD, {"levels": (MEDIUM, "too easy")}),
    (Step.SECOND_LEVEL, ONE, "too-easy", Step.BOARD, {"levels": (MEDIUM, "too easy")}),
    (Step.SECOND_LEVEL, ONE, "h", Step.BOARD, {"levels": (MEDIUM, HARD)}),
    (Step.BOARD, ONE, "", Step.TIME, {"rules": CONNECT4}),
    (Step.BOARD, ONE, "6", Step.TIME, {"rules": SCORE4}),
    (Step.BOARD, ONE, "10 x 6", Step.TIME, {"rules": Rules.flat(10, 6)}),
    (Step.BOARD, ONE, "9x6c5", Step.TIME, {"rules": Rules.flat(9, 6, 5)}),
    (Step.BOARD, ONE, "score4", Step.TIME, {"rules": SCORE4}),
    (Step.TIME, ONE, "", Step.GAME, {"pace": Pace()}),
    (Step.TIME, ONE, "2", Step.GAME, {"pace": Pace(seconds=10)}),
    (Step.TIME, ONE, "7 min", Step.GAME, {"pace": Pace(minutes=7)}),
    (Step.TIME, ONE, "5 s 1 min", Step.GAME, {"pace": Pace(5, 1)}),
    # after the game
    (Step.AFTER, ONE, "", Step.GAME, {}),
    (Step.AFTER, ONE, "again", Step.GAME, {"seat": 0}),
    (Step.AFTER, ONE, "s", Step.GAME, {"seat": 1}),
    (Step.AFTER, ONE, "menu", Step.OPPONENT, {}),
    (Step.AFTER, ONE, "3", Step.OPPONENT, {}),
    (Step.AFTER, ONE, "back", Step.OPPONENT, {}),
    (Step.AFTER, ONE, "4", Step.LEFT, {}),
]  # fmt: skip


@pytest.mark.parametrize(("step", "setup", "text", "then", "changed"), TRANSITIONS)
def test_an_answer_leads_on(
    step: Step, setup: Setup, text: str, then: Step, changed: dict[str, object]
) -> None:
    after = answer(Menu(step, setup, note="an old note"), text, KNOWN)
    assert after.step is then
    assert after.note == ""
    for name, value in changed.items():
        assert getattr(after.setup, name) == value


def test_every_step_that_asks_is_in_the_table() -> None:
    assert {row[0] for row in TRANSITIONS} == set(ASKED)


REFUSED: list[tuple[Step, Setup, str, str]] = [
    (Step.OPPONENT, ONE, "99", "unknown engine '99'"),
    (Step.OPPONENT, ONE, "m", "'m' could be minimax or mcts"),
    (Step.OPPONENT, ONE, "nobody", "unknown engine 'nobody'"),
    (Step.FIRST_ENGINE, WATCHED, "human", "two engines play"),
    (Step.SECOND_ENGINE, WATCHED, "nobody", "unknown engine"),
    (Step.COLOUR, ONE, "green", "unknown colour 'green'"),
    (Step.COLOUR, ONE, "r", "'r' could be red or random"),
    (Step.FIRST_NAME, ONE, "x" * 25, "1 to 24 printable characters"),
    (Step.FIRST_NAME, ONE, "a\x1b[2J", "printable"),
    (Step.SECOND_NAME, TWO, "anna", "Anna is taken"),
    (Step.FIRST_LEVEL, WATCHED, "perfect", "perfect is not installed"),
    (Step.SECOND_LEVEL, ONE, "impossible", "unknown difficulty"),
    (Step.SECOND_LEVEL, ONE, "perfect", "perfect is not installed"),
    (Step.SECOND_LEVEL, ONE, "as it is", "needs an engine"),
    (Step.BOARD, ONE, "99x99", "up to 64 cells"),
    (Step.BOARD, ONE, "3x3", "connect 4 does not fit"),
    (Step.BOARD, ONE, "round", "unknown game 'round'"),
    (Step.TIME, ONE, "10", "'10' could be 10 s or 10 min"),
    (Step.TIME, ONE, "77", "77 what?"),
    (Step.TIME, ONE, "soon", "not a time"),
    (Step.AFTER, ONE, "maybe", "unknown answer 'maybe'"),
]


@pytest.mark.parametrize(("step", "setup", "text", "reason"), REFUSED)
def test_a_wrong_answer_is_asked_again_with_the_reason(
    step: Step, setup: Setup, text: str, reason: str
) -> None:
    before = Menu(step, setup)
    after = answer(before, text, KNOWN)
    assert reason in after.note
    assert replace(after, note="") == before


def test_every_step_refuses_something() -> None:
    assert {row[0] for row in REFUSED} == set(ASKED)


@pytest.mark.parametrize("step", ASKED)
@pytest.mark.parametrize("word", ["quit", "QUIT", "exit"])
def test_quit_leaves_from_everywhere(step: Step, word: str) -> None:
    assert answer(Menu(step, ONE), word, KNOWN).step is Step.LEFT


@pytest.mark.parametrize("step", ASKED)
def test_help_explains_and_asks_again(step: Step) -> None:
    before = Menu(step, ONE)
    assert answer(before, "help", KNOWN) == replace(before, note=HELP)


@pytest.mark.parametrize("setup", [ONE, TWO, WATCHED])
def test_back_goes_through_all_questions_to_the_first(setup: Setup) -> None:
    path = PATHS[setup.people]
    menu = Menu(path[-1], setup)
    for step in reversed(path[:-1]):
        menu = answer(menu, "back", KNOWN)
        assert menu.step is step
        assert menu.note == ""
    assert answer(menu, "back", KNOWN) == replace(menu, note=AT_THE_START)


def test_back_and_quit_by_a_letter_except_where_it_may_be_a_name() -> None:
    assert answer(Menu(Step.BOARD, ONE), "b", KNOWN).step is Step.SECOND_LEVEL
    assert answer(Menu(Step.BOARD, ONE), "q", KNOWN).step is Step.LEFT
    assert answer(Menu(Step.FIRST_NAME, ONE), "b", KNOWN).setup.names[0] == "b"


@pytest.mark.parametrize("setup", [ONE, TWO, WATCHED])
def test_enter_all_the_way_leads_to_the_game(setup: Setup) -> None:
    menu, seen = start(setup), []
    while menu.step is not Step.GAME:
        seen.append(menu.step)
        menu = answer(menu, "", KNOWN)
    assert tuple(seen) == PATHS[setup.people]
    assert menu.setup == setup


def test_what_is_given_is_not_asked() -> None:
    given = frozenset({Step.BOARD, Step.COLOUR, Step.FIRST_NAME})
    menu = start(ONE, given)
    assert menu.step is Step.OPPONENT
    menu = answer(menu, "mcts", KNOWN)
    assert menu.step is Step.SECOND_LEVEL
    assert answer(menu, "back", KNOWN).step is Step.OPPONENT
    menu = answer(menu, "hard", KNOWN)
    assert menu.step is Step.TIME
    assert answer(menu, "", KNOWN).step is Step.GAME
    assert start(ONE, frozenset(PATHS[1])).step is Step.GAME


def test_after_a_game_everything_is_asked_again_with_the_same_answers() -> None:
    menu = game_over(replace(at_once(WATCHED), given=frozenset({Step.BOARD})))
    assert menu.step is Step.AFTER
    menu = back(menu)
    assert menu == Menu(Step.OPPONENT, WATCHED)
    assert back(at_once(ONE)).step is Step.OPPONENT


def test_swap_takes_the_seat_that_was_not_had() -> None:
    chance = replace(ONE, seat=None)
    for sat in (0, 1):
        menu = answer(Menu(Step.AFTER, chance, sat=sat), "swap", KNOWN)
        assert menu.setup.seat == 1 - sat


def test_a_game_that_cannot_begin_asks_again() -> None:
    menu = refused(Menu(Step.GAME, ONE, frozenset(PATHS[1])), Step.BOARD, "too large")
    assert (menu.step, menu.note) == (Step.BOARD, "too large")
    assert answer(menu, "7x6", KNOWN).step is Step.GAME


def test_perfect_is_for_the_suited_engine_and_the_solver() -> None:
    assert answer(Menu(Step.SECOND_LEVEL, ONE), "perfect", SOLVED).setup.levels[1] == PERFECT
    solver = ONE.with_side(1, "perfect")
    assert answer(Menu(Step.SECOND_LEVEL, solver), "perfect", SOLVED).step is Step.BOARD
    mcts = ONE.with_side(1, "mcts")
    assert "does not play perfectly" in answer(Menu(Step.SECOND_LEVEL, mcts), PERFECT, SOLVED).note


def test_choices_say_what_they_are() -> None:
    words = [item.word for item in items(Step.OPPONENT, ONE, KNOWN)]
    assert words == ["suited", "human", "watch", "random", "minimax", "alphabeta", "mcts"]
    assert "human" not in [item.word for item in items(Step.FIRST_ENGINE, WATCHED, KNOWN)]
    levels = items(Step.SECOND_LEVEL, ONE, KNOWN)
    assert levels[-1] == Item(PERFECT, "the engine for it is not installed")
    assert "never errs" in items(Step.SECOND_LEVEL, ONE, SOLVED)[-1].about
    own = items(Step.FIRST_LEVEL, WATCHED, KNOWN)
    assert own[0] == Item("too easy", "mcts when too easy")
    assert [item.word for item in own][-2:] == [HARD, AS_IT_IS]
    assert items(Step.FIRST_NAME, ONE, KNOWN) == []
    assert FREE[Step.BOARD]


def test_questions_name_the_engine() -> None:
    assert question(Step.SECOND_LEVEL, ONE) == "How strong is your opponent?"
    assert question(Step.SECOND_LEVEL, ONE.with_side(1, "mcts")) == "How strong is mcts?"
    unnamed = replace(WATCHED, sides=(SUITED, "mcts"))
    assert question(Step.FIRST_LEVEL, unnamed) == "How strong is the first engine?"
    assert question(Step.BOARD, ONE) == "On which board?"


def test_the_usual_answer_is_the_last_one() -> None:
    setup = replace(ONE, rules=Rules.flat(9, 6, 5), pace=Pace(5, 2), seat=None)
    assert usual(Step.BOARD, setup, KNOWN) == "9x6c5"
    assert usual(Step.TIME, setup, KNOWN) == "5 s 2 min"
    assert usual(Step.COLOUR, setup, KNOWN) == "random"
    assert usual(Step.OPPONENT, WATCHED, KNOWN) == "watch"
    assert usual(Step.BOARD, ONE, KNOWN) == "7x6"
