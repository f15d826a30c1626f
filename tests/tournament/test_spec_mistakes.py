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

from arena.tournament.load import load, load_text
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


def test_a_mistake_brings_no_others() -> None:
    """A wrong engine has no name, so a test that names it is not told to be wrong."""
    assert len(mistakes("engines: [random, reflx]\nstop: {sprt: {elo0: 0, elo1: 5}}")) == 1
    assert len(mistakes("engines: [random, 3]\nformat: {kind: gauntlet, heroes: 1}")) == 1
    assert len(mistakes(f"{TWO}games: x\nswap_seats: true")) == 1
    assert len(mistakes(f"{TWO}game: 2x2\nopenings: {{random: 40}}")) == 1


def test_values_in_sentences_are_cut_and_printable() -> None:
    (mistake,) = mistakes(f'{TWO}game: "{"x" * 500}\\n\\u0007"')
    assert "\n" not in mistake
    (mistake,) = mistakes(f'{TWO}seed: "{"x" * 500}\\u0007"')
    assert len(mistake) < 200


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


BAD_BOTS = """
from arena import Engine, option

class Abstract(Engine):
    pass

class Unbuildable(Engine):
    depth: int = option(1)
    def __init__(self, **options):
        raise ValueError("no   network")
    choose = None

class Quits(Unbuildable):
    def __init__(self, **options):
        raise SystemExit(3)

class Pair(Engine):
    low: int = option(1)
    high: int = option(5)
    def __init__(self, **options):
        super().__init__(**options)
        if self.low > self.high:
            raise ValueError("low is above high")
    def choose(self, position, limits):
        pass
"""


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("bots.py:Bot", "engines[0].engine: bots.py has no engine 'Bot'; expected one of"),
        ("bots.py:Pear", "engines[0].engine: bots.py has no engine 'Pear'"),
        (
            "bots.py",
            "engines[0].engine: bots.py: expected one class made from Engine, or FILE:CLASS",
        ),
        ("broken.py", "engines[0].engine: broken.py:2: SyntaxError: "),
        (
            "bots.py:Unbuildable",
            "engines[0].engine: cannot be built: ValueError: no network",
        ),
        ("bots.py:Quits", "engines[0].engine: cannot be built: SystemExit: 3"),
        (
            "{engine: 'bots.py:Pair', options: {low: 4, high: 3}}",
            "engines[0].options: cannot be built: ValueError: low is above high",
        ),
    ],
)
def test_a_bot_that_does_not_work(tmp_path: Path, entry: str, told: str) -> None:
    (tmp_path / "bots.py").write_text(BAD_BOTS, encoding="utf-8")
    (tmp_path / "broken.py").write_text("x = 1\nclass Bot(\n", encoding="utf-8")
    path = tmp_path / "t.yaml"
    (mistake,) = mistakes(f"engines:\n  - {entry}\n  - random\n  - reflex", path)
    place, _, sentence = mistake.partition(": ")
    assert place.startswith(f"{path}:2:")
    assert sentence.startswith(told)
    assert str(tmp_path) not in sentence


def test_mistakes_in_a_list_of_openings_carry_its_lines(tmp_path: Path) -> None:
    lines = "# good and bad\n44\n48\n  4444444\n1212121\n44 # again\nhello\n"
    (tmp_path / "o.txt").write_text(lines, encoding="utf-8")
    path = tmp_path / "t.yaml"
    path.write_text(f"{TWO}openings: {{file: o.txt}}\nseed: x", encoding="utf-8")
    with pytest.raises(BadSpec) as caught:
        load(path)
    told = [str(mistake).removeprefix(f"{tmp_path}/") for mistake in caught.value.mistakes]
    assert told == [
        "t.yaml:3:7: seed: found the text 'x'; expected a whole number",
        "o.txt:3:1: column 8 in '48' is not on the board (1 to 7)",
        "o.txt:4:3: move 7: column 4 is full",
        "o.txt:5:1: the game is over after 1212121; expected an unfinished one",
        "o.txt:6:1: 44 stands in line 2 already",
        "o.txt:7:1: 'h' in 'hello' is not a column number",
    ]
