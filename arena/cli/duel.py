"""Two players and their games with each other: which one is stronger, in words and as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal

from arena.errors import ArenaError
from arena.show.numbers import likely, percent
from arena.show.strength import difference_data, elo_words, verdict
from arena.show.terminal import symbol
from arena.standings.evidence import Estimate
from arena.standings.games import WDL, Games
from arena.standings.sprt import StoppedScore, nelo_with_error, sprt_state
from arena.tournament.sprt import Sprt

Decision = Literal["stronger", "weaker", "undecided"]


@dataclass(frozen=True)
class Duel:
    """Two players of a list of games, and the sequential test of a match if it had one."""

    played: Games
    player: int
    other: int
    test: Sprt | None = None
    faults: int = 0  # their games that ended by a fault
    overall: Estimate | None = None  # by ratings, if there are games with others

    @property
    def names(self) -> tuple[str, str]:
        """The names of the two."""
        return self.played.names[self.player], self.played.names[self.other]

    @property
    def games(self) -> WDL:
        """Their games, counted for the first of them."""
        return self.played.versus(self.player, self.other)

    @property
    def pairs(self) -> list[int]:
        """Pairs of games with seats swapped in which the first made 0, 1/2, 1, 3/2, 2 points."""
        return self.played.pentanomial(self.player, self.other)

    @cached_property
    def counts(self) -> list[float]:
        """The outcomes to test by, scaled down for copies."""
        return self.played.evidence(self.player, self.other)

    @cached_property
    def different(self) -> int:
        """The number of their games that are not copies."""
        return self.played.different_between(self.player, self.other)

    @cached_property
    def difference(self) -> Estimate:
        """The Elo difference: by their own games, else by those with others."""
        score = self.played.score(self.player, self.other)
        estimate = self.overall if score is None else score.as_elo()
        if estimate is None:
            raise ArenaError(f"{' and '.join(self.names)} have no games to compare them by")
        return estimate

    @property
    def stopped(self) -> StoppedScore | None:
        """The difference as a test left it that has stopped the match, else None."""
        return self.difference if isinstance(self.difference, StoppedScore) else None

    @property
    def decision(self) -> Decision:
        """Whether the first is stronger or weaker, by an interval of 95 %.

        A test that asks on one side of 0 alone decides by itself.
        """
        if self.difference.is_significant:
            return "stronger" if self.difference.los > 0.5 else "weaker"
        if self.stopped is not None and self.stopped.passed and self.stopped.sprt.elo0 >= 0:
            return "stronger"
        if self.stopped is not None and not self.stopped.passed and self.stopped.sprt.elo1 <= 0:
            return "weaker"
        return "undecided"

    @property
    def verdict(self) -> str:
        """The decision in a sentence, with the interval."""
        if self.stopped is None:
            return verdict(self.names, self.difference)
        one, other = self.names
        words = {
            "stronger": f"{one} is stronger than {other}",
            "weaker": f"{one} is weaker than {other}",
            "undecided": f"{one} may be stronger or weaker than {other}",
        }[self.decision]
        return f"{words}: {elo_words(self.difference)}, after the test stopped the match."

    def data(self) -> dict[str, Any]:
        """All of it for programs."""
        nelo = nelo_with_error(self.counts) if self.games.games else None
        test = None
        if self.test is not None:
            state = asdict(sprt_state(self.test, self.counts))
            test = {**self.test.model_dump(exclude={"engines"}), **state}
        return {
            "players": self.names,
            "games": self.games.games,
            "lost_drawn_won": self.games.trinomial,
            "pairs": self.pairs,
            "faults": self.faults,
            "distinct_games": self.different,
            "difference": difference_data(self.difference),
            "by_all_games": difference_data(self.overall),
            "normalized_elo": None if nelo is None else {"elo": nelo[0], "error": nelo[1]},
            "sprt": test,
            "after_stop": None if self.stopped is None else _stopped_data(self.stopped),
            "verdict": self.verdict,
            "stopped": self.stopped is not None,
            "decision": self.decision,
        }

    def lines(self) -> Iterator[str]:
        """The games in words and numbers, the verdict last."""
        score = self.games
        if score.games:
            counts = f"+{score.won} ={score.drawn} -{score.lost}"
            yield f"  score        {counts}, {percent(score.share)}"
            yield f"  Elo          {elo_words(self.difference)}"
            nelo, error = nelo_with_error(self.counts)
            yield f"  normalized   {nelo:+z.1f} {symbol('±', '+-')} {error:.1f}"
        if self.overall is not None:
            yield f"  ratings      {elo_words(self.overall)}, from all games"
        yield f"  LOS          {likely(self.difference.los)} that {self.names[0]} is stronger"
        yield from self.short_lines()

    def short_lines(self) -> Iterator[str]:
        """What no table of scores shows: pairs, test, faults and copies; the verdict last."""
        if any(self.pairs):
            points = ("0", symbol("½", "1/2"), "1", symbol("1½", "3/2"), "2")
            pairs = (f"{n} x {p}" for p, n in zip(points, self.pairs, strict=True))
            yield f"  pairs        {', '.join(pairs)} points"
        yield from self._test_lines()
        if self.faults:
            yield f"  faults       {self.faults} games ended by a fault"
        if self.different < self.games.games:
            different = f"only {self.different} games are different"
            yield f"  copies       {different}; copies add no evidence"
        yield self.verdict

    def _test_lines(self) -> Iterator[str]:
        if self.test is None or not any(self.counts):
            return
        state, test = sprt_state(self.test, self.counts), self.test
        words = f"{state.verdict} accepted" if state.verdict else "undecided"
        yield (
            f"  SPRT         {words}: LLR {state.llr:.2f}, bounds {state.lower:.2f} "
            f"{state.upper:.2f}, {test.elo0:g} against {test.elo1:g} {test.model} Elo"
        )


def _stopped_data(stopped: StoppedScore) -> dict[str, Any]:
    low, high = stopped.interval()
    return {"elo": stopped.value, "elo_low": low, "elo_high": high, "los": stopped.los}
