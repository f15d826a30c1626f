"""The kinds of engines from outside: the word before the colon, and the adapter that it means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple

from arena.bots.adapter import Adapter


class Kind(NamedTuple):
    """Where the adapter of a kind is, what its target is, and an example of it."""

    module: str
    adapter: str
    target: str  # "file", "name or file", "command" or "address"
    example: str
    about: str

    def load(self) -> type[Adapter]:
        """The adapter; it imports nothing of anybody else's."""
        adapter: type[Adapter] = getattr(import_module(self.module), self.adapter)
        return adapter


def _kind(module: str, adapter: str, target: str, example: str, about: str) -> Kind:
    return Kind(f"arena.bots.{module}", adapter, target, example, about)


KINDS: Mapping[str, Kind] = {
    "kaggle": _kind("kaggle", "Kaggle", "file", "submission.py", "a Kaggle ConnectX submission"),
    "gym": _kind("gym", "Gym", "file", "player.py:Player", "a player of gym_connect_four"),
    "openspiel": _kind("openspiel", "OpenSpiel", "name or file", "mcts", "a bot of OpenSpiel"),
    "pettingzoo": _kind("pettingzoo", "PettingZoo", "file", "bot.py:policy", "a PettingZoo policy"),
    "uci": _kind("uci", "UCI", "command", "fairy-stockfish", "a UCI program with drop moves"),
    "aigames": _kind("lines", "AiGames", "command", "./bot", "a bot of theaigames"),
    "riddles": _kind("lines", "Riddles", "command", "java Bot", "a bot of riddles.io"),
    "codingame": _kind("lines", "CodinGame", "command", "./bot", "a bot of CodinGame"),
    "lines": _kind("lines", "Lines", "command", "./bot", "a program that says columns"),
    "url": _kind("url", "Url", "address", "http://localhost:8000/move", "a service on the net"),
}

NAMED = re.compile(rf"({'|'.join(KINDS)}):(.*)", re.DOTALL)


def split_kind(spec: str) -> tuple[str, str] | None:
    """The kind and the target of KIND:TARGET; None if it is none of these."""
    named = NAMED.fullmatch(spec.strip())
    return (named[1], named[2].strip()) if named else None
