"""Before the first game: what journal and workers need to know, and what can go wrong."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager

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

ENGINE_SOURCES = "engine sources"  # what installed engines are made of, as JSON by engine
ENGINE_CHANGED = "engine changed"  # the warning that one is made of something else now
CROWDED = "crowded machine"  # the warning that there is too little time for all
REPORT_EVERY = 2.0  # seconds between two reports on openings
NOTICED = 0.5  # cores that others use
LOOK_EVERY = 0.1  # seconds between two ticks


def header_of(tournament: Tournament) -> Header:
    """What the journal keeps of the tournament itself."""
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
        question=None
        if tournament.question is None
        else tournament.question.model_dump(mode="json"),
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
    if others >= NOTICED and workers + others > cores - NOTICED:
        reasons.append(f"other programs use {others:.1f} of {cores} cores")
    if workers >= cores:
        count = "1 worker leaves" if workers == 1 else f"{workers} workers leave"
        reasons.append(f"{count} {'no core' if cores == 1 else f'none of {cores} cores'} free")
    if not reasons:
        return None
    room = max(1, int(cores - max(others, NOTICED)))
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
    changed = changed_sources(before, now) if journal.count() else {}
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


def measure_speed(tick: Callable[[], None]) -> float:
    """The speed of this machine, which may have to compile first; `tick` keeps the view going."""
    with ThreadPoolExecutor(1) as pool:
        measuring = pool.submit(speed_of_this_host)
        while not measuring.done():
            tick()
            wait([measuring], LOOK_EVERY)
    return measuring.result()


def solve_openings(
    schedule: Schedule, report: Callable[[int, int], None], tick: Callable[[], None]
) -> None:
    """Find all openings that must be solved; `report` gets how many of how many, now and then.

    Meanwhile `tick` keeps the view going.
    """
    openings, needed = schedule.openings, schedule.openings_needed
    if not isinstance(openings, Balanced):
        return
    with ThreadPoolExecutor(1) as pool:
        solving, reported = pool.submit(openings.find, needed), 0.0
        try:
            while not solving.done():
                if time.monotonic() > reported + REPORT_EVERY:
                    reported = time.monotonic()
                    report(min(openings.solved + 1, needed), needed)
                tick()
                wait([solving], LOOK_EVERY)
        finally:
            openings.rest()
    solving.result()
