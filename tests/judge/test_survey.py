"""Which games of a journal are judged: an order that never changes, as far as the time goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.game.position import Position
from arena.journal import Journal
from arena.judge import asking, survey
from arena.judge.asking import Allowance, Judge
from arena.judge.game import FIRST_NODES
from arena.judge.memory import Memory
from arena.judge.survey import Judging, Survey, evenly, further_rounds, judge_journal, sample_order
from tests.journal.examples import fill, make_header, make_row


class Clock:
    """Time that passes only when somebody thinks."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


class Ponderous(Judge):
    """Calls every position a draw, after a tenth of a second; early ones need a million nodes."""

    def __init__(self, clock: Clock, hard: int = 0) -> None:
        self.clock, self.hard = clock, hard
        self.asked: list[bytes] = []

    def score(self, position: Position, allowed: Allowance) -> int | None:
        self.clock.now += 0.1
        self.asked.append(bytes(position.moves))
        if position.ply < self.hard and (allowed.nodes or 0) < 1_000_000:
            return None
        return 0

    def beats(self, position: Position, score: int, allowed: Allowance) -> bool | None:
        return score < 0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(asking, "time", clock)
    monkeypatch.setattr(survey, "time", clock)
    return clock


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    fill(tmp_path / "games.db", 40)
    with Journal.read(tmp_path) as opened:
        yield opened


def surveyed(journal: Journal, judge: Judge, seconds: float, **options: Any) -> Survey:
    with Memory.beside(journal) as memory:
        return judge_journal(journal, Judging(seconds, lambda: judge), memory, **options)


def numbers(found: Survey) -> list[int]:
    return [game.number for game in found.games]


def test_with_time_enough_every_game_is_judged(journal: Journal, clock: Clock) -> None:
    found = surveyed(journal, Ponderous(clock), 1000)
    assert sorted(numbers(found)) == list(range(40))
    assert found.of == 40
    assert all(game.judged.is_complete for game in found.games)
    rows = {row.number: row for row in journal.rows()}
    for game in found.games:
        row = rows[game.number]
        assert (game.first, game.second, game.result) == (row.first, row.second, row.result)
        assert (game.judged.moves, game.judged.opening) == (row.moves, len(row.opening))


def test_the_order_is_the_same_however_far_it_goes(
    journal: Journal, clock: Clock, tmp_path: Path
) -> None:
    whole = numbers(surveyed(journal, Ponderous(clock), 1000))
    (tmp_path / "games.judged").unlink()
    part = numbers(surveyed(journal, Ponderous(clock), 20))
    assert 3 < len(part) < 30
    assert part == whole[: len(part)]
    assert part != sorted(part)


def test_a_second_time_goes_on_and_pays_nothing_again(journal: Journal, clock: Clock) -> None:
    first = surveyed(journal, Ponderous(clock), 20)
    again = Ponderous(clock)
    second = surveyed(journal, again, 20)
    assert numbers(second)[: len(first.games)] == numbers(first)
    assert len(second.games) > len(first.games)
    old = {game.judged.moves for game in first.games}
    assert not [asked for asked in again.asked if any(asked == moves for moves in old)]
    for _ in range(10):
        surveyed(journal, Ponderous(clock), 20)
    idle = Ponderous(clock)
    assert len(surveyed(journal, idle, 20).games) == 40
    assert idle.asked == []


def test_a_game_without_time_for_all_of_it_does_not_count(journal: Journal, clock: Clock) -> None:
    found = surveyed(journal, Ponderous(clock), 20)
    assert all(game.judged.is_complete for game in found.games)
    assert surveyed(journal, Ponderous(clock), 0.01).games == found.games


def test_no_judge_is_made_where_none_is_needed(journal: Journal, clock: Clock) -> None:
    surveyed(journal, Ponderous(clock), 1000)

    def refuse() -> Judge:
        raise AssertionError("everything was known")

    with Memory.beside(journal) as memory:
        assert len(judge_journal(journal, Judging(5, refuse), memory).games) == 40


def test_hard_positions_are_asked_again_when_time_is_left(journal: Journal, clock: Clock) -> None:
    few = surveyed(journal, Ponderous(clock, hard=6), 10)
    assert any(not game.judged.is_complete for game in few.games)
    for game in few.games:
        places = zip(range(game.judged.opening, 99), game.judged.scores, strict=False)
        assert all((score is None) == (ply < 6) for ply, score in places)
    whole = surveyed(journal, Ponderous(clock, hard=6), 1000)
    assert all(game.judged.is_complete for game in whole.games)
    assert list(further_rounds(1)) == []
    assert list(further_rounds(20)) == [10 * FIRST_NODES]
    assert list(further_rounds(600)) == [10 * FIRST_NODES, 100 * FIRST_NODES]


def test_how_far_it_is_gets_told(journal: Journal, clock: Clock) -> None:
    told: list[tuple[int, int, float]] = []
    surveyed(journal, Ponderous(clock), 50, told=lambda *state: told.append(state))
    done = [state[0] for state in told]
    assert done == sorted(done)
    assert {state[1] for state in told} == {40}
    assert told[0][2] == pytest.approx(50)
    assert told[-1][2] < told[0][2]


def test_the_same_game_is_judged_once(tmp_path: Path, clock: Clock) -> None:
    with Journal.open(tmp_path, make_header()) as journal:
        row = make_row(1)
        for number in range(9):
            journal.write(replace(row, number=number))
        judge = Ponderous(clock)
        found = surveyed(journal, judge, 100)
    assert len(found.games) == 9
    assert len(judge.asked) == len(row.moves) - len(row.opening) + 1


def test_a_game_with_an_illegal_move_is_unjudged(tmp_path: Path, clock: Clock) -> None:
    with Journal.open(tmp_path, make_header()) as journal:
        journal.write(make_row(1, moves=bytes([3] * 8), opening=b"", telemetry=b""))
        found = surveyed(journal, Ponderous(clock), 100)
    assert [set(game.judged.scores) for game in found.games] == [{None}]


def test_the_sample_is_decided_by_seed_and_number_alone() -> None:
    order = sample_order(range(1000), 7).tolist()
    assert sorted(order) == list(range(1000))
    shuffled = list(range(1000))
    Random(1).shuffle(shuffled)
    assert sample_order(shuffled, 7).tolist() == order
    grown = sample_order(range(1500), 7).tolist()
    assert [number for number in grown if number < 1000] == order
    assert sample_order(range(1000), 8).tolist() != order
    halves = sum(number < 500 for number in order[:200])
    assert 70 < halves < 130
    assert sample_order(range(3), -5).tolist() == sample_order(range(3), 2**64 - 5).tolist()
    assert sample_order([], 1).tolist() == []


def test_every_pairing_has_its_turn(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 120)
    with Journal.read(tmp_path) as journal:
        rows = list(evenly(journal, sample_order(journal.finished, 1)))
        pairings = {(row.first, row.second) for row in rows}
        assert sorted(row.number for row in rows) == list(range(120))
        for turns in range(1, 10):
            start = rows[: turns * len(pairings)]
            counts = Counter((row.first, row.second) for row in start)
            assert set(counts.values()) == {turns}


def test_games_are_read_in_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(survey, "BLOCK", 7)
    fill(tmp_path / "games.db", 30)
    with Journal.read(tmp_path) as journal:
        rows = list(evenly(journal, sample_order(journal.finished, 1)))
    assert sorted(row.number for row in rows) == list(range(30))
