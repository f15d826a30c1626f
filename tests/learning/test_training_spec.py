"""Training files: what they mean, and a sentence with its place for whatever is wrong in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.learning.canonical import canonical, fingerprint
from arena.learning.parts import Schedule
from arena.learning.reading import load_text
from arena.learning.spec import NTupleFile, TdFile
from arena.tournament.mistakes import BadSpec
from tests.cli.running import assert_one_sentence, run

MISTAKES = [
    (
        "method: td\ngame: {size: 7x6, pie: true}",
        "2:7: game: found the pie rule; weights are learned on boards without it",
    ),
    ("game: 7x6", "1:1: method: is missing; expected one of td, ntuple"),
    ("method: ntupel", "1:9: method: found the text 'ntupel'; expected one of td, ntuple; did you"),
    ("method: 3", "1:9: method: found 3; expected one of td, ntuple"),
    ("method: td\ntcl: true", "2:1: tcl: is a key of the method ntuple; the method here is td"),
    ("method: ntuple\nreward: 1", "2:1: reward: is a key of the method td"),
    ("method: td\nlamda: 0.5", "2:1: lamda: unknown key; did you mean 'lambda'?"),
    ("method: td\nlambda: 2", "2:9: lambda: found 2; expected at most 1"),
    ("method: td\ngames: 0", "2:8: games: found 0; expected at least 1"),
    ("method: td\nepsilon: 2", "2:10: epsilon: found a number above 1; expected shares of moves"),
    ("method: td\nstep: {to: 1}", "2:7: step.from: is missing; example: from: 0.1"),
    ("method: td\nstep: {from: 1, over: 9}", "2:7: step: to is missing; expected the last value"),
    ("method: td\nstep: {from: 1, to: 0, shape: exponential}", "2:7: step: an exponential"),
    ("method: td\nstep: {from: 1, to: 0, shape: 1/game}", "2:7: step: with shape 1/game there is"),
    ("method: td\nstep: fast", "2:7: step: found the text 'fast'; expected a number, or a mapping"),
    ("method: td\nsave: soon", "2:7: save: found the text 'soon'; expected a number of games, or"),
    ("method: td\nsave: {games: 1, seconds: 1}", "2:7: save: expected either games or seconds"),
    ("method: td\nside: first", "2:7: side: in self-play the learner takes both sides"),
    ("method: td\nopponent: oracle-hart", "did you mean 'oracle-hard'?"),
    (
        "method: td\nopponent: {engine: alphabeta, options: {depth: [1, 2]}}",
        "2:11: opponent: makes 2 players; expected a single one",
    ),
    ("method: td\nfeatures: foorplay", "2:11: features: unknown evaluation 'foorplay'; did you"),
    ("method: td\nfeatures: none.yaml", "2:11: features: none.yaml"),
    ("method: td\nfeatures: 3", "2:11: features: found 3; expected the name of an evaluation"),
    ("method: td\nmeasure: {games: 3}", "2:10: measure: found 3 games; expected an even number"),
    ("method: td\nmeasure: {against: [randm]}", "2:21: measure.against[0].engine: unknown engine"),
    (
        "method: td\ngame: 4x4x4\nmeasure: {perfect: 10}",
        "3:20: measure.perfect: the exact solver plays on flat boards",
    ),
    ("method: ntuple\ntuples: [[0, 0]]", "2:9: tuples: found [0, 0]; expected 1 to 10 different"),
    ("method: ntuple\ntuples: [[42]]", "2:9: tuples: cell 42 of a tuple is not on 7x6 connect 4"),
    ("method: ntuple\ntuples: []", "2:9: tuples: found an empty list; expected a list of groups"),
    ("method: ntuple\ntuples: {count: 3, lines: true}", "2:9: tuples: found several ways to"),
    ("method: ntuple\ntuples: {length: 11}", "2:18: tuples.length: found 11; expected at most 10"),
    ("method: ntuple\ngame: 4x4\ntuples: {length: 2}", "3:9: tuples: 4x4 connect 4 has only"),
    (
        "method: ntuple\ntuples: {count: 999, length: 10}",
        "2:9: tuples: these tuples have 2,095,054,848 weights; expected at most 536,870,912",
    ),
    ("method: ntuple\ntcl: false\nbeta: 1", "3:1: beta: is for tcl: true alone"),
    ("method: ntuple\nopponent: random\nworkers: 2", "3:10: workers: found 2; against an engine"),
    ("method: ntuple\nopponent: random\nrandom_plies: 2", "3:1: random_plies: is for self-play"),
    ("method: ntuple\nteacher: end\nteacher_from: 42", "3:15: teacher_from: found 42; 7x6"),
    ("method: td\nkeep: best\nmeasure: none", "2:7: keep: nothing is measured that would tell"),
    ("method: td\noutput: .", "2:9: output: found the text '.'; expected a folder by its own name"),
    ("method: td\noutput: a/..", "2:9: output: found the text 'a/..'; expected a folder by its"),
    ("method: td\noutput: /", "2:9: output: found the text '/'; expected a folder by its own name"),
    ("method: ntuple\nteacher_from: 9", "2:1: teacher_from: is for teacher: end alone"),
    ("method: ntuple\ngame: 4x4x4\nteacher: everywhere", "3:10: teacher: the exact solver plays"),
    ("method: ntuple\nrandom_plies: 50", "2:15: random_plies: found 50; 7x6 connect 4 has 42"),
]


@pytest.mark.parametrize(("text", "sentence"), MISTAKES)
def test_a_mistake_is_told_in_a_sentence_with_its_place(text: str, sentence: str) -> None:
    with pytest.raises(BadSpec) as caught:
        load_text(text)
    assert len(caught.value.mistakes) == 1, caught.value
    assert sentence in str(caught.value)


def test_all_mistakes_are_told_at_once_in_the_order_of_the_lines() -> None:
    text = "method: td\ngames: no\ntcl: true\nepsilon: -1\nmeasure: {exam: -1, against: [nobody]}"
    with pytest.raises(BadSpec) as caught:
        load_text(text)
    lines = [mistake.place.line for mistake in caught.value.mistakes if mistake.place]
    assert lines == [2, 3, 4, 5, 5]


def test_a_file_of_a_line_is_a_training() -> None:
    linear, network = load_text("method: td", "a.yaml"), load_text("method: ntuple", "b.yaml")
    assert (linear.name, linear.output) == ("a", Path("reports/a"))
    assert isinstance(linear.settings, TdFile)
    assert isinstance(network.settings, NTupleFile)
    assert linear.features is not None
    assert linear.features.name == "fourplay"
    assert (linear.settings.gamma, network.settings.lambda_) == (0.9, 0.7)
    assert network.settings.epsilon.over == network.settings.games
    assert network.settings.measure.perfect == 100
    assert load_text("method: td\ngame: 4x4x4").settings.measure.perfect == 0
    assert load_text("method: ntuple\nteacher: end").settings.teacher_from == 28


@pytest.mark.parametrize(
    ("schedule", "values"),
    [
        (0.5, {0: 0.5, 10**9: 0.5}),
        ({"from": 0.01, "shape": "1/game"}, {0: 0.01, 1: 0.005, 99: 0.0001}),
        ({"from": 1, "to": 0, "over": 10}, {0: 1.0, 5: 0.5, 10: 0.0, 50: 0.0}),
        (
            {"from": 1, "to": 0.01, "over": 10, "shape": "exponential"},
            {0: 1.0, 5: 0.1, 10: 0.01, 20: 0.01},
        ),
    ],
)
def test_a_schedule_has_a_value_for_each_game(schedule: object, values: dict[int, float]) -> None:
    made = Schedule.model_validate(schedule)
    assert {game: made.at(game) for game in values} == pytest.approx(values)


@pytest.mark.parametrize(
    ("written", "games", "seconds"),
    [("60s", None, 60), ("1h 30m", None, 5400), (5000, 5000, None), ("10,000 games", 10000, None)],
)
def test_an_interval_is_of_games_or_of_time(
    written: object, games: int | None, seconds: float | None
) -> None:
    save = load_text(f"method: td\nsave: {written}").settings.save
    assert (save.games, save.seconds) == (games, seconds)


BASE = "method: td\nstep: 0.1\nepsilon: 0.1\n"


@pytest.mark.parametrize(
    "more", ["name: b", "output: c", "save: 3s", "games: 7", "measure: {every: 3}"]
)
def test_what_decides_no_weight_does_not_change_the_fingerprint(more: str) -> None:
    assert fingerprint(load_text(BASE + more)) == fingerprint(load_text(BASE))


@pytest.mark.parametrize(
    "more",
    ["seed: 2", "game: 6x5", "lambda: 0.1", "features: rivest", "opponent: random", "gamma: 0.5",
     "measure: {against: [greedy]}"],
)  # fmt: skip
def test_what_decides_weights_or_curve_changes_the_fingerprint(more: str) -> None:
    assert fingerprint(load_text(BASE + more)) != fingerprint(load_text(BASE))


def test_weights_in_a_file_are_part_of_the_training(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("own: {2: 1, 3: 5}", encoding="utf-8")
    first = canonical(load_text("method: td\nfeatures: mine.yaml", tmp_path / "t.yaml"))
    (tmp_path / "mine.yaml").write_text("own: {2: 1, 3: 6}", encoding="utf-8")
    assert first != canonical(load_text("method: td\nfeatures: mine.yaml", tmp_path / "t.yaml"))


def test_a_file_of_the_other_kind_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text("method: td", encoding="utf-8")
    (tmp_path / "c.yaml").write_text("engines: [random, greedy]", encoding="utf-8")
    assert_one_sentence(run("run", str(tmp_path / "t.yaml")), "is a training file; arena train")
    assert_one_sentence(run("train", str(tmp_path / "c.yaml")), "is a tournament file; arena run")


@pytest.mark.parametrize("game", ["3x3c2", "1x6", "2x2x2c2"])
def test_the_smallest_boards_have_defaults_of_their_own(game: str, tmp_path: Path) -> None:
    file = tmp_path / "t.yaml"
    file.write_text(f"method: ntuple\ngame: {game}\ngames: 3\noutput: {tmp_path / 'out'}")
    assert load_text(file.read_text()).settings.tuples.lines
    assert run("train", str(file), "-q").exit_code == 0
