"""How often do intervals hold the truth, and verdicts claim what is false?

`python -m tests.benchmarks.coverage [--seed 1] [--runs 1.0]` simulates tournaments with a known
truth and asks the functions of `arena.standings` that reports, `match`, `compare` and the dashboard
ask. It prints one table, and fails if a 95 % interval holds the truth less than 93 times of 100, or
a claim is false more than 6 times. Rows with a reason beside them are known exceptions, which are
stated where such figures are shown.

With few clusters intervals are conservative: nothing is certain because it has never varied.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import inf, sqrt
from multiprocessing import Pool
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray
from scipy.stats import multinomial

from arena.session.stop import StopRules
from arena.standings.accuracy import Tally
from arena.standings.endings import area, area_interval
from arena.standings.evidence import (
    Estimate,
    Interval,
    estimate,
    expected_score,
    of_outcomes,
)
from arena.standings.games import Games
from arena.standings.measures import Measured
from arena.standings.question import answer
from arena.standings.ranking import by_strength, rating_changes, significant_pairs
from arena.standings.rating import rate, rate_games
from arena.standings.sprt import after_stop, llr, sprt_state
from arena.standings.verdicts import compare, rule
from arena.tournament.claims import Bound, Question
from arena.tournament.sprt import Sprt
from tests.support.figures import expectation_of, figure_of, published_of

Numbers = NDArray[np.float64]
LEAST_COVER, MOST_FALSE = 93.0, 6.0  # of 100
NOISE = 3.0  # standard errors of a simulated share that are forgiven
SCORES = np.linspace(0, 1, 5)  # of a pair of games


@dataclass(frozen=True)
class Row:
    """A line of the table: what was simulated, and how often intervals and claims were right."""

    view: str
    case: str
    runs: int  # 0: computed exactly
    cover: float | None = None  # in 100 intervals
    false: float | None = None  # in 100 claims that might have been made
    reason: str = ""  # why it may be worse than it should

    @property
    def is_right(self) -> bool:
        """Whether it is as good as it should be, but for the luck of the simulation."""
        noise = NOISE * 100 * sqrt(0.05 * 0.95 / self.runs) if self.runs else 1e-6
        covers = self.cover is None or self.cover >= LEAST_COVER - noise * (self.runs > 0)
        return covers and (self.false is None or self.false <= MOST_FALSE + noise)

    def __str__(self) -> str:
        cover, false = (
            "-" if value is None else f"{value:.1f}" for value in (self.cover, self.false)
        )
        runs = f"{self.runs:,}" if self.runs else "exact"
        note = self.reason or ("" if self.is_right else "WRONG")
        return f"{self.view:10} {self.case:60} {runs:>7} {cover:>6} {false:>6}  {note}".rstrip()


def percent(hits: Iterable[bool]) -> float:
    """How many of 100 are so."""
    return 100 * float(np.mean(list(hits)))


def holds(found: Estimate | Measured | None, truth: float) -> bool:
    """Whether a 95 % interval holds the truth; no interval says nothing false."""
    ends = None if found is None else found.interval()
    return ends is None or ends.low - 1e-9 <= truth <= ends.high + 1e-9


# -- scores and verdicts: pairs of games, each of an opening of its own ----------------------------


def pair(mean: float, draws: float, correlation: float) -> Numbers:
    """Chances of pair scores; the engine decides both games (correlation > 0), or the seat."""
    game = np.array([1 - mean - draws / 2, draws, mean - draws / 2])
    tied = np.array([game[0], 0, game[1], 0, game[2]]) if correlation > 0 else np.eye(5)[2]
    part = abs(correlation)
    chances = np.maximum((1 - part) * np.convolve(game, game) + part * tied, 0)
    return np.asarray(chances / chances.sum())


def suited(often: float) -> Numbers:
    """Openings that suit one engine much and rarely, the other a little and twice as often."""
    return np.array([0, 2 * often, 1 - 3 * often, 0, often])


EQUAL = [pair(0.5, d, r) for d in (0, 0.2, 0.4, 0.6) for r in (-0.9, -0.5, 0, 0.5, 0.9)]
EQUAL += [suited(often) for often in (0.02, 0.1, 0.2, 1 / 3)]
UNEQUAL = [
    pair(mean, draws, correlation)
    for mean in (0.65, 0.8, 0.95) for draws in (0, 0.2, 0.4) if draws < 2 - 2 * mean + 1e-9
    for correlation in (-0.5, 0, 0.5, 0.9)
]  # fmt: skip


@cache
def score_of(counts: tuple[int, ...]) -> tuple[Interval, bool]:
    """The interval of a score, and whether it says that one is stronger."""
    score = of_outcomes(counts)
    assert score is not None
    return score.interval(), score.as_elo().is_significant


def shares(seed: int, runs: float) -> Iterator[Row]:
    """Every count that up to 15 openings can lead to, samples of more."""
    rng = np.random.default_rng(seed)
    for openings in (2, 3, 4, 5, 6, 8, 10, 15, 25, 50, 100, 500):
        exact = openings <= 15
        size = 0 if exact else int(8000 * runs)
        cover, false = [], []
        for chances in (*EQUAL, *UNEQUAL):
            truth = float(chances @ SCORES)
            if exact:
                counts = all_counts(openings)
                weights = multinomial.pmf(counts, openings, chances)
            else:
                counts = rng.multinomial(openings, chances, size)
                weights = np.full(size, 1 / size)
            told = [score_of(tuple(row)) for row in counts.tolist()]
            inside = [low - 1e-9 <= truth <= high + 1e-9 for (low, high), _ in told]
            cover.append(100 * float(weights @ inside))
            if abs(truth - 0.5) < 1e-9:
                false.append(100 * float(weights @ [claim for _, claim in told]))
        case = f"{2 * openings} games, {openings} openings, worst of {len(cover)} kinds"
        yield Row("score", case, size, min(cover), max(false))
        score_of.cache_clear()


@cache
def all_counts(openings: int) -> NDArray[np.int64]:
    """All ways in which so many pairs of games can end."""
    ends = combinations_with_replacement(range(5), openings)
    return np.array([np.bincount(each, minlength=5) for each in ends])


# -- whole games: copies, laps, openings that suit engines -----------------------------------------


def chance(x: Numbers | float) -> Numbers:
    """The expected score of somebody so much ahead, in natural units."""
    return np.asarray(1 / (1 + np.exp(-np.asarray(x, float))))


@dataclass(frozen=True)
class Design:
    """How a tournament is played: by engines of these strengths, in natural units.

    An opening suits some engines (sd `suits`) and a seat (sd `seats`); `suit` has what those of a
    file are worth, which stays. Engines use chance, or play an opening alike in each lap.
    """

    strengths: tuple[float, ...]
    openings: int
    laps: int = 1
    uses_chance: bool = False
    suits: float = 1.0
    seats: float = 1.0
    pairs: tuple[tuple[int, int], ...] = ()  # who meets whom; everybody if empty
    suit: Numbers | None = None

    @property
    def met(self) -> Sequence[tuple[int, int]]:
        """All pairs that meet."""
        return self.pairs or [*combinations(range(len(self.strengths)), 2)]


def play(rng: np.random.Generator, design: Design) -> Games:
    """The games of a tournament."""
    count = len(design.strengths)
    games = Games([f"p{number}" for number in range(count)])
    suit = design.suit
    if suit is None:
        suit = design.suits * rng.standard_normal((design.openings, count))
    seat = design.seats * rng.standard_normal(design.openings)
    luck = rng.random((design.laps, design.openings, len(design.met), 2))
    for lap in range(design.laps):
        own = lap if design.uses_chance else 0
        for opening in range(design.openings):
            worth = np.asarray(design.strengths) + suit[opening]
            for place, (one, other) in enumerate(design.met):
                for turn, (first, second) in enumerate(((one, other), (other, one))):
                    score = chance(worth[first] - worth[second] + seat[opening])
                    result = 1 if luck[own, opening, place, turn] < score else -1
                    moves = bytes([own, result + 1])
                    games.append(first, second, result, opening.to_bytes(2), lap, moves)
    return games


EQUALS = (0.0, 0.0)
MATCHES = {
    "10 openings, 5 equal laps": Design(EQUALS, 10, 5, suits=1.5),
    "25 openings, 4 equal laps": Design(EQUALS, 25, 4, suits=1.5),
    "50 openings, 8 equal laps": Design(EQUALS, 50, 8, suits=1.5),
    "10 openings, 5 fresh laps": Design(EQUALS, 10, 5, uses_chance=True, suits=0.0),
    "40 openings that suit a seat": Design(EQUALS, 40, suits=0.0, seats=2.0),
    "40 openings that suit an engine": Design(EQUALS, 40, suits=2.0),
    "3 openings that suit an engine": Design(EQUALS, 3, suits=1.5),
}


def copies(seed: int, runs: float) -> Iterator[Row]:
    """Two equal engines: score, question, Elo, and the sequential test on scaled counts."""
    rng, size = np.random.default_rng(seed), int(400 * runs)
    for words, design in MATCHES.items():
        cover, said, accepted = [], [], []
        for _ in range(size):
            games = play(rng, design)
            cover.append(holds(games.score(0, 1), 0.5))
            told = answer(Question(ask="?", better=("p0",), than=("p1",)), games, rate_games(games))
            said.append(told.verdict != "open")
            accepted.append(sprt_state(Sprt(elo0=0, elo1=40), games.evidence(0, 1)).verdict == "H1")
        yield Row("question", words, size, percent(cover), percent(said))
        yield Row("SPRT", f"{words}, H1 of equals", size, None, percent(accepted))
    for openings, laps in ((30, 10), (100, 4)):
        design, test = Design(EQUALS, openings, laps, suits=0.7), Sprt(elo0=0, elo1=100)
        stops = [StopRules(play(rng, design), (0, 1, test)).check() for _ in range(size // 2)]
        accepted = ["H1" in (why or "") for why in stops]
        words = f"{openings} openings, {laps} equal laps, after every pair"
        yield Row("SPRT", words, size // 2, None, percent(accepted))
    suit = np.array([[0.8, -0.8], [0.3, -0.3], [-0.5, 0.5]])
    spots, weights = np.polynomial.hermite_e.hermegauss(40)
    truth = float(np.mean(chance(2 * suit[:, :1] + spots) @ weights / weights.sum()))
    three = Design(EQUALS, 3, 20, uses_chance=True, suit=suit)
    cover = [holds(play(rng, three).score(0, 1), truth) for _ in range(size)]
    yield Row("score", "a file of 3 openings, 20 fresh laps", size, percent(cover))
    cover = [holds(play(rng, Design(2 * EQUALS, 12)).score(0), 0.5) for _ in range(size)]
    yield Row("score", "of one engine of 4, 12 openings that suit engines", size, percent(cover))


# -- ratings ---------------------------------------------------------------------------------------


def true_ratings(design: Design) -> Numbers:
    """The strengths that endless games of these engines lead to."""
    count = len(design.strengths)
    spots, weights = np.polynomial.hermite_e.hermegauss(40)
    outcomes = np.zeros((count, count, 3), np.int64)
    away = sqrt(2 * design.suits**2 + design.seats**2) * spots
    for pairing in design.met:
        for first, second in (pairing, pairing[::-1]):
            ahead = design.strengths[first] - design.strengths[second]
            mean = float(chance(ahead + away) @ weights / weights.sum())
            outcomes[first, second] = np.round(1e9 * np.array([1 - mean, 0, mean]))
    names = [f"p{number}" for number in range(count)]
    return np.array(rate(outcomes, names=names, prior=1e-6).elo, float)


SIX = (0.0,) * 6
GAUNTLET = tuple((0, other) for other in range(1, 6))
RING = ((0, 1), (0, 1), (0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (0, 5))
TOURNAMENTS = {
    "2 engines, 4 openings": Design(EQUALS, 4),
    "2 engines, 10 openings": Design(EQUALS, 10),
    "2 engines 87 Elo apart, 50 openings": Design((0.5, 0), 50),
    "6 engines, 3 openings": Design(SIX, 3),
    "6 engines, 5 openings": Design(SIX, 5),
    "6 engines, 10 openings, 5 equal laps": Design(SIX, 10, 5),
    "6 engines 87 Elo apart, 50 openings": Design((0, 0.5, 1, 1.5, 2, 2.5), 50),
    "6 engines, 30 openings that suit nobody": Design(SIX, 30, suits=0.0, seats=0.0),
    "6 engines, a gauntlet of 20 openings": Design(SIX, 20, pairs=GAUNTLET),
    "6 engines in a ring, some pairs more often": Design(SIX, 20, pairs=RING),
}


def ratings(seed: int, runs: float) -> Iterator[Row]:
    """Differences of ratings, their bars, and the pairs that are called different (Holm)."""
    rng = np.random.default_rng(seed)
    for words, design in TOURNAMENTS.items():
        count, truth = len(design.strengths), true_ratings(design)
        size = int(runs * (500 if count == 2 else 150))
        cover, bars, claims = [], [], []
        for _ in range(size):
            rated = rate_games(play(rng, design))
            bars += [holds(rated.rating(one), float(truth[one])) for one in range(count)]
            for one, other in combinations(range(count), 2):
                apart = float(truth[one] - truth[other])
                cover.append(holds(rated.difference(one, other), apart))
            claims.append(significant_pairs(rated, by_strength(rated))[0] > 0)
        false = None if any(design.strengths) else percent(claims)
        yield Row("ratings", f"{words}: differences", size, percent(cover), false)
        yield Row("ratings", f"{words}: bars", size, percent(bars))


def picks(seed: int, runs: float) -> Iterator[Row]:
    """Questions about the best of several, players who never met, and changes of ratings."""
    rng, size = np.random.default_rng(seed), int(400 * runs)
    said, through, moved = [], [], []
    for _ in range(size):
        games = play(rng, Design(2 * EQUALS, 12))
        told = answer(
            Question(ask="?", better=("p0", "p1", "p2"), than=("p3",)), games, rate_games(games)
        )
        said.append(told.verdict != "open")
        games = play(rng, Design((0, 0, 0), 8, pairs=((0, 1), (1, 2))))
        told = answer(Question(ask="?", better=("p0",), than=("p2",)), games, rate_games(games))
        through.append(told.verdict != "open")
        before, after = (play(rng, Design((0, 0.5, 1), 10)) for _ in range(2))
        ends = [each.change.interval(1 - 0.05 / 3) for each in rating_changes(before, after)]
        moved.append(any(low > 0 or high < 0 for low, high in ends))
    yield Row("question", "the best of 3 against 1, equals", size, None, percent(said))
    yield Row("question", "two equals that never met, 8 openings", size, None, percent(through))
    yield Row("compare", "two journals of the same engines", size, None, percent(moved))


# -- means, times, accuracy, evaluations -----------------------------------------------------------


def means(seed: int, runs: float) -> Iterator[Row]:
    """Lengths, times, and mistakes a game, between clusters of two games."""
    rng, size = np.random.default_rng(seed), int(2000 * runs)
    kinds: dict[str, tuple[str, Callable[[int], Numbers]]] = {
        "length, sd 25 %": ("", lambda n: np.maximum(1 + 0.25 * rng.standard_normal(n), 0.05)),
        "nodes, lognormal 0.5": ("", lambda n: np.exp(0.5 * rng.standard_normal(n) - 0.125)),
        "time, lognormal 1": (
            "heavy tails: read the median",
            lambda n: np.exp(rng.standard_normal(n) - 0.5),
        ),
        "blunders, 1 a game": ("", lambda n: rng.poisson(1.0, n).astype(float)),
    }
    for name, (reason, draw) in kinds.items():
        for clusters in (3, 10, 50, 200):
            cover = [
                holds(estimate(np.arange(clusters), np.ones(clusters), draw(clusters), "mean"), 1.0)
                for _ in range(size)
            ]
            yield Row("mean", f"{name}, {clusters} clusters", size, percent(cover), None, reason)
    for clusters in (3, 10, 50):
        for rate_ in (0.1, 0.3):
            cover = [
                holds(
                    estimate(
                        np.arange(clusters),
                        np.ones(clusters),
                        rng.poisson(rate_, clusters).astype(float),
                        "mean",
                    ),
                    rate_,
                )
                for _ in range(size)
            ]
            yield Row(
                "mean", f"blunders, {rate_} a game, {clusters} clusters", size, percent(cover)
            )
            cover = []
            for _ in range(size):
                moves = rng.integers(8, 20, clusters)
                tally = Tally()
                for label, own in enumerate(moves):
                    loss = int((rng.random() < rate_) * rng.integers(2, 21))
                    tally.add_game(label, [int(own), int(own), int(own), loss, 0, 0])
                cover.append(holds(tally.mean_loss, rate_ * 11 / 13.5))
            yield Row(
                "mean", f"score lost, {rate_} games, {clusters} clusters", size, percent(cover)
            )


def accuracies(seed: int, runs: float) -> Iterator[Row]:
    """Shares of moves that keep the value, where the moves of a game are correlated."""
    rng, size = np.random.default_rng(seed), int(600 * runs)
    for truth, alike in ((0.9, 10.0), (0.99, 10.0), (0.8, 1.0), (0.97, 1.0)):
        for games in (3, 10, 50, 200):
            cover = []
            for _ in range(size):
                tally = Tally()
                skill = rng.beta(alike * truth, alike * (1 - truth), games)
                moves = rng.integers(4, 21, games)
                for label, (own, kept) in enumerate(
                    zip(moves, rng.binomial(moves, skill), strict=True)
                ):
                    tally.add_game(label, [int(own), int(kept), int(kept), 0, 0, 0])
                cover.append(holds(tally.kept_value, truth))
            words = f"{truth:.0%} of moves, intraclass {1 / (1 + alike):.2f}, {games} games"
            yield Row("accuracy", words, size, percent(cover))


def areas(seed: int, runs: float) -> Iterator[Row]:
    """How well evaluations tell won games from lost ones."""
    rng, size = np.random.default_rng(seed), int(1500 * runs)
    for auc, apart in ((0.5, 0.0), (0.76, 1.0), (0.92, 2.0)):
        for games in (10, 40):
            cover = []
            for _ in range(size):
                won, lost = apart + rng.standard_normal(games), rng.standard_normal(games)
                found = area(won, lost)
                assert found is not None
                low, high = area_interval(found, games, games)
                cover.append(low <= NormalDist().cdf(apart / sqrt(2)) <= high)
            yield Row("AUC", f"{auc:.2f}, {games} won and {games} lost games", size, percent(cover))


# -- expectations and published figures ------------------------------------------------------------

SCORE = figure_of("score", "a", ("b",))


def expectations(seed: int, runs: float) -> Iterator[Row]:
    """Verdicts where the truth lies exactly at the bound: each of them is false then."""
    rng, size = np.random.default_rng(seed), int(3000 * runs)
    for truth in (0.5, 0.8):
        chances = pair(truth, 0.2, 0.3)
        for openings in (4, 10, 40):
            ruled, agreed = [], []
            for counts in rng.multinomial(openings, chances, size).tolist():
                score = of_outcomes(counts)
                assert score is not None
                measured = Measured(SCORE, score.value, 2 * openings, score)
                expectation = expectation_of(SCORE, Bound(at_least=truth), 0.95)
                ruled.append(rule(expectation, {SCORE: measured}).verdict != "not decided")
                shown = published_of(SCORE, "x", truth - 0.15, 10_000, within=0.15)
                agreed.append(compare(shown, {SCORE: measured}).agreement != "inconclusive")
            yield Row(
                "expect", f"score of {truth}, {openings} openings", size, None, percent(ruled)
            )
            yield Row("published", f"score of {truth}, {openings} openings", size, None,
                      percent(agreed))  # fmt: skip


# -- sequential tests ------------------------------------------------------------------------------


def stopped_counts(
    rng: np.random.Generator, chances: Numbers, test: Sprt, most: int = 40_000
) -> list[int]:
    """The outcomes with which a test stops, looked at after every pair.

    The ratio is asked for wherever a quick approximation of it says that it may be far enough.
    """
    counts, lower, upper = np.zeros(5), *test.bounds
    zero, one = expected_score(test.elo0), expected_score(test.elo1)
    while counts.sum() < most:
        drawn = np.minimum(np.searchsorted(np.cumsum(chances), rng.random(1000)), 4)
        seen = counts + np.eye(5)[drawn].cumsum(axis=0)
        total = seen.sum(axis=1)
        mean = seen @ SCORES / total
        spread = seen @ SCORES**2 / total - mean**2 + 1e-9
        about = total / 2 * np.log((spread + (mean - zero) ** 2) / (spread + (mean - one) ** 2))
        slack = 0.85
        at = 0
        while at < len(seen):
            far = (about[at:] >= slack * upper) | (about[at:] <= slack * lower) | (total[at:] < 12)
            if not far.any():
                break
            at += int(far.argmax())
            ratio = llr(seen[at].tolist(), test.elo0, test.elo1)
            if not lower < ratio < upper:
                return [int(count) for count in seen[at]]
            if total[at] > 12 and ratio * about[at] > 0:
                slack = min(0.97 * abs(about[at] / ratio), 1.2)  # how the two differ changes slowly
            at += 1
        counts = seen[-1]
    return [int(count) for count in counts]


def stopped(seed: int, runs: float, elo1: int = 20) -> Iterator[Row]:
    """Elo after a test has stopped, where a seat decides none of the pairs, or a third of them."""
    rng, size, test = np.random.default_rng(seed + elo1), int(100 * runs), Sprt(elo0=0, elo1=elo1)
    for elo in sorted({-50, 0, elo1 // 2, elo1, 150, 250}):
        cover, below, wrong = [], [], []
        for number in range(2 * size):
            seat = 0.35 * (number % 2)
            score = (expected_score(elo) - seat / 2) / (1 - seat)
            chances = (1 - seat) * pair(score, min(0.2, 1.8 - 1.8 * score), 0) + seat * np.eye(5)[2]
            found = after_stop(stopped_counts(rng, chances, test), test)
            if found is None:
                continue
            worse = found.worse(elo)
            cover.append(0.025 <= worse <= 0.975)
            below.append(worse < 0.5)
            wrong.append(found.los > 0.975 if elo <= 0 else found.los < 0.025)
            assert number >= 10 or max(map(abs, found.interval())) < inf
        words = f"bounds 0, {elo1}; true {elo:+} Elo, {percent(below):.0f} % below it"
        yield Row("stopped", words, len(cover), percent(cover), percent(wrong))


JOBS: tuple[tuple[Callable[..., Iterator[Row]], tuple[int, ...]], ...] = (
    (ratings, ()), (stopped, (20,)), (stopped, (40,)), (stopped, (100,)), (stopped, (200,)),
    (shares, ()), (copies, ()), (picks, ()), (means, ()), (accuracies, ()), (areas, ()),
    (expectations, ()),
)  # fmt: skip


def work(job: tuple[int, int, float]) -> list[Row]:
    """One part of the table."""
    number, seed, runs = job
    part, more = JOBS[number]
    return list(part(seed + 1000 * number, runs, *more))


def main() -> int:
    """Print the table; 1 if something is not as good as it should be."""
    parser = argparse.ArgumentParser(description="Coverage of intervals and verdicts.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=float, default=1.0, help="times as many simulations")
    given = parser.parse_args()
    print(f"{'view':10} {'case':60} {'runs':>7} {'cover':>6} {'false':>6}")
    rows: list[Row] = []
    with Pool(2) as pool:
        for part in pool.imap(work, [(n, given.seed, given.runs) for n in range(len(JOBS))], 1):
            rows += part
            for row in part:
                print(row, flush=True)
    wrong = [row for row in rows if not row.is_right and not row.reason]
    print(f"{len(rows)} rows, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
