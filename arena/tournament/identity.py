"""What decides the games of a tournament: the same for two files that play the same games.

That is what its file says, and what the engines are made of. An engine in a file is known by the
digest of that file. One that is installed is known by its package: its version, and a digest of
the sources that it is played from.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from arena.bots.find import OWN, find, is_ours
from arena.bots.names import BotName
from arena.engine.registry import Entry, entry_point, package_path
from arena.errors import CHANGED
from arena.evaluation import EVALUATIONS
from arena.game.notation import write_moves
from arena.game.rules import Rules
from arena.imports import import_closure
from arena.network.option import SHIPPED, SUFFIX, shipped_file
from arena.tournament.games import Player
from arena.tournament.mistakes import excerpt
from arena.tournament.spec import Tournament

ABSENT = object()


def canonical(tournament: Tournament) -> dict[str, Any]:
    """Everything that decides the games, as JSON would hold it, and nothing else.

    Left out are the name, the question, comments, workers, runner and output, where engines run
    and what becomes of broken ones, and how long to go on (stop.seconds and stop.error): they may
    change between two runs of one tournament. A solver that does not adjudicate was not named by
    earlier versions either.
    """
    sprt, adjudication = tournament.stop.sprt, tournament.adjudication
    solver = {"solver": True} if adjudication.solver else {}
    parts = {
        "game": tournament.rules.name,
        "format": tournament.format.model_dump(),
        "games": tournament.games,
        "swap_seats": tournament.swap_seats,
        "openings": _openings(tournament),
        "engines": [player_settings(each, tournament.path.parent) for each in tournament.players],
        "adjudication": {"max_plies": adjudication.max_plies, **solver},
        "stop": {"sprt": sprt.model_dump() if sprt else None},
        "seed": tournament.seed,
        "memory": tournament.memory,
        "margin": tournament.margin,
        "patience": tournament.patience,
    }
    read_back: dict[str, Any] = json.loads(json.dumps(parts, default=str))
    return read_back


def fingerprint(tournament: Tournament) -> str:
    """The SHA-256 of all that decides the games."""
    return digest_of(canonical(tournament))


def digest_of(parts: Mapping[str, Any]) -> str:
    """The SHA-256 of data as JSON holds it, in whatever order it stands."""
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def _openings(tournament: Tournament) -> dict[str, Any]:
    openings = tournament.openings
    settings: dict[str, Any] = {"kind": openings.kind}
    if openings.balanced is not None:
        scores = openings.balanced.scores(tournament.rules)
        return {**settings, "plies": openings.plies, "least": scores.least, "most": scores.most}
    if openings.file is not None:
        lines = [write_moves(line, tournament.rules) for line in openings.lines]
        digest = sha256("\n".join(lines).encode()).hexdigest()
        return {**settings, "positions": len(lines), "sha256": digest}
    return {**settings, "plies": openings.plies} if openings.plies else settings


def player_settings(player: Player, folder: Path) -> dict[str, Any]:
    """A player; one from a file with the digest of the file, for that decides its moves."""
    bot = BotName.parse(player.engine)
    settings: dict[str, Any] = {"name": player.name, "engine": str(bot.in_short(folder))}
    files = bot.files
    if len(files) == 1:
        settings["sha256"] = _digest_of_file(files[0])
    elif files:  # of a command, in its order
        digests = "".join(_digest_of_file(file) or "" for file in files)
        settings["sha256"] = sha256(digests.encode()).hexdigest()
    limits = {name: value for name, value in asdict(player.limits).items() if value}
    options = _options(player.options, folder, bot.path_options)
    return {**settings, "options": options, "limits": limits}


def _options(
    options: Mapping[str, Any], folder: Path, places: Collection[str] = ()
) -> dict[str, Any]:
    """Options; a file among them with its digest, for what is in it decides moves too."""
    settings: dict[str, Any] = dict(options)
    for name, value in options.items():
        if isinstance(value, Mapping):
            settings[name] = _options(value, folder)
        elif not isinstance(value, str) or not os.path.isabs(value):
            continue
        elif name in places or value.endswith(SUFFIX):
            place = Path(os.path.relpath(value, folder)).as_posix()
            digest = _digest_of_file(Path(value))
            is_folder = os.path.isdir(value)
            settings[name] = place if is_folder else {"file": place, "sha256": digest}
    return settings


def _digest_of_file(file: Path) -> str | None:
    return sha256(file.read_bytes()).hexdigest() if file.is_file() else None


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """What differs between two canonical tournaments, a sentence each."""
    return list(_differences("", dict(old), dict(new)))


def _differences(where: str, old: Any, new: Any) -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*old, *new]):
            if key == "sha256" and old.get(key) and new.get(key):
                if old[key] != new[key]:
                    engine = str(new.get("engine", new.get("file", "")))
                    file = engine.rpartition(":")[0] or engine
                    yield f"{excerpt(file) or 'the list of openings'} {CHANGED}"
                continue
            under = f"{where}.{key}" if where else str(key)
            yield from _differences(under, old.get(key, ABSENT), new.get(key, ABSENT))
    elif where == "format.pairs" and isinstance(old, list) and isinstance(new, list):
        yield from _pair_differences(old, new)
    elif where == "engines" and isinstance(old, list) and isinstance(new, list):
        yield from _player_differences(old, new)
    elif old != new or isinstance(old, bool) != isinstance(new, bool):
        yield f"{where}: {_in_words(old)} -> {_in_words(new)}"


def _player_differences(old: Sequence[Any], new: Sequence[Any]) -> Iterator[str]:
    """Players are compared with those of the same name, or of the same place in a list as long."""
    before, after = ([player.get("name") for player in players] for players in (old, new))
    same = sorted(map(str, before)) == sorted(map(str, after))
    if same and before != after:
        yield f"engines: their order was {', '.join(before)}; now it is {', '.join(after)}"
    if not same and len(old) == len(new):
        for number, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _differences(f"engines[{number}]", one, other)
        return
    for name in before:
        if name not in after:
            yield f"engines: {name!r} was there and is gone"
    for number, player in enumerate(new):
        if player.get("name") not in before:
            yield f"engines[{number}]: {player.get('name')!r} is new"
        else:
            one = old[before.index(player.get("name"))]
            yield from _differences(f"engines[{number}]", one, player)


def _pair_differences(old: Sequence[Any], new: Sequence[Any]) -> Iterator[str]:
    """Which pairs came and went; the order of the others decides who plays which game."""
    for pair in old:
        if pair not in new:
            yield f"format.pairs: {_in_words(pair)} was there and is gone"
    for number, pair in enumerate(new):
        if pair not in old:
            yield f"format.pairs[{number}]: {_in_words(pair)} is new"
    if [pair for pair in old if pair in new] != [pair for pair in new if pair in old]:
        yield "format.pairs: their order has changed"


def _in_words(value: Any) -> str:
    """A value as it stands in a file, cut where it is long."""
    if value is ABSENT:
        return "not set"
    return excerpt(value) if isinstance(value, str) else excerpt(json.dumps(value))


class Source(NamedTuple):
    """The package that offers an engine, its version, and the digest of its sources."""

    package: str
    version: str
    sha256: str

    @property
    def is_own(self) -> bool:
        """Whether the engine is one of ours."""
        return self.package == OWN


def sources(engines: Iterable[str]) -> dict[str, Source]:
    """What each installed engine is made of; of one in a file, what it imports from its folder."""
    digests = {}
    for engine in dict.fromkeys(engines):
        files = [file for file in BotName.parse(engine).files if file.suffix == ".py"]
        for file in files:
            beside = files_beside(file)
            if beside:
                name = f"what {file.parent.name}/{file.name} imports from its folder"
                digests[name] = Source("", "", _digest_of(beside, file.parent))
        if not files and not BotName.parse(engine).kind:
            point = entry_point(engine)
            package = None if point is None else point.dist
            digest = _digest(find(engine)) if is_ours(engine) else _digest_of_package(engine)
            name, version = (package.name, package.version) if package else ("", "")
            digests[engine] = Source(name, version, digest)
    return digests


def files_beside(file: Path) -> set[Path]:
    """The files of its folder that a file imports, one way or another."""
    return import_closure([file], file.parent) - {file}


def changed_sources(
    before: Mapping[str, Source], now: Mapping[str, Source]
) -> dict[str, tuple[Source, Source]]:
    """The engines whose sources are others than before; of unknown ones nothing is said."""
    return {
        engine: (before[engine], source)
        for engine, source in now.items()
        if engine in before and before[engine].sha256 != source.sha256
    }


def change_in_words(engine: str, before: Source, now: Source) -> str:
    """The change of an engine as a sentence, without its end."""
    versions = "" if before.version == now.version else f" {before.version} -> {now.version}"
    package = f" ({now.package}{versions})" if now.package else ""
    return f"{engine}{package} {CHANGED}"


def _digest(entry: Entry) -> str:
    """The digest of all files that an engine of ours is played from."""
    module = getattr(sys.modules.get(entry.engine.__module__), "__file__", None)
    if module is None:
        return _digest_of((), Path())
    folder = Path(module).parent
    package = entry.engine.__module__.rpartition(".")[0]
    return _digest_of(import_closure([Path(module)], folder, package), folder)


def _digest_of_package(engine: str) -> str:
    """The digest of another's package: every file, as weights decide moves as well as code."""
    top = package_path(engine)
    if top is None:
        return _digest_of((), Path())
    inside = [path for path in top.rglob("*") if path.is_file()] if top.is_dir() else [top]
    return _digest_of((path for path in inside if "__pycache__" not in path.parts), top.parent)


def _digest_of(files: Iterable[Path], folder: Path) -> str:
    """The digest of files, by their names in a folder and what they hold."""
    digest = sha256()
    for each in sorted(files):
        name = each.relative_to(folder).as_posix()
        digest.update(f"\0{name}\0".encode() + sha256(each.read_bytes()).digest())
    return digest.hexdigest()


def shipped_source(players: Iterable[Player], rules: Rules) -> dict[str, Source]:
    """The network of a board as a source of moves, if there is one and options name it."""
    file = shipped_file(rules)
    if not file.is_file() or not any(map(_weighs_by_it, players)):
        return {}
    digest = sha256(file.read_bytes()).hexdigest()
    return {f"the shipped network of {rules}": Source(OWN, "", digest)}


def _weighs_by_it(player: Player) -> bool:
    """Whether an option of a player names it, given or not."""
    if player.broken:
        return False
    entry = find(player.engine)
    usual = {name: option.default for name, option in entry.engine.options.items()}
    return any(map(_names_it, (usual | dict(player.options)).values()))


def _names_it(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(map(_names_it, value.values()))
    if not isinstance(value, str):
        return False
    return value == SHIPPED or (value in EVALUATIONS and EVALUATIONS[value].network is not None)
