"""All mistakes of a tournament file at once, each with its place.

The sentences are in tests/golden/messages.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import pytest

from arena.tournament.load import load_text
from arena.tournament.mistakes import BadSpec

TWO = "engines: [random, reflex]\n"


def mistakes(text: str, path: Path | str = "t.yaml") -> list[str]:
    with pytest.raises(BadSpec) as caught:
        load_text(text, path)
    return [str(mistake) for mistake in caught.value.mistakes]


def test_all_mistakes_are_told_in_one_go_and_in_order() -> None:
    text = """
gaems: 4
game: conect4
limits: {depth: 0, secnds: 3}
engines:
  - randm
  - {engine: alphabeta, options: {deth: 4, depth: [2, x], evaluation: rivets}, limits: 3}
  - {engine: mcts, limits: {playouts: 3.5}, options: {c: -1}}
  - reflex
stop: {sprt: {elo0: 5, elo1: 2}, seconds: soon}
seed: 1
games: 3
seed: 2
colour: red
"""
    told = mistakes(text)
    assert [line.split(": ")[1] for line in told] == [
        "gaems",
        "game",
        "limits.depth",
        "limits.secnds",
        "engines[0].engine",
        "engines[1].options.deth",
        "engines[1].options.depth[1]",
        "engines[1].options.evaluation",
        "engines[1].limits",
        "engines[2].limits.playouts",
        "engines[2].options.c",
        "stop.sprt",
        "stop.seconds",
        "games",
        "seed",
        "colour",
    ]
    places = [tuple(map(int, line.split(":")[1:3])) for line in told]
    assert places == sorted(places)


LONG_FILES = {
    "unknown keys": "".join(f"key{n}: 1\n" for n in range(3000)),
    "entries without an engine": "engines:\n" + "- {}\n" * 3000,
    "unknown engines": "engines:\n" + "".join(f"- mcts{n}\n" for n in range(3000)),
    "twins": "engines:\n" + "- random\n" * 3000,
    "keys that stand twice": "a: 1\n" * 3000,
    "unknown limits": f"{TWO}limits: {{{', '.join(f'x{n}: 1' for n in range(3000))}}}",
}


@pytest.mark.parametrize("text", LONG_FILES.values(), ids=LONG_FILES.keys())
def test_a_file_full_of_mistakes_is_given_up_after_a_hundred(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []  # comparing words is what takes time

    def compare(name: str, known: Iterable[str], **how: Any) -> list[str]:
        asked.append(name)
        return get_close_matches(name, list(known), **how)

    monkeypatch.setattr("arena.errors.get_close_matches", compare)
    told = mistakes(text)
    assert len(told) == 101
    assert told[-1].endswith(": too many mistakes; the rest of the file was not checked")
    assert len(asked) <= 300


def test_one_mistake_is_one_line_and_more_have_a_heading() -> None:
    with pytest.raises(BadSpec) as one:
        load_text("engines: [random, reflx]", "t.yaml")
    assert str(one.value).count("\n") == 0
    with pytest.raises(BadSpec) as two:
        load_text("engines: [randm, reflx]", "t.yaml")
    assert str(two.value).splitlines()[0] == "t.yaml has 2 mistakes"
    assert str(pickle.loads(pickle.dumps(two.value))) == str(two.value)
