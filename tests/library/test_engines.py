"""Engines of a session: sent to tables as files, the same ones the same files."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from arena import Choice, Engine, Limits, Position
from arena.bots.find import find, find_here
from arena.engines.alphabeta import AlphaBeta
from arena.engines.mcts import MCTS
from arena.errors import BadOption, EngineFailure
from arena.library.engines import LineUp, name_of, plain, read_limits
from arena.library.packed import digest_of, pack, spec_of
from tests.library.session import SOURCE, engine


class Beside(Engine):
    """Stands in a file that others can load."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(position.legal[0])


def test_a_class_is_the_same_in_its_file(tmp_path: Path) -> None:
    kind = engine("Wandering")
    pack(kind, tmp_path / "Wandering.py")
    entry = find_here(f"{tmp_path / 'Wandering.py'}:Wandering")
    assert entry.summary == "Plays anywhere, now and then."
    assert entry.engine.options == kind.options
    assert entry.engine.options["shift"].most == 3
    here, there = kind(shift=1), entry.build({"shift": 1})
    for seed in range(5):
        for each in (here, there):
            each.begin(Position().rules, seed)
        moves = [each.ask(Position(), Limits()).column for each in (here, there)]
        assert moves[0] == moves[1]


def test_it_is_described_by_a_process_of_its_own(tmp_path: Path) -> None:
    pack(engine("Steady"), tmp_path / "Steady.py")
    entry = find(f"{tmp_path / 'Steady.py'}:Steady")
    assert entry.settings({"shift": "2"}) == {"shift": 2, "explore": 0.0}
    with pytest.raises(BadOption, match="shift' is 9; expected a whole number from 0 to 3"):
        find_here(f"{tmp_path / 'Steady.py'}:Steady").build({"shift": 9})


def test_an_object_takes_what_it_knows_along(tmp_path: Path) -> None:
    bot = engine("Steady")(shift=2)
    bot.known = ["e4"]  # type: ignore[attr-defined]
    pack(bot, tmp_path / "Steady.py")
    entry = find_here(f"{tmp_path / 'Steady.py'}:Steady")
    other = entry.build()
    assert (vars(other)["shift"], vars(other)["known"]) == (2, ["e4"])
    assert entry.engine.options == {}
    assert other.ask(Position(), Limits()).column == 5


def test_the_same_engine_of_another_session_leaves_its_file(tmp_path: Path) -> None:
    file = tmp_path / "Wandering.py"
    pack(engine("Wandering"), file)
    before = file.read_bytes()
    pack(engine("Wandering", f"\n\n{SOURCE}", "<cell 7 of another kernel>"), file)
    assert file.read_bytes() == before
    pack(engine("Wandering", SOURCE.replace("< 0.5", "< 0.6")), file)
    assert file.read_bytes() != before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("- home)", "- home) + 1"),
        ('"middle": 3', '"middle": 2'),
        ("option(0,", "option(1,"),
    ],
)
def test_whatever_decides_its_moves_is_in_its_digest(old: str, new: str) -> None:
    assert old in SOURCE
    changed = engine("Wandering", SOURCE.replace(old, new))
    assert digest_of(changed) != digest_of(engine("Wandering"))


def test_what_cannot_be_sent_is_one_sentence(tmp_path: Path) -> None:
    bot = engine("Steady")()
    bot.lock = threading.Lock()  # type: ignore[attr-defined]
    bot.running = (number for number in range(3))  # type: ignore[attr-defined]
    with pytest.raises(EngineFailure, match="engine Steady cannot be sent to a table: ") as told:
        pack(bot, tmp_path / "Steady.py")
    assert "\n" not in str(told.value)
    assert not (tmp_path / "Steady.py").exists()


def test_what_others_can_load_is_named() -> None:
    assert spec_of(MCTS) == ("mcts", {})
    assert spec_of(MCTS(playouts=50)) == ("mcts", {"playouts": 50})
    assert spec_of(AlphaBeta(evaluation="counts")) == ("alphabeta", {"evaluation": "counts"})
    assert spec_of(Beside) == (f"{Path(__file__).resolve()}:Beside", {})
    assert spec_of(engine("Steady")) is None


def test_entries_of_a_line_up(tmp_path: Path) -> None:
    line_up, steady = LineUp(tmp_path), engine("Steady")
    file = f"{tmp_path / 'Steady.py'}:Steady"
    assert line_up.entry("random") == "random"
    assert line_up.entry("mcts playouts=5") == {"engine": "mcts", "options": {"playouts": "5"}}
    assert line_up.entry(steady) == {"name": "Steady", "engine": file}
    assert line_up.entry({"engine": steady, "name": "S", "limits": "depth=2"}) == {
        "name": "S", "engine": file, "limits": "depth=2"
    }  # fmt: skip
    other = line_up.entry(steady(shift=1))
    assert other["engine"] == f"{tmp_path / 'Steady-2.py'}:Steady"


@pytest.mark.parametrize("stranger", [3, int, object()])
def test_strangers_are_refused(stranger: object, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="is no engine; expected a name such as"):
        LineUp(tmp_path).entry(stranger)
    with pytest.raises(BadOption, match="is no engine"):
        name_of(stranger)  # type: ignore[arg-type]


def test_limits_in_any_form() -> None:
    four = Limits(depth=4)
    assert read_limits("depth=4") == read_limits({"depth": 4}) == read_limits(four) == four
    assert read_limits(None) == Limits()


def test_values_that_a_file_can_hold() -> None:
    import numpy as np

    assert plain({"a": (1, np.int64(2), Path("x"))}, "openings") == {"a": [1, 2, "x"]}
