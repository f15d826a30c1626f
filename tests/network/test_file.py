"""Network files: exact or packed, and one sentence for whatever is wrong with one."""

from __future__ import annotations

import json
import struct
import tracemalloc
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from arena.errors import BadOption
from arena.game.rules import CONNECT4, SCORE4, Rules
from arena.network.network import Network, from_bytes, round_weights, save_network, to_bytes
from arena.network.option import load_network
from tests.network.naive import random_network

BOARDS = (CONNECT4, SCORE4, Rules.flat(5, 4), Rules.space(3, 2, 3, 3))
ABOUT = {"games": 1000, "seed": 7, "strength": {"wins": 3}}


@pytest.mark.parametrize("rules", BOARDS, ids=str)
def test_full_weights_come_back_to_the_bit(rules: Rules, tmp_path: Path) -> None:
    network = random_network(rules, 6, 5, seed=4)
    network.weights[:, ::3] = 0
    back = load_network(str(save_network(network, tmp_path / "a.net", ABOUT)))
    assert (back.rules, back.tuples, back.about) == (rules, network.tuples, ABOUT)
    assert (back.weights == network.weights).all()
    assert to_bytes(back) == (tmp_path / "a.net").read_bytes()


@pytest.mark.parametrize("largest", [0.1, 3.0, 1e5])
def test_packed_weights_are_half_a_step_off_at_most(largest: float) -> None:
    network = random_network(CONNECT4, 6, 6, seed=4)
    network.weights[0, :3] = largest, -largest, 0
    data = to_bytes(network, ABOUT, "packed")
    weights, packed = network.weights, from_bytes(data).weights
    step = max(np.sqrt((weights.astype(float) ** 2).mean()) / 63, largest / 32000)
    assert abs(weights - packed).max() <= step / 2
    assert packed[0, 2] == 0
    assert len(data) < len(to_bytes(network)) / 2
    assert (round_weights(network).weights == packed).all()


def test_an_untrained_network_takes_no_place() -> None:
    network = Network(CONNECT4, random_network(CONNECT4, 40, 8, 1).tuples)
    for precision in ("full", "packed"):
        data = to_bytes(network, ABOUT, precision)
        assert len(data) < 8000
        assert not from_bytes(data).weights.any()


def test_numpy_reads_the_file() -> None:
    network = random_network(CONNECT4, 3, 4, seed=2)
    with np.load(BytesIO(to_bytes(network))) as arrays:
        used = np.cumsum(arrays["gaps"])
        assert (arrays["values"] == network.weights[:, used]).all()


def test_weights_that_are_no_numbers_are_not_written() -> None:
    network = random_network(CONNECT4, 2, 4, seed=1)
    network.weights[1, 5] = np.inf
    with pytest.raises(BadOption, match="overflowed; use a smaller learning rate"):
        to_bytes(network)
    with pytest.raises(BadOption, match="unfolded"):
        to_bytes(random_network(CONNECT4, 2, 4, seed=1).unfolded)


# ---- damage

SMALL = random_network(Rules.flat(4, 4), 2, 2, seed=1)
SOUND = to_bytes(SMALL, ABOUT, "packed")


def is_same_or_refused(data: bytes) -> bool:
    """Whether a file is refused in one sentence; one that is read must have the same weights."""
    try:
        network = from_bytes(data, "x.net")
    except BadOption as error:
        return str(error).startswith("x.net is ") and "\n" not in str(error)
    sound = from_bytes(SOUND)
    assert (network.weights == sound.weights).all()
    assert (network.rules, network.tuples, network.about) == (sound.rules, sound.tuples, ABOUT)
    return False


def test_no_flipped_byte_is_believed() -> None:
    """Where a flip is not refused, it is in a date or the like that decides nothing."""
    refused = 0
    for place in range(len(SOUND)):
        for flip in (1, 0x80, 0xFF):
            damaged = bytearray(SOUND)
            damaged[place] ^= flip
            refused += is_same_or_refused(bytes(damaged))
    assert refused > len(SOUND)


def test_a_file_that_is_cut_or_longer_is_refused() -> None:
    for end in range(0, len(SOUND), 7):
        with pytest.raises(BadOption, match=r"x\.net is (damaged|not a network file)"):
            from_bytes(SOUND[:end], "x.net")
    is_same_or_refused(SOUND + bytes(100))
    for first in range(0, len(SOUND) - 40, 11):
        is_same_or_refused(SOUND[:first] + SOUND[first + 20 :])


def test_a_file_of_the_first_version_is_not_called_damaged() -> None:
    for data in (b'{"form": "connect-arena network 1"}\n', b"", b"[" * 100_000, b"null\n"):
        with pytest.raises(BadOption, match="not a network file of this version; train the net"):
            from_bytes(data)


# ---- archives that are sound, but describe no network


def rewritten(name: str, value: Any) -> bytes:
    """The sound file with another array or fact (None: without it), and right checksums."""
    with np.load(BytesIO(SOUND)) as arrays:
        kept = {key: arrays[key] for key in arrays.files}
    facts = json.loads(kept["about"].tobytes())
    parts = kept if name in ("tuples", "gaps", "values") else facts
    parts[name] = value
    if value is None:
        del parts[name]
    kept["about"] = np.frombuffer(json.dumps(facts).encode(), np.uint8)
    file = BytesIO()
    np.savez_compressed(file, **kept)
    return file.getvalue()


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("form", "connect-arena network 3", "another version"),
        ("board", "nim", "unknown game"),
        ("board", "70x60", "cells"),
        ("board", 7, "another version"),
        ("step", float("nan"), "its step is nan"),
        ("step", 0.0, "its step is 0.0"),
        ("step", 1e39, r"its step is 1e\+39"),
        ("step", 1, "its step is 1"),
        ("about", [], "another version"),
    ],
)
def test_a_description_that_makes_no_sense_is_refused(key: str, value: Any, words: str) -> None:
    with pytest.raises(BadOption, match=words) as caught:
        from_bytes(rewritten(key, value), "x.net")
    assert str(caught.value).startswith("x.net is not a valid network file: ")


def row(*cells: int) -> NDArray[np.int8]:
    return np.array([cells], np.int8)


@pytest.mark.parametrize(
    ("name", "array", "words"),
    [
        ("tuples", row()[:0], "0 tuples"),
        ("tuples", row(0, 1, 42), "cell 42 of a tuple is not on 4x4"),
        ("tuples", row(0, 1, 1), "different cells"),
        ("tuples", row(*range(11)), "1 to 10 different cells"),
        ("tuples", np.tile(row(*range(10)), (1024, 1)), "at most 536,870,912"),
        ("tuples", np.zeros((9000, 10), np.int8), "its tuples have 90,128 bytes"),
        ("tuples", np.zeros((2, 2)), "of type <f8"),
        ("tuples", np.array([[None]]), r"of type \|O"),
        ("gaps", np.zeros(3, np.uint32), "outside its 2 tuples"),
        ("gaps", np.full(2, 2**31, np.uint32), "outside its 2 tuples"),
        ("gaps", np.zeros(10**6, np.uint32), "its gaps have 4,000,128 bytes"),
        ("values", np.zeros((2, 3), np.int16), "its values are not"),
        (
            "values",
            np.full((2, len(SMALL.weights[0])), np.nan, np.float32),
            "its values are not 64",
        ),
        ("values", np.zeros(10**7, np.int16), "its values have 20,000,128 bytes"),
    ],
)
def test_arrays_that_make_no_sense_are_refused(name: str, array: NDArray[Any], words: str) -> None:
    with pytest.raises(BadOption, match=words) as caught:
        from_bytes(rewritten(name, array), "x.net")
    assert str(caught.value).startswith("x.net is not a valid network file: ")


@pytest.mark.parametrize("name", ["form", "board", "step", "about", "tuples", "gaps", "values"])
def test_an_archive_that_lacks_something_is_refused(name: str) -> None:
    with pytest.raises(BadOption, match=r"x\.net is damaged, or not a network file"):
        from_bytes(rewritten(name, None), "x.net")


def test_no_more_is_decompressed_than_the_file_announces() -> None:
    """A bomb: an array of thirty million bytes that claims to be small."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("about.npy", bytes(3 * 10**7))
    data = file.getvalue().replace(struct.pack("<I", 3 * 10**7), struct.pack("<I", 200))
    tracemalloc.start()
    with pytest.raises(BadOption, match="is damaged"):
        from_bytes(data)
    assert tracemalloc.get_traced_memory()[1] < 10**6
    tracemalloc.stop()


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="cannot be read: No such file"):
        load_network(str(tmp_path / "none.net"))
    with pytest.raises(BadOption, match="cannot be read: Is a directory"):
        load_network(str(tmp_path))
