"""Weights on disk: a line of JSON that describes a network, and its weights, sealed by a hash.

Only weights that are not zero are written: most ways that cells can look never come up in a game.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from arena.errors import BadWeights
from arena.files import write_whole
from arena.game.rules import Rules
from arena.network.network import Network

FORM = "connect-arena network 1"


def to_bytes(network: Network, about: dict[str, Any] | None = None) -> bytes:
    """A network as a file holds it; `about` says where it comes from."""
    flat = network.weights.ravel()
    places = np.flatnonzero(flat)
    steps = np.diff(places, prepend=0).astype("<u4")
    body = zlib.compress(steps.tobytes() + flat[places].astype("<f4").tobytes(), 6)
    head = {
        "form": FORM,
        "board": f"{network.rules.size}c{network.rules.connect}",
        "tuples": [list(cells) for cells in network.tuples],
        "weights": len(places),
        "about": about or {},
    }
    return json.dumps({**head, "sha256": _seal(head, body)}).encode() + b"\n" + body


def from_bytes(data: bytes, name: str = "the network") -> Network:
    """Read a network, or say what is wrong with its file."""
    first, _, body = data.partition(b"\n")
    head = _head(first, name)
    if head.pop("sha256", None) != _seal(head, body):
        raise BadWeights(f"{name} is damaged: its contents do not match its seal; train it anew")
    network = Network(Rules.named(head["board"]), head["tuples"])
    count, plain = int(head["weights"]), zlib.decompress(body)
    places = np.cumsum(np.frombuffer(plain, "<u4", count), dtype=np.int64)
    network.weights.ravel()[places] = np.frombuffer(plain, "<f4", count, 4 * count)
    return network


def save_network(network: Network, path: Path, about: dict[str, Any] | None = None) -> Path:
    """Write a network's file, whole or not at all."""
    return write_whole(path, to_bytes(network, about))


def load_network(path: Path) -> Network:
    """Read a network's file."""
    try:
        return from_bytes(path.read_bytes(), str(path))
    except OSError as error:
        raise BadWeights(f"{path} cannot be read: {error.strerror}") from error


def _seal(head: dict[str, Any], body: bytes) -> str:
    """The hash of all that a file says."""
    return hashlib.sha256(json.dumps(head, sort_keys=True).encode() + b"\n" + body).hexdigest()


def _head(line: bytes, name: str) -> dict[str, Any]:
    try:
        head = json.loads(line)
        if head["form"] == FORM:
            return dict(head)
    except (ValueError, KeyError, TypeError):
        pass
    raise BadWeights(f"{name} is no network of this version; train it anew")
