"""Limits in seconds of this host, and how early an engine stops."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import CONNECT4, Choice, Engine, Limits, Position
from arena.bots.spoken import SpokenEngine
from arena.engine import timing
from arena.engine.limits import MAX_SECONDS, REFERENCE
from arena.engine.timing import (
    DECAY,
    MAX_SHARE,
    NEVER,
    SAFETY,
    USUAL,
    Deadline,
    Lateness,
    Reserve,
)
from arena.errors import BadOption
from arena.learning.opponent import Opponent
from arena.table.referee import play_game
from arena.tournament.games import Player

HALF = REFERENCE / 2


class Notes(Engine):
    """Writes down what it may use."""

    def __init__(self) -> None:
        self.seen: set[Limits] = set()

    def choose(self, position: Position, limits: Limits) -> Choice:
        self.seen.add(limits)
        return Choice(position.legal[0])


@pytest.fixture
def _half_as_fast(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(timing, "positions_a_second", lambda: HALF)
    timing.speed_of_this_host.cache_clear()
    yield
    timing.speed_of_this_host.cache_clear()


def test_a_host_that_is_half_as_fast_gives_twice_the_time() -> None:
    limits = Limits.parse("depth=4 seconds=0.1 cpu=0.2 clock=60+1 on=reference")
    given = Limits(depth=4, seconds=0.2, cpu=0.4, clock=120, increment=2)
    assert limits.at_speed(HALF) == given
    assert limits.at_speed(REFERENCE).seconds == 0.1
    assert limits.at_speed(1e-9).seconds == MAX_SECONDS
    assert given.at_speed(HALF) == given


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("seconds=1 on=refrence", "limit on is 'refrence'; did you mean 'reference'?"),
        ("seconds=1 on=", "limit on is ''; expected one of reference"),
        ("depth=3 on=reference", "no time is limited; expected seconds, cpu or clock beside it"),
    ],
)
def test_what_cannot_be_meant_is_a_sentence(words: str, sentence: str) -> None:
    with pytest.raises(BadOption) as error:
        Limits.parse(words)
    assert str(error.value).endswith(sentence)


def test_limits_that_nobody_has_scaled_are_no_budget() -> None:
    with pytest.raises(BadOption, match="to be scaled"):
        Limits(seconds=1, on="reference").budget(Position(CONNECT4))


@pytest.mark.usefixtures("_half_as_fast")
def test_a_referee_gives_what_the_limits_are_on_this_host() -> None:
    engine = Notes()
    play_game((engine, engine), CONNECT4, Limits(seconds=0.1, on="reference"))
    assert engine.seen == {Limits(seconds=0.2)}


@pytest.mark.usefixtures("_half_as_fast")
def test_so_do_those_who_ask_an_engine_without_a_referee() -> None:
    limits = Limits(cpu=0.1, on="reference")
    spoken = SpokenEngine.from_words("random", CONNECT4, limits, seed=1)
    assert spoken.limits == Limits(cpu=0.2)
    opponent = Opponent(Player("a", "random", {}, limits), CONNECT4)
    assert opponent.limits == Limits(cpu=0.2)


SECOND = 1_000_000_000


def test_without_time_limits_there_is_no_deadline() -> None:
    assert Reserve().deadline(Position(), Limits(depth=4, nodes=100)) == NEVER
    assert not NEVER


def test_each_clock_has_its_own_deadline() -> None:
    reserve = Reserve()
    wall, cpu = time.monotonic_ns(), time.thread_time_ns()
    both = reserve.deadline(Position(), Limits(seconds=1.0, cpu=0.5))
    assert both.wall == pytest.approx(wall + SECOND * (1 - USUAL), abs=SECOND // 2)
    assert both.wall >= wall + SECOND * (1 - USUAL)
    assert cpu + SECOND * (0.5 - USUAL) <= both.cpu <= time.thread_time_ns() + SECOND * 0.5
    assert reserve.deadline(Position(), Limits(cpu=0.5)).wall == 0
    assert reserve.deadline(Position(), Limits(clock=60.0)).cpu == 0


@given(
    st.lists(st.floats(-0.1, 0.3), max_size=30),
    st.floats(0.001, 10.0),
    st.floats(0.0, 1.0),
)
def test_the_time_left_to_think_is_between_half_and_all_of_the_budget(
    late: list[float], budget: float, usual: float
) -> None:
    lateness = Lateness()
    for seconds in late:
        lateness.note(int(seconds * SECOND))
    thinks = 1e-9 * lateness.target(0, budget, usual)
    worst = max([0.0, *late])
    fading = worst * DECAY ** len(late)
    assert MAX_SHARE * budget - 1e-8 <= thinks <= budget - min(usual, 0.1 * budget) + 1e-8
    assert thinks <= budget - min(SAFETY * fading, MAX_SHARE * budget) + 1e-8
    assert lateness.worst <= worst + 1e-8


def test_an_engine_that_comes_back_late_stops_earlier_the_next_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 5 * SECOND
    monkeypatch.setattr("arena.engine.timing.monotonic_ns", lambda: now)
    reserve, limits = Reserve(), Limits(seconds=0.1)
    assert reserve.deadline(Position(), limits).wall == now + 98_000_000
    reserve.learn(Deadline(wall=now - 20_000_000))
    assert reserve.deadline(Position(), limits).wall == now + 75_000_000
    reserve.learn(Deadline(wall=now - SECOND))
    assert reserve.deadline(Position(), limits).wall == now + 50_000_000
    assert reserve.late[1].worst == 0.0
