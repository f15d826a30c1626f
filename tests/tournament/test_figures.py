"""Figures in a tournament file: how they are written, read, kept, and what is wrong with them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arena.tournament.claims import NO_AIMS, Aims, Bound
from arena.tournament.load import load_text
from arena.tournament.spec import Tournament
from tests.support.figures import figure_of
from tests.tournament.test_spec_mistakes import mistakes

THREE = "engines: [random, reflex, {engine: greedy, name: a against b}]\n"


def loaded(expect: str, key: str = "expect", more: str = "") -> Tournament:
    return load_text(f"{THREE}{more}{key}:\n  - {expect}\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{score: reflex, at_least: 50%}", "score of reflex"),
        ("{score: reflex against random as first, at_least: 0.5}",
         "score of reflex against random as first"),
        ("{score: a against b against random, at_least: 0.5}",
         "score of a against b against random"),
        ("{score: reflex, against: [random, a against b], seat: second, at_most: 1}",
         "score of reflex against random or a against b as second"),
        ("{wins: reflex, by: falling diagonal, at_least: 30%}",
         "wins of reflex by falling diagonal"),
        ("{time: reflex, take: p95, move: first, at_most: 100ms}",
         "p95 time at the first move of reflex"),
        ("{nodes: reflex, move: 3, at_most: 100}", "nodes at move 3 of reflex"),
        ("{length: all, at_most: 42}", "length of all games"),
        ("{length: reflex, when: won, over: {length: reflex, when: lost}, at_most: 1}",
         "length of reflex in games won, over length of reflex in games lost"),
        ("{accuracy: reflex, take: critical, at_least: 50%}", "critical accuracy of reflex"),
    ],
)  # fmt: skip
def test_a_figure_is_read_and_told(text: str, words: str) -> None:
    (expectation,) = loaded(text).aims.expect
    assert str(expectation.figure) == words


@pytest.mark.parametrize(("bound", "take"), [("3", "count"), ("30%", "share")])
def test_wins_are_counted_or_a_share_as_the_bound_is(bound: str, take: str) -> None:
    (expectation,) = loaded(f"{{wins: reflex, at_least: {bound}}}").aims.expect
    assert expectation.figure.take == take


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("{score: reflex, at_least: 90%}", Bound(at_least=0.9)),
        ("{score: reflex, between: [40 %, 0.6]}", Bound(0.4, 0.6)),
        ("{score: reflex, at_least: 0.2, at_most: 1}", Bound(0.2, 1)),
        ("{time: reflex, at_most: 1m 30s}", Bound(at_most=90)),
        ("{time: reflex, at_most: 0.5}", Bound(at_most=0.5)),
        ("{elo: reflex against random, at_least: -20}", Bound(at_least=-20)),
        (
            "{time: reflex, more_than: {time: random}}",
            Bound(more_than=figure_of("time", "random", take="mean")),
        ),
        (
            "{time: reflex, over: {time: random}, at_most: 200%}",
            Bound(at_most=2),
        ),
    ],
)
def test_what_is_expected_is_read_in_the_figures_unit(text: str, bound: Bound) -> None:
    (expectation,) = loaded(text).aims.expect
    assert expectation.bound == bound


def test_a_pattern_stands_for_an_expectation_of_each_but_the_opponents() -> None:
    expect = loaded('{score: "r*", at_least: 10%, confidence: 90%, points: 2}').aims.expect
    assert [each.figure.of for each in expect] == ["random", "reflex"]
    assert all((each.confidence, each.points) == (0.9, 2) for each in expect)
    against = loaded('{score: "* against random", at_least: 10%}').aims.expect
    assert [each.figure.of for each in against] == ["reflex", "a against b"]


def test_published_figures_are_values_or_claims() -> None:
    text = "{wins: reflex against random, value: 20, of: 50, source: table 1}"
    (wins,) = loaded(text, "published").aims.published
    assert (wins.value, wins.of_games, wins.figure.take) == (0.4, 50, "share")
    text = "{time: reflex, less_than: {time: random}, source: prose, note: Another machine.}"
    (claim,) = loaded(text, "published").aims.published
    assert claim.bound == Bound(less_than=figure_of("time", "random", take="mean"))
    assert claim.note == "Another machine."


# ---- what makes no sense


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("{score: reflex, at_least: 150%}", "at_least"),
        ("{score: reflex, at_most: -5%}", "at_most"),
        ("{wins: reflex, take: share, between: [-1%, 50%]}", "between"),
        ("{elo: reflex, over: {elo: random}, at_most: 1}", "over"),
        ("{nodes: reflex, over: {elo: random}, at_most: 1}", "over"),
    ],
)
def test_shares_lie_between_0_and_1_and_elo_has_no_ratio(text: str, key: str) -> None:
    (mistake,) = mistakes(f"{THREE}expect:\n  - {text}\n")
    assert mistake.split(": ")[1] == f"expect[0].{key}"


def test_a_player_called_all_is_refused_where_a_figure_names_it() -> None:
    engines = "engines: [random, {engine: reflex, name: all}]\n"
    load_text(engines)
    (mistake,) = mistakes(f"{engines}figures: [{{score: all against random}}]")
    assert "a player is called 'all', which means all games here" in mistake
    assert load_text(f"{engines}figures: [{{score: random against all}}]").figures


# ---- what a journal keeps

PLAYERS = ["random", "reflex", "a against b"]
SOME_AIMS = """
about: A study.
figures:
  - {score: a against b against random as first}
  - {nodes: reflex, take: p95, move: 3, over: {nodes: random}}
expect:
  - {wins: reflex, at_least: 30%, confidence: 95%, points: 2, name: often}
  - {time: reflex, between: [1ms, 2], when_: x}
  - {length: reflex, when: won, more_than: {length: random}}
published:
  - {wins: reflex against random, value: 20, of: 50, source: table 1, within: 5%}
  - {games: all, at_most: 9, source: prose, note: Another machine.}
stop: {expectations: true}
""".replace(", when_: x", "")


def test_aims_are_read_back_as_they_were_written() -> None:
    written = load_text(THREE + SOME_AIMS).aims
    kept = json.loads(json.dumps(written.plain()))
    assert Aims.read(kept, PLAYERS) == written
    assert Aims.read(kept, PLAYERS).published[0].value == 0.4
    assert Aims.read(kept, PLAYERS[:2]) == NO_AIMS
    assert Aims().plain() is None


def test_aims_of_earlier_versions_are_read() -> None:
    score = {"measure": "score", "of": "a against b", "against": ["random"], "seat": "first"}
    wins = {"measure": "wins", "of": "reflex", "take": "share"}
    aims = Aims.read(
        {
            "about": "A study.",
            "shown": [score, {"measure": "length", "take": "mean", "over": wins}],
            "expect": [
                {"figure": wins, "bound": {"at_least": 0.3}, "confidence": 0.95, "name": "often"},
                {"figure": score, "bound": {"more_than": score}},
            ],
            "published": [
                {"figure": wins, "source": "table 1", "value": 0.4, "games": 50, "within": 0.05},
                {"figure": {"measure": "games", "of": "reflex"}, "source": "prose",
                 "bound": {"at_least": 1.0, "at_most": 9.0}},
            ],
            "early": True,
        },
        PLAYERS,
    )  # fmt: skip
    assert aims.shown[0] == figure_of("score", "a against b", ("random",), seat="first")
    assert aims.shown[1].of == ""
    assert aims.expect[0].bound == Bound(0.3)
    assert aims.expect[1].bound == Bound(more_than=aims.shown[0])
    first, second = aims.published
    assert (first.value, first.of_games, first.within) == (0.4, 50, 0.05)
    assert (second.figure.measure, second.of_games, second.bound) == ("games", None, Bound(1, 9))
    assert aims.early


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {"expect": 3},
        {"expect": [{"figure": {"measure": "score", "of": "somebody"}, "bound": {}}]},
        {"expect": [{"figure": {"measure": "beauty", "of": "a"}, "bound": {}}]},
        {"published": [{"figure": {"measure": "score"}}]},
        {"zzz": []},
        {"shown": [{}]},
        {"shown": [{"measure": ["score"]}]},
        {"expect": [{"score": "a", "at_least": "150%"}]},
        {"expect": [{"figure": {"measure": "score", "of": "a"}, "bound": 3}]},
        {"published": [{"wins": "a", "take": "share", "value": 9, "of": 3, "source": "x"}]},
        {
            "published": [
                {
                    "figure": {"measure": "wins", "of": "a", "take": "share"},
                    "source": "x",
                    "value": "b",
                    "games": 3,
                }
            ]
        },
    ],
)
def test_what_a_strange_journal_holds_is_no_aim(data: dict[str, Any] | None) -> None:
    assert not Aims.read(data, ["a", "b"])
