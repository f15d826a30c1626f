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
from arena.judge import sampling
from arena.judge.game import Judged
from arena.judge.judge import Judge
from arena.judge.sampling import JudgedGame, Memory, evenly, judge_journal, sample_order
from arena.solver import solver as asking
from arena.solver.solver import Budget
from tests.journal.examples import fill, make_header, make_row
from tests.judge.minimax import judge_game


class Clock:
    """Processor time that passes only when somebody thinks."""

    def __init__(self) -> None:
        self.now = 1000.0

    def process_time(self) -> float:
        return self.now


class Ponderous(Judge):
    """Calls every position a draw, after a tenth of a second; early ones need 20 M nodes."""

    def __init__(self, clock: Clock, hard: int = 0) -> None:
        self.clock, self.hard = clock, hard
        self.asked: list[bytes] = []

    def score(self, position: Position, budget: Budget) -> int | None:
        self.clock.now += 0.1
        self.asked.append(bytes(position.moves))
        if position.ply < self.hard and (budget.nodes or 0) < 20_000_000:
            return None
        return 0

    def beats(self, position: Position, score: int, budget: Budget) -> bool | None:
        return score < 0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(asking, "time", clock)
    monkeypatch.setattr(sampling, "time", clock)
    return clock


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    fill(tmp_path / "games.db", 40)
    with Journal.read(tmp_path) as opened:
        yield opened


def surveyed(journal: Journal, judge: Judge, seconds: float, **options: Any) -> list[JudgedGame]:
    memory = Memory.beside(journal)
    return judge_journal(journal, memory, seconds, lambda: judge, **options)


def numbers(found: list[JudgedGame]) -> list[int]:
    return [game.number for game in found]


def test_with_time_enough_every_game_is_judged(journal: Journal, clock: Clock) -> None:
    found = surveyed(journal, Ponderous(clock), 1000)
    assert sorted(numbers(found)) == list(range(40))
    assert all(game.judged.is_complete for game in found)
    rows = {row.number: row for row in journal.rows()}
    for game in found:
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


def test_a_second_time_resumes_without_repeating_work(journal: Journal, clock: Clock) -> None:
    first = surveyed(journal, Ponderous(clock), 20)
    again = Ponderous(clock)
    second = surveyed(journal, again, 20)
    assert numbers(second)[: len(first)] == numbers(first)
    assert len(second) > len(first)
    old = {game.judged.moves for game in first}
    assert not [asked for asked in again.asked if any(asked == moves for moves in old)]
    for _ in range(10):
        surveyed(journal, Ponderous(clock), 20)
    idle = Ponderous(clock)
    assert len(surveyed(journal, idle, 20)) == 40
    assert idle.asked == []


def test_a_game_that_is_begun_is_judged_to_its_end(journal: Journal, clock: Clock) -> None:
    found = surveyed(journal, Ponderous(clock), 20)
    assert all(game.judged.is_complete for game in found)
    begin = clock.now
    one_more = surveyed(journal, Ponderous(clock), 0.01)
    assert len(one_more) == len(found) + 1
    assert all(game.judged.is_complete for game in one_more)
    assert clock.now - begin > 0.1


def test_no_judge_is_made_where_none_is_needed(journal: Journal, clock: Clock) -> None:
    def refuse() -> Judge:
        raise AssertionError("nothing is to be judged")

    def judged_before(seconds: float) -> list[JudgedGame]:
        return judge_journal(journal, Memory.beside(journal), seconds, refuse)

    assert judged_before(0) == []
    before = surveyed(journal, Ponderous(clock), 20)
    assert judged_before(0) == before
    surveyed(journal, Ponderous(clock), 1000)
    assert len(judged_before(5)) == 40


def test_what_was_judged_before_games_were_added_still_counts(tmp_path: Path, clock: Clock) -> None:
    fill(tmp_path / "games.db", 10)
    with Journal.read(tmp_path) as small:
        assert len(surveyed(small, Ponderous(clock), 1000)) == 10
    with Journal.open(tmp_path, make_header()) as grown:
        for number in range(10, 40):
            grown.write(make_row(number))
        found = surveyed(grown, Ponderous(clock), 0.01)
    assert set(range(10)) < set(numbers(found))
    assert len(found) == 11


def test_what_is_too_hard_stays_open_until_there_is_more_time(
    journal: Journal, clock: Clock
) -> None:
    few = surveyed(journal, Ponderous(clock, hard=6), 10)
    assert any(not game.judged.is_complete for game in few)
    for game in few:
        places = zip(range(game.judged.opening, 99), game.judged.scores, strict=False)
        assert all((score is None) == (ply < 6) for ply, score in places)
    whole = surveyed(journal, Ponderous(clock, hard=6), 1000)
    assert all(game.judged.is_complete for game in whole)


def test_a_game_that_takes_for_ever_is_broken_off_and_counts_as_unjudged(
    journal: Journal, clock: Clock
) -> None:
    class Stuck(Ponderous):
        def score(self, position: Position, budget: Budget) -> int | None:
            self.clock.now += 5
            return super().score(position, budget)

    found = surveyed(journal, Stuck(clock), 20)
    assert clock.now <= 1000 + 2 * 20 + 6
    assert not found[-1].judged.is_complete
    assert found[-1].judged.scores[-1] == 0
    again = surveyed(journal, Ponderous(clock), 20)
    assert again[len(found) - 1].judged.is_complete


class Slow(Judge):
    """Games that begin in the right half are lost by every move, and take ten times as long."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def score(self, position: Position, budget: Budget) -> int | None:
        hard = position.moves[0] > 3
        self.clock.now += 1.0 if hard else 0.1
        return 0 if position.is_over or not hard else 1

    def beats(self, position: Position, score: int, budget: Budget) -> bool | None:
        return score < 0


def test_hard_games_are_counted_as_often_as_easy_ones(tmp_path: Path, clock: Clock) -> None:
    """Over many seeds the share of hard games in the sample is that in the journal.

    Leaving out the game in which the time ends would favour easy ones, by 10 points here.
    """
    count, hard = 60, 0
    with Journal.open(tmp_path, make_header()) as journal:
        for number in range(count):
            hard += number % 2
            moves = bytes([5 if number % 2 else 1, 0, 2, 3])
            row = make_row(number, moves=moves + bytes([number % 7]), opening=moves, telemetry=b"")
            journal.write(replace(row, first=0, second=1))
    found = without_last = games = 0
    for seed in range(150):
        with Journal.read(tmp_path) as journal:
            header = replace(journal.header, seed=seed)
            journal.__dict__["header"] = header
            rows = judge_journal(journal, Memory(header.rules), 6, lambda: Slow(clock))
        sizes = [game.judged.moves[0] == 5 for game in rows]
        found, games = found + sum(sizes), games + len(sizes)
        without_last += sum(sizes[:-1])
    assert found / games == pytest.approx(hard / count, abs=0.03)
    assert without_last / (games - 150) < hard / count - 0.05


def test_threads_find_what_one_judge_alone_finds(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 12, "5x4")
    with Journal.read(tmp_path) as journal:
        rules = journal.header.rules
        memory = Memory(rules)
        found = judge_journal(journal, memory, 1000, lambda: Judge(rules), threads=3)
        alone = Judge(rules)
        assert len(found) == 12
        for game in found:
            blank = Judged.blank(game.judged.moves, game.judged.opening)
            assert game.judged == judge_game(alone, rules, blank, Budget())


def test_who_breaks_it_off_stops_all_judges(journal: Journal) -> None:
    class Endless(Judge):
        def __init__(self) -> None:
            """It needs no solver."""

        def score(self, position: Position, budget: Budget) -> int | None:
            while True:
                assert budget.on_wait is not None
                budget.on_wait()

        def beats(self, position: Position, score: int, budget: Budget) -> bool | None:
            raise AssertionError("nothing is known to compare with")

    def interrupt(done: int, of: int, left: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        surveyed(journal, Endless(), 1000, progress=interrupt)


def test_progress_is_reported(journal: Journal, clock: Clock) -> None:
    states: list[tuple[int, int, float]] = []
    surveyed(journal, Ponderous(clock), 50, progress=lambda *state: states.append(state))
    done = [state[0] for state in states]
    assert done == sorted(done)
    assert {state[1] for state in states} == {40}
    assert states[0][2] == pytest.approx(50)
    assert states[-1][2] < states[0][2]


def test_the_same_game_is_judged_once(tmp_path: Path, clock: Clock) -> None:
    with Journal.open(tmp_path, make_header()) as journal:
        row = make_row(1)
        for number in range(9):
            journal.write(replace(row, number=number))
        judge = Ponderous(clock)
        found = surveyed(journal, judge, 100)
    assert len(found) == 9
    assert len(judge.asked) == len(row.moves) - len(row.opening) + 1


def test_a_game_with_an_illegal_move_is_unjudged(tmp_path: Path, clock: Clock) -> None:
    with Journal.open(tmp_path, make_header()) as journal:
        journal.write(make_row(1, moves=bytes([3] * 8), opening=b"", telemetry=b""))
        found = surveyed(journal, Ponderous(clock), 100)
    assert [set(game.judged.scores) for game in found] == [{None}]


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


def test_pairings_come_in_proportion_to_their_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path / "games.db", 120)
    with Journal.read(tmp_path) as journal:
        rows = list(evenly(journal, sample_order(journal.finished, 1)))
        monkeypatch.setattr(sampling, "BLOCK", 7)
        in_blocks = list(evenly(journal, sample_order(journal.finished, 1)))
    assert sorted(row.number for row in in_blocks) == list(range(120))
    assert sorted(row.number for row in rows) == list(range(120))
    whole = Counter((row.first, row.second) for row in rows)
    assert len(set(whole.values())) > 1
    for start in range(1, 120):
        counts = Counter((row.first, row.second) for row in rows[:start])
        for pairing, games in whole.items():
            assert abs(counts[pairing] - games * start / 120) < 2
