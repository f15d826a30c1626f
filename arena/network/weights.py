"""Networks as users name them: the shipped ones, or a file that `arena train` has written."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from arena.errors import BadRules, BadWeights
from arena.game.rules import NAMED_GAMES, Rules

if TYPE_CHECKING:  # numpy and the kernels load when a network is needed, not when one is named
    from arena.network.network import Network

SHIPPED = "shipped"
SUFFIX = ".net"


class Weights:
    """Which network to play with; those of one name and one content are equal.

    A shipped one is loaded when a board asks for it, and then kept: a record of a network holds no
    more than the address of its weights.
    """

    in_words: ClassVar[str] = f"{SHIPPED}, or a {SUFFIX} file"

    def __init__(self, name: str, network: Network | None = None, digest: str = "") -> None:
        self.name = name
        self.digest = digest  # of the file
        self._network = network
        self._shipped: dict[Rules, Network] = {}

    @classmethod
    def from_option(cls, value: Any) -> Weights:
        """Weights from what a user wrote; a network as it is stands for itself."""
        if isinstance(value, Weights):
            return value
        if not isinstance(value, str):
            from arena.network.network import Network

            if isinstance(value, Network):
                return cls("in memory", value, str(id(value)))
        if not isinstance(value, str) or not (value == SHIPPED or value.endswith(SUFFIX)):
            raise BadWeights(f"weights are {value!r}; expected {cls.in_words}")
        return cls(SHIPPED) if value == SHIPPED else _read(value)

    @classmethod
    def in_detail(cls) -> list[str]:
        """Of each network that comes along the board, and what its file says about itself."""
        boards = [rules for rules in NAMED_GAMES.values() if shipped_file(rules).is_file()]
        networks = {rules.name: shipped_network(rules) for rules in boards}
        return [f"{SHIPPED} for {name}: {network}" for name, network in networks.items()]

    def network(self, rules: Rules) -> Network:
        """The network for a board; BadRules, with the reason, if there is none."""
        network = self._network
        if network is None:
            network = self._shipped.setdefault(rules, shipped_network(rules))
        if network.rules != rules:
            raise BadRules(f"{self.name} has the weights of {network.rules}, not of {rules}")
        return network

    def check_board(self, rules: Rules) -> None:
        """Refuse a board that this network was not made for."""
        self.network(rules)

    def __deepcopy__(self, memo: Any) -> Weights:
        """Itself, as nothing in it changes: the copy of an engine reads the same tables."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Elsewhere, shipped ones are loaded there."""
        return Weights, (self.name, self._network, self.digest)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Weights):
            return NotImplemented
        return (self.name, self.digest) == (other.name, other.digest)

    def __hash__(self) -> int:
        return hash((self.name, self.digest))

    def __repr__(self) -> str:
        return f"Weights({self.name!r})"

    def __str__(self) -> str:
        return self.name


def _read(name: str) -> Weights:
    """The weights of a file, which is read again only when it has changed."""
    try:
        state = Path(name).stat()
        return _read_once(name, str(Path(name).absolute()), state.st_mtime_ns, state.st_size)
    except OSError as error:
        raise BadWeights(f"{name} cannot be read: {error.strerror}") from error


@lru_cache(maxsize=8)
def _read_once(name: str, path: str, changed: int, size: int) -> Weights:
    from arena.network.file import from_bytes

    content = Path(path).read_bytes()
    return Weights(name, from_bytes(content, name), sha256(content).hexdigest())


@lru_cache(maxsize=4)
def shipped_network(rules: Rules) -> Network:
    """The network of a board that comes with the package; BadRules for any other board."""
    from arena.network.file import from_bytes

    file = shipped_file(rules)
    if not file.is_file():
        games = [name for name, board in NAMED_GAMES.items() if shipped_file(board).is_file()]
        raise BadRules(
            f"no network for {rules} comes along, only for {' and '.join(games) or 'none'}; "
            f"`arena train` makes one, whose file takes its place"
        )
    return from_bytes(file.read_bytes(), f"the network of {rules} that comes along")


def shipped_file(rules: Rules) -> Traversable:
    """Where the network of a board lies that comes with the package, if one does."""
    return resources.files("arena.network").joinpath("shipped", f"{rules.name}{SUFFIX}")
