"""A run ends early by a sequential test, small errors, a time budget, or its expectations.

A test after every game sees a "significant" result by luck sooner or later. A sequential test
allows for that. Expectations are tested seldom, each time after a quarter more games, and share
their risk: half of it is for the end of the tournament, and the k-th test has 1 / k(k + 1) of the
other half. Together all tests take no more than the risk (Bonferroni). An expectation without a
confidence is about all games, and so it is decided by the last one.

Games are counted in the order of their numbers, so that the number of workers does not matter.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import inf

from arena.game.rules import Rules
from arena.standings.batch import SIZE, Batch
from arena.standings.games import Games
from arena.standings.measures import Figures
from arena.standings.rating import rate_games
from arena.standings.sprt import SequentialTest
from arena.standings.verdicts import AT_THE_END, CheckedExpectation, rule
from arena.table.game import Game
from arena.tournament.claims import Expectation
from arena.tournament.sprt import Sprt

FEWEST = 20  # games of each player before an error bar is believed
GROWTH = 1.05  # how many times as many games there are when ratings are fitted again
FIRST_LOOK = 20  # games before expectations are checked
LOOK_GROWTH = 1.25  # how many times as many games there are at the next look


class StopRules:
    """Checked after every game; the verdict is a sentence when it is time to stop."""

    def __init__(
        self,
        games: Games,
        sprt: tuple[int, int, Sprt] | None = None,
        seconds: float | None = None,
        error: float | None = None,
        swapped: bool = True,
    ) -> None:
        self.games = games
        self.seconds, self.error = seconds, error
        self.clock: Callable[[], float] = time.monotonic
        self.begun: float | None = None  # when playing began
        self.played = [0] * len(games.names)  # games of each player, of those that count
        self.rated = 0  # games when ratings were fitted last
        self.test = SequentialTest(*sprt, swapped) if sprt else None
        self.verdict: str | None = None

    def begin(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Playing begins now, and with it the time budget."""
        self.clock, self.begun = clock, clock()

    def seconds_left(self) -> float | None:
        """The rest of the time budget; None if there is none."""
        if self.seconds is None:
            return None
        used = 0.0 if self.begun is None else self.clock() - self.begun
        return max(0.0, self.seconds - used)

    def check(self) -> str | None:
        """The reason to stop after the games so far, if there is one. A verdict stays."""
        for game in self.games.settle():
            if self.verdict is not None:
                continue
            self.played[game.first] += 1
            self.played[game.second] += 1
            if self.test is not None and self.test.add(game):
                self._check_test(self.test)
            if self.error is not None:
                self._check_error(self.error)
        if self.verdict is None and self.seconds_left() == 0:
            return f"the time budget of {self.seconds:g} s is spent"
        return self.verdict

    def _check_test(self, test: SequentialTest) -> None:
        state = test.state
        if state.verdict is not None:
            stronger = state.verdict == "H1"
            elo = test.sprt.elo1 if stronger else test.sprt.elo0
            self.verdict = (
                f"SPRT: {state.verdict} accepted, {self.games.names[test.player]} is "
                f"{'at least' if stronger else 'at most'} about {elo:+g} Elo "
                f"(LLR {state.llr:.2f}, bounds {state.lower:.2f} {state.upper:.2f})"
            )
        elif test.is_stuck:
            self.verdict = (
                f"SPRT: undecided, the last {test.idle} pairs repeat earlier games; "
                "use more openings"
            )

    def _check_error(self, target: float) -> None:
        """Fit ratings again whenever there are some more games, and look at the widest error."""
        games = self.games.settled
        if games < GROWTH * self.rated or min(self.played) < FEWEST:
            return
        self.rated = games
        ratings = rate_games(self.games, games)
        if len(ratings.groups) > 1:
            return
        errors = [error for error in ratings.error if error is not None]
        widest = max(errors, default=inf)
        if len(errors) == len(ratings.names) and widest <= target:
            self.verdict = f"every error bar is at most {widest:.1f} Elo ({target:g} was asked for)"


class EarlyVerdicts:
    """Fed with games as they end; the verdict is a sentence when all expectations are decided."""

    def __init__(
        self, expectations: Sequence[Expectation], names: Sequence[str], rules: Rules
    ) -> None:
        self.expectations, self.rules = tuple(expectations), rules
        figures = (figure for each in expectations for figure in each.figures)
        self.figures = Figures(figures, names, rules)
        self.games = Games(names)
        self.waiting: dict[int, Game] = {}  # games that came before one of a lower number
        self.unread: list[Game] = []  # since the last look
        self.looks, self.next_look = 0, FIRST_LOOK
        self.verdict: str | None = None

    def add(self, game: Game) -> str | None:
        """Count a game; the reason to stop, if there is one now."""
        self.waiting[game.number] = game
        number = self.games.games + len(self.unread) + 1
        while (next_ := self.waiting.pop(number, None)) is not None:
            self.unread.append(next_)
            if self.verdict is None and number >= self.next_look:
                self._look()
            elif len(self.unread) >= SIZE:
                self._read()
            number += 1
        return self.verdict

    def _look(self) -> None:
        self.looks += 1
        self._read()
        self.next_look = int(self.games.games * LOOK_GROWTH) + 1
        checked = self.check()
        if all(each.verdict != "not decided" for each in checked):
            fails = sum(each.verdict == "fails" for each in checked)
            words = f"{fails} of them fail" if fails else "they hold"
            self.verdict = f"all expectations are decided: {words}"

    def _read(self) -> None:
        """Count the games that were not read yet."""
        batch = Batch(self.unread, self.rules, self.games.games)
        self.games.extend(self.unread)
        self.figures.add(batch)
        self.unread = []

    def check(self) -> list[CheckedExpectation]:
        """Decide the expectations that have a confidence, at the risk of this look."""
        if any(each.confidence is None for each in self.expectations):
            return [rule(each, {}) for each in self.expectations]
        needs_ratings = any(figure.measure == "elo" for figure in self.figures.figures)
        ratings = rate_games(self.games) if needs_ratings else None
        measured = self.figures.measured(self.games, ratings)
        share = (1 - AT_THE_END) / (self.looks * (self.looks + 1))
        return [rule(each, measured, share) for each in self.expectations]
