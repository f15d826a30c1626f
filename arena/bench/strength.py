"""The exact strength of engines: an exam, and games against perfect play.

A seed fixes both; with node budgets, it fixes every figure except the times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from arena.bots.find import build_engine, load_all
from arena.engine.contract import Engine, Limits, read_column
from arena.engine.errors import sentence
from arena.engine.registry import preset_of
from arena.engine.timing import on_this_host
from arena.engine.warm_up import warm_up
from arena.errors import ArenaError, BadOption, BadRules, EngineFailure
from arena.game.rules import Rules
from arena.judge.exam import ExamQuestion
from arena.judge.judge import PHASES
from arena.show.progress import Progress
from arena.standings.accuracy import Tally
from arena.standings.evidence import Estimate
from arena.standings.games import WDL, Games
from arena.table.game import GOOD_ENDS, Game
from arena.table.referee import NO_LIMITS, play_game
from arena.tournament.numbered import derive_seed
from arena.tournament.openings import Balanced, Opening, Scores

PERFECT = "perfect"
GROUPS = ("all", "critical", *PHASES)
MAX_WIDTH = 0.10  # of the 95 % interval of a printed score
BUDGETS = tuple(Limits(nodes=nodes) for nodes in (100, 1000, 10_000))


@dataclass(slots=True)
class Score:
    """Results against perfect play, and the number of games that ended by a fault."""

    played: Games = field(default_factory=lambda: Games(("engine", "perfect play")))
    faults: int = 0

    def add(self, game: Game, seat: int) -> None:
        """Add a game, for the player in this seat."""
        self.played.append(seat, 1 - seat, game.result, game.opening, moves=game.moves)
        self.faults += game.reason not in GOOD_ENDS

    @property
    def wdl(self) -> WDL:
        """The games of the engine."""
        return self.played.scores[0]

    @property
    def estimate(self) -> Estimate | None:
        """The engine's score; both seats of an opening, and copies of a game, belong together."""
        return self.played.score(0)

    @property
    def is_precise(self) -> bool:
        """True if there are enough games for an interval of under 10 points."""
        if self.estimate is None:
            return False
        low, high = self.estimate.interval()
        return high - low < MAX_WIDTH


@dataclass(slots=True)
class Strength:
    """The figures of one engine with one budget; None if budgets make no difference."""

    engine: str
    budget: Limits | None
    counts: dict[str, Tally]
    seconds: float  # the mean time of an answer
    longest: float
    from_start: Score = field(default_factory=Score)  # moving first on the empty board
    from_draws: Score = field(default_factory=Score)  # from both sides of balanced openings


@dataclass(frozen=True, slots=True)
class Skipped:
    """An engine that does not play on this board, or fails, with the reason."""

    engine: str
    why: str


@dataclass(frozen=True)
class Bench:
    """The questions and games that every engine gets."""

    rules: Rules
    questions: Sequence[ExamQuestion]
    openings: Sequence[Opening]  # balanced ones, each played from both sides
    games: int  # from the empty board
    seed: int

    @property
    def games_in_all(self) -> int:
        """Number of games of each engine with each budget."""
        return self.games + 2 * len(self.openings)

    def steps(self, engines: int, budgets: int) -> int:
        """Largest possible number of answers and games."""
        return engines * budgets * (len(self.questions) + self.games_in_all)

    def measure(
        self, engines: Sequence[str], budgets: Sequence[Limits], progress: Progress
    ) -> Iterator[Strength | Skipped]:
        """Measure every engine with every budget; once if budgets make no difference."""
        for number, words in enumerate(engines, start=1):
            try:
                yield from self._measure(words, budgets, progress)
            except (BadRules, EngineFailure) as error:
                yield Skipped(words, str(error))
            progress.at(self.steps(number, len(budgets)), words)

    def _measure(
        self, words: str, budgets: Sequence[Limits], progress: Progress
    ) -> Iterator[Strength]:
        engine, partner = build_engine(words), build_engine(PERFECT)
        warm_up([(words, engine), (PERFECT, partner)], self.rules)
        rows: list[Strength] = []
        before: list[tuple[int, int | None]] | None = None
        for budget in budgets:
            row, answers = self.examine(words, engine, budget, progress)
            if answers == before:  # larger budgets change nothing; perhaps no budget does
                rows[0].budget = None if len(rows) == 1 else rows[0].budget
                break
            rows.append(row)
            before = answers
        for row in rows:
            self.play(row, engine, partner, row.budget or budgets[0], progress)
            yield row

    def examine(
        self, words: str, engine: Engine, budget: Limits, progress: Progress
    ) -> tuple[Strength, list[tuple[int, int | None]]]:
        """Ask all questions, each as a new game."""
        counts = {group: Tally() for group in GROUPS}
        answers: list[tuple[int, int | None]] = []
        times: list[float] = []
        given = on_this_host(budget)
        for number, question in enumerate(self.questions):
            engine.begin(self.rules, derive_seed(self.seed, "exam", number))
            begin = perf_counter()
            try:
                choice = engine.ask(question.position, given)
                times.append(perf_counter() - begin)
                question.position.play(read_column(choice))  # raises if it is illegal
            except (Exception, SystemExit) as error:
                raise EngineFailure(f"engine {words}: {sentence(error, engine)}") from error
            verdict = question.verdict(read_column(choice))
            answers.append((verdict.column, choice.nodes))
            for group in ("all", verdict.phase, *(["critical"] if verdict.critical else [])):
                counts[group].add(verdict)
            progress.at(progress.done + 1, f"asking {words}")
        mean = sum(times) / len(times)
        return Strength(words, budget, counts, mean, max(times)), answers

    def play(
        self, row: Strength, engine: Engine, partner: Engine, budget: Limits, progress: Progress
    ) -> None:
        """Play against perfect play: first on the empty board, then from balanced openings."""
        for number in range(self.games):
            game = self._game((engine, partner), (budget, NO_LIMITS), (), number)
            row.from_start.add(game, 0)
            progress.at(progress.done + 1, f"playing {row.engine}")
        for number, opening in enumerate(self.openings):
            for seat in (0, 1):
                pair = (engine, partner) if seat == 0 else (partner, engine)
                limits = (budget, NO_LIMITS) if seat == 0 else (NO_LIMITS, budget)
                game = self._game(pair, limits, opening, self.games + number)
                row.from_draws.add(game, seat)
                progress.at(progress.done + 1, f"playing {row.engine}")

    def _game(
        self,
        engines: tuple[Engine, Engine],
        limits: tuple[Limits, Limits],
        opening: Opening,
        number: int,
    ) -> Game:
        return play_game(engines, self.rules, limits, derive_seed(self.seed, number), opening)


def every_engine() -> list[str]:
    """All installed engines, except presets of other engines."""
    entries = load_all().items()
    return [
        name
        for name, entry in entries
        if not isinstance(entry, ArenaError) and preset_of(entry.engine) is None
    ]


def balanced(rules: Rules, count: int, seed: int) -> Iterator[Opening]:
    """Openings that are draws with best play; fewer, even none, if the board has fewer."""
    try:
        openings = Balanced(rules, rules.cells // 5, Scores(0, 0), seed)
        for k in range(count):
            openings.find(k + 1)
            if openings.solved <= k:
                return
            yield openings.opening(k)
    except BadOption:  # no such position is a draw
        return
