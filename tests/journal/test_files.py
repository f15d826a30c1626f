"""Full disks, forbidden places and files of others: one sentence, and nothing gets worse."""

from __future__ import annotations

import errno
import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from arena.journal import BadJournal, Journal, JournalError
from arena.journal.errors import explained
from arena.journal.journal import OURS
from tests.journal.examples import fill, make_header, make_row

NOBODY = 65534
TOO_LARGE = """
import resource, sys
from pathlib import Path
from arena.journal import Journal, JournalError
from tests.journal.examples import make_header, make_row
with Journal.open(Path(sys.argv[1]), make_header()) as journal:
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
    try:
        for number in range(1000):
            journal.write(make_row(number))
    except JournalError as error:
        print(number, error)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    journal.write(make_row(number))
    journal.write(make_row(number + 1))
"""


def one_sentence(error: pytest.ExceptionInfo[JournalError]) -> str:
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_full_disk_is_reported_and_later_games_are_written(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "games.db", make_header()) as journal:
        pages = journal._connection.execute("PRAGMA page_count").fetchone()[0]
        journal._connection.execute(f"PRAGMA max_page_count = {pages + 3}")
        written: list[int] = []

        def fill_up() -> None:
            for number in range(1000):
                journal.write(make_row(number))
                written.append(number)

        with pytest.raises(JournalError, match="the disk is full") as refused:
            fill_up()
        assert one_sentence(refused)
        assert 0 < len(written) < 1000
        assert list(journal.finished) == written
        assert list(journal.rows()) == [make_row(number) for number in written]
        journal._connection.execute("PRAGMA max_page_count = 1000000")
        journal.write(make_row(len(written)))
    with Journal.read(tmp_path) as journal:
        assert journal.count() == len(written) + 1


def test_a_write_that_the_system_refuses_leaves_the_journal_usable(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    command = [sys.executable, "-c", TOO_LARGE, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    number, sentence = done.stdout.strip().split(" ", 1)
    assert "cannot be used: the disk reports an error" in sentence
    assert 0 < int(number) < 1000
    with Journal.open(path, make_header()) as journal:
        assert list(journal.rows()) == [make_row(game) for game in range(int(number) + 2)]


def test_a_file_in_place_of_the_directory(tmp_path: Path) -> None:
    (tmp_path / "reports").write_text("a file")
    with pytest.raises(JournalError, match="cannot be created") as refused:
        Journal.open(tmp_path / "reports" / "games.db", make_header())
    assert one_sentence(refused)


@contextmanager
def read_only(place: Path) -> Iterator[None]:
    """A place that may not be written; root, who may do anything, is somebody else meanwhile."""
    user = os.geteuid()
    os.chmod(place, 0o555)
    os.seteuid(NOBODY if user == 0 else user)
    try:
        yield
    finally:
        os.seteuid(user)
        os.chmod(place, 0o755)


@pytest.fixture
def public() -> Iterator[Path]:
    """A directory that every user can reach."""
    if not hasattr(os, "seteuid"):
        pytest.skip("this system has other permissions")
    with TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)


def test_a_directory_that_may_not_be_written(public: Path) -> None:
    with read_only(public), pytest.raises(JournalError, match="Permission denied") as refused:
        Journal.open(public / "games.db", make_header())
    assert one_sentence(refused)
    with read_only(public), pytest.raises(JournalError, match="cannot be created"):
        Journal.open(public / "deeper" / "games.db", make_header())


def test_a_read_only_place_can_be_read(public: Path) -> None:
    rows = fill(public / "games.db", 3)
    with read_only(public), Journal.read(public) as journal:
        assert list(journal.rows()) == rows


def test_a_read_only_file_is_refused(public: Path) -> None:
    fill(public / "games.db", 3)
    os.chmod(public / "games.db", 0o444)
    os.chmod(public, 0o777)
    with read_only(public / "games.db"), pytest.raises(JournalError, match="read-only") as refused:
        Journal.open(public, make_header())
    assert one_sentence(refused)
    os.chmod(public / "games.db", 0o644)
    with Journal.open(public, make_header()) as journal:
        assert journal.count() == 3


def test_a_directory_in_place_of_the_journal(tmp_path: Path) -> None:
    (tmp_path / "games.db").mkdir()
    with pytest.raises(BadJournal, match="there is no journal"):
        Journal.read(tmp_path)


def other_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: path.write_bytes(b"my notes\n" * 999), "it is not an SQLite file"),
        (lambda path: path.write_bytes(random.Random(1).randbytes(8192)), "not an SQLite file"),
        (other_database, "of another program"),
    ],
    ids=["text", "noise", "database"],
)
def test_a_file_of_another_program_stays_as_it_is(
    tmp_path: Path, make: Callable[[Path], object], words: str
) -> None:
    path = tmp_path / "games.db"
    make(path)
    content = path.read_bytes()
    for attempt in (Journal.read, lambda path: Journal.open(path, make_header())):
        with pytest.raises(BadJournal, match=words) as refused:
            attempt(path)
        assert one_sentence(refused)
    assert path.read_bytes() == content
    assert [file.name for file in tmp_path.iterdir()] == ["games.db"]


def test_a_journal_of_a_newer_version(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 1)
    connection = sqlite3.connect(tmp_path / "games.db")
    connection.execute("PRAGMA user_version = 9")
    connection.close()
    for attempt in (Journal.read, lambda path: Journal.open(path, make_header())):
        with pytest.raises(BadJournal, match=r"a newer version \(layout 9, this one knows 2\)"):
            attempt(tmp_path)


def test_a_journal_that_is_empty(tmp_path: Path) -> None:
    (tmp_path / "games.db").touch()
    with pytest.raises(BadJournal, match="is empty: nothing has been recorded"):
        Journal.read(tmp_path)


def test_a_closed_journal_says_so(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path, make_header())
    journal.close()
    with pytest.raises(JournalError, match="closed"):
        journal.write(make_row(1))


def test_errors_of_the_system_are_sentences_too() -> None:
    error = OSError(errno.ENOSPC, "No space left on device")
    sentence = explained(error, Path("games.db"))
    assert str(sentence) == "the journal games.db cannot be used: no space left on device"
    assert OURS.mark.to_bytes(4, "big") == b"ARNA"
