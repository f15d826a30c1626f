"""Tournaments from a file, from data and from code: the same checks, the same tournament."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena import SCORE4, ArenaError, Tournament
from arena.tournament.identity import fingerprint
from arena.tournament.load import load_text
from arena.tournament.mistakes import BadSpec
from arena.tournament.yaml import read_text, write
from tests.library.session import engine

KEYS = {
    "name": "four",
    "engines": ["random", {"engine": "greedy", "limits": {"depth": 2}}],
    "games": 4,
    "openings": {"random": 2},
    "seed": 7,
}


def test_a_file_data_and_code_say_the_same(tmp_path: Path) -> None:
    file = tmp_path / "four.yaml"
    file.write_text(write(KEYS), encoding="utf-8")
    loaded, data, code = (
        Tournament.load(file),
        Tournament.from_dict(KEYS),
        Tournament(**{**KEYS, "engines": ["random", {"engine": "greedy", "limits": "depth=2"}]}),
    )
    assert fingerprint(loaded.spec) == fingerprint(data.spec) == fingerprint(code.spec)
    assert (code.name, code.players, code.games) == ("four", ("random", "greedy"), 4)
    assert loaded.spec.output == Path("reports/four")
    assert repr(code) == "Tournament('four', random, greedy, 4 games)"


def test_its_text_is_the_same_tournament() -> None:
    code = Tournament(**KEYS)
    assert fingerprint(load_text(code.text)) == fingerprint(code.spec)


@pytest.mark.parametrize(
    "value", ["1e3", "no", "0x1f", "1:30", "", "null", "~", "ä: b", 1e20, -0.5]
)
def test_what_is_written_is_read_again(value: object) -> None:
    assert read_text(write({"key": value}), Path("x.yaml")).data == {"key": value}


def test_a_game_may_be_an_object() -> None:
    assert Tournament(engines=["random", "greedy"], game=SCORE4).rules == SCORE4


def test_all_mistakes_are_told_without_lines_of_a_file_that_is_not_there() -> None:
    with pytest.raises(BadSpec) as told:
        Tournament(name="mine", engines=["radom", "mcts playouts=x"], gmaes=3)
    assert str(told.value).splitlines() == [
        "mine has 3 mistakes",
        "mine: engines[0].engine: unknown engine 'radom'; did you mean 'random'?",
        "mine: engines[1].options.playouts: found 'x'; expected a whole number of at least 1",
        "mine: gmaes: unknown key; did you mean 'games'?",
    ]


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"engines": ["random"]}, "tournament: engines: found one player; expected two"),
        ({}, "engines"),
        ({"engines": ["random", 3]}, "3 is no engine"),
        ({"engines": ["random", "mcts 3"]}, "engine mcts: '3' is not an option"),
        ({"engines": ["random", "greedy"], "seed": object()}, "seed: a object cannot stand"),
        ({"engines": ["random", "greedy"], "limits": "depht=3"}, "unknown limit 'depht'"),
    ],
)
def test_a_mistake_is_a_sentence(keys: dict[str, object], words: str) -> None:
    with pytest.raises(ArenaError, match=words):
        Tournament(**keys)


def test_keys_are_words() -> None:
    with pytest.raises(ArenaError, match="found 3 as a key"):
        Tournament.from_dict({3: 4})  # type: ignore[dict-item]


def test_engines_of_a_session_are_kept_beside_the_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    steady = engine("Steady")
    mine = Tournament(engines=[steady, "random"], output="out")
    assert "out/engines/Steady.py:Steady" in mine.text
    assert (tmp_path / "out/engines/Steady.py").is_file()
    moved = mine.placed("elsewhere", workers=3)
    assert (moved.output, moved.workers) == (Path("elsewhere"), 3)
    assert (tmp_path / "elsewhere/engines/Steady.py").is_file()
