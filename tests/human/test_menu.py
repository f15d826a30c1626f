"""The menu as a state machine: every transition, in a table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.game import CONNECT4, SCORE4, Rules
from arena.human.game import TimeControl
from arena.human.levels import AS_IT_IS, EASY, HARD, HUMAN, MEDIUM, PERFECT, SUITED, Setup
from arena.human.menu import (
    AT_THE_START,
    HELP,
    OTHER_ANSWERS,
    PATHS,
    Item,
    Menu,
    MenuPage,
    Step,
    answer,
    back,
    refused,
    start,
)  # fmt: skip

ASKED = [step for step in Step if step not in (Step.GAME, Step.END)]
BOT = "tests/support/bots/good.py:Leftmost"
OFFERS = {name: f"about {name}" for name in ("random", "minimax", "alphabeta", "mcts")}
SOLVER = {"perfect": "never makes a mistake"}


def offer(monkeypatch: pytest.MonkeyPatch, offers: dict[str, str]) -> None:
    """Let these engines be all that a person is offered."""
    for module in ("levels", "menu"):
        monkeypatch.setattr(f"arena.human.{module}.offers", lambda: offers)


@pytest.fixture(autouse=True)
def few_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small world, in which nobody plays perfectly."""
    offer(monkeypatch, OFFERS)


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
    (Step.OPPONENT, ONE, BOT, Step.COLOUR,
     {"sides": (HUMAN, BOT), "levels": (MEDIUM, AS_IT_IS)}),
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
    (Step.TIME, ONE, "", Step.GAME, {"time_control": TimeControl()}),
    (Step.TIME, ONE, "2", Step.GAME, {"time_control": TimeControl(seconds=10)}),
    (Step.TIME, ONE, "7 min", Step.GAME, {"time_control": TimeControl(minutes=7)}),
    (Step.TIME, ONE, "5 s 1 min", Step.GAME, {"time_control": TimeControl(5, 1)}),
    # after the game
    (Step.AFTER, ONE, "", Step.GAME, {}),
    (Step.AFTER, ONE, "again", Step.GAME, {"seat": 0}),
    (Step.AFTER, ONE, "s", Step.GAME, {"seat": 1}),
    (Step.AFTER, ONE, "menu", Step.OPPONENT, {}),
    (Step.AFTER, ONE, "3", Step.OPPONENT, {}),
    (Step.AFTER, ONE, "back", Step.OPPONENT, {}),
    (Step.AFTER, ONE, "4", Step.END, {}),
]  # fmt: skip


@pytest.mark.parametrize(("step", "setup", "text", "then", "changed"), TRANSITIONS)
def test_an_answer_leads_on(
    step: Step, setup: Setup, text: str, then: Step, changed: dict[str, object]
) -> None:
    after = answer(Menu(step, setup, note="an old note"), text)
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
    after = answer(before, text)
    assert reason in after.note
    assert replace(after, note="") == before


def test_every_step_refuses_something() -> None:
    assert {row[0] for row in REFUSED} == set(ASKED)


@pytest.mark.parametrize("step", ASKED)
@pytest.mark.parametrize("word", ["quit", "QUIT", "exit"])
def test_quit_leaves_from_everywhere(step: Step, word: str) -> None:
    assert answer(Menu(step, ONE), word).step is Step.END


@pytest.mark.parametrize("step", ASKED)
def test_help_explains_and_asks_again(step: Step) -> None:
    before = Menu(step, ONE)
    assert answer(before, "help") == replace(before, note=HELP)


@pytest.mark.parametrize("setup", [ONE, TWO, WATCHED])
def test_back_goes_through_all_questions_to_the_first(setup: Setup) -> None:
    path = PATHS[setup.people]
    menu = Menu(path[-1], setup)
    for step in reversed(path[:-1]):
        menu = answer(menu, "back")
        assert menu.step is step
        assert menu.note == ""
    assert answer(menu, "back") == replace(menu, note=AT_THE_START)


def test_back_and_quit_by_a_letter_except_where_it_may_be_a_name() -> None:
    assert answer(Menu(Step.BOARD, ONE), "b").step is Step.SECOND_LEVEL
    assert answer(Menu(Step.BOARD, ONE), "q").step is Step.END
    assert answer(Menu(Step.FIRST_NAME, ONE), "b").setup.names[0] == "b"


@pytest.mark.parametrize("setup", [ONE, TWO, WATCHED])
def test_enter_all_the_way_leads_to_the_game(setup: Setup) -> None:
    menu, seen = start(Menu(Step.GAME, setup)), []
    while menu.step is not Step.GAME:
        seen.append(menu.step)
        menu = answer(menu, "")
    assert tuple(seen) == PATHS[setup.people]
    assert menu.setup == setup


def test_what_is_given_is_not_asked() -> None:
    given = frozenset({Step.BOARD, Step.COLOUR, Step.FIRST_NAME})
    menu = start(Menu(Step.GAME, ONE, given))
    assert menu.step is Step.OPPONENT
    menu = answer(menu, "mcts")
    assert menu.step is Step.SECOND_LEVEL
    assert answer(menu, "back").step is Step.OPPONENT
    menu = answer(menu, "hard")
    assert menu.step is Step.TIME
    assert answer(menu, "").step is Step.GAME
    assert start(Menu(Step.GAME, ONE, frozenset(PATHS[1]))).step is Step.GAME


def test_after_a_game_everything_is_asked_again_with_the_same_answers() -> None:
    menu = back(Menu(Step.AFTER, WATCHED, frozenset({Step.BOARD})))
    assert menu == Menu(Step.OPPONENT, WATCHED)
    assert back(Menu(Step.GAME, ONE)).step is Step.OPPONENT


def test_swap_takes_the_seat_that_was_not_had() -> None:
    chance = replace(ONE, seat=None)
    for seat in (0, 1):
        menu = answer(Menu(Step.AFTER, chance, last_seat=seat), "swap")
        assert menu.setup.seat == 1 - seat


def test_enter_keeps_the_pie_rule() -> None:
    setup = replace(ONE, rules=Rules.named("5x4c3+pie"))
    menu = back(answer(Menu(Step.BOARD, setup), ""))
    assert menu.setup.rules == setup.rules
    assert answer(menu, "").setup.rules == setup.rules
    assert answer(Menu(Step.AFTER, setup), "").setup.rules == setup.rules


def test_a_game_that_cannot_begin_asks_again() -> None:
    menu = refused(Menu(Step.GAME, ONE, frozenset(PATHS[1])), Step.BOARD, "too large")
    assert (menu.step, menu.note) == (Step.BOARD, "too large")
    assert answer(menu, "7x6").step is Step.GAME


def test_perfect_is_for_the_suited_engine_and_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, {**OFFERS, **SOLVER})
    assert answer(Menu(Step.SECOND_LEVEL, ONE), "perfect").setup.levels[1] == PERFECT
    solver = ONE.with_side(1, side="perfect")
    assert answer(Menu(Step.SECOND_LEVEL, solver), "perfect").step is Step.BOARD
    mcts = ONE.with_side(1, side="mcts")
    assert "does not play perfectly" in answer(Menu(Step.SECOND_LEVEL, mcts), PERFECT).note
    assert "never makes a mistake" in page(Step.SECOND_LEVEL, ONE).items[-1].about


def page(step: Step, setup: Setup) -> MenuPage:
    return Menu(step, setup).page()


def test_choices_say_what_they_are() -> None:
    words = [item.word for item in page(Step.OPPONENT, ONE).items]
    assert words == ["suited", "human", "watch", "random", "minimax", "alphabeta", "mcts"]
    assert "human" not in [item.word for item in page(Step.FIRST_ENGINE, WATCHED).items]
    suited = page(Step.SECOND_LEVEL, ONE).items
    assert suited[-1] == Item(PERFECT, "the engine for it is not installed")
    own = page(Step.FIRST_LEVEL, WATCHED).items
    assert own[0] == Item("too easy", "tries 50 games in its head, 40 % random moves")
    assert [item.word for item in own][-2:] == [HARD, AS_IT_IS]
    assert page(Step.FIRST_NAME, ONE).items == []
    assert OTHER_ANSWERS[Step.BOARD]


def test_questions_name_the_engine() -> None:
    assert page(Step.SECOND_LEVEL, ONE).question == "How strong is your opponent?"
    assert page(Step.SECOND_LEVEL, ONE.with_side(1, side="mcts")).question == "How strong is mcts?"
    unnamed = replace(WATCHED, sides=(SUITED, "mcts"))
    assert page(Step.FIRST_LEVEL, unnamed).question == "How strong is the first engine?"
    assert page(Step.BOARD, ONE).question == "On which board?"


def test_the_usual_answer_is_the_last_one() -> None:
    setup = replace(ONE, rules=Rules.flat(9, 6, 5), time_control=TimeControl(5, 2), seat=None)
    assert page(Step.BOARD, setup).usual == "9x6c5"
    assert page(Step.TIME, setup).usual == "5 s 2 min"
    assert page(Step.COLOUR, setup).usual == "random"
    assert page(Step.OPPONENT, WATCHED).usual == "watch"
    assert page(Step.BOARD, ONE).usual == "7x6"
