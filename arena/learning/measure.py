"""How strong a learner is by now: against perfect play, on exact positions, against engines.

Everything is drawn by seed, and nothing of it is known to the learner: two trainings are measured
by the same games and questions, and measuring changes no training.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from arena.bots.find import find
from arena.engine.contract import Engine, read_column
from arena.engine.errors import sentence
from arena.engine.warm_up import Report, warm_up
from arena.errors import EngineFailure
from arena.judge.exam import ExamQuestion, draw_positions, solve_positions
from arena.learning.parts import MEASURED
from arena.learning.perfect import PerfectPartner
from arena.learning.spec import Training
from arena.show.numbers import percent
from arena.standings.evidence import wilson
from arena.standings.games import WDL
from arena.table.game import GOOD_ENDS, Game
from arena.table.match import Side, play_match
from arena.table.referee import NO_LIMITS, play_game
from arena.tournament.games import Player
from arena.tournament.numbered import derive_seed

LEARNER = "learner"  # its name in games that measure it
OPENING_PLIES = 2  # random ones, for players that always answer the same; connect 2 has no room
EXAM_SEED, GAME_SEED = 13, 17  # apart from every seed of a training file

Step = Callable[[str, int, int], None]  # what is measured, the number of the step, of how many


@dataclass(frozen=True)
class Kept:
    """On so many positions the value was kept so often."""

    kept: int = 0
    positions: int = 0

    @property
    def share(self) -> float | None:
        """As a share of all; None of none."""
        return self.kept / self.positions if self.positions else None

    @property
    def interval(self) -> tuple[float, float]:
        """Its 95 % interval (Wilson 1927)."""
        return wilson(self.kept, self.positions)

    def plus(self, keeps: bool) -> Kept:
        """One position more."""
        return Kept(self.kept + keeps, self.positions + 1)


@dataclass(frozen=True)
class Strength:
    """What was measured at one moment; None where nothing was asked for."""

    perfect: WDL | None = None
    exam: Kept | None = None
    critical: Kept | None = None
    against: Mapping[str, WDL] = field(default_factory=dict)

    @property
    def rank(self) -> tuple[float, ...]:
        """Shares to compare by, one after the other: perfect play, the ladder, the exam."""
        ladder = [score.share for score in self.against.values()]
        mean = sum(ladder) / len(ladder) if ladder else None
        perfect = None if self.perfect is None else self.perfect.share
        exam = None if self.exam is None else self.exam.share
        return tuple(share for share in (perfect, mean, exam) if share is not None)

    def __str__(self) -> str:
        """In words: "92 won, 5 drawn, 3 lost against perfect play; value kept 95.0 %"."""
        games = {"perfect play": self.perfect, **self.against}
        words = [
            f"{score.won} won, {score.drawn} drawn, {score.lost} lost against {name}"
            for name, score in games.items()
            if score is not None
        ]
        kept = {"value": self.exam, "critical value": self.critical}
        words += [f"{name} kept {percent(each.share)}" for name, each in kept.items() if each]
        return "; ".join(words)

    def scores(self) -> dict[str, tuple[float, float, float]]:
        """Every share by its name, with its interval: the curves of a training."""
        shares: dict[str, WDL | Kept | None] = {
            "perfect play": self.perfect,
            "value kept": self.exam,
            "critical value kept": self.critical,
            **{f"against {name}": score for name, score in self.against.items()},
        }
        return {
            name: (each.share, *each.interval)
            for name, each in shares.items()
            if each is not None and each.share is not None
        }


def engine_of(player: Player) -> Engine:
    """A player's engine with its options."""
    return find(player.engine).build(player.options)


class Gauge:
    """What a learner is measured by; made once, and the same for every moment of a training."""

    def __init__(self, training: Training[Any]) -> None:
        measure = training.settings.measure
        self.rules = training.rules
        self.games: int = measure.games
        self.plies = OPENING_PLIES if self.rules.connect > OPENING_PLIES else 0
        self.from_start: int = measure.perfect or 0
        count = MEASURED if measure.exam is None else measure.exam
        self.positions = draw_positions(self.rules, count, EXAM_SEED, at_most=measure.exam is None)
        self.partner = PerfectPartner(self.rules) if self.from_start or self.positions else None
        self.ladder = [(player, engine_of(player)) for player in training.against]
        self.questions: list[ExamQuestion] = []

    @property
    def steps(self) -> int:
        """Games and questions of one measurement."""
        return self.from_start + len(self.positions) + len(self.ladder) * self.games

    def warm_up(self, report: Report | None = None) -> None:
        """Make all partners ready; one that does not play on this board complains."""
        partners = [(player.name, engine) for player, engine in self.ladder]
        partners += [("perfect play", self.partner)] if self.partner is not None else []
        warm_up(partners, self.rules, report)

    def solve(self, step: Step) -> None:
        """Find the exact scores of the exam, if that is not done."""
        if self.partner is None:
            return
        missing = self.positions[len(self.questions) :]
        for question in solve_positions(missing, self.partner.solver):
            self.questions.append(question)
            step("solving the exam", len(self.questions), len(self.positions))

    def measure(self, player: Engine, step: Step, series: int = 0) -> Strength:
        """All of it, told step by step; another series of games has other seeds and openings."""
        self.solve(step)
        counter = _Counter(step, self.steps)
        seed = derive_seed(GAME_SEED, series)
        perfect = self._against_perfect_play(player, seed, counter) if self.from_start else None
        exam, critical = self._examine(player, counter) if self.questions else (None, None)
        against = {
            rung.name: self._match(player, rung, engine, derive_seed(seed, rung.name), counter)
            for rung, engine in self.ladder
        }
        return Strength(perfect, exam, critical, against)

    def _against_perfect_play(self, player: Engine, seed: int, counter: _Counter) -> WDL:
        assert self.partner is not None
        pair = player, self.partner
        score = WDL()
        for number in range(self.from_start):
            game = play_game(pair, self.rules, NO_LIMITS, derive_seed(seed, number))
            score = _counted(score, game, 0)
            counter.one("against perfect play")
        return score

    def _examine(self, player: Engine, counter: _Counter) -> tuple[Kept, Kept]:
        every, critical = Kept(), Kept()
        for number, question in enumerate(self.questions):
            player.begin(self.rules, derive_seed(EXAM_SEED, "exam", number))
            column = read_column(player.ask(question.position, NO_LIMITS))
            keeps = question.verdict(column).keeps_value
            every = every.plus(keeps)
            critical = critical.plus(keeps) if question.is_critical else critical
            counter.one("in the exam")
        return every, critical

    def _match(
        self, player: Engine, rung: Player, engine: Engine, seed: int, counter: _Counter
    ) -> WDL:
        sides = Side(LEARNER, player), Side(rung.name, engine, rung.limits)
        score = WDL()
        try:
            for game in play_match(sides, self.rules, self.games, seed, self.plies):
                score = _counted(score, game, seat=game.first)  # the learner is side 0
                counter.one(f"against {rung.name}")
        except SystemExit as error:
            words = sentence(error, engine)
            raise EngineFailure(f"engine {rung.name} ended the process: {words}") from error
        return score


@dataclass
class _Counter:
    """Counts the games and questions of one measurement."""

    step: Step
    of: int
    done: int = 0

    def one(self, what: str) -> None:
        """One more is done."""
        self.done += 1
        self.step(what, self.done, self.of)


def _counted(score: WDL, game: Game, seat: int) -> WDL:
    """One game more, of whoever sat in this seat; the learner's own fault is nobody's score."""
    result = game.result if seat == 0 else -game.result
    if game.reason not in GOOD_ENDS and result < 0:
        raise EngineFailure(f"the learner lost a game by a fault: {game.detail}")
    return score.plus(result)
