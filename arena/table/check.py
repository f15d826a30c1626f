"""The contract as a test that any author can run: `check_engine`, or `arena check my_bot.py`.

Each check asks an engine many questions and ends in one finding. A check that must hold and does
not makes the engine unfit for a tournament; the rest is advice, or simply worth knowing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, takewhile
from queue import Empty, Queue
from threading import Thread
from time import perf_counter
from typing import Literal

from arena.bots.adapter import Adapter
from arena.bots.find import build_engine
from arena.bots.hosted import HostedEngine, Terms
from arena.engine.contract import Engine, Limits, read_column
from arena.engine.errors import root_trace
from arena.errors import ArenaError, BadRules
from arena.game.position import Position
from arena.game.rules import Rules
from arena.table.check_games import keeps_time_in_game, plays_whole_game, repeats_whole_games
from arena.table.check_learning import learns_the_same
from arena.table.check_limits import (
    SECONDS,
    keeps_clock,
    keeps_cpu,
    keeps_depth,
    keeps_nodes,
    keeps_playouts,
    keeps_time,
)
from arena.table.check_pie import plays_by_pie
from arena.table.subject import (
    PATIENCE,
    Broken,
    Subject,
    is_safe,
    sample_positions,
    threatened_positions,
    winning_positions,
)
from arena.tournament.openings import RandomPlies

BOARDS = tuple(map(Rules.named, ("7x6", "5x4", "8x7", "9x7", "4x4x4", "6x5c3")))
SMALL = Limits(depth=2, nodes=2000, playouts=100)
SETTLED = Limits(depth=3, nodes=3000, playouts=200)  # no clock: the same seed must do the same
LEARNS = "learns the same from the same games"
TACTICAL = 6  # positions a board
ENOUGH = 0.9  # of the patience there is: one in a process of its own is given up before


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found. Only a `must` that is not ok is a failure."""

    title: str
    ok: bool
    detail: str = ""
    kind: Literal["must", "should", "note"] = "must"
    trace: str = ""  # the engine's own frames, where it raised something

    @property
    def failed(self) -> bool:
        """Whether the engine breaks the contract here."""
        return self.kind == "must" and not self.ok


def check_engine(engine: str | Callable[[], Engine], patience: float = PATIENCE) -> list[Finding]:
    """Every finding about an engine: words such as "mcts c=0.7", a class, or what builds one."""
    return list(findings(engine, patience))


def findings(engine: str | Callable[[], Engine], patience: float = PATIENCE) -> Iterator[Finding]:
    """The findings one by one, as they are made.

    The questions are asked in a thread of their own, so that an engine that never answers, be it
    in Python or in a kernel, ends in a finding too.
    """
    build = partial(build_engine, engine, Terms(patience=ENOUGH * patience))
    sample = build()  # what cannot be built cannot be checked, and says so itself
    asked_anywhere = not isinstance(sample, Adapter) or sample.begins_anywhere
    questions = _findings if asked_anywhere else _findings_by_games
    subject = Subject(build, patience)
    results: Queue[Finding | BaseException | None] = Queue()

    def check() -> None:
        try:
            for finding in questions(subject):
                results.put(finding)
            results.put(None)
        except BaseException as error:  # raised in the thread that asked
            results.put(error)

    Thread(target=check, daemon=True).start()
    while True:
        try:
            item = results.get(timeout=0.1)
        except Empty:
            if subject.is_overdue():
                yield Finding("answers at all", False, f"no answer yet to {subject.question}")
                return
            continue
        if item is None:
            return
        if isinstance(item, BaseException):
            raise item
        yield item


def _findings(subject: Subject) -> Iterator[Finding]:
    yield _finding("warms up", warms_up, subject)
    if subject.is_silent:
        return
    for rules in BOARDS:
        yield _finding(f"plays on {rules}", partial(plays_on, rules=rules), subject)
    if not subject.boards:
        yield Finding("plays on some board", False, "it played on none of those above")
        return
    for title, check in CHECKS.items():
        yield _finding(title, check, subject)
    if subject.build().learns:
        yield _finding(LEARNS, partial(learns_the_same, limits=SETTLED), subject)
    yield from _advice(subject.build())
    for title, positions, is_seen in (
        ("takes an immediate win", winning_positions, Position.wins_with),
        ("stops an immediate loss", threatened_positions, is_safe),
    ):
        finding = _finding(title, partial(sees, positions=positions, is_seen=is_seen), subject)
        yield replace(finding, kind="note") if finding.ok else finding


def _findings_by_games(subject: Subject) -> Iterator[Finding]:
    """What can be said of an engine that is told single moves, from the first one on."""
    yield _finding("warms up", warms_up, subject)
    if subject.is_silent:
        return
    for rules in BOARDS:
        plays = partial(plays_whole_game, rules=rules, limits=SMALL)
        finding = _finding(f"plays on {rules}", plays, subject)
        is_usual = rules is BOARDS[0]  # nobody tells such an engine of the board
        yield finding if is_usual else replace(finding, kind="note")
    if not subject.boards:
        yield Finding("plays on some board", False, "it played on none of those above")
        return
    keeps = partial(keeps_time_in_game, limits=Limits(seconds=SECONDS))
    yield _finding("keeps the time of a move", keeps, subject)
    yield _finding("keeps the clock of a game", keeps_clock, subject)
    repeats = partial(repeats_whole_games, limits=SETTLED)
    yield _finding("same seed, same game", repeats, subject)


def _finding(title: str, check: Callable[[Subject], str], subject: Subject) -> Finding:
    try:
        return Finding(title, True, check(subject))
    except BadRules as declined:
        return Finding(title, True, f"declined: {declined}", "note")
    except Broken as broken:
        return Finding(title, False, str(broken), trace=broken.trace)
    except ArenaError as error:
        return Finding(title, False, str(error), trace=root_trace(error))


def warms_up(subject: Subject) -> str:
    """Compile and load all that is needed, on the first board that the engine plays on."""
    start = perf_counter()
    for rules in BOARDS:
        try:
            subject.fresh(rules)
            break
        except BadRules:
            continue
    return f"in {perf_counter() - start:.1f} s"


def plays_on(subject: Subject, rules: Rules) -> str:
    """Answers with a legal column in all phases of the game, also where columns are full."""
    engine = subject.fresh(rules)
    positions = sample_positions(rules)
    for position in positions:
        subject.ask(engine, position, SMALL)
    subject.boards.append(rules)
    narrow = sum(len(position.legal) == 1 for position in positions)
    return f"{len(positions)} positions, {narrow} with a single column left"


def repeats_games(subject: Subject) -> str:
    """The same seed gives the same game, whoever built the engines."""
    for rules in subject.boards:
        pairs = [(subject.fresh(rules), subject.fresh(rules)) for _ in range(2)]
        once, again = (_moves(subject, engines, rules, seed=7) for engines in pairs)
        _compare(rules, once, again)
    return f"{len(subject.boards)} games played twice"


def forgets_games(subject: Subject) -> str:
    """A game between others, on another board or with another seed, leaves no trace."""
    for rules, other in zip(subject.boards, subject.boards[1:] + subject.boards[:1], strict=True):
        engines = subject.fresh(rules), subject.fresh(rules)
        once = _moves(subject, engines, rules, seed=7)
        _moves(subject, engines, other, seed=8)
        _compare(rules, once, _moves(subject, engines, rules, seed=7), "after another game, ")
    return f"{len(subject.boards)} games repeated with another between"


def _moves(
    subject: Subject, engines: tuple[Engine, Engine], rules: Rules, seed: int
) -> tuple[int, ...]:
    opening = RandomPlies(rules, 2, seed).opening(0)
    return subject.play(engines, rules, SETTLED, seed, opening).columns


def _compare(rules: Rules, once: tuple[int, ...], again: tuple[int, ...], after: str = "") -> None:
    if once != again:
        pairs = zip(once, again, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        games = f"two games on {rules} with the same seed"
        raise Broken(f"{after}{games} differ from move {same + 1} on, {SETTLED}")


def has_sound_opinions(subject: Subject) -> str:
    """Opinions are numbers, of legal columns."""
    given = 0
    for rules in subject.boards:
        engine = subject.fresh(rules)
        positions = sample_positions(rules)
        for position in positions[:2] + positions[-2:]:
            given += bool(subject.opinions(engine, position, SMALL))
    return f"of {given} positions" if given else "it gives none"


CHECKS: dict[str, Callable[[Subject], str]] = {
    "keeps the time of a move": keeps_time,
    "keeps the processor time of a move": keeps_cpu,
    "keeps the clock of a game": keeps_clock,
    "keeps the depth limit": keeps_depth,
    "keeps the node limit": keeps_nodes,
    "keeps the playout limit": keeps_playouts,
    "same seed, same game": repeats_games,
    "forgets the last game": forgets_games,
    "sound opinions": has_sound_opinions,
    "plays by the pie rule": partial(plays_by_pie, limits=SMALL),
}


def _advice(engine: Engine) -> Iterator[Finding]:
    """What readers of a listing would miss."""
    has_doc = bool(type(engine).__doc__)
    detail = "" if has_doc else "it introduces an engine"
    yield Finding("has a docstring", has_doc, detail, "should")
    silent = [name for name, option in engine.options.items() if not option.help]
    detail = f"{', '.join(silent)}: no help text" if silent else f"{len(engine.options)} options"
    yield Finding("explains its options", not silent, detail, "should")
    if _has_learn(engine) and not engine.learns:
        detail = "it has a `learn` that is never called, as it does not say `learns = True`"
        yield Finding("says that it learns", False, detail, "should")


def _has_learn(engine: Engine) -> bool:
    if isinstance(engine, HostedEngine):
        return engine.description.has_learn
    return type(engine).learn is not Engine.learn


def sees(
    subject: Subject,
    positions: Callable[[Rules], Iterator[Position]],
    is_seen: Callable[[Position, int], bool],
) -> str:
    """How often it sees what comes next; not every engine means to."""
    seen = asked = 0
    for rules in subject.boards:
        engine = subject.fresh(rules)
        for position in islice(positions(rules), TACTICAL):
            choice = subject.ask(engine, position, SETTLED).choice
            seen += is_seen(position, read_column(choice))
            asked += 1
    return f"{seen} of {asked} times"
