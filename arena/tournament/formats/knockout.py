"""Who loses is out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Annotated, Literal, NamedTuple

from pydantic import Field as Key

from arena.tournament.formats.format import Field, Format, Pairing, Ranking, Scored, meet
from arena.tournament.games import GameResult
from arena.tournament.values import Whole

STAGES = {1: "final", 2: "semi-finals", 4: "quarter-finals"}


class Match(NamedTuple):
    """Two players of whom one advances; `worse` is None where the better seed has a bye.

    `score` is won minus lost games of the better seed; `due` meetings are still to be played
    before the next look at it.
    """

    better: int
    worse: int | None
    games: int = 0
    score: int = 0
    due: int = 0

    @property
    def winner(self) -> int | None:
        """Who advances, None as long as this is open; level in the end, the better seed does."""
        if self.due:
            return None
        return self.better if self.worse is None or self.score >= 0 else self.worse


class Knockout(Format):
    """Who loses a match is out; the order of the list is the order of the seeds.

    Of eight players 1-8, 4-5, 2-7, 3-6 begin. The top seeds have a bye where the number of players
    is not a power of two. A match that is level plays up to `tiebreaks` more meetings, each in a
    round of its own with the other level ones; then the better seed advances.
    """

    kind: Literal["knockout"] = "knockout"
    tiebreaks: Annotated[int, Whole(0, 1000)] = Key(
        default=2,
        description="Extra pairs of games if a match is level; then the better seed advances.",
        examples=[2],
    )

    @property
    def known_length(self) -> bool:
        return not self.tiebreaks

    def expected(self, field: Field, results: Sequence[GameResult] = ()) -> int:
        """Each match knocks out one player; tiebreaks are added as they turn out to be needed."""
        matches = [match for stage in self.bracket(field, results) for match in stage]
        extra = sum(max(0, m.games // field.legs + m.due - field.meetings) for m in matches)
        return (field.players - 1) * field.meetings + extra

    def openings(self, field: Field) -> int:
        return (field.players - 1).bit_length() * field.meetings

    def pairings(
        self, field: Field, round: int, results: Sequence[GameResult]
    ) -> Sequence[Pairing] | None:
        """The open matches: the whole of a new stage, or one more meeting of the level ones."""
        *_, stage = self.bracket(field, results)
        pairs = [(m.better, m.worse) for m in stage if m.due and m.worse is not None]
        start = (round - 1) * field.meetings  # no opening of an earlier round
        due = max(match.due for match in stage)  # the same for all that are open
        return meet(round, pairs, range(start, start + due)) if pairs else None

    def bracket(self, field: Field, results: Sequence[GameResult]) -> Iterator[list[Match]]:
        """The stages from the first to the one that is open, or to the final."""
        played = defaultdict(list)
        for game in results:
            played[frozenset((game.first, game.second))].append(game)
        left = seeding(field.players)
        while len(left) > 1:
            pairs = [(min(pair), max(pair)) for pair in zip(left[::2], left[1::2], strict=True)]
            stage = [self._match(field, *pair, played[frozenset(pair)]) for pair in pairs]
            yield stage
            left = [match.winner for match in stage if match.winner is not None]
            if len(left) < len(stage):
                return

    def ranking(self, field: Field, results: Sequence[GameResult], scored: Scored) -> Ranking:
        """By how far each came: the champion, who lost the final, who lost a semi-final ..."""
        reached, words = [0.0] * field.players, [""] * field.players
        champion = None
        for number, stage in enumerate(self.bracket(field, self._complete(field, results))):
            for match in stage:
                for player in (match.better, match.worse):
                    if player is not None:
                        reached[player] = number + (player == match.winner) / 2
                        words[player] = stage_name(len(stage))
            champion = stage[0].winner if len(stage) == 1 else None
        if champion is not None:
            words[champion] = "champion"
        return Ranking(scored.by(reached.__getitem__), {"reached": words}, champion)

    def round_in_words(
        self, field: Field, round: int, results: Sequence[GameResult], names: Sequence[str]
    ) -> str:
        """The stage, and whether it is played a second time."""
        *_, stage = self.bracket(field, results)
        is_tiebreak = any(match.due and match.games for match in stage)
        return stage_name(len(stage)) + (", tiebreaks" if is_tiebreak else "")

    def knocked_out(self, field: Field, results: Sequence[GameResult]) -> dict[int, int]:
        """Who has lost a match."""
        stages: dict[int, int] = {}
        for number, stage in enumerate(self.bracket(field, results), start=1):
            for match in stage:
                if match.winner is not None and match.worse is not None:
                    stages[match.better + match.worse - match.winner] = number
        return stages

    def _complete(self, field: Field, results: Sequence[GameResult]) -> Sequence[GameResult]:
        """The results of the rounds of which all games are there."""
        done: list[GameResult] = []
        for _, games in groupby(results, key=lambda game: game.round):
            round_ = list(games)
            *_, stage = self.bracket(field, done)
            if len(round_) < field.legs * sum(match.due for match in stage):
                break
            done += round_
        return done

    def _match(self, field: Field, better: int, worse: int, games: Sequence[GameResult]) -> Match:
        """A match as it stands; two players meet in one match at most."""
        if worse >= field.players:
            return Match(better, None)
        score = sum(game.result if game.first == better else -game.result for game in games)
        meetings = len(games) // field.legs
        is_level = score == 0 and meetings < field.meetings + self.tiebreaks
        due = field.meetings if not games else 1 if is_level else 0
        return Match(better, worse, len(games), score, due)


def stage_name(matches: int) -> str:
    """What a stage of so many matches is called."""
    return STAGES.get(matches, f"last {2 * matches}")


def seeding(players: int) -> list[int]:
    """The order of the bracket, from 0, with empty seats up to the next power of two."""
    order = [0]
    while len(order) < players:
        order = [seed for top in order for seed in (top, 2 * len(order) - 1 - top)]
    return order
