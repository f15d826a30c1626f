"""Weights on disk: a line of JSON that describes a network, and its weights, sealed by a hash.

Discs fall, so most ways that the cells of a tuple could look never come up: an empty cell has no
disc above it. Only weights that a position can ask for are written, tuple by tuple, the table of
each side to move after the other. With `full` precision they are as they were trained; `packed`
ones are whole numbers of a step, a 64th of their root mean square, in two bytes. Equal bytes of
all weights stand together and are compressed. A damaged file is refused, never believed.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from arena.errors import ArenaError, BadWeights
from arena.files import BadSeal, sealed, unsealed, write_whole
from arena.game.rules import Rules
from arena.network.network import Network
from arena.network.reachable import reachable_numbers

FORM = "connect-arena network 1"
KEYS = {
    "board": str, "tuples": list, "precision": str, "step": float, "weights": int, "about": dict,
}  # fmt: skip
STEPS = 64  # to the root mean square of the weights: finer ones choose the same moves
MOST_STEPS = 2**15 - 1
LARGEST_STEP = 1e30

Precision = Literal["full", "packed"]
Values = NDArray[np.float32]


def to_bytes(
    network: Network, about: Mapping[str, Any] | None = None, precision: Precision = "full"
) -> bytes:
    """A network as a file holds it; `about` says where it comes from."""
    if not network.shared:
        raise BadWeights("an unfolded network is not written; write the one it was made from")
    values = network.weights[:, reachable_numbers(network)]
    if not np.isfinite(values).all():
        raise BadWeights("a weight of the network has grown beyond all numbers; lower the step")
    step = 1.0 if precision == "full" else _step(values)
    whole = values if precision == "full" else _whole(values, step)
    body = _compressed(_planes(whole))
    head = {
        "form": FORM,
        "board": f"{network.rules.size}c{network.rules.connect}",
        "tuples": [list(cells) for cells in network.tuples],
        "precision": precision,
        "step": step,
        "weights": values.size,
        "about": dict(network.about if about is None else about),
    }
    return sealed(head, body)


def from_bytes(data: bytes, name: str = "the network") -> Network:
    """Read a network, or say what is wrong with its file."""
    try:
        head, body = unsealed(data, FORM, "network")
    except BadSeal as error:
        raise BadWeights(f"{name} {error}; train it anew") from None
    try:
        return _network(head, body)
    except (ArenaError, ValueError, zlib.error) as error:
        raise BadWeights(f"{name} describes no network: {error}") from None


def rounded(network: Network) -> Network:
    """The network as its packed file gives it back."""
    numbers = reachable_numbers(network)
    values = network.weights[:, numbers]
    step = _step(values)
    packed = Network(network.rules, network.tuples)
    packed.weights[:, numbers] = np.rint(values / step) * np.float32(step)
    return packed


def save_network(
    network: Network,
    path: Path,
    about: Mapping[str, Any] | None = None,
    precision: Precision = "full",
) -> Path:
    """Write a network's file, whole or not at all."""
    return write_whole(path, to_bytes(network, about, precision))


def load_network(path: Path) -> Network:
    """Read a network's file."""
    try:
        return from_bytes(path.read_bytes(), str(path))
    except OSError as error:
        raise BadWeights(f"{path} cannot be read: {error.strerror}") from error


def _network(head: dict[str, Any], body: bytes) -> Network:
    for key, kind in KEYS.items():
        if type(head.get(key)) is not kind:
            raise ValueError(f"its {key} is {str(head.get(key))[:40]!r}")
    if head["precision"] not in get_args(Precision) or not 0 < head["step"] < LARGEST_STEP:
        raise ValueError(f"its precision is {head['precision'][:40]!r}, its step {head['step']}")
    tuples = head["tuples"]
    if not all(isinstance(t, list) and all(type(cell) is int for cell in t) for t in tuples):
        raise ValueError("its tuples are not lists of cells")
    network = Network(Rules.named(head["board"]), tuples)
    network.about = head["about"]
    numbers = reachable_numbers(network)
    if head["weights"] != 2 * len(numbers):
        raise ValueError(f"it has {head['weights']} weights, its tuples have {2 * len(numbers)}")
    for table, values in zip(network.weights, _values(head, body), strict=True):
        table[numbers] = values
    return network


def _values(head: dict[str, Any], body: bytes) -> Values:
    """The weights of a file, a row for each side to move."""
    kind = np.dtype("<f4" if head["precision"] == "full" else "<i2")
    data = _expanded(body, head["weights"] * kind.itemsize)
    planes = np.frombuffer(data, np.uint8).reshape(kind.itemsize, -1)
    whole = np.ascontiguousarray(planes.T).view(kind).reshape(2, -1)
    if kind.kind == "i":
        steps = whole >> 1 & MOST_STEPS ^ -(whole & 1)
        return steps.astype(np.float32) * np.float32(head["step"])
    if not np.isfinite(whole).all():
        raise ValueError("it has weights that are no numbers")
    return whole.astype(np.float32)


def _step(values: Values) -> float:
    """The step between two packed weights; zero needs none."""
    squares = np.square(values[values != 0], dtype=np.float64)
    if not len(squares):
        return 1.0
    return max(math.sqrt(squares.mean()) / STEPS, math.sqrt(squares.max()) / MOST_STEPS)


def _whole(values: Values, step: float) -> NDArray[np.int16]:
    """Whole numbers of steps, with the sign in the lowest bit: small ones have an empty byte."""
    steps = np.rint(values / step).astype(np.int32)
    signed: NDArray[np.int16] = (steps << 1 ^ steps >> 31).astype(np.uint16).view(np.int16)
    return signed


def _planes(whole: NDArray[Any]) -> bytes:
    """The first bytes of all weights, then the second ones, and so on."""
    little = whole.astype(whole.dtype.newbyteorder("<"), copy=False)
    return little.reshape(-1, 1).view(np.uint8).T.tobytes()


def _compressed(data: bytes) -> bytes:
    """Compressed by how frequent bytes are, as hardly anything in a table comes twice."""
    squeeze = zlib.compressobj(9, strategy=zlib.Z_FILTERED)
    return squeeze.compress(data) + squeeze.flush()


def _expanded(body: bytes, size: int) -> bytes:
    """What was compressed, if it is so long; nothing longer is made of it."""
    expand = zlib.decompressobj()
    data = expand.decompress(body, size + 1)
    if len(data) != size or not expand.eof or expand.unused_data:
        raise ValueError(f"its weights are not {size} bytes")
    return data
