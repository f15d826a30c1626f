"""Find an engine by any name, and decide where it runs: ours here, foreign code in a host."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from arena.bots.adapter import Adapter
from arena.bots.hosted import IDLE, HostedEngine, Terms
from arena.bots.names import KINDS, BotName, engine_words, read_engine
from arena.engine import registry
from arena.engine.contract import Engine, Limits
from arena.engine.errors import Fault, retry_if_killed, sentence
from arena.engine.registry import Entry, names
from arena.errors import ArenaError, BadOption, EngineFailure, UnknownName
from arena.game.rules import Rules

OWN = "connect-arena"  # the package whose engines run in the referee's process
USUAL = Terms()
AT_ONCE, MAX_AHEAD = 4, 100  # hosts that start together, and before they are needed


def is_ours(spec: str) -> bool:
    """Check whether an engine belongs to our package or was registered by this program."""
    name = BotName.parse(spec)
    if name.kind or name.file:
        return False
    point = registry.entry_point(spec)
    return point is None or (point.dist is not None and point.dist.name == OWN)


def find(spec: str, terms: Terms = USUAL, isolated: bool = True) -> Entry:
    """Find an engine; foreign Python code is loaded in a host unless it is trusted."""
    adapter = BotName.parse(spec).adapter
    if adapter is not None and not adapter.in_host:
        return _adapter_entry(spec, terms)
    if is_ours(spec):
        kind, colon, _ = spec.partition(":")
        if colon and spec not in names():
            raise UnknownName("kind of engine", kind, KINDS)
        return registry.find(spec)
    return hosted_entry(spec, terms) if isolated else find_here(spec)


def find_here(spec: str) -> Entry:
    """Find an engine and load it in this process: a host, or that of a trusting user."""
    return _adapter_entry(spec, USUAL) if BotName.parse(spec).kind else registry.find(spec)


def find_foreign(specs: Iterable[str], terms: Terms = USUAL) -> dict[str, Entry | Exception]:
    """Find the engines that are not ours, several at a time; a failure stands in for its entry."""

    def attempt(spec: str) -> Entry | Exception:
        try:
            return find(spec, terms)
        except Exception as error:  # reported where the name is written
            return error

    from concurrent.futures import ThreadPoolExecutor  # hosts do without

    others = [spec for spec in dict.fromkeys(specs) if not is_ours(spec)][:MAX_AHEAD]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return dict(zip(others, pool.map(attempt, others), strict=True))


def _adapter_entry(spec: str, terms: Terms) -> Entry:
    name = BotName.parse(spec)
    known, target = kind_entry(name.kind), name.target
    if not target:
        raise EngineFailure(
            f"engine {name.kind}: nothing follows the colon; "
            f"expected a {KINDS[name.kind].target}, as in {known.name}"
        )

    def make(options: Mapping[str, Any]) -> Engine:
        engine = KINDS[name.kind].load()(target, **options)
        engine.check_target()
        if not engine.in_host:
            engine.terms = terms
        return engine

    return Entry(f"{name.kind}:{target}", known.engine, known.summary, make=make)


def kind_entry(kind: str) -> Entry:
    """Describe a kind of external bots."""
    about, example = KINDS[kind].about, f"{kind}:{KINDS[kind].example}"
    return Entry(example, KINDS[kind].load(), f"{about[0].upper()}{about[1:]}")


def adapter_of(spec: str, options: Mapping[str, Any]) -> Adapter | None:
    """Build the adapter of an external bot without starting anything; None for our engines."""
    name = BotName.parse(spec)
    return None if name.adapter is None else name.adapter(name.target, **options)


def check_adapter(words: str, rules: Rules, limits: Limits, plies: int = 0) -> None:
    """Refuse a board, limits or openings that an external bot does not support."""
    spec, options = read_engine(words)
    try:
        adapter = adapter_of(spec, options)
        if adapter is None:
            return
        adapter.check_rules(rules)
        objection = adapter.check_limits(limits) or adapter.check_opening(plies)
        if objection is not None:
            raise BadOption(objection)
    except ArenaError as error:
        error.args = (f"engine {spec}: {error}",)
        raise


def learns(spec: str, terms: Terms = USUAL) -> bool:
    """Check whether an engine learns from its games; False if it does not load."""
    name = BotName.parse(spec)
    try:
        if name.adapter is not None:
            return name.adapter.learns
        if is_ours(spec):
            return find(spec).engine.learns
        changed = os.stat(name.file).st_mtime_ns if name.file else 0
        return _foreign_learns(spec, os.getcwd(), changed, terms)
    except (ArenaError, OSError):
        return False


@cache
def _foreign_learns(spec: str, folder: str, changed: int, terms: Terms) -> bool:
    """Ask a host once, as long as the file does not change."""
    return find(spec, terms).engine.learns


def ignored_limits(spec: str) -> frozenset[str]:
    """The limits that one of our engines ignores; foreign ones count as using all."""
    try:
        return find(spec).engine.ignores if is_ours(spec) else frozenset()
    except ArenaError:
        return frozenset()


def load_all() -> dict[str, Entry | ArenaError]:
    """Load every engine that has a name; an error stands in for one that does not load."""
    entries: dict[str, Entry | ArenaError] = {}
    while missing := [name for name in names() if name not in entries]:  # a module may add names
        for name in missing:
            try:
                entries[name] = find(name)
            except ArenaError as error:
                entries[name] = error
            except Exception as error:  # one broken plugin must not hide the others
                entries[name] = EngineFailure(f"{type(error).__name__}: {error}")
    return dict(sorted(entries.items()))


def build_engine(
    engine: str | Callable[[], Engine], terms: Terms = USUAL, isolated: bool = True
) -> Engine:
    """Build an engine from words such as "mcts c=0.7 playout=light", or by calling a function.

    Any exception of the engine's own code becomes one sentence.
    """
    name = engine if isinstance(engine, str) else getattr(engine, "__name__", repr(engine))
    if not name.strip():
        raise BadOption("an engine has an empty name; expected a name or FILE.py:Class")
    try:
        if not isinstance(engine, str):
            return engine()
        spec, options = read_engine(engine)
        return find(spec, terms, isolated).build(options)
    except ArenaError:
        raise
    except Exception as error:
        raise EngineFailure(f"engine {name} cannot be built: {sentence(error)}") from error


def without_openings(engines: Iterable[str]) -> str | None:
    """Explain which engine makes all games start from the empty board; None if none does."""
    names = {words: BotName.parse(engine_words(words)[0]) for words in engines}
    fixed = [words for words, name in names.items() if not name.accepts_any_position]
    if not fixed:
        return None
    return (
        f"all games start from the empty board, as {fixed[0]} receives single moves and cannot "
        "continue from an opening"
    )


# ---- engines in hosts


def failure_of(name: str, fault: Fault, failed: str, terms: Terms) -> EngineFailure:
    """The sentence about an engine that failed before its first game, and its lines of code."""
    words = f"{failed}: {fault.detail}" if fault.reason == "exception" else fault.detail
    if fault.reason == "memory":
        needs = f"needs more than {terms.memory} MB of memory"
        words = f"{failed}: it {needs}; the key memory of a tournament file sets this bound"
    return EngineFailure(f"engine {name}: {words}", fault.trace)


@dataclass(frozen=True)
class HostedEntry(Entry):
    """An engine of Python code that is not ours, built in a host on these terms."""

    terms: Terms = field(default_factory=Terms)

    def build(self, options: Mapping[str, Any] | None = None) -> Engine:
        """A new engine in a host of its own."""
        assert issubclass(self.engine, HostedEngine)
        try:
            kind, given = self.engine, options or {}
            return retry_if_killed(lambda: kind(given, self.terms))
        except ArenaError:
            raise
        except Fault as fault:
            raise failure_of(self.name, fault, "cannot be built", self.terms) from fault


def hosted_entry(spec: str, terms: Terms) -> HostedEntry:
    """Describe an engine in a host, which waits for the first game, by a class like its own."""
    try:
        host = retry_if_killed(lambda: IDLE.take(spec, terms))
    except Fault as fault:
        raise failure_of(spec, fault, "does not load", terms) from fault
    known = host.description
    IDLE.put(host)
    members: dict[str, Any] = {
        "__doc__": known.summary if known.has_docstring else None,
        "spec": spec,
        "description": known,
        "prunes": known.prunes,
        "learns": known.learns,
    }
    kind: type[HostedEngine] = type(known.title, (HostedEngine,), members)
    kind.options = dict(known.options)
    return HostedEntry(spec, kind, known.summary, terms)
