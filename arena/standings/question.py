"""Are some players better than others? The best of each side, by their games with each other.

Whoever picks the best of several has picked luck as well. So the likelihood that one of the two is
the stronger has to be larger the more pairs there were to pick from: with a risk of 2.5 % shared by
all of them, the answer is right 95 times of 100 whichever pair it is (Bonferroni). And few games
tell little about their own spread, so that they need more still (Student 1908).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Literal

from arena.standings.accuracy import Accuracy
from arena.standings.compare import Difference, by_ratings, head_to_head
from arena.standings.ranking import SURE
from arena.standings.rating import Ratings
from arena.standings.scoreboard import WDL, Scoreboard
from arena.standings.shares import Share
from arena.tournament.question import Question

LEAST_GAMES = 20  # with each other; fewer decide nothing, for their variance is hardly known


@dataclass(frozen=True)
class Comparison:
    """One player held against another: by games, and by exact scores where there are any."""

    player: int
    other: int
    games: WDL  # with each other, for the first
    difference: Difference | None  # None: they have not met, not even through others
    kept: tuple[Share, Share] | None = None  # value kept in critical positions, by each


@dataclass(frozen=True)
class Reply:
    """The answer to a question: the best of both sides, and all others beside them."""

    question: Question
    best: Comparison
    comparisons: tuple[Comparison, ...]  # each of one side with each of the other, best first

    @property
    def needed(self) -> float:
        """How likely one of the two has to be the stronger, to be sure of the answer."""
        sure, games = 1 - (1 - SURE) / self.question.pairs, self.best.games.games
        basis = None if self.best.difference is None else self.best.difference.basis
        if basis not in ("pairs", "games") or games < LEAST_GAMES:
            return sure
        return of_few(sure, games // 2 if basis == "pairs" else games)

    @property
    def verdict(self) -> Literal["yes", "no", "open"]:
        """Yes or no if that is certain to 95 %, else open."""
        difference = self.best.difference
        if difference is None or 0 < self.best.games.games < LEAST_GAMES:
            return "open"
        if 1 - self.needed < difference.los < self.needed:
            return "open"
        return "yes" if difference.los > 0.5 else "no"


def reply(
    question: Question, scoreboard: Scoreboard, ratings: Ratings, accuracy: Accuracy | None = None
) -> Reply:
    """Answer a question; the best of a side is the first of them in the standings."""
    places = {scoreboard.names[player]: at for at, player in enumerate(ratings.order)}
    better, than = (
        [ratings.order[place] for place in sorted(places[name] for name in side)]
        for side in (question.better, question.than)
    )
    comparisons = tuple(
        compare(scoreboard, player, other, accuracy) for player in better for other in than
    )
    return Reply(question, comparisons[0], comparisons)


def of_few(sure: float, results: int) -> float:
    """What a likelihood by the normal distribution has to be where the spread is estimated too.

    A quantile of Student's t from one of the normal distribution: Abramowitz and Stegun, 26.7.5.
    The spread is that of the results themselves, as it is where likelihoods are counted.
    """
    normal, free = NormalDist(), results - 1
    z = normal.inv_cdf(sure)
    student = z + (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)
    return normal.cdf(student * sqrt(results / free))


def compare(
    scoreboard: Scoreboard, player: int, other: int, accuracy: Accuracy | None = None
) -> Comparison:
    """Two players by their own games, or by those with others if they have not met."""
    difference = head_to_head(scoreboard, player, other) or by_ratings(
        scoreboard.outcomes, scoreboard.names, player, other, by_opening=scoreboard.log
    )
    kept = None
    if accuracy is not None:
        one, two = (accuracy.players[each].groups["critical"] for each in (player, other))
        if one.moves and two.moves:
            kept = one.kept_value, two.kept_value
    return Comparison(player, other, scoreboard.versus(player, other), difference, kept)
