"""What `collect` counts is what an obvious loop over the same games counts."""

from __future__ import annotations

import random
import tracemalloc
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from math import isfinite
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.engine.contract import Limits
from arena.game.rules import CONNECT4, Rules
from arena.journal import Journal
from arena.standings.games import Games
from arena.standings.results import Results, collect, decided_test, read
from arena.standings.sprt import DecidedTest
from arena.table.game import GOOD_ENDS, Game, MoveRecord, pack_telemetry
from arena.tournament.sprt import Sprt
from tests.journal.examples import make_header, make_row

NAMES = ("alpha", "beta", "gamma")
LIMITS = (Limits(seconds=0.5), Limits(clock=10.0, increment=0.5), Limits(depth=4))
BAD = ("time", "crash", "illegal move", "memory")


def collected(rows: list[Game], rules: Rules = CONNECT4) -> Results:
    return collect(iter(rows), Games(NAMES), LIMITS, rules)


def some_rows(seed: int, count: int) -> list[Game]:
    """Games with pairs, repeats, forfeits and missing telemetry among them."""
    chance = random.Random(seed)
    rows: list[Game] = []
    for number in range(1, count + 1):
        row = make_row(chance.randrange(max(1, count // 2)), round=number // 8)
        row = replace(row, number=number)
        if rows and chance.random() < 0.5:
            last = rows[-1]
            row = replace(row, round=last.round, opening=last.moves[: len(last.opening)],
                          first=last.second, second=last.first)  # fmt: skip
            row = replace(row, moves=row.opening + row.moves[len(row.opening) :], telemetry=b"")
        if chance.random() < 0.1:
            row = replace(row, telemetry=b"", reason=chance.choice(BAD), result=-1, seconds=0.0)
        rows.append(row)
    return rows


def all_moves(rows: list[Game]) -> Iterator[tuple[int, int, int, MoveRecord]]:
    """Player, own move number, ply and record of every move with telemetry."""
    for row in rows:
        own: Counter[int] = Counter()
        for ply, move in enumerate(row.move_records(), start=len(row.opening) + 1):
            seat = (ply - 1) % 2
            own[seat] += 1
            yield (row.first, row.second)[seat], own[seat], ply, move


def numbers_in(thing: Any) -> Iterator[float]:
    """Every number anywhere inside."""
    if is_dataclass(thing):
        thing = [getattr(thing, field.name) for field in fields(thing)]
    if isinstance(thing, dict):
        thing = [*thing.keys(), *thing.values()]
    if isinstance(thing, np.ndarray):
        thing = thing.ravel().tolist()
    if isinstance(thing, list | tuple):
        for each in thing:
            yield from numbers_in(each)
    elif isinstance(thing, int | float):
        yield thing


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 60))
def test_games_are_counted_as_a_plain_loop_counts_them(seed: int, count: int) -> None:
    rows = some_rows(seed, count)
    results = collected(rows)
    outcomes = np.zeros((3, 3, 3), int)
    causes: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    openings: dict[bytes, list[int]] = defaultdict(lambda: [0, 0, 0])
    for row in rows:
        outcomes[row.first, row.second, row.result + 1] += 1
        openings[row.opening][row.result + 1] += 1
        if row.result:
            causes[row.reason][row.second if row.result > 0 else row.first] += 1
    assert results.games == len(rows)
    assert (results.scoreboard.outcomes == outcomes).all()
    assert {name: list(counts) for name, counts in results.causes.items()} == causes
    named, _ = results.scoreboard.by_opening()
    assert {name: list(counts) for name, counts in named.items()} == openings
    different = {(row.first, row.second, row.opening, row.moves) for row in rows}
    assert results.distinct == (len(different) / len(rows) if rows else 1.0)
    lengths = Counter(len(row.moves) for row in rows if row.reason in GOOD_ENDS)
    assert {plies: n for plies, n in enumerate(results.scoreboard.lengths) if n} == lengths
    assert results.seconds == pytest.approx(sum(row.seconds for row in rows))
    assert all(map(isfinite, numbers_in(results)))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 60))
def test_moves_are_counted_as_a_plain_loop_counts_them(seed: int, count: int) -> None:
    rows = some_rows(seed, count)
    results = collected(rows)
    for player, moves in enumerate(results.moves):
        mine = [each for each in all_moves(rows) if each[0] == player]
        assert moves.count == len(mine)
        for name, figure in (("seconds", "time"), ("cpu", "cpu"), ("nodes", "nodes"),
                             ("depth", "depth")):  # fmt: skip
            known = [(own, getattr(move, name)) for _, own, _, move in mine]
            known = [(own, value) for own, value in known if value is not None]
            spread, curve = getattr(moves, name), moves.curve(figure)
            assert (spread is None) == (curve is None) == (not known)
            if spread is not None and curve is not None:
                values = [value for _, value in known]
                assert spread.most == max(values)
                assert spread.mean == pytest.approx(mean(values))
                assert spread.median == pytest.approx(np.percentile(values, 50), rel=0.01)
                assert spread.p95 == pytest.approx(np.percentile(values, 95), rel=0.01)
                assert dict(zip(curve.x, curve.mean, strict=True)) == pytest.approx(by_key(known))
        deep = [(ply, move.depth) for _, _, ply, move in mine if move.depth is not None]
        curve = moves.depth_by_ply
        found = {} if curve is None else dict(zip(curve.x, curve.mean, strict=True))
        assert found == pytest.approx(by_key(deep))


def by_key(pairs: list[tuple[int, Any]]) -> dict[int, float]:
    """The mean of the values of each key."""
    found = defaultdict(list)
    for key, value in pairs:
        found[key].append(value)
    return {key: mean(values) for key, values in found.items()}


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 60))
def test_two_figures_of_a_move_are_put_together(seed: int, count: int) -> None:
    rows = some_rows(seed, count)
    results = collected(rows)
    records = [(player, move) for player, _, _, move in all_moves(rows)]
    for player, moves in enumerate(results.moves):
        mine = [move for who, move in records if who == player]
        games = [row for row in rows if row.move_records() and player in (row.first, row.second)]
        counted = [move for move in mine if move.nodes is not None]
        if counted:
            speed = sum(move.nodes or 0 for move in counted) / sum(move.cpu for move in counted)
            assert moves.nodes_per_second == pytest.approx(speed)
        total = sum(move.seconds for move in mine)
        allowed = (0.5 * len(mine), 10.0 * len(games) + 0.5 * len(mine), 0.0)[player]
        assert moves.used == (pytest.approx(total / allowed) if allowed else None)
    long = [move for _, move in records if move.cpu >= 0.001]
    wall, cpu = sum(move.seconds for move in long), sum(move.cpu for move in long)
    assert results.time.ratio == (pytest.approx(wall / cpu) if cpu else None)


def test_pairs_have_the_same_round_and_opening_and_swapped_seats() -> None:
    def game(first: int, second: int, result: int, **changes: Any) -> Game:
        return make_row(1, **{"first": first, "second": second, "result": result, "round": 1,
                              "opening": b"", **changes})  # fmt: skip

    rows = [
        game(0, 1, 1), game(1, 0, -1),  # two points for 0
        game(0, 1, 1), game(1, 0, 0),  # one and a half
        game(2, 1, 1, opening=b"\2"), game(1, 2, 1, opening=b"\2"),  # one each
        game(2, 0, 1), game(2, 0, 1), game(0, 2, -1), game(0, 2, 0),  # twice the same meeting
        game(0, 1, 1, round=2), game(1, 0, 1, round=3), game(0, 1, 0, opening=b"\3"),  # no pairs
    ]  # fmt: skip
    results = collected(rows)
    assert {pair: list(counts) for pair, counts in results.scoreboard.pairs.items()} == {
        (0, 1): [0, 0, 0, 1, 1],
        (0, 2): [1, 1, 0, 0, 0],
        (1, 2): [0, 0, 1, 0, 0],
    }
    assert results.games - 2 * sum(map(sum, results.scoreboard.pairs.values())) == 3


def test_notable_games_are_the_extreme_ones_and_the_first_of_each_bad_end() -> None:
    rows = some_rows(3, 80)
    notable = collected(rows).notable
    lines = [row for row in rows if row.reason == "line"]
    whole = [row for row in rows if row.reason in GOOD_ENDS]
    expected = {
        "shortest win": min(lines, key=lambda row: len(row.moves)).number,
        "longest game": max(whole, key=lambda row: len(row.moves)).number,
    }
    for row in rows:
        if row.reason not in GOOD_ENDS:
            expected.setdefault(f"first game ended by {row.reason}", row.number)
    assert {why: each.number for why, each in notable.items()} == expected


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [make_row(1)],
        [make_row(number, telemetry=b"") for number in range(5)],
        [make_row(n, moves=b"", opening=b"", telemetry=b"", reason="crash") for n in range(5)],
        [make_row(1, telemetry=b"not telemetry")],
        [make_row(1, opening=b"", moves=b"\0", seconds=float("nan"), telemetry=pack_telemetry(
            [MoveRecord(0, float("nan"), -1.0)]))],
        [make_row(1, opening=b"", moves=b"\0", telemetry=pack_telemetry(
            [MoveRecord(0, float("inf"), 0.0, None, 2**15 - 1, 2**63 - 1)]))],
    ],
    ids=["none", "one", "untold", "forfeits", "damaged", "unknown", "extreme"],
)  # fmt: skip
@pytest.mark.parametrize("game", ["connect4", "score4"])
def test_every_number_is_finite_whatever_comes(rows: list[Game], game: str) -> None:
    results = collected(rows, Rules.named(game))
    board = results.scoreboard
    derived = [board.outcomes, board.by_seat, board.scores, board.first_share, board.versus(0, 1)]
    whole = replace(results, notable={})  # games as they came, whatever is in them
    assert all(map(isfinite, numbers_in([whole, derived])))


@pytest.mark.parametrize(
    ("why", "is_decided"),
    [
        ("SPRT: H1 accepted, beta is better", True),
        ("SPRT: undecided, copies", False),
        (None, False),
    ],
)
def test_a_journal_tells_which_test_has_ended_it(
    tmp_path: Path, why: str | None, is_decided: bool
) -> None:
    sprt = {"elo0": 0, "elo1": 20, "alpha": 0.05, "beta": 0.05, "model": "logistic",
            "engines": ["beta", "alpha"]}  # fmt: skip
    header = make_header(canonical={"stop": {"sprt": sprt}})
    with Journal.open(tmp_path, header) as journal:
        journal.begin_session("arena run x.yaml", 1)
        if why is not None:
            journal.end_session(why)
        test = decided_test(journal)
        assert read(journal).scoreboard.ended_by == test
    found = DecidedTest(1, 0, Sprt(elo0=0, elo1=20))
    assert test == (found if is_decided else None)


def test_memory_does_not_grow_with_the_games() -> None:
    some = [make_row(number) for number in range(200)]

    def peak(count: int) -> int:
        stream = (replace(some[number % 200], number=number) for number in range(count))
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        collect(stream, Games(NAMES), LIMITS, CONNECT4)
        return tracemalloc.get_traced_memory()[1] - before

    tracemalloc.start()
    try:
        small, large = peak(5_000), peak(20_000)
    finally:
        tracemalloc.stop()
    assert large < 40_000_000
    assert large - small < 3_000_000
