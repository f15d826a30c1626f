"""Opening again: the same tournament goes on, another one is refused or starts afresh."""

from __future__ import annotations

import copy
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.journal import Journal, JournalChanged
from arena.journal.header import differences
from tests.journal.examples import CANONICAL, fill, make_header, make_row


def changed(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    canonical = copy.deepcopy(CANONICAL)
    change(canonical)
    return {"canonical": canonical, "fingerprint": "e" * 64}


def test_the_same_tournament_goes_on(tmp_path: Path) -> None:
    rows = fill(tmp_path / "games.db", 5)
    later = make_header(created=1_800_000_000.0, environment={"cores": 64})
    with Journal.open(tmp_path / "games.db", later) as journal:
        assert journal.header == make_header()  # that of the first run
        assert list(journal.finished) == list(range(5))
        journal.write(make_row(5))
        assert list(journal.rows()) == [*rows, make_row(5)]


def test_a_directory_stands_for_its_games(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 1)
    with Journal.open(tmp_path, make_header()) as journal:
        assert journal.path == tmp_path / "games.db"


def test_missing_directories_are_made(tmp_path: Path) -> None:
    fill(tmp_path / "a" / "b" / "games.db", 1)
    assert (tmp_path / "a" / "b" / "games.db").is_file()


def test_another_tournament_is_refused_with_what_changed(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    fill(path, 3)

    def change(canonical: dict[str, Any]) -> None:
        canonical["engines"][1]["options"]["depth"] = 6
        canonical["engines"].append({"name": "delta"})
        del canonical["engines"][2]["name"]
        canonical["rounds"] = 2

    with pytest.raises(JournalChanged) as refused:
        Journal.open(path, make_header(**changed(change)))
    assert refused.value.changes == (
        "engines[1].options.depth: 4 -> 6",
        'engines[2].name: "gamma" removed',
        'engines[3]: {"name": "delta"} added',
        "rounds: 2 added",
    )
    sentence = str(refused.value)
    assert "engines[1].options.depth: 4 -> 6; " in sentence
    assert "--new" in sentence
    assert "\n" not in sentence
    with Journal.open(path, make_header()) as journal:  # the lock is free, the games are there
        assert journal.count() == 3


def test_a_long_list_of_changes_is_cut(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 1)
    many = changed(lambda canonical: canonical.update({f"k{n}": n for n in range(40)}))
    with pytest.raises(JournalChanged, match="and 28 more") as refused:
        Journal.open(tmp_path, make_header(**many))
    assert len(refused.value.changes) == 40


def test_a_change_that_the_text_does_not_show_is_told_too(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 1)
    with pytest.raises(JournalChanged, match=r"fingerprint: f+ -> 0+"):
        Journal.open(tmp_path, make_header(fingerprint="0" * 64))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": True}, ["a: 1 -> true"]),
        ({"a": None}, {"a": 0}, ["a: null -> 0"]),
        ({"a": [1, 2]}, {"a": [1]}, ["a[1]: 2 removed"]),
        ({"a": {"b": [{"c": "x"}]}}, {"a": {"b": [{"c": "y"}]}}, ['a.b[0].c: "x" -> "y"']),
        ({"a": [1]}, {"a": {"b": 1}}, ['a: [1] -> {"b": 1}']),
        ({"a": "x" * 99}, {"a": 1}, ['a: "' + "x" * 56 + "... -> 1"]),
    ],
)
def test_differences(old: Any, new: Any, told: list[str]) -> None:
    assert list(differences(old, new)) == told


def test_new_sets_the_old_games_aside(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    old = fill(path, 4)
    (tmp_path / "games-1.db-wal").write_text("in the way")
    other = make_header(fingerprint="e" * 64)
    for count in (2, 3):
        with Journal.open(path, other, new=True) as journal:
            assert journal.count() == 0
            journal.write(make_row(count))
    with Journal.read(tmp_path / "games-2.db") as journal:
        assert list(journal.rows()) == old
        assert journal.header == make_header()
    with Journal.read(tmp_path / "games-3.db") as journal:
        assert list(journal.rows()) == [make_row(2)]
    with Journal.read(path) as journal:
        assert list(journal.rows()) == [make_row(3)]
    assert (tmp_path / "games-1.db-wal").read_text() == "in the way"


def test_new_keeps_the_log_of_a_run_that_was_killed(tmp_path: Path) -> None:
    """The log is copied beside the file as a kill leaves it."""
    path, killed = tmp_path / "games.db", tmp_path / "killed" / "games.db"
    killed.parent.mkdir()
    with Journal.open(path, make_header()) as journal:
        journal.write(make_row(1))
        for end in ("", "-wal"):
            (killed.parent / f"games.db{end}").write_bytes(
                (tmp_path / f"games.db{end}").read_bytes()
            )
    assert (killed.parent / "games.db-wal").stat().st_size > 0
    Journal.open(killed, make_header(), new=True).close()
    with Journal.read(killed.parent / "games-1.db") as journal:
        assert list(journal.rows()) == [make_row(1)]


def test_new_sets_aside_what_is_no_journal(tmp_path: Path) -> None:
    (tmp_path / "games.db").write_text("my notes, not a database at all\n" * 50)
    Journal.open(tmp_path / "games.db", make_header(), new=True).close()
    assert (tmp_path / "games-1.db").read_text().startswith("my notes")


def test_new_where_there_is_nothing_begins(tmp_path: Path) -> None:
    Journal.open(tmp_path / "games.db", make_header(), new=True).close()
    assert [file.name for file in tmp_path.iterdir()] == ["games.db"]


@pytest.mark.parametrize("begun", ["nothing", "empty", "log mode"])
def test_a_run_killed_at_its_very_beginning_begins_again(tmp_path: Path, begun: str) -> None:
    path = tmp_path / "games.db"
    if begun == "empty":
        path.touch()
    elif begun == "log mode":
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.close()
    fill(path, 2)
    with Journal.read(path) as journal:
        assert journal.count() == 2
