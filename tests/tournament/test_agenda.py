"""The agenda: nothing lost, nothing double, whatever is killed and in whatever order."""

from __future__ import annotations

from random import Random
from threading import Thread
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.game import CONNECT4
from arena.tournament.agenda import Agenda
from arena.tournament.formats import Format, Gauntlet, Knockout, Pyramid, RoundRobin, Swiss
from arena.tournament.games import GameResult, ScheduledGame
from arena.tournament.openings import EveryLine
from arena.tournament.schedule import Schedule
from tests.tournament.playing import all_games, result, schedule

ALL: list[Format] = [
    RoundRobin(),
    Gauntlet(heroes=1),
    Pyramid(),
    Swiss(rounds=4),
    Knockout(tiebreaks=2),
]
SEEDS = st.integers(0, 10**6)


class Journal:
    """Finished games, as a run would find them on disk."""

    def __init__(self) -> None:
        self.games: dict[int, ScheduledGame] = {}

    def agenda(self, plan: Schedule) -> Agenda:
        return Agenda(plan, set(self.games), self.results)

    def results(self) -> list[GameResult]:
        return [result(game) for game in self.games.values()]

    def write(self, game: ScheduledGame) -> None:
        assert game.number not in self.games, "played twice"
        self.games[game.number] = game


def run(plan: Schedule, journal: Journal, workers: int, chance: Random, steps: int) -> bool:
    """Workers take and finish games in random order, some die; True if it came to the end."""
    agenda = journal.agenda(plan)
    tables: list[ScheduledGame] = []
    for _ in range(steps):
        while len(tables) < workers and (game := agenda.take()) is not None:
            tables.append(game)
        if not tables:
            assert agenda.is_over
            return True
        game = tables.pop(chance.randrange(len(tables)))
        if chance.random() < 0.2:
            agenda.put_back(game)
        else:
            journal.write(game)
            agenda.done(game.number)
    return False


@given(format=st.sampled_from(ALL), players=st.integers(2, 7), seed=SEEDS)
def test_kills_and_resumes_leave_no_trace(format: Format, players: int, seed: int) -> None:
    chance = Random(seed)
    plan = schedule(format, players, 2, openings=EveryLine(CONNECT4, 2, seed), seed=seed)
    journal = Journal()
    while not run(plan, journal, chance.randint(1, 5), chance, chance.randint(1, 40)):
        pass
    played = sorted(journal.games.values(), key=lambda game: game.number)
    assert played == all_games(plan)


@given(format=st.sampled_from(ALL[:3]), seed=SEEDS, share=st.floats(0, 1))
def test_any_subset_may_be_finished(format: Format, seed: int, share: float) -> None:
    chance = Random(seed)
    plan = schedule(format, 5, 4, openings=EveryLine(CONNECT4, 2, seed))
    games = all_games(plan)
    finished = {game.number for game in games if chance.random() < share}
    agenda = Agenda(plan, finished, list)
    assert agenda.total == len(games)
    taken = [game for _ in games if (game := agenda.take()) is not None]
    assert taken == [game for game in games if game.number not in finished]


def test_a_game_put_back_comes_before_the_others_and_once() -> None:
    agenda = Agenda(schedule(RoundRobin(), 4), set(), list)
    games = [agenda.take() for _ in range(3)]
    for game in (games[2], games[0], games[0]):
        assert game is not None
        agenda.put_back(game)
    assert [agenda.take(), agenda.take()] == [games[0], games[2]]
    following = agenda.take()
    assert following is not None
    assert following.number == 4


@pytest.mark.parametrize("format", ALL)
def test_a_game_that_is_given_up_holds_back_only_what_needs_its_result(format: Format) -> None:
    plan, journal = schedule(format, 4), Journal()
    agenda = journal.agenda(plan)
    given_up = agenda.take()
    assert given_up is not None
    agenda.give_up(given_up.number)
    while (game := agenda.take()) is not None:
        assert game.number != given_up.number
        journal.write(game)
        agenda.done(game.number)
    assert not agenda.is_over
    assert agenda.unplayed == [given_up.number]
    wanted = {game.number for game in all_games(plan)}
    if not plan.needs_results:
        assert journal.games.keys() == wanted - {given_up.number}
    again = journal.agenda(plan)
    following = again.take()
    assert following is not None
    assert following.number == given_up.number


@pytest.mark.parametrize("format", [Swiss(rounds=3), Knockout(tiebreaks=0)])
def test_a_round_waits_for_the_one_before(format: Format) -> None:
    plan, journal = schedule(format, 4), Journal()
    agenda = journal.agenda(plan)
    games = [game for _ in range(4) if (game := agenda.take()) is not None]
    assert agenda.take() is None
    assert not agenda.is_over
    for game in reversed(games):
        assert agenda.take() is None
        journal.write(game)
        agenda.done(game.number)
    following = agenda.take()
    assert following is not None
    assert (following.number, following.round) == (5, 2)


def test_threads_share_an_agenda() -> None:
    agenda = Agenda(schedule(RoundRobin(), 5, 400), set(), list)
    taken: list[int] = []

    def work() -> None:
        while (game := agenda.take()) is not None:
            taken.append(game.number)
            agenda.done(game.number)

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == list(range(1, 4001))
    assert agenda.is_over


def test_a_million_finished_games_are_skipped_quickly() -> None:
    plan = schedule(RoundRobin(), 2, 1_000_002)
    finished = range(1, 1_000_001)
    start = process_time()
    agenda = Agenda(plan, finished, list)
    game = agenda.take()
    assert game is not None
    assert game.number == 1_000_001
    assert process_time() - start < 2
    assert agenda.total == 1_000_002
    assert agenda.take() is not None
    assert agenda.take() is None


# ---- players who learn

FORMATS: list[Format] = [RoundRobin(), Gauntlet(heroes=1), Swiss(rounds=3), Knockout(tiebreaks=2)]


def play_all(plan: Schedule, learners: set[int], workers: int, chance: Random) -> list[int]:
    """Finish games in random order, some at the second attempt; the numbers as they ended."""
    over: dict[int, ScheduledGame] = {}
    agenda = Agenda(plan, set(), lambda: [result(game) for game in over.values()], learners)
    tables: list[ScheduledGame] = []
    while True:
        while len(tables) < workers and (game := agenda.take()) is not None:
            tables.append(game)
        seated = [p for game in tables for p in (game.first, game.second) if p in learners]
        assert len(seated) == len(set(seated)), "a learner plays at two tables at once"
        if not tables:
            assert agenda.is_over
            return list(over)
        game = tables.pop(chance.randrange(len(tables)))
        if chance.random() < 0.2:
            agenda.put_back(game)
            continue
        over[game.number] = game
        agenda.done(game.number)
        for player in learners & {game.first, game.second}:
            own = [n for n, one in over.items() if player in (one.first, one.second)]
            assert own == sorted(own)


@given(st.integers(0, 10**6), st.sampled_from(FORMATS), st.sets(st.integers(0, 4)))
def test_learners_play_in_order_and_all_games_are_played(
    seed: int, format_: Format, learners: set[int]
) -> None:
    chance = Random(seed)
    plan = schedule(format_, 5, 2)
    numbers = play_all(plan, learners, chance.randint(1, 4), chance)
    assert sorted(numbers) == list(range(1, len(numbers) + 1))


def test_only_so_many_games_are_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.tournament.agenda.MAX_HELD", 5)
    plan = schedule(RoundRobin(), 2, 1000)
    agenda = Agenda(plan, set(), list, {1})
    first = agenda.take()
    assert first is not None
    assert agenda.take() is None
    assert next(agenda._ahead).number == 7
    numbers = play_all(plan, {1}, 3, Random(1))
    assert numbers == list(range(1, 1001))


def test_what_is_given_up_keeps_the_later_games_of_a_learner_back() -> None:
    agenda = Agenda(schedule(RoundRobin(), 2, 4), set(), list, {0})
    first = agenda.take()
    assert first is not None
    agenda.give_up(first.number)
    assert agenda.take() is None
    assert not agenda.is_over
