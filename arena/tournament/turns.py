"""Turns: the games of a player who learns come one after another, in the order of the schedule.

So each of them is played with what all earlier ones have taught, on any number of tables.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from arena.tournament.schedule import ScheduledGame

MOST_HELD = 256  # games that wait for others; what comes after them is not looked at


class Turns:
    """Holds back games of players who learn until their earlier ones are over."""

    def __init__(self, learners: Collection[int]) -> None:
        self._learners = frozenset(learners)
        self._held: list[ScheduledGame] = []  # in order
        self._begun: dict[int, frozenset[int]] = {}  # games by number, each with its learners

    def next(self, ahead: Iterator[ScheduledGame]) -> ScheduledGame | None:
        """The first game, of those held and those ahead, that has to wait for no other."""
        waiting = set().union(*self._begun.values())
        for place, game in enumerate(self._held):
            if waiting >= self._learners:  # every game that is held is a learner's
                break
            if self._begins(game, waiting):
                return self._held.pop(place)
        while len(self._held) < MOST_HELD:
            following = next(ahead, None)
            if following is None or self._begins(following, waiting):
                return following
            self._held.append(following)
        return None

    def over(self, number: int) -> None:
        """A game is in the journal: those that waited for it may begin."""
        self._begun.pop(number, None)

    def _begins(self, game: ScheduledGame, waiting: set[int]) -> bool:
        """Begin a game unless a learner of it has an earlier one; its later ones then wait too."""
        learners = self._learners & {game.first, game.second}
        if learners.isdisjoint(waiting):
            if learners:
                self._begun[game.number] = learners
            return True
        waiting |= learners
        return False
