"""Every way to name an engine, and where it runs: ours here, others' in a process of their own.

my-bot              a registered name, or a plugin's entry point
my_bot.py:MyBot     a file and a class in it
kaggle:agent.py     an engine from outside, by its kind (kinds.py)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from arena.bots.adapter import Adapter
from arena.bots.hosted import Terms, hosted_entry
from arena.bots.names import FILE, KINDS, engine_words, split_kind
from arena.engine import registry
from arena.engine.contract import Engine, Limits
from arena.engine.errors import sentence
from arena.engine.registry import Entry, names
from arena.errors import ArenaError, BadOption, EngineFailure, UnknownName
from arena.game.rules import Rules

OWN = "connect-arena"  # the package whose engines think where the referee is
USUAL = Terms()
AT_ONCE, MOST_AHEAD = 4, 100  # hosts that start at the same time, and before they are needed


@contextmanager
def _named(spec: str) -> Iterator[None]:
    """What goes wrong inside is told with the engine's name."""
    try:
        yield
    except ArenaError as error:
        error.args = (f"engine {spec}: {error}",)
        raise


@dataclass(frozen=True)
class AdapterEntry(Entry):
    """An adapter of ours and its target; one that runs elsewhere gets these terms."""

    target: str = ""
    terms: Terms = field(default_factory=Terms)

    def build(self, options: Mapping[str, Any] | None = None) -> Engine:
        """A new engine; what goes wrong is told with the engine's name."""
        assert issubclass(self.engine, Adapter)
        with _named(self.name):
            engine = self.engine(self.target, **(options or {}))
            engine.check_target()
        if not engine.in_host:
            engine.terms = self.terms
        return engine


def is_ours(spec: str) -> bool:
    """Whether an engine is of our own package, or was registered by this very program."""
    if FILE.fullmatch(spec) or split_kind(spec):
        return False
    if not registry.is_installed(spec):
        return True
    package = registry.package_of(spec)
    return package is not None and package[0] == OWN


def find(spec: str, terms: Terms = USUAL, isolated: bool = True) -> Entry:
    """What a name stands for; code that is not ours is loaded in a host, unless it is trusted."""
    named = split_kind(spec)
    if named is not None and not KINDS[named[0]].load().in_host:
        return _adapter_entry(*named, terms)
    if is_ours(spec):
        kind, colon, _ = spec.partition(":")
        if colon and spec not in names():
            raise UnknownName("kind of engine", kind, KINDS)
        return registry.find(spec)
    return hosted_entry(spec, terms) if isolated else find_here(spec)


def find_foreign(specs: Iterable[str], terms: Terms = USUAL) -> dict[str, Entry | Exception]:
    """What those of these names stand for that are not ours, or why not; several start at once."""
    others = [spec for spec in dict.fromkeys(specs) if not is_ours(spec)][:MOST_AHEAD]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        entries = pool.map(partial(_attempt, terms=terms), others)
        return dict(zip(others, entries, strict=True))


def _attempt(spec: str, terms: Terms) -> Entry | Exception:
    try:
        return find(spec, terms)
    except Exception as error:  # told where the name stands
        return error


def adapter_of(spec: str, options: Mapping[str, Any]) -> Adapter | None:
    """The adapter of an engine from outside, to ask what can be told to it; it starts nothing."""
    named = split_kind(spec)
    return None if named is None else KINDS[named[0]].load()(named[1], **options)


def places_of(spec: str) -> frozenset[str]:
    """The options of an engine from outside that name a file or a folder."""
    named = split_kind(spec)
    return frozenset() if named is None else KINDS[named[0]].load().places


def begins_anywhere(words: str) -> bool:
    """Whether an engine can be asked in the middle of a game that it has not played so far."""
    named = split_kind(engine_words(words)[0])
    return named is None or KINDS[named[0]].load().begins_anywhere


def check_adapter(words: str, rules: Rules, limits: Limits, plies: int = 0) -> None:
    """Refuse a board, limits or openings that an engine from outside cannot be told."""
    spec, *given = engine_words(words)
    options = dict(word.split("=", 1) for word in given if "=" in word)
    with _named(spec):
        adapter = adapter_of(spec, options)
        if adapter is None:
            return
        adapter.check_rules(rules)
        objection = adapter.check_limits(limits) or adapter.check_opening(plies)
        if objection is not None:
            raise BadOption(objection)


def find_here(spec: str) -> Entry:
    """What a name stands for, loaded in this process: in a host, or of somebody who is trusted."""
    named = split_kind(spec)
    return registry.find(spec) if named is None else _adapter_entry(*named, USUAL)


def kind_entry(kind: str) -> Entry:
    """A kind of engines from outside, to be read about."""
    about = KINDS[kind].about
    example = f"{kind}:{KINDS[kind].example}"
    return Entry(example, KINDS[kind].load(), f"{about[0].upper()}{about[1:]}")


def _adapter_entry(kind: str, target: str, terms: Terms) -> AdapterEntry:
    if not target:
        expected = f"{KINDS[kind].target}, as in {kind}:{KINDS[kind].example}"
        raise EngineFailure(f"engine {kind}: names nothing; expected a {expected}")
    known = kind_entry(kind)
    name = f"{kind}:{target}"
    return AdapterEntry(name, known.engine, known.summary, target=target, terms=terms)


def learns(spec: str, terms: Terms = USUAL) -> bool:
    """Whether an engine learns from its games; `False` if it does not load."""
    named, file = split_kind(spec), FILE.fullmatch(spec)
    try:
        if named is not None:
            return KINDS[named[0]].load().learns
        if is_ours(spec):
            return find(spec).engine.learns
        changed = os.stat(file[1]).st_mtime_ns if file else 0
        return _foreign_learns(spec, os.getcwd(), changed, terms)
    except (ArenaError, OSError):
        return False


def ignored_limits(spec: str) -> frozenset[str]:
    """The limits that one of our engines does not use; other engines are taken to use all."""
    try:
        return find(spec).engine.ignores if is_ours(spec) else frozenset()
    except ArenaError:
        return frozenset()


@cache
def _foreign_learns(spec: str, folder: str, changed: int, terms: Terms) -> bool:
    """The same of one whose process must be asked: once, as long as its file does not change."""
    return find(spec, terms).engine.learns


def load_all() -> dict[str, Entry | ArenaError]:
    """Every engine that has a name; for one that does not load, why."""
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
    """An engine from words, as in "mcts c=0.7 playout=light", or from what builds it.

    Whatever the engine's own code raises becomes one sentence.
    """
    name = engine if isinstance(engine, str) else getattr(engine, "__name__", repr(engine))
    if not name.strip():
        raise BadOption("an engine has an empty name; expected a name or FILE.py:Class")
    try:
        if not isinstance(engine, str):
            return engine()
        spec, *words = engine_words(engine)
        for word in words:
            if "=" not in word:
                raise BadOption(f"engine {spec}: {word!r} is not an option; expected NAME=VALUE")
        return find(spec, terms, isolated).build(dict(word.split("=", 1) for word in words))
    except ArenaError:
        raise
    except Exception as error:
        raise EngineFailure(f"engine {name} cannot be built: {sentence(error)}") from error
