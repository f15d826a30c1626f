"""Any training file that is right is understood as the schema says, any other has a place."""

from __future__ import annotations

import json
from typing import Any

import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from arena.engine.registry import names
from arena.learning.canonical import fingerprint
from arena.learning.reading import load_text
from arena.learning.schema import training_schema
from arena.learning.spec import FILES
from arena.tournament.mistakes import BadSpec

SCHEMA = Draft7Validator(training_schema(names()))
SCHEDULES = st.sampled_from(
    [0.1, 1, {"from": 0.5, "to": 0.1}, {"from": 1, "shape": "1/game"},
     {"from": 1, "to": 0.1, "over": 50, "shape": "exponential"}]
)  # fmt: skip
EVERY = st.sampled_from([100, "60s", "1h", "500 games", {"games": 5}, {"seconds": "2m"}])
COMMON = {
    "name": st.sampled_from(["a", "spring 2024"]),
    "game": st.sampled_from(["connect4", "6x5", {"size": "5x4"}]),
    "opponent": st.sampled_from(
        ["self", "random", {"engine": "alphabeta", "options": {"depth": 2}}]
    ),
    "games": st.integers(1, 10**6),
    "epsilon": SCHEDULES,
    "step": SCHEDULES,
    "lambda": st.sampled_from([0, 0.5, 1]),
    "seed": st.integers(0, 2**63 - 1),
    "save": EVERY,
    "keep": st.sampled_from(["last", "best"]),
    "measure": st.sampled_from(
        ["none", {}, {"every": 10, "against": ["random", "greedy"]}, {"perfect": 5, "games": 2}]
    ),
}
OWN = {
    "td": {"features": st.sampled_from(["rivest", {"own": {3: 1}}]), "as_coded": st.booleans()},
    "ntuple": {
        "tuples": st.sampled_from(["lines", [[0, 1], [2]], {"count": 3, "length": 4, "walk": 2}]),
        "teacher": st.sampled_from(["none", "end", "everywhere"]),
        "average": st.sampled_from([0, 0.1]),
    },
}
TRAININGS = st.sampled_from(sorted(OWN)).flatmap(
    lambda method: st.fixed_dictionaries(
        {"method": st.just(method)}, optional={**COMMON, **OWN[method]}
    )
)
KEYS = sorted({name for file in FILES.values() for name in file.model_json_schema()["properties"]})
ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(["self", "lines", "none", "random", "60s"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from([*KEYS, "from", "to", "every", "x"]), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


def in_yaml(data: Any) -> str:
    return str(yaml.safe_dump(data, sort_keys=False, allow_unicode=True))


@settings(max_examples=30)
@given(TRAININGS)
def test_a_right_file_is_understood_whatever_its_order(data: dict[str, Any]) -> None:
    assume((data.get("measure"), data.get("keep")) != ("none", "best"))  # nothing tells the best
    training = load_text(in_yaml(data))
    assert not list(SCHEMA.iter_errors(json.loads(json.dumps(data))))
    assert training.settings.games == data.get(
        "games", FILES[data["method"]].model_fields["games"].default
    )
    assert (training.opponent is None) == (data.get("opponent", "self") == "self")
    backwards = load_text(in_yaml(dict(reversed(data.items()))))
    assert fingerprint(training) == fingerprint(backwards)


@settings(max_examples=40)
@given(TRAININGS, st.sampled_from(KEYS), ANYTHING)
def test_any_other_file_is_refused_with_a_place(data: dict[str, Any], key: str, value: Any) -> None:
    try:
        load_text(in_yaml({**data, key: value}))
    except BadSpec as error:
        for mistake in error.mistakes:
            assert mistake.place is not None
            assert mistake.sentence
