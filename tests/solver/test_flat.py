"""Patterns, bounds, keys and the table of flat boards against plain loops."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules
from arena.jit import kernel, popcount
from arena.solver.flat.bits import (
    NO_BOUND,
    Field,
    completing,
    field_of,
    frame_of,
    give_table,
    has_line,
    lead_bound,
    over,
)
from arena.solver.flat.search import words_of
from arena.solver.flat.table import (
    column_in,
    high,
    index_bits_for,
    key_of,
    low,
    probe,
    rest_of,
    scattered,
    slot_of,
    store,
)
from tests.game.strategies import Game, games
from tests.support.retrograde import lines_of, solved

Words = NDArray[np.uint64]
Ints = NDArray[np.int64]

SOLVED_BOARDS = ("3x3c3", "4x3c3", "5x3c3", "3x5c3", "4x4c3", "2x7", "6x2c3", "5x3", "3x6", "4x4")


# ---- the kernels for whole arrays of words


@kernel
def patterns(word: np.uint64, field: Field) -> tuple[np.uint64, bool, np.uint64]:
    """Completing cells, whether there is a line, and all cells above."""
    frame = frame_of(field, field.connect)
    return (
        completing(word, frame.stride, frame.connect),
        has_line(word, frame.stride, frame.connect),
        over(word, frame),
    )


@kernel
def lead_bounds(own: Words, discs: Words, field: Field) -> Ints:
    """The follow-up bound of each position."""
    found = np.empty(len(own), np.int64)
    for i in range(len(own)):
        found[i] = lead_bound(own[i], own[i] ^ discs[i], frame_of(field, field.connect))
    return found


@kernel
def keys_of(own: Words, discs: Words, field: Field) -> Words:
    """The key under which the search remembers each position."""
    found = np.empty(len(own), np.uint64)
    for i in range(len(own)):
        found[i] = key_of(own[i], discs[i], popcount(field.board ^ discs[i]), field)[0]
    return found


@kernel
def scatter(keys: Words, bits: int) -> Words:
    """Keys as they are spread over the table."""
    return np.array([scattered(key, np.uint64(bits)) for key in keys])


@kernel
def slots_and_rests(keys: Words, field: Field) -> tuple[Ints, Words]:
    """Where each scattered key goes, and what its entry says."""
    places, rests = np.empty(len(keys), np.int64), np.empty(len(keys), np.uint64)
    for i in range(len(keys)):
        places[i], rests[i] = slot_of(keys[i], field), rest_of(keys[i], field)
    return places, rests


@kernel
def write(
    field: Field, place: int, rest: np.uint64, least: int, most: int, column: int, work: int
) -> None:
    """Remember one position."""
    store(place, rest, least, most, column, work, field)


@kernel
def read(field: Field, place: int, rest: np.uint64) -> tuple[bool, int, int, int]:
    """Whether a position is remembered; its bounds and its best column."""
    entry = probe(place, rest, field)
    return entry != np.uint64(0), low(entry), high(entry), column_in(entry)


# ---- patterns and bounds

# Odd and even heights, one column, one row, lines of two to seven, boards that fill the word.
BOARDS = (
    "7x6", "8x7", "9x5", "5x4", "4x4c3", "3x3c3", "5x5c5", "7x3c2", "1x6", "6x1", "32x1c7", "4x15",
    "3x16c6", "10x5c3", "3x20", "2x31c3", "2x31", "3x19c3", "4x15c5", "5x11c6", "7x8c8", "1x61c3",
)  # fmt: skip


def bit(rules: Rules, x: int, z: int) -> int:
    """The bit of a cell."""
    return 1 << x * (rules.height + 1) + z


def cells_of(rules: Rules) -> list[int]:
    """The bits of all cells."""
    return [bit(rules, x, z) for x in range(rules.width) for z in range(rules.height)]


def last_cells(rules: Rules, word: int) -> int:
    """Cells that are all that some line lacks, or that lie on a whole one."""
    last = 0
    for line in lines_of(rules):
        for cell in cells_of(rules):
            if line & cell and line & ~word & ~cell == 0:
                last |= cell
    return last


@st.composite
def words(draw: st.DrawFn) -> tuple[Rules, int]:
    """Some cells of a board, with no regard for how discs fall."""
    rules = Rules.named(draw(st.sampled_from(BOARDS)))
    share, random = draw(st.sampled_from((0.2, 0.5, 0.8, 1.0))), Random(draw(st.integers(0, 10**6)))
    return rules, sum(cell for cell in cells_of(rules) if random.random() < share)


@st.composite
def stacks(draw: st.DrawFn) -> tuple[Rules, int, int]:
    """All discs as they lie on one another, and those of one player."""
    rules = Rules.named(draw(st.sampled_from(BOARDS)))
    random = Random(draw(st.integers(0, 10**6)))
    heights = [random.randint(0, rules.height) for _ in range(rules.width)]
    cells = [bit(rules, x, z) for x, height in enumerate(heights) for z in range(height)]
    return rules, sum(cells), sum(cell for cell in cells if random.random() < 0.6)


def found(rules: Rules, word: int) -> tuple[int, bool, int]:
    """What the kernels find: completing, has_line, over."""
    completing, line, above = patterns(np.uint64(word), field_of(rules))
    return int(completing), bool(line), int(above)


@given(words())
def test_lines(drawn: tuple[Rules, int]) -> None:
    rules, word = drawn
    assert found(rules, word)[1] == any(word & mask == mask for mask in lines_of(rules))


@given(stacks())
def test_completing_cells_of_discs_that_fell(drawn: tuple[Rules, int, int]) -> None:
    rules, discs, own = drawn
    free = sum(cells_of(rules)) ^ discs
    assert found(rules, own)[0] & free == last_cells(rules, own) & free


@given(words())
def test_over_is_all_that_lies_above(drawn: tuple[Rules, int]) -> None:
    rules, word = drawn
    above = 0
    for x in range(rules.width):
        seen = False
        for z in range(rules.height):
            above |= bit(rules, x, z) if seen else 0
            seen = seen or word & bit(rules, x, z) != 0
    assert found(rules, word)[2] == above


@pytest.mark.parametrize("name", BOARDS)
def test_no_line_runs_into_the_next_column(name: str) -> None:
    """All cells but one row: only lines that lie on the board are found."""
    rules = Rules.named(name)
    for z in range(rules.height):
        row = sum(bit(rules, x, z) for x in range(rules.width))
        expected = any(line & row == 0 for line in lines_of(rules))
        assert found(rules, sum(cells_of(rules)) ^ row)[1] == expected


@pytest.mark.parametrize("name", SOLVED_BOARDS)
def test_nobody_scores_more_than_the_bound(name: str) -> None:
    board = solved(name)
    bounds = lead_bounds(board.own, board.discs, field_of(board.rules))
    liars = np.flatnonzero(bounds < board.scores)
    assert not len(liars), f"{hex(board.own[liars[0]])} {hex(board.discs[liars[0]])}"


@pytest.mark.parametrize("name", ["3x5c3", "4x4c3", "4x4"])
def test_the_bound_often_says_something(name: str) -> None:
    """Draws and losses are among what it tells, and often it is the score itself."""
    board = solved(name)
    bounds = lead_bounds(board.own, board.discs, field_of(board.rules))
    said = bounds < NO_BOUND
    assert said.mean() > 0.05
    assert {-1, 0} <= set(bounds[said].tolist())
    assert (bounds == board.scores).mean() > 0.01


# ---- keys and entries


def _mirroring(rules: Rules) -> Field:
    """A field whose keys are those of mirror images as well, however many discs there are."""
    field = field_of(rules)
    field.mirror_from = 0
    return field


@pytest.mark.parametrize("name", SOLVED_BOARDS)
def test_equal_keys_have_equal_scores(name: str) -> None:
    """On every position: what the table takes for one has one score."""
    board = solved(name)
    keys = keys_of(board.own, board.discs, _mirroring(board.rules))
    order = np.lexsort((board.scores, keys))
    keys, scores = keys[order], board.scores[order]
    clash = (keys[1:] == keys[:-1]) & (scores[1:] != scores[:-1])
    assert not clash.any()
    assert len(np.unique(keys)) < 0.6 * len(board)


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


@pytest.mark.parametrize("bits", [4, 9, 12, 17])
def test_scattering_is_one_to_one(bits: int) -> None:
    scattered = scatter(np.arange(1 << bits, dtype=np.uint64), bits)
    assert sorted(scattered.tolist()) == list(range(1 << bits))


@given(st.integers(18, 64), st.sets(st.integers(0, 2**64 - 1), min_size=2, max_size=50))
def test_scattering_keeps_large_keys_apart(bits: int, numbers: set[int]) -> None:
    """Also neighbours, and keys that differ in one bit alone."""
    keys = {n >> 64 - bits for n in numbers}
    keys |= {key ^ 1 for key in keys} | {key ^ 1 << bits - 1 for key in keys}
    scattered = scatter(np.array(sorted(keys), np.uint64), bits)
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
