"""Any file that is right is understood, and any that is not is refused with a place."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from arena.engine.contract import Limits
from arena.tournament.identity import canonical, fingerprint
from arena.tournament.load import load_text
from arena.tournament.mistakes import BadSpec, Mistake
from arena.tournament.schema import json_schema
from tests.tournament.playing import faults

COUNTS = st.integers(1, 10_000)
TIMES = st.sampled_from([0.5, 1, 60, "500ms", "2m", "1h 30m"])
SECONDS = {"500ms": 0.5, "2m": 120.0, "1h 30m": 5400.0}
LIMITS = st.fixed_dictionaries(
    {},
    optional={
        "depth": COUNTS,
        "nodes": COUNTS,
        "playouts": COUNTS,
        "seconds": TIMES,
        "cpu": TIMES,
        "clock": TIMES,
    },
)
OPTIONS = {
    "random": st.just({}),
    "reflex": st.just({}),
    "iterative": st.fixed_dictionaries(
        {},
        optional={
            "depth": st.integers(1, 9)
            | st.lists(st.integers(1, 9), min_size=1, max_size=3, unique=True),
            "killers": st.booleans(),
            "evaluation": st.sampled_from(["rivest", "counts", {"name": "w", "own": {3: 1}}]),
            "tie_break": st.sampled_from([["first", "random"], "first"]),
        },
    ),
    "mcts": st.fixed_dictionaries({}, optional={"c": st.sampled_from([0, 0.5, [0.1, 1]])}),
}


@st.composite
def entries(draw: st.DrawFn) -> list[Any]:
    """A list of engines whose names differ."""
    made: list[Any] = []
    for number in range(draw(st.integers(2, 4))):
        engine = draw(st.sampled_from(sorted(OPTIONS)))
        entry = {"engine": engine, "name": f"{engine} {number}", "options": draw(OPTIONS[engine])}
        if draw(st.booleans()):
            entry["limits"] = draw(LIMITS)
        made.append(entry)
    return [*made, "greedy"] if draw(st.booleans()) else made


FILES = st.fixed_dictionaries(
    {"engines": entries()},
    optional={
        "name": st.sampled_from(["a", "spring 2024", "no", "ü"]),
        "game": st.sampled_from(["connect4", "8x7", "score4", {"size": "6x5"}]),
        "format": st.sampled_from(
            ["round-robin", "pyramid", "gauntlet", {"kind": "swiss", "rounds": 2}]
        ),
        "games": COUNTS.map(lambda games: 2 * games),
        "openings": st.sampled_from(["none", {"every": 1}, {"random": 2}]),
        "limits": LIMITS,
        "adjudication": st.sampled_from([{}, {"max_plies": 20}]),
        "stop": st.sampled_from([{}, {"seconds": "5m"}, {"error": 3}]),
        "seed": st.integers(0, 2**63 - 1),
        "workers": st.integers(1, 64),
        "memory": st.integers(64, 4096),
        "margin": st.sampled_from([0, 0.1, "20ms"]),
        "patience": TIMES,
        "output": st.sampled_from(["out", "reports/x y"]),
    },
)


def in_yaml(data: Any) -> str:
    return str(yaml.safe_dump(data, sort_keys=False, allow_unicode=True))


def limits_of(written: dict[str, Any]) -> Limits:
    return Limits(**{key: SECONDS.get(value, value) for key, value in written.items()})


def expected_players(data: dict[str, Any]) -> Iterator[tuple[str, Limits]]:
    """The engine and limits of each player, the obvious way."""
    common = data.get("limits", {})
    for entry in data["engines"]:
        entry = {"engine": entry} if isinstance(entry, str) else entry
        lists = [value for value in entry.get("options", {}).values() if isinstance(value, list)]
        for _ in product(*lists):
            yield entry["engine"], limits_of(entry.get("limits", common))


@given(FILES)
def test_a_right_file_is_understood(data: dict[str, Any]) -> None:
    made = load_text(in_yaml(data), "t.yaml")
    assert made.name == data.get("name", "t")
    assert made.games == data.get("games", 2)
    assert made.seed == data.get("seed", 1)
    assert [(p.engine, p.limits) for p in made.players] == list(expected_players(data))
    assert len({player.name for player in made.players}) == len(made.players)


def shuffled(value: Any, reverse: bool) -> Any:
    """The same with the keys of every mapping in another order."""
    if isinstance(value, list):
        return [shuffled(item, reverse) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: shuffled(value[key], reverse) for key in sorted(value, reverse=reverse)}


@given(FILES, st.booleans())
def test_the_way_it_is_written_does_not_matter(data: dict[str, Any], reverse: bool) -> None:
    made = load_text(in_yaml(data), "t.yaml")
    order = [entry.get("options", {}) for entry in data["engines"] if isinstance(entry, dict)]
    keep = any(len(options) > 1 for options in order)  # variants come in the order of options
    other = data if keep else shuffled(data, reverse)
    text = "# a comment\n" + in_yaml({**other, "workers": 5, "output": "x", "name": "other"})
    assert fingerprint(load_text(text, "u.yaml")) == fingerprint(made)
    as_json = json.dumps(data).replace('{"3": 1}', "{3: 1}")
    assert fingerprint(load_text(as_json, "t.yaml")) == fingerprint(made)
    assert json.loads(json.dumps(canonical(made))) == canonical(made)


SCHEMA = json_schema(["random"])


@given(FILES)
def test_a_right_file_fits_the_schema(data: dict[str, Any]) -> None:
    assert faults(data, SCHEMA) == []
    paired = {"kind": "pairs", "pairs": [["a", "b"], ["b", "c"]]}
    assert faults({**data, "format": paired}, SCHEMA) == []


def places(value: Any, trail: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value inside another."""
    if not isinstance(value, dict | list):
        return
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*trail, key)
        yield from places(item, (*trail, key))


WRONG: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, -1, 0, 3.7, 10**40, float("inf"), float("nan"), "", "x", "no", "\x00é\n"]
) | st.sampled_from(
    [[], {}, [[]], [None], {"x": 1}, {1: 2}, [{"engine": "random"}], {"kind": "swiss"}]
)


@st.composite
def damaged(draw: st.DrawFn) -> Any:
    """A right file with one thing changed: a value, or the letters of a key."""
    data: Any = copy.deepcopy(draw(FILES))
    trail = draw(st.sampled_from(sorted(places(data), key=repr)))
    parent = data
    for step in trail[:-1]:
        parent = parent[step]
    if isinstance(parent, dict) and draw(st.booleans()):
        key = str(trail[-1])
        cut = draw(st.integers(0, len(key)))
        typo = key[:cut] + draw(st.sampled_from(["", "x", " ", "_", key[:1]])) + key[cut + 1 :]
        parent[typo] = parent.pop(trail[-1])
    else:
        parent[trail[-1]] = draw(WRONG)
    return data


def mistakes_of(text: str) -> tuple[Mistake, ...]:
    """What is wrong with a text, if anything is."""
    try:
        load_text(text, "t.yaml")
    except BadSpec as error:
        return error.mistakes or (Mistake(Path("t.yaml"), None, "", "refused without a reason"),)
    return ()


def loaded_or_refused(text: str) -> None:
    """Load a text; if it is refused, every mistake must have its place and its sentence."""
    lines = text.count("\n") + 2
    for mistake in mistakes_of(text):
        assert str(mistake).startswith("t.yaml:")
        assert "\n" not in str(mistake)
        assert len(mistake.sentence) > 5
        for jargon in ("Input should", "dict", "pydantic", "Traceback", "NoneType"):
            assert jargon not in str(mistake)
        assert mistake.place is None or 1 <= mistake.place.line <= lines
        assert mistake.place is not None or "empty" in mistake.sentence


@given(damaged())
def test_a_damaged_file_is_refused_with_a_place_or_still_right(data: Any) -> None:
    loaded_or_refused(in_yaml(data))


@given(FILES, st.data())
def test_a_damaged_text_is_refused_with_a_place_or_still_right(
    data: dict[str, Any], draws: st.DataObject
) -> None:
    text = in_yaml(data)
    start = draws.draw(st.integers(0, len(text)))
    size = draws.draw(st.integers(0, 5))
    more = draws.draw(st.sampled_from(["", " ", "\n", "\t", ":", "- ", "{", "'", "#", "*", "x"]))
    loaded_or_refused(text[:start] + more + text[start + size :])


WORDS = [
    "!!x ", "!!str ", "&a ", "*a", "<<: ", "{", "]", "- ", ": ", "\n", "\t", "'", "#", "? ", "~",
    "1e290", "-1", ".nan", "9" * 5000, "\x1b[31m", "\u202e", "---", "engines: []", "{random: 41}",
]  # fmt: skip


def test_ready_tournaments_with_anything_written_into_them_are_understood_or_refused() -> None:
    random = Random(5)
    texts = [
        file.read_text(encoding="utf-8") for file in sorted(Path("tournaments").glob("*.yaml"))
    ]
    told = 0
    for _ in range(300):
        text = random.choice(texts)
        start = random.randrange(len(text))
        end = start + random.choice([0, 0, 1, 5, 40])
        wrong = mistakes_of(text[:start] + random.choice(WORDS) + text[end:])
        assert all(str(mistake).isprintable() for mistake in wrong)
        told += bool(wrong)
    assert 100 < told < 290
