"""Weights files: exact or packed, sealed, and one sentence for whatever is wrong with one."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import BadWeights
from arena.game.position import Position
from arena.game.rules import CONNECT4, SCORE4, Rules
from arena.network.file import from_bytes, load_network, rounded, save_network, to_bytes
from arena.network.network import Network
from arena.network.reachable import reachable_numbers, reachable_states
from arena.network.tuples import Cells
from tests.network.naive import naive_sum, random_network, random_position

BOARDS = (CONNECT4, SCORE4, Rules.flat(5, 4), Rules.space(3, 2, 3, 3))
ABOUT = {"games": 1000, "seed": 7, "strength": {"wins": 3}}


def states_in_games(rules: Rules, cells: Cells, games: int) -> set[int]:
    """How the cells look in positions of random games, as a naive network asks for them."""
    network, random, states = Network(rules, [cells]), Random(1), set()
    network.weights[:] = np.arange(network.size, dtype=np.float32)
    plain = Network(rules, [cells], network.weights, shared=False)
    for _ in range(games):
        position = Position(rules)
        while not position.is_over:
            states.add(int(naive_sum(plain, position)))
            position = position.play(random.choice(position.legal))
    return states


@pytest.mark.parametrize("rules", BOARDS, ids=str)
def test_every_state_of_a_game_is_reachable(rules: Rules) -> None:
    for cells in random_network(rules, 3, 5, seed=2).tuples:
        states = reachable_states(cells, rules.height).tolist()
        assert len(states) == len(set(states)) < 4**5
        assert states_in_games(rules, cells, 20) <= set(states)


def test_the_reachable_states_of_few_cells_all_occur() -> None:
    rules = Rules.flat(4, 4)
    for cells in ((0, 1, 2), (1, 3), (2, 5), (0, 4, 9)):
        reachable = set(reachable_states(cells, 4).tolist())
        assert states_in_games(rules, cells, 400) == reachable


def test_a_whole_column_of_6_has_127_states() -> None:
    """h discs of two colours below the cell where the next one lands: 1 + 2 + ... + 64."""
    assert len(reachable_states(tuple(range(6)), 6)) == 127


@pytest.mark.parametrize("rules", BOARDS, ids=str)
def test_full_weights_come_back_to_the_bit(rules: Rules, tmp_path: Path) -> None:
    network = random_network(rules, 6, 5, seed=4)
    back = load_network(save_network(network, tmp_path / "a.net", ABOUT))
    numbers = reachable_numbers(network)
    assert (back.rules, back.tuples, back.about) == (rules, network.tuples, ABOUT)
    assert (back.weights[:, numbers] == network.weights[:, numbers]).all()
    for seed in range(20):
        position = random_position(rules, seed, seed)
        assert naive_sum(back, position) == naive_sum(network, position)
    assert to_bytes(back) == (tmp_path / "a.net").read_bytes()


@pytest.mark.parametrize("largest", [0.1, 3.0, 1e5])
def test_packed_weights_are_half_a_step_off_at_most(largest: float, tmp_path: Path) -> None:
    network = random_network(CONNECT4, 6, 6, seed=4)
    numbers = reachable_numbers(network)
    network.weights[0, numbers[:3]] = largest, -largest, 0
    path = save_network(network, tmp_path / "a.net", ABOUT, "packed")
    weights, packed = network.weights[:, numbers], load_network(path).weights[:, numbers]
    step = max(np.sqrt((weights.astype(float) ** 2).mean()) / 63, largest / 32000)
    assert abs(weights - packed).max() <= step / 2
    assert packed[0, 2] == 0
    assert path.stat().st_size < len(to_bytes(network)) / 2


def test_a_rounded_network_is_that_of_its_packed_file() -> None:
    network = random_network(CONNECT4, 6, 6, seed=4)
    assert (rounded(network).weights == from_bytes(to_bytes(network, {}, "packed")).weights).all()


def test_an_untrained_network_takes_no_place() -> None:
    network = Network(CONNECT4, random_network(CONNECT4, 40, 8, 1).tuples)
    for precision in ("full", "packed"):
        data = to_bytes(network, ABOUT, precision)
        assert len(data) < 8000
        assert not from_bytes(data).weights.any()


def test_weights_that_are_no_numbers_are_not_written() -> None:
    network = random_network(CONNECT4, 2, 4, seed=1)
    network.weights[1, reachable_numbers(network)[5]] = np.inf
    with pytest.raises(BadWeights, match="beyond all numbers"):
        to_bytes(network)
    with pytest.raises(BadWeights, match="unfolded"):
        to_bytes(random_network(CONNECT4, 2, 4, seed=1).unfolded())


SOUND = to_bytes(random_network(CONNECT4, 4, 4, seed=1), ABOUT, "packed")


@given(data=st.data())
@settings(deadline=None, max_examples=150)
def test_a_damaged_file_is_refused(data: st.DataObject) -> None:
    damaged = bytearray(SOUND)
    if data.draw(st.booleans()):
        for place in data.draw(st.lists(st.integers(0, len(SOUND) - 1), min_size=1, max_size=4)):
            damaged[place] ^= data.draw(st.integers(1, 255))
    else:
        first, last = sorted(data.draw(st.tuples(*[st.integers(0, len(SOUND))] * 2)))
        damaged[first:last] = data.draw(st.binary(max_size=20))
    if bytes(damaged) != SOUND:
        with pytest.raises(BadWeights, match=r"x\.net is (damaged|no network)"):
            from_bytes(bytes(damaged), "x.net")


def resealed(change: Callable[[dict[str, Any]], None], body: bytes | None = None) -> bytes:
    """The sound file with another description, and a seal that is right."""
    first, _, rest = SOUND.partition(b"\n")
    head = json.loads(first)
    head.pop("sha256")
    change(head)
    rest = rest if body is None else body
    text = json.dumps(head, sort_keys=True).encode()
    seal = hashlib.sha256(text + b"\n" + rest).hexdigest()
    return json.dumps({**head, "sha256": seal}).encode() + b"\n" + rest


def test_the_seal_of_these_tests_is_right() -> None:
    assert from_bytes(resealed(lambda head: None)).about == ABOUT


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("form", "connect-arena network 0", "no network of this version"),
        ("form", None, "no network of this version"),
        ("board", "6x7c4", "its tuples have"),
        ("board", "nim", "unknown game"),
        ("board", "70x60", "cells"),
        ("board", 7, "its board is '7'"),
        ("tuples", [], "0 tuples"),
        ("tuples", [[0, 1, 42]], "cell 42 of a tuple is not on 7x6"),
        ("tuples", [[0, 1, 1]], "different cells"),
        ("tuples", [list(range(11))], "1 to 10 different cells"),
        ("tuples", [[0, "1"]], "lists of cells"),
        ("tuples", [[0, True]], "lists of cells"),
        ("tuples", ["01"], "lists of cells"),
        ("tuples", [list(range(10))] * 1024, "at most 536,870,912"),
        ("precision", "half", "its precision is 'half'"),
        ("precision", "full", "bytes"),
        ("step", float("nan"), "its step nan"),
        ("step", 0.0, "its step 0.0"),
        ("step", -1e400, "its step -inf"),
        ("step", 1e39, "its step 1e\\+39"),
        ("step", 1, "its step is '1'"),
        ("weights", 3, "it has 3 weights"),
        ("weights", 1e9, "its weights is"),
        ("about", [], "its about is"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused(key: str, value: Any, words: str) -> None:
    with pytest.raises(BadWeights, match=words) as told:
        from_bytes(resealed(lambda head: head.update({key: value})), "x.net")
    assert str(told.value).startswith("x.net ")
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("key", ["form", "board", "tuples", "precision", "step", "weights"])
def test_a_file_that_says_too_little_is_refused(key: str) -> None:
    with pytest.raises(BadWeights, match=r"x\.net (is|describes) no network"):
        from_bytes(resealed(lambda head: head.pop(key)), "x.net")


@pytest.mark.parametrize(
    "body",
    [b"", b"none", zlib.compress(b""), zlib.compress(bytes(10**8)), SOUND.partition(b"\n")[2] * 2],
    ids=["empty", "no archive", "nothing", "far too much", "twice"],
)
def test_a_body_of_another_size_is_refused(body: bytes) -> None:
    with pytest.raises(BadWeights, match=r"x\.net describes no network"):
        from_bytes(resealed(lambda head: None, body), "x.net")


def test_full_weights_that_are_no_numbers_are_refused() -> None:
    network = Network(CONNECT4, [[0, 1]])
    count = 2 * len(reachable_numbers(network))
    body = zlib.compress(b"\xff" * 4 * count)
    change = {"tuples": [[0, 1]], "precision": "full", "weights": count}
    with pytest.raises(BadWeights, match="weights that are no numbers"):
        from_bytes(resealed(lambda head: head.update(change), body))


def test_files_that_are_something_else(tmp_path: Path) -> None:
    for data in (b"", b"{}", b"[" * 100_000, b"\xff\xfe\n", b"PK\x03\x04", b"9" * 5000, b"null\n"):
        with pytest.raises(BadWeights, match="no network of this version"):
            from_bytes(data)
    with pytest.raises(BadWeights, match="cannot be read: No such file"):
        load_network(tmp_path / "none.net")
    with pytest.raises(BadWeights, match="cannot be read: Is a directory"):
        load_network(tmp_path)
