"""Networks by name: the shipped ones, or a file written by `arena train`."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from arena.errors import BadOption, BadRules
from arena.game.rules import NAMED_GAMES, Rules

if TYPE_CHECKING:  # numpy and the kernels load when a network is needed, not when one is named
    from arena.network.network import Network

SHIPPED = "shipped"
SUFFIX = ".net"


@dataclass(frozen=True)
class NetworkOption:
    """The network of an engine or an evaluation; a shipped one is loaded for its board."""

    in_words: ClassVar[str] = f"{SHIPPED}, or a {SUFFIX} file"

    name: str = SHIPPED
    loaded: Network | None = field(default=None, repr=False)

    @classmethod
    def from_option(cls, value: Any) -> NetworkOption:
        """Read a name or a file; a network is returned as it is."""
        if isinstance(value, NetworkOption):
            return value
        if value == SHIPPED:
            return cls()
        if isinstance(value, str):
            if value.endswith(SUFFIX):
                return cls(value, load_network(value))
        else:
            from arena.network.network import Network

            if isinstance(value, Network):
                return cls("in memory", value)
        raise BadOption(f"weights are {value!r}; expected {cls.in_words}")

    @classmethod
    def in_detail(cls) -> list[str]:
        """A line about each shipped network."""
        boards = [rules for rules in NAMED_GAMES.values() if shipped_file(rules).is_file()]
        return [f"{SHIPPED} for {rules.name}: {shipped_network(rules)}" for rules in boards]

    def network_for(self, rules: Rules) -> Network:
        """The network for a board; BadRules if there is none."""
        network = shipped_network(rules) if self.loaded is None else self.loaded
        if network.rules != rules:
            raise BadRules(f"{self.name} has the weights of {network.rules}, not of {rules}")
        return network

    def check_board(self, rules: Rules) -> None:
        """Refuse a board that does not fit the network."""
        self.network_for(rules)

    def __deepcopy__(self, memo: Any) -> NetworkOption:
        return self  # copies of an engine share the tables

    def __str__(self) -> str:
        return self.name


def load_network(name: str | Path) -> Network:
    """Read a network file, again only after a change."""
    try:
        path = Path(name).absolute()
        state = path.stat()
        return _load(str(name), path, state.st_mtime_ns, state.st_size)
    except OSError as error:
        raise BadOption(f"{name} cannot be read: {error.strerror}") from error


@lru_cache(maxsize=8)
def _load(name: str, path: Path, changed: int, size: int) -> Network:
    from arena.network.network import from_bytes

    return from_bytes(path.read_bytes(), name)


@lru_cache(maxsize=4)
def shipped_network(rules: Rules) -> Network:
    """The shipped network of a board; BadRules for any other board."""
    from arena.network.network import from_bytes

    file = shipped_file(rules)
    if not file.is_file():
        games = [name for name, board in NAMED_GAMES.items() if shipped_file(board).is_file()]
        raise BadRules(
            f"no network is shipped for {rules}, only for {' and '.join(games) or 'none'}; "
            f"train one with `arena train` and name its file"
        )
    return from_bytes(file.read_bytes(), f"the shipped network of {rules}")


def shipped_file(rules: Rules) -> Path:
    """The path of a board's shipped network, which may not exist."""
    return Path(__file__).with_name("shipped") / f"{rules.name}{SUFFIX}"
