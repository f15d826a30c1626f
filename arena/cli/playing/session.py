"""An evening at the board: the menu, game after game, and what is written down of them."""

from __future__ import annotations

import time
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from arena.cli.playing.game import Game, Left
from arena.cli.playing.view import asked
from arena.engine.errors import sentence
from arena.errors import ArenaError, BadRules, EngineFailure
from arena.human.advice import Adviser
from arena.human.choices import Facts, Step
from arena.human.history import History, played
from arena.human.menu import Menu, answer, back, game_over, refused
from arena.human.seats import Seat, engine_seat
from arena.human.setup import HUMAN, Setup
from arena.human.sitting import Sitting
from arena.show.progress import warm_up_shown
from arena.tournament.seed import derive_seed

if TYPE_CHECKING:
    from arena.cli.playing.view import View

UNFINISHED = "the game was left unfinished, and nothing is recorded of it"


class Session:
    """Leads through the menu and the games until somebody quits."""

    def __init__(
        self, menu: Menu, facts: Facts, history: History | None, seed: int, pause: float
    ) -> None:
        self.menu = menu
        self.facts = facts
        self.history = history
        self.seed = seed
        self.pause = pause
        self.adviser = Adviser()
        self.games = 0
        self.recorded = 0
        self.points: dict[str, float] = {}
        self.last: Sitting | None = None
        self.has_asked = False  # whether there is a menu to go back to when a game cannot begin

    def run(self, view: View) -> None:
        """Until `quit` or the end of the input."""
        self.view = view
        try:
            while self.menu.step is not Step.LEFT:
                if self.menu.step is Step.GAME:
                    self._play()
                else:
                    self._ask()
        except EOFError:
            pass

    def _ask(self) -> None:
        after = self.last if self.menu.step is Step.AFTER else None
        self.has_asked = True
        line = self.view.ask(asked(self.menu, self.facts), after)
        self.menu = answer(self.menu, line, self.facts)

    def _play(self) -> None:
        """One game, from making the engines ready to writing it down."""
        menu = self.menu
        seed = derive_seed(self.seed, self.games)
        sat = Random(seed).randrange(2) if menu.setup.seat is None else menu.setup.seat
        menu = replace(menu, sat=sat)
        try:
            sitting = self._sit_down(menu.setup, sat, seed)
        except ArenaError as error:
            if not self.has_asked:
                raise
            step = Step.BOARD if isinstance(error, BadRules) else Step.OPPONENT
            self.menu = refused(menu, step, str(error))
            return
        self.games += 1
        left = Game(sitting, self.view, self.adviser, self.pause).play(self._title(sitting))
        if left is Left.OVER:
            self.last = sitting
            self._count(sitting)
            frames = sitting.referee.trace.splitlines()
            self.view.over(sitting, [*frames, *self._record(sitting), *self._score(sitting)])
            self.menu = game_over(menu)
        elif left is Left.BACK:
            self.menu = replace(back(menu), note=UNFINISHED)
        else:
            self.menu = replace(menu, step=Step.LEFT)

    def _sit_down(self, setup: Setup, sat: int, seed: int) -> Sitting:
        """The players in their seats, their engines ready."""
        if setup.people < 2:
            self.view.preparing(str(setup.rules))
        sides = [self._seat(setup, which) for which in (0, 1)]
        seats = (sides[1], sides[0]) if sat else (sides[0], sides[1])
        engines = [(seat.name, seat.engine) for seat in seats if seat.engine is not None]
        try:
            warm_up_shown(engines, setup.rules)
        except SystemExit as error:
            raise EngineFailure(f"an engine leaves the program: {sentence(error)}") from None
        return Sitting(seats, setup.rules, setup.pace, seed)

    def _seat(self, setup: Setup, which: int) -> Seat:
        if setup.sides[which] == HUMAN:
            return Seat(setup.names[which])
        return engine_seat(setup.sides[which], setup.levels[which], setup.rules)

    def _title(self, sitting: Sitting) -> list[str]:
        """The board, the time, and how many games there were before."""
        parts = [str(sitting.position.rules), str(sitting.pace)]
        parts += [f"game {self.games}"] if self.games > 1 else []
        return parts

    def _count(self, sitting: Sitting) -> None:
        """Add the points of a game to the score of the evening."""
        ending = sitting.ending
        assert ending is not None
        for seat, points in zip(sitting.seats, (1 + ending.result, 1 - ending.result), strict=True):
            self.points[seat.name] = self.points.get(seat.name, 0) + points / 2

    def _score(self, sitting: Sitting) -> list[str]:
        """The points of both players in all their games of the evening, from the second on."""
        names = dict.fromkeys(seat.name for seat in sitting.seats)
        if self.games == 1:
            return []
        return ["So far: " + ", ".join(f"{name} {self.points[name]:g}" for name in names) + "."]

    def _record(self, sitting: Sitting) -> list[str]:
        """Put a game into the personal journal; what to say about that."""
        if self.history is None:
            return []
        try:
            number = self.history.add(played(sitting, time.time()))
        except ArenaError as error:
            return [f"It was not recorded: {error}."]
        self.recorded += 1
        return [f"Recorded as game {number}."]
