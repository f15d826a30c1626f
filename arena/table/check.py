"""The contract as a test that any author can run: `check_engine`, or `arena check my_bot.py`.

PROFILES says what bots of each kind are asked, checks.py how. All checks together have a bound
of time, which they share: a slow engine is asked less, and what did not fit is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from queue import Empty, Queue
from threading import Thread
from time import perf_counter
from typing import NamedTuple

from arena.bots.adapter import LIMITS, Adapter
from arena.bots.find import adapter_of, build_engine
from arena.bots.hosted import Terms
from arena.bots.names import read_engine
from arena.engine.contract import Engine, Limits
from arena.errors import ArenaError, BadRules
from arena.game.rules import Rules
from arena.table.checks import CHECKS, KAGGLE_BANK, KAGGLE_MOVE, Check, Finding, plays_on
from arena.table.probe import PATIENCE, Probe
from arena.timing import PAUSES

BOARDS = ("7x6", "5x4", "8x7", "9x7", "4x4x4", "6x5c3")
FULL, QUICK = 120.0, 30.0  # seconds for all checks
SHARED = 0.85  # of that time is shared out; the last question of a check may take longer
ENOUGH = 0.9  # of the patience: a bot's process gives up before the check does
LOOK_EVERY = 0.1
IN_TIME = "runs all checks in time"


class Profile(NamedTuple):
    """How bots of a kind are checked."""

    boards: tuple[str, ...] = BOARDS  # the first of these must be played
    limits: Limits | None = None  # of every move; None: each limit that the bot supports in turn
    allowed: str = ""  # the same in words, where there is more to say
    bank: float = 0.0  # extra seconds a game


OWN = Profile()
OTHERS = Profile(BOARDS, Limits(seconds=1.0))
PROFILES = {
    "kaggle": Profile(
        ("7x6",), Limits(), f"{KAGGLE_MOVE:g} s a move and {KAGGLE_BANK:g} s extra", KAGGLE_BANK
    ),
    "codingame": Profile(("9x7+pie",), Limits(seconds=0.1)),
    "lines": Profile(("7x6",), Limits(seconds=1.0)),  # nobody tells it the board
    "positions": Profile(("7x6",), Limits(seconds=10.0)),
    "uci": OWN,
}


class Plan(NamedTuple):
    """Which boards, limits and checks an engine gets."""

    boards: tuple[Rules, ...]
    limits: Limits | None
    allowed: str  # the limits in words
    patience: float  # seconds to wait for an answer
    is_foreign: bool
    any_position: bool
    checks: tuple[Check, ...]
    seconds: float  # that all checks together may take

    def __str__(self) -> str:
        boards = str(self.boards[0]) if len(self.boards) == 1 else f"{len(self.boards)} boards"
        limits = f", {self.allowed}" if self.allowed else ""
        return f"on {boards}{limits}, at most {self.seconds:g} s"


def plan_for(
    engine: str | Callable[[], Engine],
    game: str | None = None,
    limits: Limits | None = None,
    quick: bool = False,
    patience: float = PATIENCE,
) -> Plan:
    """The plan that an engine's profile gives; a game and limits replace those of the profile."""
    adapter = _adapter(engine) if isinstance(engine, str) else None
    profile = OWN if adapter is None else PROFILES.get(adapter.kind, OTHERS)
    names = (game,) if game else profile.boards
    boards = tuple(map(Rules.named, names[:1] if quick else names))
    if adapter is not None:
        boards = (boards[0], *(each for each in boards[1:] if _supports(adapter, each)))
    if limits is None:
        limits, allowed, patience = profile.limits, profile.allowed, patience + profile.bank
    else:
        allowed = str(limits)
    if limits is not None:
        kept = {name for name in LIMITS if getattr(limits, name) is not None} or {"bank"}
        patience += limits.seconds or limits.cpu or 0.0
        allowed = allowed or str(limits)
    else:
        kept = set(LIMITS) if adapter is None else {*adapter.supported_limits}
    any_position = adapter is None or adapter.accepts_any_position
    checks = tuple(
        check
        for check in CHECKS
        if (not check.limit or check.limit in kept)
        and (check.quick or not quick)
        and not (check.own and adapter is not None)
        and (check.by_games or any_position)
    )
    seconds = QUICK if quick else FULL
    return Plan(
        boards, limits, allowed, patience, adapter is not None, any_position, checks, seconds
    )


def _adapter(words: str) -> Adapter | None:
    try:
        return adapter_of(*read_engine(words))
    except ArenaError:  # building the engine will say what is wrong
        return None


def _supports(adapter: Adapter, rules: Rules) -> bool:
    try:
        adapter.check_rules(rules)
        return True
    except BadRules:
        return False


def check_engine(
    engine: str | Callable[[], Engine], patience: float = PATIENCE, plan: Plan | None = None
) -> list[Finding]:
    """All findings about an engine: words such as "mcts c=0.7", a class, or a function."""
    return list(findings(engine, plan or plan_for(engine, patience=patience)))


def findings(
    engine: str | Callable[[], Engine], plan: Plan, tick: Callable[[str], None] = lambda title: None
) -> Iterator[Finding]:
    """The findings one by one; while a check runs, `tick` gets its title ten times a second.

    Another thread asks the questions, so that an engine that never answers ends in a finding too.
    """
    build = partial(build_engine, engine, Terms(patience=ENOUGH * plan.patience))
    probe = Probe(build, plan.patience, plan.limits, plan.is_foreign, plan.any_position)
    run = CheckRun(probe, plan)
    Thread(target=run.work, daemon=True).start()
    try:
        while True:
            try:
                item = run.results.get(timeout=LOOK_EVERY)
            except Empty:
                if run.title:
                    tick(run.title)
                if late := run.why_late():
                    yield late
                    return
                continue
            if item is None:
                return
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        probe.cancel()


class CheckRun:
    """The checks of one engine: one thread asks, and another one watches the time."""

    def __init__(self, probe: Probe, plan: Plan) -> None:
        self.probe, self.plan = probe, plan
        self.started = perf_counter()
        self.results: Queue[Finding | BaseException | None] = Queue()
        self.title = ""  # of the running check
        self.waiting = [
            Check("warms up", self._warm_up),
            *(
                Check(
                    f"plays on {rules}",
                    partial(plays_on, rules=rules),
                    failure="note" if number and plan.is_foreign else "must",
                )
                for number, rules in enumerate(plan.boards)
            ),
            *plan.checks,
        ]
        PAUSES.watch()

    def work(self) -> None:
        """Run the checks; the last result is None, or the exception that ended them."""
        try:
            self.probe.build()  # an engine that cannot be built is bad input
            self._run_checks()
            self.probe.close()
            self.results.put(None)
        except BaseException as error:  # the thread that watches raises it
            self.results.put(error)

    def _run_checks(self) -> None:
        self._run_next()
        if self.probe.is_silent:
            return
        for _ in self.plan.boards:
            self._run_next()
        if not self.probe.boards:
            words = "it played on none of those above"
            self.results.put(Finding("plays on some board", False, words))
            return
        while self.waiting:
            self._run_next()

    def _run_next(self) -> None:
        """Run the next check with its share of the time that is left."""
        share = max(0.0, self._seconds_left(SHARED)) / len(self.waiting)
        check = self.waiting.pop(0)
        self.title = check.title
        self.probe.begin_check(perf_counter() + share)
        if (finding := check.finding(self.probe)) is not None:
            self.results.put(finding)

    def _warm_up(self, probe: Probe) -> str:
        """Compile and load everything for the first board that the engine accepts."""
        start = perf_counter()
        for rules in self.plan.boards:
            with suppress(BadRules):
                probe.fresh(rules)
                break
        return f"in {perf_counter() - start:.1f} s"

    def _seconds_left(self, share: float = 1.0) -> float:
        used = perf_counter() - self.started - PAUSES.since(self.started)
        return share * self.plan.seconds - used

    def why_late(self) -> Finding | None:
        """A finding if an answer, or the whole check, takes too long."""
        if self.probe.is_overdue():
            return Finding("answers at all", False, f"no answer yet to {self.probe.question}")
        if self._seconds_left() > 0:
            return None
        titles = ", ".join((self.title, *(check.title for check in self.waiting)))
        words = f"{self.plan.seconds:g} seconds are over; not checked: {titles}"
        return Finding(IN_TIME, False, words, "should")
