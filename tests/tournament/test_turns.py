"""Turns: a learner's games in their order, one at a time, and nobody else has to wait."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.agenda import Agenda
from arena.tournament.formats import Format, Gauntlet, Knockout, RoundRobin, Swiss
from arena.tournament.games import ScheduledGame
from arena.tournament.schedule import Schedule
from tests.tournament.playing import result, schedule

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


def test_others_go_on_while_a_learner_plays() -> None:
    plan = schedule(RoundRobin(), 4, 2)
    agenda = Agenda(plan, set(), list, {0})
    games = []
    while (game := agenda.take()) is not None:
        games.append(game)
    assert sum(0 in (game.first, game.second) for game in games) == 1
    assert len(games) == 1 + 6  # the others' three pairs


def test_only_so_many_games_are_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.tournament.agenda.MOST_HELD", 5)
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
