"""When a tournament may end early: a test decided, time spent, or error bars small enough."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from arena.standings.rating import rate_scoreboard
from arena.standings.scoreboard import PENTANOMIAL, Scoreboard
from arena.standings.sprt import SprtState, sprt_state
from arena.tournament.sprt import Sprt

FEWEST = 20  # games of each player before an error bar is believed
GROWTH = 1.05  # how many times as many games there are when ratings are fitted again


@dataclass
class SequentialTest:
    """A sequential test of one player against another, and the outcomes that it has seen."""

    player: int
    other: int
    sprt: Sprt
    counts: list[int]

    @property
    def state(self) -> SprtState:
        """How it stands."""
        return sprt_state(self.sprt, self.counts)

    def see(self, board: Scoreboard, first: int, second: int, result: int) -> bool:
        """Take note of a game; tell whether it has changed the counts."""
        if {first, second} != {self.player, self.other}:
            return False
        before = self.counts
        if len(before) == PENTANOMIAL:
            self.counts = board.pentanomial(self.player, self.other)
        else:
            self.counts = before[:]
            self.counts[1 + (result if first == self.player else -result)] += 1
        return self.counts != before


class StopRules:
    """Reads the scoreboard after every game; answers with a sentence when it is time to stop."""

    def __init__(
        self,
        scoreboard: Scoreboard,
        sprt: tuple[int, int, Sprt] | None = None,
        seconds: float | None = None,
        error: float | None = None,
        swapped: bool = True,
    ) -> None:
        self.scoreboard = scoreboard
        self.seconds, self.error = seconds, error
        self.clock: Callable[[], float] = time.monotonic
        self.begun: float | None = None  # when playing began
        self.played = [0] * len(scoreboard.names)  # games of each player, of those looked at
        self.rated = 0  # games when ratings were fitted last
        self.test = SequentialTest(*sprt, [0] * (PENTANOMIAL if swapped else 3)) if sprt else None
        self.verdict: str | None = None

    def begin(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Playing begins now: what was done before is on no budget of time."""
        self.clock, self.begun = clock, clock()

    def seconds_left(self) -> float | None:
        """What is left of the time budget; None if there is none."""
        if self.seconds is None:
            return None
        used = 0.0 if self.begun is None else self.clock() - self.begun
        return max(0.0, self.seconds - used)

    def check(self) -> str | None:
        """Why to stop, if that is so after the games so far. Once there is a verdict, it stays."""
        for first, second, result in self.scoreboard.settle():
            if self.verdict is None:
                self._look(first, second, result)
        return self.verdict or self._out_of_time()

    def _look(self, first: int, second: int, result: int) -> None:
        self.played[first] += 1
        self.played[second] += 1
        if self.test is not None and self.test.see(self.scoreboard, first, second, result):
            self._ask_test(self.test)
        if self.error is not None:
            self._ask_error(self.error)

    def _ask_test(self, test: SequentialTest) -> None:
        state = test.state
        if state.verdict is not None:
            stronger = state.verdict == "H1"
            elo = test.sprt.elo1 if stronger else test.sprt.elo0
            self.verdict = (
                f"SPRT: {state.verdict} accepted, {self.scoreboard.names[test.player]} is "
                f"{'at least' if stronger else 'at most'} about {elo:+g} Elo "
                f"(LLR {state.llr:.2f}, bounds {state.lower:.2f} {state.upper:.2f})"
            )

    def _ask_error(self, target: float) -> None:
        """The widest error of all ratings, asked again whenever there are some games more."""
        games = self.scoreboard.settled
        if games < GROWTH * self.rated or min(self.played) < FEWEST:
            return
        self.rated = games
        ratings = rate_scoreboard(self.scoreboard, games)
        if len(ratings.groups) > 1:
            return
        widest = max(error for error in ratings.error if error is not None)
        if widest <= target:
            self.verdict = f"every error bar is at most {widest:.1f} Elo ({target:g} was asked for)"

    def _out_of_time(self) -> str | None:
        if self.seconds_left() == 0:
            return f"the time budget of {self.seconds:g} s is spent"
        return None
