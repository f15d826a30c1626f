"""The body of `arena play`: the menu, game after game, and their records."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from getpass import getuser
from random import Random, SystemRandom

from arena.bots.find import build_engine
from arena.engine.errors import sentence
from arena.errors import ArenaError, BadOption, BadRules, EngineFailure
from arena.human.advice import Adviser
from arena.human.game import HumanGame, Participant, TimeControl
from arena.human.game_loop import GameLoop
from arena.human.history import FinishedGame, History
from arena.human.levels import HUMAN, SUITED, Setup, check_level, read_level, usual_level
from arena.human.menu import (
    Menu,
    Step,
    answer,
    back,
    read_board,
    read_colour,
    read_name,
    refused,
    start,
)  # fmt: skip
from arena.human.screen import ScreenView
from arena.human.view import View, is_screen
from arena.show.board import COLOURS
from arena.show.numbers import how_many
from arena.show.progress import warm_up_with_progress
from arena.table.learning import played_game, teach
from arena.tournament.numbered import derive_seed

UNFINISHED = "the game was left unfinished, and nothing is recorded of it"


@dataclass(frozen=True)
class Flags:
    """The flags of `arena play` that answer a question of the menu beforehand."""

    engine: str | None = None
    against: str | None = None
    colour: str | None = None
    names: list[str] = field(default_factory=list)
    levels: list[str] = field(default_factory=list)
    board: str | None = None
    seconds: float | None = None
    minutes: float | None = None


def play_games(flags: Flags, *, seed: int | None, pause: float, plain: bool, record: bool) -> None:
    """Lead through the menu and the games, and say how many were recorded."""
    menu = first_menu(flags)
    history = History() if record else None
    if history is not None:
        try:
            history.prepare()
        except ArenaError as error:
            error.args = (f"{error}; --no-history plays without recording",)
            raise
    chance = SystemRandom().getrandbits(32) if seed is None else seed
    loop = MenuLoop(menu, history, chance, pause)
    if plain or not is_screen():
        loop.run(View())
    else:
        screen = ScreenView()
        with screen.open():
            loop.run(screen)
        if loop.last is not None:  # its screen is gone
            print(loop.last.outcome(COLOURS))
    if loop.recorded:
        games = how_many(loop.recorded, "game")
        print(f"{games} recorded; arena games shows them", file=sys.stderr)


def first_menu(flags: Flags) -> Menu:
    """Where to begin: at the game if an opponent is known, else where the menu has to ask."""
    setup, given = Setup(), set((Step.FIRST_NAME, Step.SECOND_NAME)[: len(flags.names)])
    if flags.colour is not None:
        setup = replace(setup, seat=read_colour(flags.colour))
        given.add(Step.COLOUR)
    if flags.board is not None:
        setup = replace(setup, rules=read_board(flags.board))
        given.add(Step.BOARD)
    if flags.seconds is not None or flags.minutes is not None:
        setup = replace(setup, time_control=TimeControl(flags.seconds, flags.minutes))
        given.add(Step.TIME)
    menu = Menu(Step.GAME, _with_names(setup, flags.names), frozenset(given))
    if flags.engine is None and flags.against is None and not flags.levels:
        return start(menu)
    setup = _with_levels(_with_sides(menu.setup, flags.engine, flags.against), flags.levels)
    return replace(menu, setup=setup, given=frozenset())


def _with_names(setup: Setup, names: list[str]) -> Setup:
    """The names given, or what the system calls the user."""
    if len(names) > 2:
        raise BadOption(f"--name was given {len(names)} times; once, or twice for two people")
    first = "Player"
    if names:
        first = read_name(names[0])
    else:
        with suppress(Exception):  # a user without a name, or with one that no screen can show
            first = read_name(getuser())
    second = read_name(names[1], first) if len(names) == 2 else setup.names[1]
    if second.casefold() == first.casefold():
        second = f"{second} 2"
    return replace(setup, names=(first, second))


def _with_sides(setup: Setup, engine: str | None, against: str | None) -> Setup:
    """Both sides, a person first; a side that is not named is a person."""
    named = [side.strip() for side in (engine, against) if side is not None]
    sides = [HUMAN, *named] if len(named) == 1 else named or [HUMAN, SUITED]
    sides = sorted(sides, key=lambda side: side != HUMAN)
    for side in sides:
        if side not in (HUMAN, SUITED):
            build_engine(side)  # refuses a wrong name before anything else happens
    return replace(setup, sides=(sides[0], sides[1]))


def _with_levels(setup: Setup, levels: list[str]) -> Setup:
    """The level of each engine: as given, once for both, or its usual one."""
    engines = [which for which in (0, 1) if setup.sides[which] != HUMAN]
    if levels and not engines:
        raise BadOption("--level is for engines, and two people play")
    if len(levels) > max(1, len(engines)):
        raise BadOption(f"--level was given {len(levels)} times; once for each engine at most")
    for place, which in enumerate(engines):
        side = setup.sides[which]
        level = read_level(levels[min(place, len(levels) - 1)]) if levels else usual_level(side)
        check_level(side, level)
        setup = setup.with_side(which, level=level)
    return setup


class MenuLoop:
    """Leads through the menu and the games until somebody quits."""

    def __init__(self, menu: Menu, history: History | None, seed: int, pause: float) -> None:
        self.menu = menu
        self.history = history
        self.seed = seed
        self.pause = pause
        self.adviser = Adviser()
        self.games = 0
        self.recorded = 0
        self.points: dict[str, float] = {}
        self.last: HumanGame | None = None
        # engines that learn, by their side, name and words
        self.learners: dict[tuple[int, str, str], Participant] = {}
        self.lessons: list[tuple[int, HumanGame]] = []  # games that they have not learned from yet
        self.has_asked = False  # whether there is a menu to go back to when a game cannot begin

    def run(self, view: View) -> None:
        """Until `quit` or the end of the input."""
        self.view = view
        try:
            while self.menu.step is not Step.END:
                if self.menu.step is Step.GAME:
                    self._play()
                else:
                    self.has_asked = True
                    after = self.last if self.menu.step is Step.AFTER else None
                    self.menu = answer(self.menu, view.ask(self.menu.page(), after))
        except EOFError:
            pass

    def _play(self) -> None:
        """One game, from making the engines ready to writing it down."""
        setup, seed = self.menu.setup, derive_seed(self.seed, self.games)
        seat = Random(seed).randrange(2) if setup.seat is None else setup.seat
        menu = replace(self.menu, last_seat=seat)
        try:
            game = self._begin(setup, seat, seed)
        except ArenaError as error:
            if not self.has_asked:
                raise
            step = Step.BOARD if isinstance(error, BadRules) else Step.OPPONENT
            self.menu = refused(menu, step, str(error))
            return
        self.games += 1
        title = [str(game.rules), str(game.time_control)]
        title += [f"game {self.games}"] if self.games > 1 else []
        step = GameLoop(game, self.view, self.adviser, self.pause).play(title)
        if step is Step.OPPONENT:
            self.menu = replace(back(menu), note=UNFINISHED)
            return
        self.menu = menu.at(step)
        if step is Step.AFTER:
            self.last = game
            self.lessons.append((self.games, game))
            trace = game.trace.splitlines()
            self.view.over(game, [*trace, *self._record(game), *self._count(game)])

    def _begin(self, setup: Setup, seat: int, seed: int) -> HumanGame:
        """The players at the board, their engines ready."""
        if setup.people < 2:
            self.view.preparing(str(setup.rules))
        first, second = (self._participant(setup, which) for which in (seat, 1 - seat))
        participants = first, second
        engines = [(each.name, each.engine) for each in participants if each.engine is not None]
        try:
            warm_up_with_progress(engines, setup.rules)
        except SystemExit as error:
            raise EngineFailure(f"an engine leaves the program: {sentence(error)}") from None
        self._teach()
        return HumanGame(participants, setup.rules, setup.time_control, seed)

    def _participant(self, setup: Setup, which: int) -> Participant:
        """A side at the board; an engine that learns stays the same from game to game.

        On both sides it is two engines that learn separately.
        """
        fresh = setup.participant(which)
        if fresh.engine is None or not fresh.engine.learns:
            return fresh
        return self.learners.setdefault((which, fresh.name, fresh.words), fresh)

    def _teach(self) -> None:
        """Let engines learn from their games since the last lesson."""
        lessons, self.lessons = self.lessons, []
        for number, game in lessons:
            for seat, each in enumerate(game.participants):
                if each.engine is not None and each.engine.learns:
                    finished = replace(game.finished_game(), number=number)
                    lesson = played_game(finished, seat, game.players, game.rules)
                    teach(each.engine, each.name, lesson, game.scheduled.seed)

    def _count(self, game: HumanGame) -> list[str]:
        """Count the points of a game; from the second on, those of both in all games so far."""
        assert game.ending is not None
        result = game.ending[0]
        for name, points in zip(game.players, (1 + result, 1 - result), strict=True):
            self.points[name] = self.points.get(name, 0) + points / 2
        if self.games == 1:
            return []
        names = dict.fromkeys(game.players)
        return ["So far: " + ", ".join(f"{name} {self.points[name]:g}" for name in names) + "."]

    def _record(self, game: HumanGame) -> list[str]:
        """Record a game in the history; return what to say about that."""
        if self.history is None:
            return []
        try:
            number = self.history.add(FinishedGame.of(game, time.time()))
        except ArenaError as error:
            return [f"It was not recorded: {error}."]
        self.recorded += 1
        return [f"Recorded as game {number}."]
