"""Engines as a program gives them: by name, as a class or as an object; played here, or sent.

In a game in this process a class or an object plays as it is. To tables it travels as a file
(packed.py) and sits down in a seat of its own, as any engine does that is not ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from arena.bots.find import build_engine, check_adapter, is_ours
from arena.bots.names import BotName, engine_words, read_engine, side_names
from arena.engine.contract import Engine, Limits
from arena.engine.registry import entry_point
from arena.engine.registry import find as find_registered
from arena.errors import ArenaError, BadOption, UnknownName
from arena.game.rules import Rules
from arena.library.packed import digest_of, not_an_engine, pack, spec_of, title_of

AnyEngine = str | type[Engine] | Engine
AnyLimits = str | Limits | Mapping[str, Any]
SomeLimits = AnyLimits | tuple[AnyLimits, AnyLimits] | None  # of both players, or of each


def is_engine(value: object) -> bool:
    """Whether this is a class or an object that can play."""
    return isinstance(value, Engine) or (isinstance(value, type) and issubclass(value, Engine))


def name_of(engine: AnyEngine) -> str:
    """The default name of an engine."""
    if isinstance(engine, str):
        spec, *options = engine_words(engine)
        return " ".join([str(BotName.parse(spec).without_folders()), *options])
    if not is_engine(engine):
        raise not_an_engine(engine)
    return title_of(engine)


def names_of(a: AnyEngine, b: AnyEngine) -> tuple[str, str]:
    """The names of two opponents, which always differ."""
    if isinstance(a, str) and isinstance(b, str):
        return side_names(a, b)
    first, second = name_of(a), name_of(b)
    return (f"{first} #1", f"{second} #2") if first == second else (first, second)


def build(engine: AnyEngine, rules: Rules, limits: Limits, plies: int) -> Engine:
    """An engine that plays in this process; an object plays itself."""
    if isinstance(engine, Engine):
        return engine
    if isinstance(engine, str):
        check_adapter(engine, rules, limits, plies)
    elif not is_engine(engine):
        raise not_an_engine(engine)
    return build_engine(engine)


def build_pair(
    engines: tuple[AnyEngine, AnyEngine], rules: Rules, limits: tuple[Limits, Limits], plies: int
) -> tuple[Engine, Engine]:
    """Both sides of a game; an object that plays itself plays a copy."""
    first = build(engines[0], rules, limits[0], plies)
    if engines[1] is first:
        return first, deepcopy(first)
    return first, build(engines[1], rules, limits[1], plies)


def read_limits(limits: AnyLimits | None) -> Limits:
    """Limits as a program gives them: "depth=4", {"depth": 4}, or an object."""
    if limits is None:
        return Limits()
    if isinstance(limits, Limits):
        return limits
    if isinstance(limits, str):
        return Limits.parse(limits)
    if not isinstance(limits, Mapping):
        raise BadOption(f"limits are {limits!r}; expected words such as 'depth=4', or a mapping")
    return Limits.parse(" ".join(f"{name}={value}" for name, value in limits.items()))


def limits_of_both(limits: SomeLimits) -> tuple[AnyLimits | None, AnyLimits | None]:
    """The limits of the first and of the second; one is for both."""
    if not isinstance(limits, tuple | list):
        return limits, limits
    if len(limits) != 2:
        raise BadOption(f"found limits for {len(limits)}; expected one for both engines, or a pair")
    return limits[0], limits[1]


def read_rules(game: str | Rules) -> Rules:
    """The game by its name, or as it is."""
    if isinstance(game, Rules):
        return game
    if isinstance(game, str):
        return Rules.named(game)
    raise BadOption(f"the game is {game!r}; expected a name such as 'connect4' or '8x7'")


def registered_here(name: str) -> type[Engine] | None:
    """The class that this very session has registered under a name, if it has one."""
    if ":" in name or not is_ours(name) or entry_point(name):
        return None
    try:
        return find_registered(name).engine
    except UnknownName:
        return None


def limits_entry(limits: object) -> object:
    """Limits in the form of a tournament file, whose checks refuse anything else."""
    if isinstance(limits, Limits):
        return {name: value for name, value in asdict(limits).items() if value}
    return limits


@dataclass
class LineUp:
    """Engines as the entries of a tournament file; those of this session go into a folder."""

    folder: Path
    packed: dict[str, str] = field(default_factory=dict)  # file -> the digest of what is in it

    def entry(self, engine: object) -> Any:
        """One entry; a mapping may have a class or an object as its engine."""
        if isinstance(engine, str):
            return self._words(engine)
        if is_engine(engine):
            return self._given(engine, {})  # type: ignore[arg-type]  # is_engine says so
        if not isinstance(engine, Mapping):
            raise not_an_engine(engine)
        entry = dict(engine)
        if "limits" in entry:
            entry["limits"] = limits_entry(entry["limits"])
        inner = entry.get("engine")
        if isinstance(inner, str) and (kind := registered_here(inner)) is not None:
            inner = kind
        return self._given(inner, entry) if is_engine(inner) else entry  # type: ignore[arg-type]

    def _words(self, words: str) -> Any:
        """A name with its options; one that this session has registered is an engine of it."""
        spec, options = read_engine(words)
        kind = registered_here(spec)
        if kind is not None:
            return self._given(kind, {"name": words, "options": options})
        return {"engine": spec, "options": options} if options else spec

    def _given(self, engine: type[Engine] | Engine, entry: dict[str, Any]) -> dict[str, Any]:
        title = title_of(engine)
        known = spec_of(engine)
        if known is not None:
            spec, options = known
            named = {} if isinstance(engine, type) and ".py:" not in spec else {"name": title}
            return {**named, **entry, "engine": spec,
                    "options": {**options, **entry.get("options", {})}}  # fmt: skip
        return {"name": title, **entry, "engine": f"{self._file(engine, title)}:{title}"}

    def _file(self, engine: type[Engine] | Engine, title: str) -> Path:
        """The file of an engine of this session; another of the same name has another."""
        digest, number = digest_of(engine), 1
        while True:
            file = self.folder / (f"{title}.py" if number == 1 else f"{title}-{number}.py")
            if self.packed.setdefault(str(file), digest) == digest:
                pack(engine, file)
                return file
            number += 1


def plain(value: object, where: str) -> Any:
    """A value as YAML can hold it; tuples are lists, numbers of NumPy are numbers."""
    if isinstance(value, bool | int | float | str | None):
        return value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Mapping):
        return {key: plain(item, f"{where}.{key}") for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item, f"{where}[{number}]") for number, item in enumerate(value)]
    if hasattr(value, "item"):
        return plain(value.item(), where)
    raise ArenaError(f"{where}: a {type(value).__name__} cannot stand in a tournament")
