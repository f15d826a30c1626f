"""Keys that belong to one position and its equals, and entries that say what was written."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules
from arena.solver.flat.bits import Field, field_of, give_table
from arena.solver.flat.search import words_of
from arena.solver.flat.table import index_bits_for
from tests.game.strategies import Game, games
from tests.solver.flat.kernels import image, keys_of, read, scatter_all, slots_and_rests, write
from tests.support.retrograde import solved

BOARDS = ("3x3c3", "4x3c3", "5x3c3", "3x5c3", "4x4c3", "6x2c3", "5x3", "3x6", "4x4")


def _mirroring(rules: Rules) -> Field:
    """A field whose keys are those of mirror images as well, however many discs there are."""
    field = field_of(rules)
    field.mirror_from = 0
    return field


@pytest.mark.parametrize("name", BOARDS)
def test_equal_keys_have_equal_scores(name: str) -> None:
    """On every position: what the table takes for one has one score."""
    board = solved(name)
    keys = keys_of(board.own, board.discs, _mirroring(board.rules))
    order = np.lexsort((board.scores, keys))
    keys, scores = keys[order], board.scores[order]
    clash = (keys[1:] == keys[:-1]) & (scores[1:] != scores[:-1])
    assert not clash.any()
    assert len(np.unique(keys)) < 0.57 * len(board)


@pytest.mark.parametrize("name", ["3x3c3", "4x3c3", "3x6"])
def test_without_mirror_images_every_position_has_its_own_key(name: str) -> None:
    board = solved(name)
    field = field_of(board.rules)
    field.mirror_from = board.rules.cells + 1
    keys = keys_of(board.own, board.discs, field)
    assert len(np.unique(keys)) == len(board)


@given(games(st.sampled_from([Rules.named(n) for n in ("7x6", "6x7", "9x5", "5x5c3", "8x7")])))
def test_mirror_images_share_their_key(game: Game) -> None:
    field = _mirroring(game.rules)
    pairs = [words_of(position) for position in (game.position, game.position.mirrored())]
    own, discs = (np.array(words, np.uint64) for words in zip(*pairs, strict=True))
    here, there = keys_of(own, discs, field)
    assert here == there
    assert image(image(own[0], field), field) == own[0]
    assert image(own[0], field) == own[1]


@pytest.mark.parametrize("bits", [4, 9, 12, 17])
def test_scattering_is_one_to_one(bits: int) -> None:
    scattered = scatter_all(np.arange(1 << bits, dtype=np.uint64), bits)
    assert sorted(scattered.tolist()) == list(range(1 << bits))


@given(st.integers(18, 64), st.sets(st.integers(0, 2**64 - 1), min_size=2, max_size=50))
def test_scattering_keeps_large_keys_apart(bits: int, numbers: set[int]) -> None:
    """Also neighbours, and keys that differ in one bit alone."""
    keys = {n >> 64 - bits for n in numbers}
    keys |= {key ^ 1 for key in keys} | {key ^ 1 << bits - 1 for key in keys}
    scattered = scatter_all(np.array(sorted(keys), np.uint64), bits)
    assert len(set(scattered.tolist())) == len(keys)
    assert max(scattered.tolist()) < 1 << bits


@pytest.mark.parametrize("name", ["3x3c3", "4x4", "7x6", "9x5", "8x7"])
@pytest.mark.parametrize("megabytes", [0.001, 0.01, 1, 64])
def test_place_and_rest_tell_which_key_it_is(name: str, megabytes: float) -> None:
    rules = Rules.named(name)
    bits = rules.width * (rules.height + 1)
    index_bits = index_bits_for(bits, megabytes)
    field = field_of(rules)
    field.index_bits = index_bits
    near = np.arange(1 << min(bits, 14), dtype=np.uint64)
    keys = np.unique(np.concatenate([near, near << np.uint64(max(0, bits - 14))]))
    places, rests = slots_and_rests(keys, field)
    assert places.min() >= 0
    assert places.max() + 1 < 1 << index_bits
    assert not (places % 2).any()
    assert int(rests.max()) < 1 << 40  # what an entry has room for
    assert len(set(zip(places.tolist(), rests.tolist(), strict=True))) == len(keys)


def test_a_table_fits_the_memory_and_the_keys() -> None:
    assert index_bits_for(49, 128) == 24  # 16 M entries of 8 bytes
    assert index_bits_for(49, 200) == 24
    assert index_bits_for(12, 128) == 12  # no more entries than keys
    assert index_bits_for(64, 0.001) == 25  # a key of 64 bits needs so many to be told


entries = st.tuples(
    st.integers(0, 2**40 - 1), st.integers(-32, 32), st.integers(-32, 32), st.integers(0, 31)
)


@given(entries, st.integers(0, 31))
def test_an_entry_says_what_was_written(entry: tuple[int, int, int, int], work: int) -> None:
    rest, least, most, column = entry
    table, field = np.zeros(8, np.uint64), field_of(CONNECT4)
    give_table(field, table)
    write(field, 4, np.uint64(rest), least, most, column, work)
    assert read(field, 4, np.uint64(rest)) == (True, least, most, column)
    assert not read(field, 4, np.uint64(rest ^ 1))[0]
    assert not read(field, 2, np.uint64(rest))[0]
    assert np.count_nonzero(table) == 1


def test_a_pair_keeps_the_dearest_and_the_latest() -> None:
    table, field = np.zeros(2, np.uint64), field_of(CONNECT4)
    give_table(field, table)
    dear, cheap, last = (np.uint64(rest) for rest in (5, 6, 7))
    write(field, 0, dear, -1, 1, 3, 20)
    write(field, 0, cheap, -2, 2, 4, 2)
    write(field, 0, last, -3, 3, 5, 1)
    assert read(field, 0, dear) == (True, -1, 1, 3)
    assert read(field, 0, last) == (True, -3, 3, 5)
    assert not read(field, 0, cheap)[0]
    write(field, 0, dear, 0, 0, 2, 9)  # known better now: its own entry is written over
    assert read(field, 0, dear) == (True, 0, 0, 2)
    assert read(field, 0, last) == (True, -3, 3, 5)


def test_words_of_a_position() -> None:
    own, discs = words_of(Position.parse("443", Rules.named("5x4")))
    assert (int(discs), int(own)) == (0b11 << 15 | 0b1 << 10, 0b10 << 15)
