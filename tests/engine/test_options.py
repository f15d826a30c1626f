"""Options of engines and limits of moves: read from their types, refused in one sentence."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import pytest

from arena import Choice, Engine, Limits, option
from arena.errors import ArenaError, BadOption, UnknownName
from arena.evaluation import EVALUATIONS, Evaluation
from arena.game import CONNECT4, Position


class Player(Engine):
    """An engine with one option of each type.

    The second paragraph is not its summary.
    """

    depth: int = option(5, "plies to look ahead", least=1, most=42)
    spread: float = option(0.5, "how far", least=0)
    ceiling: float = option(1.0, "how high", most=2)
    tie_break: Literal["first", "random"] = option("first", "which of equal moves to play")
    width: Literal[1, 2, 4] = option(1, "children at once")
    quick: bool = option(True, "prefer short wins")
    label: str = option("none", "what to call it")
    nodes: int | None = option(None, "nodes a move", least=1)
    evaluation: Evaluation = option("counts", "how to evaluate a position")
    plain: int = 3
    shared: ClassVar[list[str]] = []
    _hidden: int = 1

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(position.legal[0])


class Deeper(Player):
    """The same with another default and one option more."""

    depth = 9
    extra: int = option(1, "something new")


def refusal(engine: type[Engine] = Player, **given: Any) -> str:
    with pytest.raises(ArenaError) as refused:
        engine(**given)
    return str(refused.value)


def test_declared_options_are_listed_with_what_they_mean() -> None:
    assert list(Player.options) == [
        *("depth", "spread", "ceiling", "tie_break", "width", "quick"),
        *("label", "nodes", "evaluation", "plain", "explore"),
    ]
    assert Player.options["depth"].help == "plies to look ahead"
    assert Player.summary() == "An engine with one option of each type."


def test_defaults_become_plain_attributes() -> None:
    player = Player()
    assert (player.depth, player.spread, player.quick, player.nodes) == (5, 0.5, True, None)
    assert player.evaluation is EVALUATIONS["counts"]
    assert player.plain == 3
    assert player.settings()["tie_break"] == "first"


def test_options_are_inherited_with_the_defaults_that_a_subclass_sets() -> None:
    assert Deeper().depth == 9
    assert Deeper().spread == 0.5
    assert Deeper().settings()["extra"] == 1
    assert "extra" not in Player.options
    assert Player().depth == 5


def test_an_option_may_be_declared_again_without_its_type() -> None:
    class Narrow(Player):
        depth = option(3, "not so deep", least=1, most=4)

    assert Narrow().depth == 3
    assert Narrow.options["depth"].help == "not so deep"
    assert refusal(Narrow, depth=5) == "option 'depth' is 5; expected a whole number from 1 to 4"


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("depth", "7", 7),
        ("depth", "7.0", 7),
        ("spread", "0.25", 0.25),
        ("spread", "1", 1.0),
        ("spread", "1e-3", 0.001),
        ("tie_break", "random", "random"),
        ("width", "4", 4),
        ("quick", "false", False),
        ("quick", "No", False),
        ("quick", "on", True),
        ("label", "7", "7"),
        ("nodes", "1000", 1000),
        ("nodes", "none", None),
        ("plain", "-2", -2),
    ],
)
def test_text_from_a_command_line_is_read(name: str, text: str, value: object) -> None:
    read = Player(**{name: text}).settings()[name]
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"depth": 0}, "option 'depth' is 0; expected a whole number from 1 to 42"),
        ({"depth": 43}, "option 'depth' is 43; expected a whole number from 1 to 42"),
        ({"depth": 2.5}, "option 'depth' is 2.5; expected a whole number from 1 to 42"),
        ({"depth": "deep"}, "option 'depth' is 'deep'; expected a whole number from 1 to 42"),
        ({"depth": True}, "option 'depth' is True; expected a whole number from 1 to 42"),
        ({"depth": None}, "option 'depth' is None; expected a whole number from 1 to 42"),
        ({"spread": -1}, "option 'spread' is -1.0; expected a number of at least 0"),
        ({"spread": float("nan")}, "option 'spread' is nan; expected a number of at least 0"),
        ({"spread": "inf"}, "option 'spread' is 'inf'; expected a number of at least 0"),
        ({"ceiling": 3}, "option 'ceiling' is 3.0; expected a number of at most 2"),
        (
            {"tie_break": "randon"},
            "option 'tie_break' is 'randon'; expected one of first, random; did you mean 'random'?",
        ),
        ({"tie_break": 5}, "option 'tie_break' is 5; expected one of first, random"),
        ({"width": 3}, "option 'width' is 3; expected one of 1, 2, 4"),
        ({"quick": "maybe"}, "option 'quick' is 'maybe'; expected true or false"),
        ({"quick": 1}, "option 'quick' is 1; expected true or false"),
        ({"label": 7}, "option 'label' is 7; expected text"),
        ({"nodes": 0}, "option 'nodes' is 0; expected a whole number or none of at least 1"),
        ({"dept": 3}, "unknown option 'dept'; did you mean 'depth'?"),
        ({"_hidden": 3}, "unknown option '_hidden'"),
        ({"shared": 3}, "unknown option 'shared'"),
    ],
)
def test_every_wrong_option_is_one_sentence(given: dict[str, Any], sentence: str) -> None:
    told = refusal(**given)
    assert told.startswith(sentence) if sentence.startswith("unknown") else told == sentence


def test_an_evaluation_is_an_option_like_any_other() -> None:
    assert Player(evaluation="rivest").evaluation.name == "rivest"
    assert Player(evaluation={"own": {3: 1}}).evaluation.own == ((3, 1.0),)
    with pytest.raises(UnknownName, match="did you mean 'rivest'"):
        Player(evaluation="rivets")


def test_limits_are_read_from_words() -> None:
    assert Limits.parse("depth=6") == Limits(depth=6)
    assert Limits.parse("seconds=0.5 nodes=10000") == Limits(seconds=0.5, nodes=10000)
    assert Limits.parse("playouts=9,depth=2") == Limits(playouts=9, depth=2)
    assert Limits.parse("clock=60+1.5") == Limits(clock=60, increment=1.5)
    assert Limits.parse("clock=60") == Limits(clock=60)
    assert Limits.parse("cpu=0.1 seconds=1") == Limits(cpu=0.1, seconds=1.0)
    assert Limits.parse("") == Limits()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("depth", "limit 'depth' has no value; expected NAME=VALUE, as in depth=6"),
        ("dept=6", "unknown limit 'dept'; did you mean 'depth'?"),
        ("depth=six", "limit depth is 'six'; expected a whole number"),
        ("depth=2.5", "limit depth is '2.5'; expected a whole number"),
        ("depth=0", "limit depth is 0; expected a whole number of at least 1"),
        (
            "seconds=soon",
            "limit seconds is 'soon'; expected a number of seconds, or a time as 100ms",
        ),
        ("seconds=0", "limit seconds is 0.0; expected a positive number of seconds"),
        ("seconds=-1", "limit seconds is -1.0; expected a positive number of seconds"),
        ("seconds=nan", "limit seconds is nan; expected a positive number of seconds"),
        ("clock=inf", "limit clock is inf; expected a positive number of seconds"),
        ("seconds=1e290", "limit seconds is 1e+290; expected at most 1e+08"),
        ("clock=1+1e290", "limit increment is 1e+290; expected at most 1e+08"),
        ("nodes=10000000000000000", "limit nodes is 1e+16; expected at most 1e+15"),
        ("clock=60+x", "limit increment is 'x'; expected a number of seconds, or a time as 100ms"),
    ],
)
def test_every_wrong_limit_is_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(BadOption) as refused:
        Limits.parse(text)
    assert str(refused.value) == sentence


def test_limits_of_the_wrong_type_are_refused() -> None:
    for wrong in ({"depth": True}, {"nodes": 1.0}, {"seconds": "1"}):
        with pytest.raises(BadOption, match=f"^limit {next(iter(wrong))} is "):
            Limits(**wrong)


@pytest.mark.parametrize(
    "text",
    [
        "depth=6",
        "nodes=1234567 seconds=0.5",
        "seconds=0.5 cpu=0.1",
        "playouts=10000000",
        "clock=60+1",
        "depth=2 clock=9+0",
    ],
)
def test_limits_are_written_as_they_are_read(text: str) -> None:
    assert str(Limits.parse(text)) == text
    assert Limits.parse(str(Limits.parse(text))) == Limits.parse(text)


def test_the_budget_of_a_move() -> None:
    start, late = Position(), Position(CONNECT4, (1 << 40) - 1)
    assert Limits().budget(start) is None
    assert Limits(depth=3).budget(start) is None
    assert Limits(seconds=2).budget(start) == 2
    assert Limits(clock=60).budget(start) == pytest.approx(4)  # a fifteenth of what is left
    assert Limits(clock=60, increment=1).budget(start) == pytest.approx(4.8)
    assert Limits(clock=60).budget(late) == pytest.approx(30)  # two discs fit: keep half
    assert Limits(seconds=1, clock=60).budget(start) == 1
    assert Limits(seconds=9, clock=60).budget(start) == pytest.approx(4)


def test_the_budget_of_a_move_keeps_every_limit_by_time() -> None:
    start = Position()
    assert Limits(depth=4).budget(start) is None
    assert Limits(cpu=0.1).budget(start) == 0.1
    assert Limits(cpu=0.1, seconds=0.05).budget(start) == 0.05
    assert Limits(cpu=0.1, clock=600.0).budget(start) == 0.1
    assert [limits.timed for limits in (Limits(depth=4), Limits(cpu=1.0), Limits(clock=1.0))] == [
        False,
        True,
        True,
    ]
    assert [limits.by_clock for limits in (Limits(cpu=1.0), Limits(seconds=1.0))] == [False, True]


def test_an_increment_needs_a_clock() -> None:
    words = "limit increment is set without a clock; expected clock=SECONDS beside it"
    for text in ("increment=5", "depth=4 increment=1"):
        with pytest.raises(BadOption, match=f"^{words}$"):
            Limits.parse(text)
    assert Limits.parse("increment=0") == Limits()
    assert Limits.parse("increment=1 clock=9") == Limits(clock=9, increment=1)
