"""Opening again: the same tournament resumes, another one is refused or starts over."""

from __future__ import annotations

import copy
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.journal import Journal, JournalChanged
from arena.tournament.openings import SolvedOpening
from tests.journal.examples import CANONICAL, fill, make_header, make_row


def changed(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    canonical = copy.deepcopy(CANONICAL)
    change(canonical)
    return {"canonical": canonical, "fingerprint": "e" * 64}


def test_the_same_tournament_resumes(tmp_path: Path) -> None:
    rows = fill(tmp_path / "games.db", 5)
    later = make_header(created=1_800_000_000.0, environment={"cores": 64})
    with Journal.open(tmp_path / "games.db", later) as journal:
        assert journal.header == make_header()  # that of the first run
        assert list(journal.finished) == list(range(5))
        journal.write(make_row(5))
        assert list(journal.rows()) == [*rows, make_row(5)]


def test_the_same_tournament_in_other_words_keeps_the_last(tmp_path: Path) -> None:
    """What decides no game: comments of the file, and what is asked about it."""
    rows = fill(tmp_path / "games.db", 2)
    asked = {"ask": "Is alpha better?", "better": ["alpha"], "than": ["beta", "gamma"]}
    words: dict[str, Any] = {"spec_text": "name: example  # in other words\n", "question": asked}
    Journal.open(tmp_path, make_header(**words, created=1_800_000_000.0)).close()
    with Journal.read(tmp_path) as journal:
        assert journal.header == make_header(**words)
        assert list(journal.rows()) == rows
    Journal.open(tmp_path, make_header()).close()
    with Journal.read(tmp_path) as journal:
        assert journal.header == make_header()


def test_another_tournament_is_refused_with_what_changed(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    fill(path, 3)

    def change(canonical: dict[str, Any]) -> None:
        canonical["engines"][1]["options"]["depth"] = 6
        canonical["engines"].append({"name": "delta"})
        canonical["rounds"] = 2

    with pytest.raises(JournalChanged) as refused:
        Journal.open(path, make_header(**changed(change)))
    assert refused.value.changes == (
        "engines[1].options.depth: 4 -> 6",
        "engines[3]: 'delta' is new",
        "rounds: not set -> 2",
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
    with pytest.raises(JournalChanged, match="and 35 more") as refused:
        Journal.open(tmp_path, make_header(**many))
    assert len(refused.value.changes) == 40


def test_a_change_that_the_text_does_not_show_is_named(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 1)
    with pytest.raises(JournalChanged, match=r"fingerprint: f+ -> 0+"):
        Journal.open(tmp_path, make_header(fingerprint="0" * 64))


def test_the_same_change_of_many_engines_is_named_once(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 1)

    def change(canonical: dict[str, Any]) -> None:
        for engine in canonical["engines"]:
            engine["limits"] = {"depth": 4}
        canonical["seed"] = 8

    with pytest.raises(JournalChanged) as refused:
        Journal.open(tmp_path, make_header(**changed(change)))
    assert len(refused.value.changes) == 4
    assert 'limits: not set -> {"depth": 4} (of 3 engines)' in str(refused.value)
    assert "seed: 7 -> 8" in str(refused.value)


def test_a_bot_that_was_edited_is_named_and_no_digest_is_shown(tmp_path: Path) -> None:
    def with_digest(digest: str) -> dict[str, Any]:
        def change(canonical: dict[str, Any]) -> None:
            canonical["engines"][1] |= {"engine": "bots/my_bot.py:MyBot", "sha256": digest * 64}

        return changed(change)

    path = tmp_path / "games.db"
    with Journal.open(path, make_header(**with_digest("a"))) as journal:
        journal.write(make_row(1))
    edited = {**with_digest("b"), "fingerprint": "d" * 64}
    with pytest.raises(JournalChanged) as refused:
        Journal.open(path, make_header(**edited))
    assert str(refused.value) == (
        f"cannot resume {path}: bots/my_bot.py has changed since game 1; undo the change, or use "
        "--new to start over (the old games are kept)"
    )


def test_without_games_a_journal_takes_any_tournament(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Journal.open(path, make_header()) as journal:
        journal.begin_session("arena run x.yaml", 2)
        journal.write_event("table lost", "of the first tournament")
        journal.add(SolvedOpening(3, (1, 2)))
    other = make_header("5x4", **changed(lambda canonical: canonical.update(seed=9)), seed=9)
    with Journal.open(path, other) as journal:
        assert journal.header == other
        journal.write(make_row(1, "5x4"))
    with Journal.read(path) as journal:
        assert journal.header == other
        assert [row.number for row in journal.rows()] == [1]
        assert journal.events() == []
        assert journal.solved_openings() == []
        assert len(journal.sessions()) == 1
    with pytest.raises(JournalChanged):
        Journal.open(path, make_header())


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


@pytest.mark.parametrize("begun", ["empty", "log mode"])
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
