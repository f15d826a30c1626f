"""When a tournament may end early: a test decided, time spent, or error bars small enough."""

from __future__ import annotations

import time
from collections.abc import Callable

from arena.standings.sprt import Sprt, SprtState
from arena.standings.tally import InOrder, PairOutcomes, Tally

FEWEST = 20  # games of each player before an error bar is believed
GROWTH = 1.05  # how many times as many games there are when ratings are fitted again


class StopRules:
    """Fed with every recorded game; answers with a sentence when it is time to stop."""

    def __init__(
        self,
        names: list[str],
        sprt: tuple[int, int, Sprt] | None = None,
        seconds: float | None = None,
        error: float | None = None,
        swapped: bool = True,
    ) -> None:
        self.names = names
        self.seconds, self.error = seconds, error
        self.clock: Callable[[], float] = time.monotonic
        self.begun: float | None = None  # when playing began
        self.order = InOrder()
        self.tally = Tally(len(names))
        self.rated = 0  # games when ratings were fitted last
        self.test = sprt[2] if sprt else None
        self.pairs = PairOutcomes(sprt[0], sprt[1], swapped) if sprt else None
        self.said: str | None = None

    def begin(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Playing begins now: what was done before is on no budget of time."""
        self.clock, self.begun = clock, clock()

    def seconds_left(self) -> float | None:
        """What is left of the time budget; None if there is none."""
        if self.seconds is None:
            return None
        used = 0.0 if self.begun is None else self.clock() - self.begun
        return max(0.0, self.seconds - used)

    def add(
        self, number: int, round_: int, first: int, second: int, result: int, opening: bytes
    ) -> str | None:
        """Count a game; why to stop, if that is so now. Once said, it stays said."""
        for due in self.order.add(number, (round_, first, second, result, opening)):
            if self.said is None:
                self._count(*due)
        return self.said or self._out_of_time()

    def sprt_state(self) -> SprtState | None:
        """How the sequential test stands."""
        if self.test is None or self.pairs is None:
            return None
        return self.test.state(self.pairs.counts)

    def _count(self, round_: int, first: int, second: int, result: int, opening: bytes) -> None:
        self.tally.add(first, second, result, opening)
        if self.pairs is not None and self.pairs.add(round_, first, second, result, opening):
            self._ask_test()
        if self.error is not None:
            self._ask_error(self.error)

    def _ask_test(self) -> None:
        state = self.sprt_state()
        assert state is not None
        assert self.pairs is not None
        assert self.test is not None
        if state.verdict is not None:
            stronger = state.verdict == "H1"
            elo = self.test.elo1 if stronger else self.test.elo0
            name = self.names[self.pairs.player]
            self.said = (
                f"SPRT: {state.verdict} accepted, {name} is "
                f"{'at least' if stronger else 'at most'} about {elo:+g} Elo "
                f"(LLR {state.llr:.2f}, bounds {state.lower:.2f} {state.upper:.2f})"
            )

    def _ask_error(self, target: float) -> None:
        """The widest error of all ratings, asked again whenever there are some games more."""
        tally = self.tally
        if tally.counted < GROWTH * self.rated or min(s.games for s in tally.scores) < FEWEST:
            return
        from arena.standings.rating import rate_tally  # takes a while, once

        self.rated = tally.counted
        ratings = rate_tally(tally, self.names)
        if len(ratings.groups) > 1:
            return
        widest = max(error for error in ratings.error if error is not None)
        if widest <= target:
            self.said = f"every error bar is at most {widest:.1f} Elo ({target:g} was asked for)"

    def _out_of_time(self) -> str | None:
        if self.seconds_left() == 0:
            return f"the time budget of {self.seconds:g} s is spent"
        return None
