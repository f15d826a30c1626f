"""When are all expectations of a tournament decided, so that it may end early?

Whoever looks again and again is fooled by luck in the end. So there are few looks, each after a
quarter more games than the one before, and the risk that an expectation takes is shared: half of it
is for the end of the tournament, the k-th look has 1 / k(k + 1) of the other half. However many
looks there are, together they take no more than the risk (Bonferroni). An expectation without a
confidence is decided once no game that is left can change its verdict.

Games are looked at in the order of their numbers, so that the number of tables does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.game.rules import Rules
from arena.standings.figures import FigureCounter, Pairs
from arena.standings.rating import rate_scoreboard
from arena.standings.scoreboard import Scoreboard
from arena.standings.verdicts import AT_THE_END, Ruling, rule
from arena.table.game import Game
from arena.tournament.figures import Expectation

FIRST_LOOK = 20  # games
GROWTH = 1.25  # how many times as many games there are at the next look
ANY_RISK = 0.5  # stands for a confidence where an interval is certain


class EarlyVerdicts:
    """Reads games as they end; answers with a sentence when all expectations are decided."""

    def __init__(
        self,
        expectations: Sequence[Expectation],
        names: Sequence[str],
        rules: Rules,
        pairs: Pairs | None,
    ) -> None:
        """`pairs` are all games of the tournament; None if these are not known beforehand."""
        self.expectations, self.pairs = tuple(expectations), pairs
        figures = (figure for each in expectations for figure in each.figures)
        self.counter = FigureCounter(figures, names, rules)
        self.scoreboard = Scoreboard(names)
        self.early: dict[int, Game] = {}  # games that came before one of a lower number
        self.looks, self.next_look = 0, FIRST_LOOK
        self.verdict: str | None = None

    def add(self, row: Game) -> str | None:
        """Count a game; why to stop, if that is so now."""
        self.early[row.number] = row
        while (row_ := self.early.pop(self.scoreboard.games + 1, None)) is not None:
            self.counter.add(row_)
            self.scoreboard.append(row_.first, row_.second, row_.result, row_.opening, row_.round)
            if self.verdict is None and self.scoreboard.games >= self.next_look:
                self._look()
        return self.verdict

    def _look(self) -> None:
        self.looks += 1
        self.next_look = int(self.scoreboard.games * GROWTH) + 1
        rulings = self.rulings()
        if all(ruling.verdict != "not decided" for ruling in rulings):
            fails = sum(ruling.verdict == "fails" for ruling in rulings)
            words = f"{fails} of them fail" if fails else "they hold"
            self.verdict = f"all expectations are decided: {words}"

    def rulings(self) -> list[Ruling]:
        """How the expectations stand at this look."""
        needs_ratings = any(figure.measure == "elo" for figure in self.counter.figures)
        ratings = rate_scoreboard(self.scoreboard) if needs_ratings else None
        measured = self.counter.measured(self.scoreboard, ratings)
        certain = self.counter.certain(self.pairs) if self.pairs is not None else {}
        share = (1 - AT_THE_END) / (self.looks * (self.looks + 1))
        rulings = []
        for each in self.expectations:
            if each.confidence is not None:
                rulings.append(rule(each, measured, share))
            else:
                rulings.append(rule(each, certain, 1.0, ANY_RISK))
        return rulings
