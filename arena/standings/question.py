"""Are some players better than others? The best of each side, by their games with each other.

Whoever picks the best of several has picked luck as well, so all pairs there were to pick from
share the risk of a wrong answer (Bonferroni). A sequential test that has ended the games of two
stopped when luck ran one way: their difference allows for that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from arena.standings.accuracy import Accuracy
from arena.standings.evidence import CONFIDENCE, Estimate, Verdict, judge
from arena.standings.games import WDL, Games
from arena.standings.rating import Ratings
from arena.standings.sprt import after_stop
from arena.tournament.claims import Question
from arena.tournament.sprt import Sprt


class DecidedTest(NamedTuple):
    """A sequential test of a player against another that has ended a tournament."""

    player: int
    other: int
    sprt: Sprt


@dataclass(frozen=True)
class Comparison:
    """One player against another: by games, and by exact scores where there are any."""

    player: int
    other: int
    games: WDL  # with each other, for the first
    score: Estimate | None  # in these games
    difference: Estimate | None  # in Elo; None: they have not met, not even through others
    kept: tuple[Estimate, Estimate] | None = None  # value kept in critical positions, by each


@dataclass(frozen=True)
class Answer:
    """The answer to a question: the best of both sides, and all others beside them."""

    question: Question
    best: Comparison
    comparisons: tuple[Comparison, ...]  # each of one side with each of the other, best first

    @property
    def confidence(self) -> float:
        """What a yes or no needs, so that it is right 95 times of 100 whichever pair it is."""
        return 1 - (1 - CONFIDENCE) / self.question.pairs

    @property
    def verdict(self) -> Verdict:
        """Yes or no if that is certain to 95 %, else open."""
        if self.best.difference is None:
            return "open"
        return judge(self.best.difference, 0.0, float("inf"), self.confidence)


def answer(
    question: Question,
    games: Games,
    ratings: Ratings,
    accuracy: Accuracy | None = None,
    ended_by: DecidedTest | None = None,
) -> Answer:
    """Answer a question; the best of a side is the first of them in the standings."""
    places = {games.names[player]: at for at, player in enumerate(ratings.order)}
    better, than = (
        [ratings.order[place] for place in sorted(places[name] for name in side)]
        for side in (question.better, question.than)
    )
    comparisons = tuple(
        compare(games, ratings, player, other, accuracy, ended_by)
        for player in better
        for other in than
    )
    return Answer(question, comparisons[0], comparisons)


def difference(
    games: Games, ratings: Ratings, player: int, other: int, ended_by: DecidedTest | None = None
) -> Estimate | None:
    """By how many Elo a player is stronger: by their own games, or else by those with others."""
    if ended_by is not None and {player, other} == {ended_by.player, ended_by.other}:
        test = ended_by.sprt if player == ended_by.player else _reversed(ended_by.sprt)
        return after_stop(games.evidence(player, other), test, is_over=True)
    score = games.score(player, other)
    return ratings.difference(player, other) if score is None else score.as_elo()


def _reversed(test: Sprt) -> Sprt:
    """The same test, of the other player."""
    return Sprt(elo0=-test.elo1, elo1=-test.elo0, alpha=test.beta, beta=test.alpha,
                model=test.model)  # fmt: skip


def compare(
    games: Games,
    ratings: Ratings,
    player: int,
    other: int,
    accuracy: Accuracy | None = None,
    ended_by: DecidedTest | None = None,
) -> Comparison:
    """Two players by their games, and by exact scores."""
    kept = None
    if accuracy is not None:
        shares = [accuracy.players[each].groups["critical"].kept_value for each in (player, other)]
        if shares[0] is not None and shares[1] is not None:
            kept = shares[0], shares[1]
    versus, score = games.versus(player, other), games.score(player, other)
    apart = difference(games, ratings, player, other, ended_by)
    return Comparison(player, other, versus, score, apart, kept)
