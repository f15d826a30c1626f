"""What decides the games of a tournament: the same for two files that play the same games."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from arena.engine.contract import Limits
from arena.errors import CHANGED
from arena.game.notation import write_moves
from arena.tournament.spec.mistakes import excerpt
from arena.tournament.spec.model import Player, Tournament
from arena.tournament.spec.players import in_short

ABSENT = object()


def canonical(tournament: Tournament) -> dict[str, Any]:
    """Everything that decides the games, as JSON would hold it, and nothing else.

    Left out are the name, comments, workers and output, and how long to go on (stop.seconds and
    stop.error): they may change between two runs of one tournament.
    """
    sprt = tournament.stop.sprt
    parts = {
        "game": tournament.rules.name,
        "format": tournament.format.settings(),
        "games": tournament.games,
        "swap_seats": tournament.swap_seats,
        "openings": _openings(tournament),
        "engines": [_player(player, tournament.path.parent) for player in tournament.players],
        "adjudication": _adjudication(tournament),
        "stop": {"sprt": asdict(sprt) if sprt else None},
        "seed": tournament.seed,
        "memory": tournament.memory,
        "margin": tournament.margin,
        "patience": tournament.patience,
    }
    read_back: dict[str, Any] = json.loads(json.dumps(parts, default=str))
    return read_back


def fingerprint(tournament: Tournament) -> str:
    """The SHA-256 of all that decides the games."""
    text = json.dumps(canonical(tournament), sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """What differs between two canonical tournaments, a sentence each."""
    return list(_differences("", dict(old), dict(new)))


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


def _adjudication(tournament: Tournament) -> dict[str, Any]:
    """The rules that are on; a solver that is off was not named by earlier versions either."""
    rules = tournament.adjudication
    return {"max_plies": rules.max_plies, **({"solver": True} if rules.solver else {})}


def _player(player: Player, folder: Path) -> dict[str, Any]:
    """A player; one from a file with the digest of the file, for that decides its moves."""
    engine, file = in_short(player.engine, folder)
    digest = {}
    if file is not None:
        digest["sha256"] = sha256(file.read_bytes()).hexdigest() if file.is_file() else None
    limits = _limits(player.limits)
    return {"name": player.name, "engine": engine, **digest, "options": player.options,
            "limits": limits}  # fmt: skip


def _limits(limits: Limits) -> dict[str, Any]:
    return {name: value for name, value in asdict(limits).items() if value}


def _differences(where: str, old: Any, new: Any) -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*old, *new]):
            if key == "sha256" and old.get(key) and new.get(key):
                if old[key] != new[key]:
                    yield f"{_file_of(new)} {CHANGED}"
                continue
            under = f"{where}.{key}" if where else str(key)
            yield from _differences(under, old.get(key, ABSENT), new.get(key, ABSENT))
    elif where == "engines" and isinstance(old, list) and isinstance(new, list):
        yield from _player_differences(old, new)
    elif old != new or isinstance(old, bool) != isinstance(new, bool):
        yield f"{where}: {_in_words(old)} -> {_in_words(new)}"


def _file_of(part: Mapping[str, Any]) -> str:
    """The file whose digest a part of a tournament holds."""
    engine = str(part.get("engine", ""))
    return excerpt(engine.rpartition(":")[0] or engine) or "the list of openings"


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


def _in_words(value: Any) -> str:
    """A value as it stands in a file, cut where it is long."""
    if value is ABSENT:
        return "not set"
    return excerpt(value) if isinstance(value, str) else excerpt(json.dumps(value))
