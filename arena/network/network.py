"""A network: its tuples on a board, a table of weights for each side to move, and its file.

Files are NumPy archives (.npz), which `numpy.load` reads too:

    about    JSON as bytes: the form, the board, the step, and where the weights come from
    tuples   a row of cells for each tuple, filled up with -1
    gaps     from each weight that is not zero for either side to move to the next
    values   those weights, a row for each side to move: numbers, or whole numbers of steps

With `full` precision the weights are exact. `packed` ones are rounded to a step, a 64th of their
root mean square, in two bytes.
"""

from __future__ import annotations

import json
import math
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from arena.errors import ArenaError, BadOption
from arena.files import write_atomic
from arena.game.bits import OneRecord, record_of
from arena.game.position import Position
from arena.game.rules import Rules
from arena.network.tuples import MAX_LENGTH, MAX_TUPLES, Cells, check_tuples, images, table_sizes
from arena.network.value import NETWORK, Net, network_value

WeightArray = NDArray[np.float32]

MAX_UNFOLDED = 1 << 20  # weights of an unfolded network
FORM = "connect-arena network 2"
STEPS = 64  # in the root mean square of the weights; finer steps change no move
MAX_STEPS = 2**15 - 1
MAX_STEP = 1e30
MAX_ABOUT = 1 << 20  # bytes
MAX_HEADER = 1 << 12  # bytes before the numbers of an array

Precision = Literal["full", "packed"]

# The errors of reading a damaged archive.
DAMAGE = (
    ValueError, KeyError, EOFError, OSError, RuntimeError, ArithmeticError, SyntaxError,
    struct.error, zipfile.BadZipFile, zlib.error,
)  # fmt: skip


class Network:
    """Tuples of cells and their weights; all symmetries of the board share them.

    `weights` has a row for each side to move: with an even number of discs on the board, and odd.
    """

    def __init__(
        self,
        rules: Rules,
        tuples: Sequence[Sequence[int]],
        weights: WeightArray | None = None,
        shared: bool = True,
    ) -> None:
        self.rules = rules
        self.tuples: list[Cells] = check_tuples(rules, tuples)
        self.shared = shared
        sizes = table_sizes(self.tuples)
        self.size = sum(sizes)
        self.starts = [sum(sizes[:k]) for k in range(len(sizes))]
        self.weights = np.zeros((2, self.size), np.float32) if weights is None else weights
        if self.weights.shape != (2, self.size) or self.weights.dtype != np.float32:
            raise BadOption(f"weights of {self.weights.shape} do not fit {len(sizes)} tuples")
        self.about: dict[str, Any] = {}  # the source of the weights
        self.tables: OneRecord = np.zeros(1, NETWORK)
        self.record: Net = record_of(self.tables)
        self._fill(self.record)

    def _fill(self, record: Net) -> None:
        """Fill in what kernels read."""
        rules = self.rules
        symmetries = rules.symmetries if self.shared else rules.symmetries[:1]
        record.tuples, record.span = len(self.tuples), self.size
        record.symmetries = len(symmetries)
        record.weights = self.weights.ctypes.data
        count = len(self.tuples)
        record.mask[:count] = [sum(1 << cell for cell in cells) for cells in self.tuples]
        record.start[:count] = self.starts
        record.length[:count] = [len(cells) for cells in self.tuples]
        for k, symmetry in enumerate(symmetries):
            record.column[k, : rules.columns] = symmetry
            record.cell[k, : rules.cells] = [
                column * rules.height + level
                for column in symmetry
                for level in range(rules.height)
            ]

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy a network so that its record points to its own weights."""
        parts = self.rules, self.tuples, self.weights, self.shared
        return Network, parts, {"about": self.about}

    def value(self, position: Position) -> float:
        """The value of an unfinished position to the player to move, from -1 to 1."""
        return float(network_value(record_of(self.rules.board), self.record, *position.words))

    def __str__(self) -> str:
        """The size, and the source of the weights: "18 tuples, games 160000, seed 1"."""
        about = [f"{key} {value}" for key, value in self.about.items() if key != "sha256"]
        return ", ".join([f"{len(self.tuples)} tuples", *about])

    @cached_property
    def unfolded(self) -> Network:
        """The network with a table for every image of every tuple, which needs no symmetries.

        It is faster, and has the weights of this moment. A large network is returned as it is.
        """
        masks = {cells for own in self.tuples for cells in images(self.rules, own)}
        if not self.shared or sum(4 ** len(cells) for cells in masks) > MAX_UNFOLDED:
            return self
        wide = Network(self.rules, sorted(masks), shared=False)
        start_of = dict(zip(wide.tuples, wide.starts, strict=True))
        height = self.rules.height
        for cells, start in zip(self.tuples, self.starts, strict=True):
            numbers = np.arange(4 ** len(cells))
            for symmetry in self.rules.symmetries:
                back = {symmetry[cell // height] * height + cell % height: cell for cell in cells}
                target = tuple(sorted(back))
                moved = _renumbered(numbers, [cells.index(back[cell]) for cell in target])
                wide.weights[:, start_of[target] + numbers] += self.weights[:, start + moved]
        return wide


def _renumbered(numbers: NDArray[np.int64], places: list[int]) -> NDArray[np.int64]:
    """The numbers of weights after the k-th cell moves to places[k]."""
    length = len(places)
    moved = np.zeros_like(numbers)
    for k, place in enumerate(places):
        moved |= (numbers >> k & 1) << place
        moved |= (numbers >> (length + k) & 1) << (length + place)
    return moved


# ---- files


def to_bytes(
    network: Network, about: Mapping[str, Any] | None = None, precision: Precision = "full"
) -> bytes:
    """The contents of a network's file; `about` is the source of its weights."""
    if not network.shared:
        raise BadOption("an unfolded network cannot be saved; save the one it was made from")
    used = np.flatnonzero(network.weights.any(axis=0))
    values = network.weights[:, used]
    if not np.isfinite(values).all():
        raise BadOption("a weight of the network overflowed; use a smaller learning rate")
    step = _step(values) if precision == "packed" else 1.0
    steps = np.rint(values / step).astype("<i2") if precision == "packed" else values
    tuples = np.full((len(network.tuples), MAX_LENGTH), -1, np.int8)
    for row, cells in zip(tuples, network.tuples, strict=True):
        row[: len(cells)] = cells
    description = {
        "form": FORM,
        "board": f"{network.rules.size}c{network.rules.connect}",
        "step": step,
        "about": dict(network.about if about is None else about),
    }
    file = BytesIO()
    np.savez_compressed(
        file,
        about=np.frombuffer(json.dumps(description).encode(), np.uint8),
        tuples=tuples,
        gaps=np.diff(used, prepend=0).astype("<u4"),
        values=np.ascontiguousarray(steps),
    )
    return file.getvalue()


def from_bytes(data: bytes, name: str = "the network") -> Network:
    """Read the file of a network; BadOption if it is damaged."""
    if not data.startswith(b"PK"):
        raise BadOption(f"{name} is not a network file of this version; train the network again")
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return _network(archive)
    except ArenaError as error:
        raise BadOption(f"{name} is not a valid network file: {error}") from None
    except DAMAGE:
        raise BadOption(f"{name} is damaged, or not a network file") from None


def save_network(
    network: Network,
    path: Path,
    about: Mapping[str, Any] | None = None,
    precision: Precision = "full",
) -> Path:
    """Write a network's file atomically."""
    return write_atomic(path, to_bytes(network, about, precision))


def round_weights(network: Network) -> Network:
    """The network as its packed file has it."""
    step = np.float32(_step(network.weights))
    weights = np.rint(network.weights / step) * step
    return Network(network.rules, network.tuples, weights)


def _step(values: WeightArray) -> float:
    """The step between two packed weights."""
    squares = np.square(values[values != 0], dtype=np.float64)
    if not len(squares):
        return 1.0
    return max(math.sqrt(squares.mean()) / STEPS, math.sqrt(squares.max()) / MAX_STEPS)


def _network(archive: zipfile.ZipFile) -> Network:
    description = json.loads(_array(archive, "about", MAX_ABOUT, "|u1").tobytes())
    form, board, step, about = (description[key] for key in ("form", "board", "step", "about"))
    if form != FORM or type(board) is not str or type(about) is not dict:
        raise BadOption("its description is of another version")
    if type(step) is not float or not 0 < step < MAX_STEP:
        raise BadOption(f"its step is {str(step)[:40]}; expected a number above 0")
    rows = _array(archive, "tuples", MAX_TUPLES * MAX_LENGTH, "|i1")
    network = Network(Rules.named(board), [[c for c in row if c != -1] for row in rows.tolist()])
    network.about = about
    gaps = _array(archive, "gaps", 4 * network.size, "<u4")
    used = np.cumsum(gaps, dtype=np.int64)
    if len(used) and (not gaps[1:].all() or used[-1] >= network.size):
        raise BadOption(f"it has weights outside its {len(network.tuples)} tuples")
    values = _array(archive, "values", 8 * len(used), "<i2", "<f4")
    if values.shape != (2, len(used)) or not np.isfinite(values).all():
        raise BadOption(f"its values are not {2 * len(used)} numbers")
    network.weights[:, used] = values.astype(np.float32) * np.float32(step)
    return network


def _array(archive: zipfile.ZipFile, name: str, most: int, *kinds: str) -> NDArray[Any]:
    """Read an array of at most these bytes, and decompress no more."""
    member = archive.getinfo(f"{name}.npy")
    if member.file_size > most + MAX_HEADER:
        raise BadOption(f"its {name} have {member.file_size:,} bytes; expected at most {most:,}")
    with archive.open(member) as file:
        data = file.read(member.file_size)  # its end compares the checksum
    stream = BytesIO(data)
    npy.read_magic(stream)
    shape, by_columns, kind = npy.read_array_header_1_0(stream)
    if kind.str not in kinds:
        raise BadOption(f"its {name} are of type {kind.str}; expected {' or '.join(kinds)}")
    numbers = np.frombuffer(data, kind, offset=stream.tell())
    return numbers.reshape(shape, order="F" if by_columns else "C")
