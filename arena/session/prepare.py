"""Before the first game: what the journal and the workers need, and warnings and refusals."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TypeVar

from arena.bots.hosted import MEMORY, Terms
from arena.engine.contract import Limits
from arena.engine.timing import speed_of_this_host
from arena.journal import Contestant, Header, Journal
from arena.journal.errors import JournalChanged
from arena.machine import cores_in_use, environment, usable_cores
from arena.session.stop import EarlyVerdicts, StopRules
from arena.standings.games import Games
from arena.table.cluster import Cluster, cluster_at, learners_refused
from arena.table.runner import PlayerChecked, Seating
from arena.tournament.identity import (
    Source,
    canonical,
    change_in_words,
    changed_sources,
    fingerprint,
    shipped_source,
    sources,
)
from arena.tournament.openings import Balanced
from arena.tournament.schedule import Schedule
from arena.tournament.spec import Tournament

ENGINE_SOURCES = "engine sources"  # an event: digests of installed engines, as JSON by engine
ENGINE_CHANGED = "engine changed"  # an event: the warning that one of our engines has changed
CROWDED = "crowded machine"  # an event: the warning that other programs take processor time
REPORT_EVERY = 2.0  # seconds between two reports on openings
TICK_EVERY = 0.1  # seconds
NOTICEABLE = 0.5  # cores in use by other programs

Answer = TypeVar("Answer")
Tick = Callable[[], None]  # keeps the view up to date


def header_of(tournament: Tournament) -> Header:
    """What the journal keeps of the tournament itself."""
    question = tournament.question
    return Header(
        name=tournament.name,
        game=tournament.rules.name,
        seed=tournament.seed,
        spec_text=tournament.text,
        canonical=canonical(tournament),
        fingerprint=fingerprint(tournament),
        players=tuple(
            Contestant(p.name, p.engine, dict(p.options), str(p.limits)) for p in tournament.players
        ),
        environment=environment(),
        created=time.time(),
        question=None if question is None else question.model_dump(mode="json"),
        aims=tournament.aims.plain(),
    )


def seating_of(tournament: Tournament) -> Seating:
    """What the workers need to know."""
    return Seating(
        rules=tournament.rules,
        players=tournament.players,
        terms=Terms(
            start=tournament.start,
            patience=tournament.patience,
            margin=tournament.margin,
            memory=tournament.memory or MEMORY,
        ),
        max_plies=tournament.adjudication.max_plies,
        solver=tournament.adjudication.solver,
        broken={
            number: PlayerChecked(number, player.broken)
            for number, player in enumerate(tournament.players)
            if player.broken
        },
    )


def stop_rules_of(tournament: Tournament, scoreboard: Games) -> StopRules:
    """The rules by which the tournament may end early."""
    stop, names = tournament.stop, scoreboard.names
    sprt = None
    if stop.sprt is not None:
        one, other = (names.index(name) for name in stop.sprt.engines or names[:2])
        sprt = one, other, stop.sprt
    return StopRules(scoreboard, sprt, stop.seconds, stop.error, tournament.swap_seats)


def early_verdicts_of(tournament: Tournament) -> EarlyVerdicts | None:
    """The early end by expectations, if the file asks for it."""
    if not tournament.stop.expectations:
        return None
    names = [player.name for player in tournament.players]
    return EarlyVerdicts(tournament.aims.expect, names, tournament.rules)


def crowded(limits: Sequence[Limits], workers: int) -> str | None:
    """A warning before games with these limits, if the machine is crowded."""
    clocks = [each for each in limits if each.by_clock]
    if not clocks:
        return None
    return crowding(workers, usable_cores(), cores_in_use(), clocks[0].seconds)


def crowding(workers: int, cores: int, others: float, seconds: float | None = None) -> str | None:
    """Why limits by the clock are unfair here, and what helps; None if there is room for all.

    `others` is the number of cores that are busy already, `seconds` the limit of a move.
    """
    reasons = []
    if others >= NOTICEABLE and workers + others > cores - NOTICEABLE:
        reasons.append(f"other programs use {others:.1f} of {cores} cores")
    if workers >= cores:
        count = "1 worker leaves" if workers == 1 else f"{workers} workers leave"
        reasons.append(f"{count} {'no core' if cores == 1 else f'none of {cores} cores'} free")
    if not reasons:
        return None
    room = max(1, int(cores - max(others, NOTICEABLE)))
    fewer = f"--workers {room} gives them more, " if room < workers else ""
    limit = ".." if seconds is None else f"{seconds:g}"
    return (
        f"limits are by the clock, and {' and '.join(reasons)}: engines may get less than their "
        f"time; {fewer}limits: {{cpu: {limit}}} counts the same on any load"
    )


def compare_sources(journal: Journal, tournament: Tournament) -> list[str]:
    """Refuse to mix games of two versions of an installed engine.

    A change of our own engines may leave all moves as they are: it is only a warning, which is
    returned and recorded for the report.
    """
    now = sources(player.engine for player in tournament.players)
    now |= shipped_source(tournament.players, tournament.rules)
    before: dict[str, Source] = {}
    for event in journal.events():
        if event.kind == ENGINE_SOURCES:
            before |= {name: Source(*source) for name, source in json.loads(event.text).items()}
    changed = changed_sources(before, now) if journal.finished else {}
    words = {name: change_in_words(name, *change) for name, change in changed.items()}
    foreign = [words[name] for name in changed if not now[name].is_own]
    if foreign:
        raise JournalChanged(journal.path, foreign)
    mixed = "games of both versions count together; --new starts over"
    warnings = [f"{words[name]}: {mixed}" for name in changed]
    for warning in warnings:
        journal.write_event(ENGINE_CHANGED, warning)
    if any(before.get(name) != source for name, source in now.items()):
        journal.write_event(ENGINE_SOURCES, json.dumps(now))
    return warnings


@contextmanager
def cluster_of(tournament: Tournament) -> Iterator[Cluster | None]:
    """The cluster to play on, if any; nothing is written before one of its workers answers."""
    address = tournament.runner.cluster
    if address is None:
        yield None
        return
    if learners := [player.name for player in tournament.players if player.learns]:
        raise learners_refused(learners)
    with cluster_at(address) as cluster:
        cluster.first_workers()
        yield cluster


def measure_speed(tick: Tick) -> float:
    """The speed of this machine, which may have to compile first."""
    with ThreadPoolExecutor(1) as pool:
        return _await(pool.submit(speed_of_this_host), tick)


def solve_openings(schedule: Schedule, report: Callable[[int, int], None], tick: Tick) -> None:
    """Find all openings that must be solved; report the number of the next one, and of all."""
    openings, needed = schedule.openings, schedule.openings_needed
    if not isinstance(openings, Balanced):
        return
    reported = 0.0

    def report_now_and_then() -> None:
        nonlocal reported
        if time.monotonic() > reported + REPORT_EVERY:
            reported = time.monotonic()
            report(min(openings.solved + 1, needed), needed)
        tick()

    with ThreadPoolExecutor(1) as pool:
        try:
            _await(pool.submit(openings.find, needed), report_now_and_then)
        finally:
            openings.rest()


def _await(work: Future[Answer], tick: Tick) -> Answer:
    while not work.done():
        tick()
        wait([work], TICK_EVERY)
    return work.result()
