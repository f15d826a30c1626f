from __future__ import annotations

from collections.abc import Iterator

import pytest

from arena import CONNECT4, Choice, Engine, Limits, Position
from arena.bots.spoken import SpokenEngine
from arena.engine import timing
from arena.engine.limits import MAX_SECONDS, REFERENCE
from arena.errors import BadOption
from arena.learning.opponent import Opponent
from arena.table.referee import play_game
from arena.tournament.schedule import Player

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


@pytest.mark.parametrize(
    "words", ["seconds=0.1 on=reference", "cpu=0.5 clock=60+1 on=reference", "seconds=1"]
)
def test_words_read_back_as_they_are(words: str) -> None:
    assert str(Limits.parse(words)) == words


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


def test_the_speed_of_a_host_is_a_rate() -> None:
    assert 1e4 < timing.positions_a_second() < 1e9
