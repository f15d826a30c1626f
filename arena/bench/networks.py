"""The cost of a learned network: a move of one ply, and a training game of self-play."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from time import perf_counter, process_time

from arena.bots.find import build_engine
from arena.engine.contract import Limits
from arena.game.position import Position
from arena.game.rules import Rules
from arena.learning.methods import learner_of
from arena.learning.reading import load_text
from arena.tournament.openings import RandomPlies

Work = Callable[[], tuple[float, float]]  # does some units; returns their number and the seconds

TRAINING = "method: ntuple\ngame: {board}\ntuples: {{count: 70, length: 8}}\nworkers: {workers}\n"


def one_ply(board: str, plies: int = 8, positions: int = 200) -> Work:
    """One-ply moves of the shipped network in random positions."""
    rules, engine = Rules.named(board), build_engine("ntuple")
    openings = RandomPlies(rules, plies, seed=1)
    asked = [_after(rules, openings.opening(number)) for number in range(positions)]

    def work() -> tuple[float, float]:
        engine.begin(rules, 1)
        begin = process_time()
        for position in asked:
            engine.ask(position, Limits())
        return float(len(asked)), process_time() - begin

    return work


def _after(rules: Rules, moves: tuple[int, ...]) -> Position:
    position = Position(rules)
    for column in moves:
        position = position.play(column)
    return position


def self_play(board: str, workers: int, games: int = 2000) -> Work:
    """Training games with 70 tuples of 8 cells; several threads are measured by wall time."""
    training = load_text(TRAINING.format(board=board, workers=workers))
    learner = cache(lambda: learner_of(training))  # large, so built when first needed
    clock = process_time if workers == 1 else perf_counter

    def work() -> tuple[float, float]:
        learning = learner()
        begin = clock()
        learning.play(games)
        return float(games), clock() - begin

    return work
