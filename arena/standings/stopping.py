"""When a tournament may end early: a test decided, time spent, or error bars small enough."""

from __future__ import annotations

import time

from arena.standings.scores import elo_with_error
from arena.standings.sprt import Sprt, SprtState
from arena.standings.tally import InOrder, PairOutcomes, Tally

FEWEST = 20  # games of each player before an error bar is believed


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
        self.begun = time.monotonic()
        self.order = InOrder()
        self.tally = Tally(len(names))
        self.test = sprt[2] if sprt else None
        self.pairs = PairOutcomes(sprt[0], sprt[1], swapped) if sprt else None
        self.said: str | None = None

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
        self.tally.add(first, second, result)
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
        """The widest error bar of all players, each against the whole field."""
        if min(score.games for score in self.tally.scores) < FEWEST:
            return
        bars = [elo_with_error([s.lost, s.drawn, s.won])[1] for s in self.tally.scores]
        if max(bars) <= target:
            self.said = f"every error bar is at most {max(bars):.1f} Elo ({target:g} was asked for)"

    def _out_of_time(self) -> str | None:
        if self.seconds is not None and time.monotonic() - self.begun >= self.seconds:
            return f"the time budget of {self.seconds:g} s is spent"
        return None
