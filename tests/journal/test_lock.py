"""One writer: a second run is refused, readers are welcome, and a killed run leaves no lock."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.journal import Journal, JournalBusy
from arena.journal.database import Lock
from tests.journal.examples import fill, make_header, make_row

HOLD = """
import sys, time
from pathlib import Path
from arena.journal import Journal
from tests.journal.examples import make_header
journal = Journal.open(Path(sys.argv[1]), make_header())
print("open", flush=True)
time.sleep(60)
"""


def hold(path: Path) -> subprocess.Popen[str]:
    """A process that has the journal open."""
    command = [sys.executable, "-c", HOLD, str(path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "open\n"
    process.stdout.close()
    return process


def test_a_second_process_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with hold(path) as first:
        for new in (False, True):
            with pytest.raises(JournalBusy, match=f"is being written by process {first.pid}"):
                Journal.open(path, make_header(), new=new)
        with Journal.read(path) as reader:
            assert reader.count() == 0
        first.send_signal(signal.SIGKILL)
    Journal.open(path, make_header()).close()
    assert not (tmp_path / "games-1.db").exists()


def test_the_same_process_is_refused_too(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with (
        Journal.open(path, make_header()),
        pytest.raises(JournalBusy, match=rf"this process \({os.getpid()}\)"),
    ):
        Journal.open(path, make_header())
    Journal.open(path, make_header()).close()


def test_the_lock_file_is_gone_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    journal = Journal.open(path, make_header())
    assert (tmp_path / "games.db.lock").read_text() == f"{os.getpid()}\n"
    journal.close()
    journal.close()
    assert [file.name for file in tmp_path.iterdir()] == ["games.db"]


def test_a_lock_file_that_somebody_left_locks_nothing(tmp_path: Path) -> None:
    (tmp_path / "games.db.lock").write_text("1\n")
    fill(tmp_path / "games.db", 1)


def test_a_lock_that_was_renamed_away_is_taken_anew(tmp_path: Path) -> None:
    """What counts is the file that bears the name, not one that a holder has removed since."""
    lock = Lock(tmp_path / "games.db")
    lock.path.rename(tmp_path / "old")
    other = Lock(tmp_path / "games.db")
    with pytest.raises(JournalBusy):
        Lock(tmp_path / "games.db")
    other.release()
    lock.release()


def test_a_reader_sees_games_as_they_come(tmp_path: Path) -> None:
    with Journal.open(tmp_path, make_header()) as writer:
        reader = Journal.read(tmp_path)
        for number in range(5):
            writer.write(make_row(number))
            assert reader.count() == number + 1
            assert reader.row(number) == make_row(number)
        slow = reader.rows()
        assert next(slow) == make_row(0)
        writer.write(make_row(5))
        assert len(list(slow)) >= 4
        reader.close()
