"""One writer: a second one is refused, and it notices when its journal is taken away."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.journal import Journal, JournalBusy, JournalError
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


# ---- taken away


def begun(path: Path) -> Journal:
    journal = Journal.open(path, make_header())
    for number in (1, 2, 3):
        journal.write(make_row(number))
    return journal


def numbers(path: Path) -> list[int]:
    with Journal.read(path) as journal:
        return [row.number for row in journal.rows()]


@pytest.mark.parametrize("whole_folder", [False, True])
def test_a_file_that_is_removed_is_put_back(tmp_path: Path, whole_folder: bool) -> None:
    path = tmp_path / "out" / "games.db"
    with begun(path) as journal:
        shutil.rmtree(path.parent) if whole_folder else path.unlink()
        with pytest.raises(JournalError, match=r"was removed or moved .* its 4 games are saved"):
            journal.write(make_row(4))
    assert numbers(path) == [1, 2, 3, 4]
    with Journal.open(path, make_header()) as journal:
        journal.write(make_row(5))
    assert numbers(path) == [1, 2, 3, 4, 5]


def test_a_file_in_its_place_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with begun(path) as journal:
        path.unlink()
        path.write_text("something else")
        with pytest.raises(JournalError, match="was replaced by another file"):
            journal.check_place()
        journal.check_place()  # it is said once
    assert path.read_text() == "something else"
    assert numbers(tmp_path / "games-saved-1.db") == [1, 2, 3]


def test_without_its_log_the_file_is_made_complete(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with begun(path) as journal:
        (tmp_path / "games.db-wal").unlink()
        sentence = "games.db-wal was removed or moved .* its 4 games are saved in .*games.db"
        with pytest.raises(JournalError, match=sentence):
            journal.write(make_row(4))
        shutil.copy(path, tmp_path / "alone.db")  # what a killed process would leave
    assert numbers(path) == numbers(tmp_path / "alone.db") == [1, 2, 3, 4]


def test_a_journal_that_is_opened_again_has_its_log_watched(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    begun(path).close()
    with Journal.open(path, make_header()) as journal:
        journal.write(make_row(4))
        (tmp_path / "games.db-wal").unlink()
        with pytest.raises(JournalError, match="its 5 games are saved"):
            journal.write(make_row(5))
    assert numbers(path) == [1, 2, 3, 4, 5]


def test_where_a_folder_cannot_be_made_again_the_games_are_saved_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, elsewhere = tmp_path / "out" / "games.db", tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.setattr("arena.journal.database.mkdtemp", lambda prefix: str(elsewhere))
    with begun(path) as journal:
        shutil.rmtree(path.parent)
        path.parent.write_text("a file where the folder was")
        with pytest.raises(JournalError, match=f"4 games are saved in {elsewhere}/games.db"):
            journal.write(make_row(4))
    assert numbers(elsewhere) == [1, 2, 3, 4]
    shutil.rmtree(elsewhere)
    elsewhere.write_text("a file as well")
    with begun(tmp_path / "other" / "games.db") as journal:
        shutil.rmtree(tmp_path / "other")
        (tmp_path / "other").write_text("a file where the folder was")
        with pytest.raises(JournalError, match=r"could not be saved in .* and are lost: "):
            journal.write(make_row(4))


def test_readers_and_undisturbed_writers_are_not_concerned(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with begun(path) as journal:
        journal.check_place()
    with Journal.read(path) as journal:
        path.rename(tmp_path / "elsewhere.db")
        journal.check_place()
