"""Networks as users name them: the shipped ones, or a file that `arena train` has written."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar

from arena.errors import BadWeights
from arena.game.rules import Rules
from arena.network.file import SUFFIX, from_bytes, load_network
from arena.network.network import Network

SHIPPED = "shipped"


class Weights:
    """Which network to play with; it is loaded when a board asks for it, and then kept."""

    in_words: ClassVar[str] = f"{SHIPPED}, or a {SUFFIX} file"

    def __init__(self, name: str, network: Network | None = None) -> None:
        self.name = name
        self._network = network

    @classmethod
    def from_option(cls, value: Any) -> Weights:
        """Weights from what a user wrote; a network as it is stands for itself."""
        if isinstance(value, Weights):
            return value
        if isinstance(value, Network):
            return cls("in memory", value)
        if not isinstance(value, str) or not (value == SHIPPED or value.endswith(SUFFIX)):
            raise BadWeights(f"weights are {value!r}; expected {cls.in_words}")
        return cls(value, None if value == SHIPPED else load_network(Path(value)))

    def network(self, rules: Rules) -> Network:
        """The network for a board, or one sentence on why there is none."""
        network = shipped_network(rules) if self._network is None else self._network
        if network.rules != rules:
            raise BadWeights(f"{self.name} has the weights of {network.rules}, not of {rules}")
        return network

    def __str__(self) -> str:
        return self.name


@lru_cache(maxsize=4)
def shipped_network(rules: Rules) -> Network:
    """The network of a board that comes with the package."""
    file = resources.files("arena.network").joinpath("shipped", f"{rules.name}{SUFFIX}")
    if not file.is_file():
        raise BadWeights(
            f"no network for {rules} comes along; train one and give its file: weights"
        )
    return from_bytes(file.read_bytes(), f"the network of {rules} that comes along")
