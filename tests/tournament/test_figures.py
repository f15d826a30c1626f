"""Figures in a tournament file: how they are written, read, kept, and what is wrong with them."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.table.game import GOOD_ENDS, Reason
from arena.tournament.figure_entry import FigureEntry
from arena.tournament.figures import (
    CAUSES,
    MEASURES,
    Aims,
    Bound,
    Expectation,
    Figure,
    Published,
    read_aims,
)
from arena.tournament.load import load_text
from arena.tournament.spec import Tournament
from tests.tournament.test_spec_mistakes import mistakes

THREE = "engines: [random, reflex, {engine: greedy, name: a against b}]\n"


def loaded(expect: str, key: str = "expect", more: str = "") -> Tournament:
    return load_text(f"{THREE}{more}{key}:\n  - {expect}\n")


def figure(text: str) -> Figure:
    (expectation,) = loaded(text).aims.expect
    return expectation.figure


def test_every_measure_is_a_key_of_a_file() -> None:
    others = {"against", "seat", "take", "move", "by", "when", "over"}
    assert set(FigureEntry.model_fields) - others == set(MEASURES)
    faults = [reason for reason in get_args(Reason) if reason not in GOOD_ENDS]
    assert set(faults) < set(CAUSES)


@pytest.mark.parametrize(
    ("text", "expected", "words"),
    [
        (
            "{score: reflex, at_least: 50%}",
            Figure("score", "reflex"),
            "score of reflex",
        ),
        (
            "{score: reflex against random as first, at_least: 0.5}",
            Figure("score", "reflex", ("random",), "first"),
            "score of reflex against random as first",
        ),
        (
            "{score: a against b against random, at_least: 0.5}",
            Figure("score", "a against b", ("random",)),
            "score of a against b against random",
        ),
        (
            "{score: reflex, against: [random, a against b], seat: second, at_most: 1}",
            Figure("score", "reflex", ("random", "a against b"), "second"),
            "score of reflex against random or a against b as second",
        ),
        (
            "{wins: reflex, at_least: 3}",
            Figure("wins", "reflex", take="count"),
            "wins of reflex",
        ),
        (
            "{wins: reflex, by: falling diagonal, at_least: 30%}",
            Figure("wins", "reflex", take="share", by="falling diagonal"),
            "wins of reflex by falling diagonal",
        ),
        (
            "{time: reflex, take: p95, move: first, at_most: 100ms}",
            Figure("time", "reflex", take="p95", move="first"),
            "p95 time at the first move of reflex",
        ),
        (
            "{nodes: reflex, move: 3, at_most: 100}",
            Figure("nodes", "reflex", take="mean", move=3),
            "nodes at move 3 of reflex",
        ),
        (
            "{length: all, at_most: 42}",
            Figure("length", take="mean"),
            "length of all games",
        ),
        (
            "{length: reflex, when: won, over: {length: reflex, when: lost}, at_most: 1}",
            Figure("length", "reflex", take="mean", when="won",
                   over=Figure("length", "reflex", take="mean", when="lost")),
            "length of reflex in games won, over length of reflex in games lost",
        ),
        (
            "{accuracy: reflex, take: critical, at_least: 50%}",
            Figure("accuracy", "reflex", take="critical"),
            "critical accuracy of reflex",
        ),
    ],
)  # fmt: skip
def test_a_figure_is_read_and_told(text: str, expected: Figure, words: str) -> None:
    assert figure(text) == expected
    assert str(expected) == words


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
            Bound(more_than=Figure("time", "random", take="mean")),
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
    assert (wins.value, wins.games, wins.figure.take) == (0.4, 50, "share")
    text = "{time: reflex, less_than: {time: random}, source: prose, note: Another machine.}"
    (claim,) = loaded(text, "published").aims.published
    assert claim.bound == Bound(less_than=Figure("time", "random", take="mean"))
    assert claim.note == "Another machine."


ONE_OF = "at_least, at_most, between, more_than, less_than"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{score: reflx, at_least: 1}", "3:13: expect[0].score: no player is called 'reflx'; did"),
        ("{score: reflex against x, at_least: 1}", "3:13: expect[0].score: no player is called"),
        ("{scroe: reflex, at_least: 1}", "3:6: expect[0].scroe: unknown key; did you mean 'score'"),
        ("{score: reflex}", f"3:5: expect[0]: does not say what is expected; add one of {ONE_OF}"),
        ("{at_least: 1}", "3:5: expect[0]: found none; expected one figure, as in {score: my_bot"),
        ("{score: reflex, wins: reflex}", "3:5: expect[0]: found score and wins; expected one fig"),
        ("{score: reflex, take: p95, at_least: 1}", "3:27: expect[0].take: found p95; score has n"),
        ("{time: reflex, take: share, at_least: 1}", "3:26: expect[0].take: found share; time has"),
        ("{time: reflex, at_least: 90%}", "3:30: expect[0].at_least: found the text '90%'; expect"),
        ("{score: reflex, at_least: 40}", "3:31: expect[0].at_least: found 40; expected a share"),
        ("{score: reflex, at_least: x}", "3:31: expect[0].at_least: found the text 'x'; expected "),
        ("{score: reflex, at_least: [1]}", "3:31: expect[0].at_least: found a list; expected a n"),
        ("{score: reflex, between: [1, 0]}", "3:30: expect[0].between: is below the lower end; e"),
        ("{score: reflex, between: 3}", "3:30: expect[0].between: found 3; expected the lower and"),
        ("{wins: reflex, at_least: 1ms}", "3:30: expect[0].at_least: found the text '1ms'; expec"),
        ("{score: all, at_least: 1}", "3:13: expect[0].score: found all; expected NAME, or NAME "),
        ("{score: reflex against reflex, at_least: 1}", "3:13: expect[0].score: 'reflex' does no"),
        ("{score: reflex, by: time, at_least: 1}", "3:25: expect[0].by: goes with wins, losses; "),
        ("{losses: reflex, by: tme, at_most: 1}", "3:26: expect[0].by: unknown end 'tme'; did yo"),
        ("{score: reflex, seat: third, at_most: 1}", "3:27: expect[0].seat: found the text 'third"),
        ("{time: reflex, move: 0, at_most: 1}", "3:26: expect[0].move: found 0; expected first, l"),
        (
            "{score: reflex as first, seat: first, at_most: 1}",
            "3:36: expect[0].seat: stands in score too; expected it once",
        ),
        (
            "{score: reflex against random, against: random, at_most: 1}",
            "3:45: expect[0].against: stands in score too; expected it once",
        ),
        (
            "{elo: reflex, against: [random, a against b], at_most: 1}",
            "3:11: expect[0].elo: found 2 opponents; expected one, or none",
        ),
        (
            "{score: reflex, at_least: 1, between: [0, 1]}",
            "3:43: expect[0].between: stands beside at_least; expected one of the two",
        ),
        (
            "{score: reflex, more_than: {time: random}}",
            "3:32: expect[0].more_than: is a figure in seconds, the other one in shares; expected",
        ),
        (
            "{score: reflex, more_than: {score: '*'}}",
            "3:32: expect[0].more_than: stands for 3 players; expected one",
        ),
        (
            "{score: reflex, more_than: {score: rndom}}",
            "3:40: expect[0].more_than.score: no player is called 'rndom'; did you mean 'random'?",
        ),
        (
            "{time: reflex, take: max, at_most: 1, confidence: 95%}",
            "3:55: expect[0].confidence: max time has no interval; expected none beside it",
        ),
        (
            "{score: reflex, at_most: 1, confidence: 120%}",
            "3:45: expect[0].confidence: found the text '120%'; expected a share from 50% to below",
        ),
        ("3", "3:5: expect[0]: found 3; expected a mapping such as {score: my_bot against random"),
    ],
)
def test_mistakes_are_told_with_their_place(text: str, sentence: str) -> None:
    (mistake,) = mistakes(f"{THREE}expect:\n  - {text}\n")
    assert mistake.startswith(f"t.yaml:{sentence}"), mistake


def test_all_mistakes_are_told_at_once_each_at_its_own_item() -> None:
    text = f"{THREE}expect:\n  - 3\n  - {{score: reflx, at_least: 1}}\n  - {{wins: x}}\n"
    text += "published:\n  - {score: reflex, value: 1}\n  - {score: reflex, source: here}\n"
    places = [mistake.split(": ")[:2] for mistake in mistakes(text)]
    assert places == [
        ["t.yaml:3:5", "expect[0]"],
        ["t.yaml:4:13", "expect[1].score"],
        ["t.yaml:5:12", "expect[2].wins"],
        ["t.yaml:7:5", "published[0].source"],
        ["t.yaml:8:5", "published[1]"],
    ]


def test_who_never_meet_have_no_figures_together() -> None:
    text = "engines: [random, reflex, greedy]\nformat: {kind: gauntlet, heroes: random}\n"
    (mistake,) = mistakes(f"{text}expect:\n  - {{score: reflex against greedy, at_least: 1}}\n")
    assert "expect[0].score: reflex and greedy never meet; the heroes are random" in mistake


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("stop: {expectations: true}", "found nothing under expect; expected figures to decide by"),
        (
            "stop: {expectations: true}\nexpect: [{accuracy: reflex, at_least: 1}]",
            "accuracy of reflex is judged when all games are over; expected none such",
        ),
    ],
)
def test_a_run_is_not_stopped_by_what_is_known_only_at_its_end(text: str, sentence: str) -> None:
    (mistake,) = mistakes(f"{THREE}{text}\n")
    assert f"stop.expectations: {sentence}" in mistake


# ---- what a journal keeps

figures: st.SearchStrategy[Figure] = st.deferred(
    lambda: st.builds(
        Figure,
        st.sampled_from(sorted(MEASURES)),
        st.sampled_from(["", "a", "b"]),
        st.sampled_from([(), ("c",), ("b", "c")]),
        st.sampled_from(["", "first"]),
        st.sampled_from(["", "mean", "p95"]),
        st.sampled_from(["", "time"]),
        st.sampled_from(["", "won"]),
        st.sampled_from([None, 1, "first"]),
        st.none() | figures,
    )
)
numbers = st.none() | st.floats(-1e6, 1e6)
bounds = st.builds(Bound, numbers, numbers, st.none() | figures, st.none() | figures)
expected = st.builds(Expectation, figures, bounds, numbers, numbers, st.sampled_from(["", "x"]))
printed = st.builds(
    Published, figures, st.just("table 1"), numbers, st.none() | st.integers(1, 99),
    st.none() | bounds.filter(lambda bound: bound != Bound()),
)  # fmt: skip
aims = st.builds(
    Aims,
    about=st.sampled_from(["", "A study."]),
    shown=st.lists(figures, max_size=2).map(tuple),
    expect=st.lists(expected, max_size=2).map(tuple),
    published=st.lists(printed, max_size=2).map(tuple),
)


@given(aims)
def test_aims_are_read_back_as_they_were_written(written: Aims) -> None:
    assert read_aims(written.plain(), ["a", "b", "c"]) == written


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
    ],
)
def test_what_a_strange_journal_holds_is_no_aim(data: dict[str, Any] | None) -> None:
    assert not read_aims(data, ["a", "b"])
