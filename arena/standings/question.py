"""Are some players better than others? The best of each side, by their games with each other.

The best of several was picked for its luck as well, so all pairs to pick from share the risk of a
wrong answer (Bonferroni).
"""

from __future__ import annotations

from dataclasses import dataclass

from arena.standings.accuracy import Accuracy
from arena.standings.evidence import CONFIDENCE, Estimate, Verdict, judge
from arena.standings.games import WDL, Games
from arena.standings.rating import Ratings
from arena.tournament.claims import Question


@dataclass(frozen=True)
class HeadToHead:
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
    best: HeadToHead
    comparisons: tuple[HeadToHead, ...]  # each of one side with each of the other, best first

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
    question: Question, games: Games, ratings: Ratings, accuracy: Accuracy | None = None
) -> Answer:
    """Answer a question; the best of a side is the first of them in the standings."""
    places = {games.names[player]: at for at, player in enumerate(ratings.order)}
    better, than = (
        [ratings.order[place] for place in sorted(places[name] for name in side)]
        for side in (question.better, question.than)
    )
    comparisons = tuple(
        head_to_head(games, ratings, player, other, accuracy) for player in better for other in than
    )
    return Answer(question, comparisons[0], comparisons)


def head_to_head(
    games: Games, ratings: Ratings, player: int, other: int, accuracy: Accuracy | None = None
) -> HeadToHead:
    """Two players by their games, and by exact scores."""
    kept = None
    if accuracy is not None:
        shares = [accuracy.players[each].groups["critical"].kept_value for each in (player, other)]
        if shares[0] is not None and shares[1] is not None:
            kept = shares[0], shares[1]
    versus, score = games.versus(player, other), games.score(player, other)
    return HeadToHead(player, other, versus, score, difference(games, ratings, player, other), kept)


def difference(games: Games, ratings: Ratings, player: int, other: int) -> Estimate | None:
    """By how many Elo a player is stronger: by their own games, or else by those with others."""
    score = games.score(player, other)
    return ratings.difference(player, other) if score is None else score.as_elo()
