"""The part of the contract that concerns limits: of time, depth, nodes and playouts."""

from __future__ import annotations

from collections.abc import Iterator

from arena.engine.contract import Choice, Engine, Limits
from arena.engine.limits import latest
from arena.game.position import Position
from arena.table.subject import Broken, Subject, place, sample_positions

SECONDS, CLOCK = 0.05, 0.5
COUNT, SPARE = 1000, 100  # a limit of nodes or playouts, and by how much it may be passed


def keeps_time(subject: Subject) -> str:
    """A time limit is kept, on the first call too; a busy machine gets two more chances."""
    longest, asked = 0.0, 0
    for engine, position in _samples(subject, 5):
        for _ in range(3):
            answer = subject.ask(engine, position, Limits(seconds=SECONDS))
            if not answer.late or answer.cpu > latest(SECONDS):  # or at work all the time
                break
        if answer.late:
            raise Broken(f"it {answer.late}, {place(position)}")
        longest = max(longest, answer.seconds)
        asked += 1
    return f"{asked} moves of {SECONDS:g} s, the longest {longest:.3f} s"


def keeps_cpu(subject: Subject) -> str:
    """A limit by processor time is kept; how busy the machine is does not matter."""
    longest = 0.0
    for engine, position in _samples(subject, 3):
        answer = subject.ask(engine, position, Limits(cpu=SECONDS))
        if answer.late:
            raise Broken(f"it {answer.late}, {place(position)}")
        longest = max(longest, answer.cpu)
    return f"at most {longest:.3f} s of {SECONDS:g} s"


def keeps_clock(subject: Subject) -> str:
    """A whole game on a clock without increment ends before the clock does."""
    rules = subject.boards[0]
    engines = subject.fresh(rules), subject.fresh(rules)
    record = subject.play(engines, rules, Limits(clock=CLOCK), seed=1)
    used = sum(move.seconds for move in record.moves_of(0))
    return f"a game of {record.plies} plies, {used:.2f} s of {CLOCK:g} s used"


def keeps_depth(subject: Subject) -> str:
    """Reports no deeper search than it was allowed."""
    depths: list[int] = []
    for plies in (2, 4):
        for choice in _choices(subject, Limits(depth=plies, nodes=20_000, playouts=500)):
            if choice.depth is not None and choice.depth > plies:
                raise Broken(f"it looked {choice.depth} plies deep where {plies} were allowed")
            depths += [] if choice.depth is None else [choice.depth]
    return f"depths from {min(depths)} to {max(depths)}" if depths else "it reports none"


def keeps_nodes(subject: Subject) -> str:
    """Reports no more nodes than it was allowed."""
    return _within([choice.nodes for choice in _choices(subject, Limits(nodes=COUNT))], "nodes")


def keeps_playouts(subject: Subject) -> str:
    """Plays no more games than allowed; asked only of an engine whose counts follow this limit."""
    few = [choice.nodes for choice in _choices(subject, Limits(playouts=COUNT // 10, depth=4))]
    many = [choice.nodes for choice in _choices(subject, Limits(playouts=COUNT, depth=4))]
    if few == many:
        return "it plays none, or does not count them"
    return _within(many, "playouts")


def _within(counts: list[int | None], what: str) -> str:
    most = max((count for count in counts if count is not None), default=None)
    if most is None:
        return "it reports none"
    if most > COUNT + SPARE:
        raise Broken(f"it used {most} {what} where {COUNT} were allowed")
    return f"at most {most} of {COUNT}"


def _samples(subject: Subject, count: int) -> Iterator[tuple[Engine, Position]]:
    """Some positions of each board, with a fresh engine for each board."""
    for rules in subject.boards:
        engine = subject.fresh(rules)
        for position in sample_positions(rules)[:count]:
            yield engine, position


def _choices(subject: Subject, limits: Limits) -> Iterator[Choice]:
    """Answers in some positions, each in a new game."""
    for engine, position in _samples(subject, 4):
        subject.begin(engine, position.rules)
        yield subject.ask(engine, position, limits).choice
