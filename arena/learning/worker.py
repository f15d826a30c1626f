"""What one thread of a training works with, and a training file's numbers as kernels read them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena.engine.timing import NEVER
from arena.game.bits import meter_fields, new_record
from arena.game.position import Position
from arena.game.rules import Rules
from arena.learning.parts import Schedule
from arena.learning.self_play import LAWS, PLAN, Plan
from arena.learning.spec import NTupleFile
from arena.learning.update import RATES, STEP, TRACE, Step, Trace
from arena.network.value import MOVES, Moves
from arena.solver.flat.search import Solver


class Worker:
    """What one thread needs to play and learn: a step, a trace, a list of moves, a teacher."""

    def __init__(self, step: Step, solver: Solver | None, settings: NTupleFile) -> None:
        self.step = step
        self.trace: Trace = new_record(TRACE)
        self.moves: Moves = new_record(MOVES)
        self.trace.spread, self.moves.threats = settings.spread, settings.threats
        self.solver = solver


def trace_end(trace: Trace, rules: Rules) -> tuple[Position, Position]:
    """The last position of a game before it was over, and the finished one."""
    own, opp = int(trace.own[0]), int(trace.opp[0])
    even = (own | opp).bit_count() % 2 == 0
    position = Position(rules, *((own, opp) if even else (opp, own)))
    for ply in range(1, trace.plies):
        disc = int(trace.opp[ply]) ^ int(trace.own[ply - 1])
        position = position.play((disc.bit_length() - 1) // rules.height)
    is_won = trace.promise[trace.plies - 1] == 1.0
    last = next(c for c in position.legal if position.wins_with(c) == is_won)
    return position, position.play(last)


def plan_of(settings: NTupleFile) -> Plan:
    """How games are played, by which seed."""
    plan = new_record(PLAN)
    plan.seed, plan.random_plies = settings.seed, settings.random_plies
    plan.teacher_from = settings.teacher_from or 0
    _fill(plan.epsilon, settings.epsilon)
    _fill(plan.alpha, settings.step)
    return plan


def _fill(record: np.record, schedule: Schedule) -> None:
    """A schedule as kernels read it."""
    record.start, record.law = schedule.start, LAWS[schedule.shape]
    if schedule.to is not None:
        record.end, record.over = schedule.to, schedule.over or 0


def step_of(settings: NTupleFile, coherence: NDArray[np.float32]) -> Step:
    """How a position is learned, with the table of what temporal coherence knows."""
    step = new_record(STEP)
    step.decay, step.gamma = settings.lambda_, settings.gamma
    if settings.tcl:
        step.coherence = coherence.ctypes.data
        step.rate[:] = np.exp(settings.beta * (np.arange(RATES + 1) / RATES - 1.0))
    return step


def teachers(settings: NTupleFile, rules: Rules) -> list[Solver | None]:
    """A teacher for each worker, if there is one; all of them share what they remember."""
    if settings.teacher == "none":
        return [None] * settings.workers
    first = Solver(rules)
    solvers = [first, *(first.partner() for _ in range(settings.workers - 1))]
    for solver in solvers:
        solver.field.meter = meter_fields(None, NEVER)
    return list(solvers)
