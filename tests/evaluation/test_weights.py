"""Weights that a user writes: by name, in a mapping, in a file, and every mistake in a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arena.errors import ArenaError, UnknownName
from arena.evaluation import EVALUATIONS, Evaluation
from arena.game import FIRST, SECOND, Position, Rules
from tests.evaluation.values import value_of

# Row 1 has three X, row 2 two O, column 3 one X; O is to move; in the centre two X, one O.
THREE = Position.parse("11223", Rules.flat(4, 4))


def refusal(given: Any) -> str:
    """The sentence with which weights are refused."""
    with pytest.raises(ArenaError) as refused:
        Evaluation.from_option(given)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_a_name_means_its_evaluation() -> None:
    assert Evaluation.from_option("rivest") is EVALUATIONS["rivest"]
    assert Evaluation.from_option(EVALUATIONS["counts"]) is EVALUATIONS["counts"]
    assert str(EVALUATIONS["counts"]) == "counts"


def test_what_is_good_for_one_is_not_always_as_bad_for_the_other() -> None:
    uneven = {name for name, each in EVALUATIONS.items() if not each.is_antisymmetric}
    assert uneven == {"gaiceanu", "window", "window-100"}
    assert not Evaluation(own=((3, 1),), other=((3, -2),)).is_antisymmetric
    assert not Evaluation(centre=1).is_antisymmetric


def test_a_misspelt_name_gives_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"^unknown evaluation 'rivset'; did you mean 'rivest'\?"):
        Evaluation.from_option("rivset")


def test_weights_in_a_mapping() -> None:
    made = Evaluation.from_option({"own": {1: 2, 2: 5, 3: 20}, "name": "mine"})
    assert made.name == "mine"
    assert value_of(made, THREE, FIRST) == 20 - 5 + 2
    assert value_of(made, THREE, SECOND) == 5 - 20 - 2


def test_other_is_the_opposite_of_own_unless_it_is_given() -> None:
    made = Evaluation.from_option({"own": {3: 7}, "other": {2: -100}})
    assert value_of(made, THREE, FIRST) == 7 - 100
    assert value_of(made, THREE, SECOND) == 0  # no two of theirs: X has a three and a single


def test_centre_tempo_and_win() -> None:
    weights = {"centre": 2, "centre_other": -0.5, "tempo": 1.5, "win": 99}
    made = Evaluation.from_option(weights)
    assert value_of(made, THREE, FIRST) == 2 * 2 - 0.5 * 1 - 1.5
    assert value_of(made, THREE, SECOND) == 2 * 1 - 0.5 * 2 + 1.5
    assert value_of(made, Position.parse("1212121", Rules.flat(4, 4)), FIRST) == 99


def test_runs_and_rays() -> None:
    runs = Evaluation.from_option({"runs": {2: 3, 3: 11}})
    assert value_of(runs, THREE, FIRST) == 11 - 3
    chains = Evaluation.from_option({"chains": {2: 3, 3: 11}})
    assert value_of(chains, THREE, FIRST) == 11 - 3
    rays = Evaluation.from_option({"rays": "up", "diagonals": True})
    assert value_of(rays, Position.parse("4"), FIRST) == 6 + 6 + 6 + 6 + 6


def test_chains_count_whatever_else_lies_in_their_line() -> None:
    chains = Evaluation.from_option({"chains": {2: 1, 3: 10}})
    runs = Evaluation.from_option({"runs": {2: 1, 3: 10}})
    blocked = Position.parse("112234", Rules.flat(4, 4))  # XXXO below, OO.. above it, O besides
    assert (value_of(chains, blocked, FIRST), value_of(runs, blocked, FIRST)) == (10 - 1, -1)
    apart = Position.parse("11334", Rules.flat(4, 4))  # X.XX: the two side by side are a chain
    assert (value_of(chains, apart, FIRST), value_of(runs, apart, FIRST)) == (1, 0)


def test_a_named_evaluation_can_be_the_start() -> None:
    made = Evaluation.from_option({"evaluation": "rivest", "tempo": 0})
    assert value_of(made, THREE, FIRST) == 50 - 10 + 1
    assert made.name == "rivest"
    changed = Evaluation.from_option({"evaluation": "gaiceanu", "own": {2: 1, 4: 9}})
    assert dict(changed.other) == {2: -1, 4: -9}


def test_a_file_of_weights_is_named_after_the_file(tmp_path: Path) -> None:
    file = tmp_path / "bold.yaml"
    file.write_text("own: {1: 1, 2: 4, 3: 16}\ncentre: 3\n", encoding="utf-8")
    made = Evaluation.from_option(str(file))
    assert made.name == "bold"
    assert value_of(made, THREE, FIRST) == 16 - 4 + 1 + 3 * 2


def test_a_file_may_give_its_weights_another_name(tmp_path: Path) -> None:
    file = tmp_path / "weights.yml"
    file.write_text("name: careful\nown: {3: 1}\n", encoding="utf-8")
    assert Evaluation.from_option(str(file)).name == "careful"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"chains": {5: 1}}, "evaluation.chains counts 5 discs; expected 1 to 4"),
        ({"owm": {1: 1}}, "evaluation: unknown weight 'owm'; did you mean 'own'?"),
        ({"Own": {1: 1}}, "evaluation: unknown weight 'Own'; did you mean 'own'?"),
        (
            {"own": {5: 1}},
            "evaluation.own counts 5 discs; expected 1 to 4",
        ),
        ({"own": {0: 1}}, "evaluation.own counts 0 discs; expected 1 to 4"),
        ({"own": {True: 1}}, "evaluation.own counts True discs; expected 1 to 4"),
        ({"runs": {"two": 1}}, "evaluation.runs counts 'two' discs; expected 1 to 4"),
        (
            {"own": [1, 4, 16]},
            "evaluation.own is [1, 4, 16]; expected a mapping such as {1: 1, 2: 4, 3: 16}",
        ),
        (
            {"own": {1: "much"}},
            "evaluation.own.1 is 'much'; expected a number below a thousand million",
        ),
        (
            {"centre": float("nan")},
            "evaluation.centre is nan; expected a number below a thousand million",
        ),
        (
            {"tempo": True},
            "evaluation.tempo is True; expected a number below a thousand million",
        ),
        (
            {"win": 1e12},
            "evaluation.win is 1000000000000.0; expected a number below a thousand million",
        ),
        ({"rays": "left"}, "evaluation.rays is 'left'; expected down or up"),
        ({"diagonals": 1}, "evaluation.diagonals is 1; expected true or false"),
        (
            {"own": {}, "win": None},
            "evaluation gives no weights; expected own: {1: .., 2: .., 3: ..}, runs or chains",
        ),
        (
            {"own": {1: 1}, "win": None},
            "evaluation has no win; expected win, or own and other weights for 4 discs",
        ),
        ({"evaluation": "window2"}, "unknown evaluation 'window2'; did you mean 'window'?"),
        (
            7,
            "evaluation is 7; expected the name of an evaluation, a file of weights, "
            "or the weights",
        ),
    ],
)
def test_every_mistake_is_one_sentence(given: Any, sentence: str) -> None:
    assert refusal(given) == sentence


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"zzz": 1}, "evaluation: unknown weight 'zzz'; expected one of centre, "),
        ({}, "gives no weights"),
        ({"name": "empty"}, "gives no weights"),
        ({"own": {}}, "gives no weights"),
        ({"own": {1: 1}, "win": 0}, "evaluation.win is 0; expected a number above 0"),
        ({"own": {1: 1}, "win": -3}, "evaluation.win is -3; expected a number above 0"),
    ],
)
def test_other_mistakes(given: dict[str, Any], words: str) -> None:
    assert words in refusal(given)


@pytest.mark.parametrize(
    ("content", "tail"),
    [
        ("own: {1: 1, 2", "not YAML: while parsing a flow mapping"),
        ("", "expected weights such as own: {1: 1, 2: 4, 3: 16}"),
        ("just text", "expected weights such as own: {1: 1, 2: 4, 3: 16}"),
        ("- 1\n- 2\n", "expected weights such as own: {1: 1, 2: 4, 3: 16}"),
        ("own: {1: x}\n", "own.1 is 'x'; expected a number below a thousand million"),
        ("oun: {1: 1}\n", "unknown weight 'oun'; did you mean 'own'?"),
    ],
)
def test_every_mistake_in_a_file_names_the_file(tmp_path: Path, content: str, tail: str) -> None:
    file = tmp_path / "weights.yaml"
    file.write_text(content, encoding="utf-8")
    sentence = refusal(str(file))
    assert sentence.startswith(str(file))
    assert sentence.endswith(tail)


def test_a_missing_file_and_a_directory_are_named(tmp_path: Path) -> None:
    missing = tmp_path / "none.yaml"
    assert refusal(str(missing)) == f"{missing}: No such file or directory"
    folder = tmp_path / "folder.yaml"
    folder.mkdir()
    assert refusal(str(folder)) == f"{folder}: Is a directory"


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "picture.yaml"
    file.write_bytes(b"\xff\xfe\x00\x80")
    assert refusal(str(file)).startswith(f"{file}: not YAML: ")
