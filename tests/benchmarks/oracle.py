"""How like the real one the oracle plays: `python -m tests.benchmarks.oracle [GAMES]`.

Rules for FourPlay's opponent "Connect 3D" are held against the games that were recorded against it:
the share of its moves, the fixed opening left out, that a rule plays itself; and the experiments of
FourPlay, with so many games each instead of theirs. A rule that slips is asked without its slips
for the first and plays with them in the second. Two rows run side by side.

The agent of experiment 4 is there in three readings. By the report its weights were 2 and 2, but of
its 1,848 recorded moves only 83.8 % are best by them. They are no exploration, as none of them lost
at once: by the weights 2 and 5 all of them are best.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from statistics import mean
from typing import Any, NamedTuple

from multiprocess.pool import Pool

from arena import SCORE4, Limits
from arena.engine.registry import find
from arena.engines.alphabeta import AlphaBeta
from arena.engines.greedy import Greedy
from arena.engines.oracle import FITTED_CHAINS, RUNGS, TWO_PLIES, LowestFirst, Oracle, Rung
from arena.engines.reflex import Reflex
from arena.show.numbers import percent
from arena.show.progress import counted
from arena.show.table import Cell, Column, Table
from arena.show.terminal import console
from arena.standings.evidence import wilson
from arena.table.referee import play_game
from tests.fourplay import GAMES, decisions_of_oracle
from tests.support.data import data_path

USUAL_GAMES = 400
THREES = {"own": {3: 11.5}, "other": {2: -4, 3: -57.7}}

RULES: Mapping[str, Rung] = {
    "one ply of threes (hard before)": Rung(Greedy, {"evaluation": THREES}),
    "reflex (medium before)": Rung(Reflex, {}),
    "one ply of runs, as FourPlay": Rung(Greedy, {"evaluation": "fourplay-td"}),
    "two plies of open lines": Rung(AlphaBeta, {"evaluation": "counts", "depth": 2}),
    "two plies of chains, left first": Rung(
        AlphaBeta, {"evaluation": FITTED_CHAINS, "depth": 2, "ordering": "left"}
    ),
    "two plies of chains, lowest first": Rung(LowestFirst, TWO_PLIES),
    "hard": RUNGS["hard"],
    "medium": RUNGS["medium"],
}


class Experiment(NamedTuple):
    """An agent in the second seat, and what was recorded: its wins of games, plies of all."""

    agent: str
    options: Mapping[str, Any]
    won: int
    of: int
    plies: float


EXPERIMENTS: Mapping[str, Experiment] = {
    "1 random": Experiment("random", {}, 0, 50, 8.0),
    "2 reflex": Experiment("reflex", {}, 1, 16, 40.8),
    "3 reflex (medium)": Experiment("reflex", {}, 10, 24, 38.5),
    "4 weights 2, 2": Experiment("fourplay-1", {}, 75, 100, 37.2),
    "4 exploring": Experiment("fourplay-1", {"explore": 0.2}, 75, 100, 37.2),
    "4 weights 2, 5": Experiment(
        "fourplay-1", {"evaluation": {"runs": {2: 2, 3: 5}}}, 75, 100, 37.2
    ),
    "5 learned": Experiment("fourplay-1-td", {}, 43, 55, 39.9),
    "6 four plies": Experiment("fourplay-2-td", {}, 6, 7, 39.9),
}


class Candidate(Oracle):
    """The oracle with a rule that is no level of it."""

    def __init__(self, rule: Rung) -> None:
        self.rule = rule
        super().__init__()

    @property
    def rung(self) -> Rung:
        """The rule that is tried, on any board."""
        return self.rule


def agreement(rule: Rung, level: str) -> float:
    """The share of the recorded moves of a level that a rule plays, where it does not slip."""
    engine = Candidate(Rung(rule.thinker, {**rule.options, "explore": 0.0}))
    engine.begin(SCORE4, 1)
    decisions = decisions_of_oracle(level)
    return mean(engine.ask(at, Limits()).column == column for at, column in decisions)


def played(rule: Rung, experiment: Experiment, games: int) -> str:
    """The agent's share of wins, and the plies of the games it won, of those it lost, of all."""
    pair = Candidate(rule), find(experiment.agent).build(experiment.options)
    records = [play_game(pair, SCORE4, seed=seed) for seed in range(games)]
    lengths: dict[int, list[int]] = {-1: [], 0: [], 1: []}
    for record in records:
        lengths[record.result].append(record.plies)
    plies = lengths[-1], lengths[1], [record.plies for record in records]
    words = "/".join(f"{mean(each):.1f}" if each else "-" for each in plies)
    return f"{percent(len(lengths[-1]) / games)}, {words}"


def row(name: str, games: int) -> tuple[Cell, ...]:
    """A rule, held against records and experiments."""
    rule = RULES[name]
    figures = [played(rule, experiment, games) for experiment in EXPERIMENTS.values()]
    return name, agreement(rule, "hard"), agreement(rule, "medium"), *figures


def recorded() -> tuple[Cell, ...]:
    """What was recorded, with 95 % intervals, as the first row."""
    cells = []
    for _, _, won, of, plies in EXPERIMENTS.values():
        least, most = wilson(won, of)
        interval = f"{100 * least:.0f}-{percent(most)}"
        cells.append(f"{percent(won / of)} ({interval}), all {plies}")
    return "recorded", None, None, *cells


def main() -> None:
    """Print all rules, a table of each part."""
    if not data_path(GAMES).exists():
        print(f"the recorded games are missing: {data_path(GAMES)}", file=sys.stderr)
        return
    games = int(sys.argv[1]) if len(sys.argv) > 1 else USUAL_GAMES
    with Pool(2) as pool:
        jobs = [pool.apply_async(row, (name, games)) for name in RULES]
        rows = list(counted((job.get() for job in jobs), "playing rules", len(jobs)))
    headings = [Column(name) for name in EXPERIMENTS]
    moves = Column("moves of hard", percent), Column("of medium", percent)
    whole = Table("", (Column("rule"), *moves, *headings), (recorded(), *rows))
    shares = whole.only("Recorded moves that a rule plays", whole.headings()[:3])
    console().print(shares.screen())
    for name in EXPERIMENTS:
        title = f"Experiment {name}: the agent's wins, plies of won/lost/all games of {games}"
        console().print(whole.only(title, ["rule", name]).screen())


if __name__ == "__main__":
    main()
