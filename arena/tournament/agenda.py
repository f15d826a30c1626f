"""The agenda: what is left to play of a schedule, handed out game by game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterator, Sequence
from itertools import filterfalse, takewhile
from threading import RLock
from typing import TYPE_CHECKING, Protocol

from arena.tournament.games import GameResult, ScheduledGame

if TYPE_CHECKING:
    from arena.tournament.schedule import Schedule

MAX_HELD = 256  # games that wait for others; what comes after them is not looked at


class Games(Protocol):
    """Where the owner of tables takes its games from: an agenda, or a part of one."""

    def take_some(self, most: int) -> list[ScheduledGame]:
        """The next games to play, at most so many; fewer if there are no more for now."""

    def put_back(self, game: ScheduledGame) -> None:
        """A game was not finished."""

    def give_up(self, number: int) -> None:
        """A game cannot be played for now."""


class Agenda:
    """Hands out each game that is not `finished` once; any thread may ask.

    `finished` holds the numbers of the games that are in the journal; `results` is asked, when a
    round is complete, for the results of all of them. Only the games that are being played and
    those that were put back are kept in memory. A game of players who learn waits until their
    earlier ones are done.
    """

    def __init__(
        self,
        schedule: Schedule,
        finished: Container[int],
        results: Callable[[], Sequence[GameResult]],
        learners: Collection[int] = (),
    ) -> None:
        self._schedule, self._finished, self._results = schedule, finished, results
        self._queue = LearnerQueue(learners) if learners else None
        self._lock = RLock()
        self._parts = 0
        self._ahead: Iterator[ScheduledGame] = iter(())  # what is left of the part that is open
        self._missing = 0  # games of this part that are not in the journal
        self._playing: set[int] = set()
        self._returned: dict[int, ScheduledGame] = {}
        self.unplayed: list[int] = []  # games that were given up
        self.total = 0  # games in all; a guess if `is_estimate`
        self._is_over = False
        self._open_parts()

    def take(self) -> ScheduledGame | None:
        """The next game to play; None if all are over or the next ones wait for results."""
        return next(iter(self.take_some(1)), None)

    def take_some(self, most: int) -> list[ScheduledGame]:
        """The next games to play, at most so many; fewer where the others wait for results."""
        games: list[ScheduledGame] = []
        with self._lock:
            while len(games) < most and (game := self._next()) is not None:
                self._playing.add(game.number)
                games.append(game)
        return games

    def put_back(self, game: ScheduledGame) -> None:
        """A game was not finished: it is handed out again, before the others."""
        with self._lock:
            if game.number in self._playing:
                self._playing.remove(game.number)
                self._returned[game.number] = game

    def done(self, *numbers: int) -> None:
        """These games are in the journal; saying so twice does no harm."""
        with self._lock:
            for number in numbers:
                if number in self._playing:
                    self._playing.remove(number)
                elif self._returned.pop(number, None) is None:
                    continue
                self._missing -= 1
                if self._queue is not None:
                    self._queue.over(number)

    def give_up(self, number: int) -> None:
        """A game cannot be played for now; what needs it waits: a round, or a learner's games."""
        with self._lock:
            self._playing.discard(number)
            self._returned.pop(number, None)
            self.unplayed.append(number)

    @property
    def is_over(self) -> bool:
        """Whether all games of the tournament are done."""
        with self._lock:
            self._open_parts()
            return self._is_over

    @property
    def is_estimate(self) -> bool:
        """Whether results to come may still change the number of games."""
        return self._schedule.total is None and not self._is_over

    def _next(self) -> ScheduledGame | None:
        if self._returned:
            return self._returned.pop(min(self._returned))
        game = self._following()
        if game is None:
            self._open_parts()
            game = self._following()
        return game

    def _following(self) -> ScheduledGame | None:
        """The next game of the part that is open, of those that need not wait."""
        return next(self._ahead, None) if self._queue is None else self._queue.next(self._ahead)

    def _open_parts(self) -> None:
        """Go on to the next part of the schedule that is not complete, if all before it are."""
        while not self._missing and not self._is_over:
            self._parts += 1
            results = self._results() if self._schedule.needs_results else ()
            part = self._schedule.part(self._parts, results)
            self.total = self._schedule.expected(self._parts, results)
            if part is None:
                self._is_over = True
                return
            is_finished = self._finished.__contains__
            skipped = sum(1 for _ in takewhile(is_finished, part.places))
            rest = part.places[skipped:]
            self._missing = len(rest) - sum(map(is_finished, rest))
            self._ahead = part.some(filterfalse(is_finished, rest))


class LearnerQueue:
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
        while len(self._held) < MAX_HELD:
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
