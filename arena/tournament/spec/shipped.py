"""The shipped network of a board: who evaluates by it, and whether it is still the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from arena.bots.find import OWN, find
from arena.evaluation import EVALUATIONS
from arena.game.rules import Rules
from arena.network.option import SHIPPED, shipped_file
from arena.tournament.schedule import Player
from arena.tournament.spec.canonical import Source


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
