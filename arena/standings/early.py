"""When are all expectations of a tournament decided, so that it may end early?

Whoever looks again and again is fooled by luck in the end. So there are few looks, each after a
quarter more games than the one before, and the risk that an expectation takes is shared: half of it
is for the end of the tournament, the k-th look has 1 / k(k + 1) of the other half. However many
looks there are, together they take no more than the risk (Bonferroni). An expectation without a
confidence is about all games, and so it is decided by the last one.

Games are looked at in the order of their numbers, so that the number of workers does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.game.rules import Rules
from arena.standings.batch import SIZE, Batch
from arena.standings.games import Games
from arena.standings.measures import Figures
from arena.standings.rating import rate_games
from arena.standings.verdicts import AT_THE_END, CheckedExpectation, rule
from arena.table.game import Game
from arena.tournament.figures import Expectation

FIRST_LOOK = 20  # games
GROWTH = 1.25  # how many times as many games there are at the next look


class EarlyVerdicts:
    """Reads games as they end; answers with a sentence when all expectations are decided."""

    def __init__(
        self, expectations: Sequence[Expectation], names: Sequence[str], rules: Rules
    ) -> None:
        self.expectations, self.rules = tuple(expectations), rules
        figures = (figure for each in expectations for figure in each.figures)
        self.figures = Figures(figures, names, rules)
        self.games = Games(names)
        self.waiting: dict[int, Game] = {}  # games that came before one of a lower number
        self.unread: list[Game] = []  # since the last look
        self.looks, self.next_look = 0, FIRST_LOOK
        self.verdict: str | None = None

    def add(self, game: Game) -> str | None:
        """Count a game; why to stop, if that is so now."""
        self.waiting[game.number] = game
        number = self.games.games + len(self.unread) + 1
        while (next_ := self.waiting.pop(number, None)) is not None:
            self.unread.append(next_)
            if self.verdict is None and number >= self.next_look:
                self._look()
            elif len(self.unread) >= SIZE:
                self._read()
            number += 1
        return self.verdict

    def _look(self) -> None:
        self.looks += 1
        self._read()
        self.next_look = int(self.games.games * GROWTH) + 1
        checked = self.check()
        if all(each.verdict != "not decided" for each in checked):
            fails = sum(each.verdict == "fails" for each in checked)
            words = f"{fails} of them fail" if fails else "they hold"
            self.verdict = f"all expectations are decided: {words}"

    def _read(self) -> None:
        """Count the games that were not read yet."""
        batch = Batch(self.unread, self.rules, self.games.games)
        self.games.extend(self.unread)
        self.figures.add(batch)
        self.unread = []

    def check(self) -> list[CheckedExpectation]:
        """How the expectations that have a confidence stand at this look."""
        if any(each.confidence is None for each in self.expectations):
            return [rule(each, {}) for each in self.expectations]
        needs_ratings = any(figure.measure == "elo" for figure in self.figures.figures)
        ratings = rate_games(self.games) if needs_ratings else None
        measured = self.figures.measured(self.games, ratings)
        share = (1 - AT_THE_END) / (self.looks * (self.looks + 1))
        return [rule(each, measured, share) for each in self.expectations]
